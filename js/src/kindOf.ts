/** The kind of a value of a wrong type, for messages. */
export function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "an array" : ArrayBuffer.isView(value) ? "bytes" : typeof value;
}
