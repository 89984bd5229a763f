/** Bytes that callers give: of any kind and realm (a frame, or a test runner's sandbox), and in any kind of memory. */

import { InputTypeError } from "./errors.js";

/** Bytes: a typed array such as `Uint8Array`, a `DataView`, or a buffer. */
export type Bytes = ArrayBufferLike | ArrayBufferView;

/** Whether a value is an object of a class of the platform, such as `"URL"`, in whatever realm it was made. */
export function isA(value: unknown, kind: string): boolean {
  return typeof value === "object" && value !== null && Object.prototype.toString.call(value) === `[object ${kind}]`;
}

/** Whether a value is a `Uint8Array`. */
export function isByteArray(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || (ArrayBuffer.isView(value) && isA(value, "Uint8Array"));
}

/**
 * Returns bytes as an array in memory that is neither shared nor resizable, which browsers refuse in most places: a copy
 * only where it has to be. Undefined for other values.
 *
 * @throws InputTypeError - their memory is gone.
 */
export function ownBytes(name: string, value: unknown): Uint8Array | undefined {
  const isBuffer = isA(value, "ArrayBuffer") || isA(value, "SharedArrayBuffer");
  if (!isBuffer && !ArrayBuffer.isView(value)) return undefined;
  try {
    const view = isBuffer ? new Uint8Array(value as ArrayBufferLike) : (value as ArrayBufferView);
    const { buffer, byteOffset, byteLength } = view;
    if (byteLength === 0 && !isBuffer) new Uint8Array(0).set(value as Uint8Array); // throws if the buffer has shrunk
    return unshared(new Uint8Array(buffer, byteOffset, byteLength));
  } catch {
    return gone(name);
  }
}

/** Returns the bytes of an option; undefined if it is not given. */
export function bytesOption(name: string, value: Bytes | undefined): Uint8Array | undefined {
  if (value === undefined) return undefined;
  const bytes = ownBytes(name, value);
  if (bytes) return bytes;
  throw new InputTypeError(`${name}: should be bytes, found ${value === null ? "null" : typeof value}`);
}

/** Returns an array in memory that is neither shared nor resizable: a copy if it has to be. */
export function unshared(bytes: Uint8Array): Uint8Array {
  const isPlain = isA(bytes.buffer, "ArrayBuffer") && !(bytes.buffer as { resizable?: boolean }).resizable;
  return isPlain ? bytes : new Uint8Array(bytes); // slice() of Node's Buffer is no copy
}

/** Throws if the memory of an empty array is gone, as after it has been transferred to a worker. */
export function checkHeld(name: string, array: Uint8Array | Uint32Array): void {
  try {
    new Uint32Array(0).set(array);
  } catch {
    gone(name);
  }
}

function gone(name: string): never {
  throw new InputTypeError(`${name}: the memory of the array is gone: transferred, perhaps to a worker, or shrunk`);
}
