/**
 * BPE of characters as BPE of bytes, which the engine runs: merges that rank before all others make each character of its
 * bytes. What is left of bytes in the end has ids above all others, virtual ones. `wordsplit.model.lowered` in Python says
 * why the ids are the same.
 */

import type { ModelRules, TokenTable } from "../../vocabData.js";
import { utf8Of } from "../../binaryStrings.js";
import { type Merges, pack } from "../baseTokens.js";
import { writeText } from "../byteLevel.js";
import type { Tokens } from "../namedTokens.js";

const LONGEST_CHARACTER = 4; // in UTF-8, and no shorter in UTF-16

/** The parts of a vocab in the engine. */
export interface Lowered {
  tokens: TokenTable;
  merges: Uint32Array;
  unreachable: Uint32Array;
  rules: Pick<ModelRules, "firstVirtual" | "madeCharacters">;
}

/**
 * Returns the tables of a model.
 *
 * @param special - the ids of what no text produces as such, and no merge has: those of bytes, the unknown one, and others.
 * @param byteIds - the ids of the tokens that spell bytes, by these.
 * @param mark - the character that stands for a space in tokens, none of which has a space; or the empty string. The tables
 * have a space.
 */
export function lowered(
  names: Tokens,
  merges: Merges,
  special: ReadonlySet<number>,
  byteIds: readonly (number | undefined)[],
  mark: string,
): Lowered {
  // The tokens that may be characters, or bytes of them. Bytes are strings of characters below U+0100, so that they can be keys.
  const ids = new Map<string, number>();
  const singles: string[] = [];
  const unused = new Set<number>();
  names.names.forEach((name, i) => {
    const id = names.ids[i] as number;
    if (special.has(id) || names.idOf.get(name) !== id) unused.add(id);
    if (name.length > LONGEST_CHARACTER || unused.has(id)) return;
    const data = utf8Of(name === mark ? " " : name);
    ids.set(data, id);
    if (isOne(name)) singles.push(data);
  });
  const firstVirtual = (names.ids.at(-1) ?? -1) + 1;
  const virtual: string[] = [];
  const addVirtual = (data: string): void => {
    ids.set(data, firstVirtual + virtual.length);
    virtual.push(data);
  };
  const byteOf = new Map<number, number>(); // by id
  byteIds.forEach((id, byte) => {
    if (id === undefined) return;
    const data = String.fromCharCode(byte);
    byteOf.set(id, byte);
    if (ids.has(data)) return;
    ids.set(data, id);
    unused.delete(id);
  });
  for (let byte = 0; byte < 256; ++byte) {
    const data = String.fromCharCode(byte);
    if (!ids.has(data)) addVirtual(data);
  }
  const made: number[] = []; // pairs that make characters
  for (const single of singles) {
    for (let end = 2; end <= single.length; ++end) {
      const beginning = single.slice(0, end);
      if (!ids.has(beginning)) addVirtual(beginning);
      else if (end < single.length) continue; // made for another character
      made.push(ids.get(beginning.slice(0, -1)) as number, ids.get(beginning.slice(-1)) as number);
    }
  }
  const lost = new Set([...unused].filter((id) => !special.has(id)));
  const kept = lost.size > 0 ? without(merges.pairs, lost) : merges.pairs;
  const all = new Uint32Array(made.length + kept.length);
  all.set(made);
  all.set(kept, made.length);
  const count = names.ids.length;
  const longest = names.names.reduce((size, name) => size + 3 * name.length, LONGEST_CHARACTER * virtual.length);
  const write = (i: number, out: Uint8Array, at: number): number => {
    if (i >= count) return writeBytes(virtual[i - count] as string, out, at);
    const byte = byteOf.get(names.ids[i] as number);
    if (byte !== undefined) return writeBytes(String.fromCharCode(byte), out, at);
    const name = names.names[i] as string;
    return writeText(mark ? name.replaceAll(mark, " ") : name, out, at);
  };
  return {
    tokens: pack([...names.ids, ...virtual.map((_, i) => firstVirtual + i)], longest, write, new Set()).tokens,
    merges: all,
    unreachable: Uint32Array.from(unused),
    rules: { firstVirtual, madeCharacters: made.length / 2 },
  };
}

/** Returns the pairs in which none of some ids is. */
function without(pairs: Uint32Array, ids: ReadonlySet<number>): Uint32Array {
  return pairs.filter((_, i) => !ids.has(pairs[i & ~1] as number) && !ids.has(pairs[i | 1] as number));
}

/** Whether a text is one character. */
function isOne(text: string): boolean {
  return text.length > 0 && text.length === ((text.codePointAt(0) as number) > 0xffff ? 2 : 1);
}

/** Writes the bytes that a string stands for and returns their number. */
function writeBytes(data: string, out: Uint8Array, at: number): number {
  for (let i = 0; i < data.length; ++i) out[at + i] = data.charCodeAt(i);
  return data.length;
}
