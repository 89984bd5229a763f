/** The entry of a table; undefined if the table lacks it, whatever it inherits. */
export function ownEntry<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
