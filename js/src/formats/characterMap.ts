/**
 * The character maps of SentencePiece (`precompiled_charsmap`): a trie of byte strings, and a replacement for each. The
 * format is described in `wordsplit.charsmap` in Python.
 */

import { LONGEST_TEXT } from "../characterTables.js";

const KEY_ENDS = 1 << 8;
const LONGEST = 64;
const MOST_PATHS = 1 << 22;

/** A character map. */
export interface CharacterMap {
  /** As in the file. */
  data: Uint8Array;
  /** Each key and its replacement, both with a character for each byte. */
  keys: ReadonlyMap<string, string>;
}

export const NO_MAP: CharacterMap = { data: new Uint8Array(), keys: new Map() };

/**
 * Returns a map.
 *
 * @param error - makes the error for one that is damaged.
 */
export function readCharacterMap(data: Uint8Array, error: (found: string) => Error): CharacterMap {
  const size = data.length < 4 ? 0 : new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  if (size < 4 || size > data.length - 4) throw error(`is damaged: its trie has ${size} of ${data.length} bytes`);
  const units = new Uint32Array(new Uint8Array(data.subarray(4, 4 + size - (size % 4))).buffer); // a copy is aligned
  const replacements = data.subarray(4 + size - (size % 4));
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(replacements);
  } catch {
    throw error("is damaged: its replacements are not UTF-8");
  }
  const texts = new Map<number, string>(); // of which keys may share many
  const textAt = (start: number): string => {
    const known = texts.get(start);
    if (known !== undefined) return known;
    const end = replacements.indexOf(0, start);
    const bytes = replacements.subarray(start, end < 0 ? undefined : end);
    if (start > replacements.length) throw error(`is damaged: a replacement begins at ${start}, outside of it`);
    if (((bytes[0] ?? 0) & 0xc0) === 0x80) throw error(`is damaged: a replacement begins within a character, at ${start}`);
    if (bytes.length > LONGEST_TEXT) throw error(`has a replacement of ${bytes.length} bytes; at most ${LONGEST_TEXT} are read`);
    const text = String.fromCharCode(...bytes);
    texts.set(start, text);
    return text;
  };
  const children = new Map<number, number[]>(); // by base
  units.forEach((unit, at) => {
    const label = labelOf(unit);
    if (label === 0 || label > 0xff) return;
    const base = (at ^ label) >>> 0;
    const known = children.get(base);
    if (known) known.push(at);
    else children.set(base, [at]);
  });
  const found = new Map<string, string>();
  let paths = 0;
  const pending: [number, string][] = [[offsetOf(units[0] as number), ""]];
  for (let next; (next = pending.pop()); ) {
    const [base, before] = next;
    for (const at of children.get(base) ?? []) {
      const unit = units[at] as number;
      const key = before + String.fromCharCode(labelOf(unit));
      // Nodes of a forged trie may form a circle, or share what is below them many times.
      if (key.length > LONGEST || ++paths > MOST_PATHS) throw error("is damaged: its trie has no end");
      const below = (at ^ offsetOf(unit)) >>> 0;
      if (unit & KEY_ENDS) {
        const value = units[below];
        if (value === undefined) throw error(`is damaged: a value of its trie is at ${below}`);
        found.set(key, textAt(value & 0x7fffffff));
      }
      pending.push([below, key]);
    }
  }
  return { data, keys: found };
}

/** The byte that leads to a node; above 255 for a value. */
function labelOf(unit: number): number {
  return (unit & 0x800000ff) >>> 0;
}

function offsetOf(unit: number): number {
  return ((unit >>> 10) << ((unit & (1 << 9)) >>> 6)) >>> 0;
}
