/**
 * The character maps of SentencePiece (`precompiled_charsmap`): a trie of byte strings, and a replacement for each. The
 * format is described in `wordsplit.charsmap` in Python.
 */

import { LONGEST_TEXT } from "../characterTables.js";

const KEY_ENDS = 1 << 8;
const MOST_PATHS = 1 << 22;
/** The most bytes of a key. */
export const LONGEST_KEY = 64;

/**
 * Receives a key and its replacement.
 *
 * @param key - its bytes at the beginning of memory that the next key overwrites.
 * @param size - their number.
 * @param text - a character for each byte.
 */
export type VisitKey = (key: Uint8Array, size: number, text: string) => void;

/** A character map that has been checked. */
export class CharacterMap {
  /** A map without keys. */
  static readonly NONE = new CharacterMap(new Uint8Array(), new Uint32Array(1), new Uint8Array(), (found) => new Error(found));

  /** As in the file. */
  readonly data: Uint8Array;
  readonly #units: Uint32Array;
  readonly #replacements: Uint8Array;
  readonly #error: (found: string) => Error;
  /** The children of a base are `#children` from `#firsts[base]` to `#firsts[base + 1]`. */
  readonly #firsts: Uint32Array;
  readonly #children: Uint32Array;
  readonly #texts = new Map<number, string>(); // of which keys may share many

  private constructor(data: Uint8Array, units: Uint32Array, replacements: Uint8Array, error: (found: string) => Error) {
    this.data = data;
    this.#units = units;
    this.#replacements = replacements;
    this.#error = error;
    const firsts = new Uint32Array((units.length | 0xff) + 2);
    const eachChild = (visit: (base: number, at: number) => void): void => {
      units.forEach((unit, at) => {
        const label = labelOf(unit);
        if (label > 0 && label <= 0xff) visit((at ^ label) >>> 0, at);
      });
    };
    eachChild((base) => ++(firsts[base + 1] as number));
    for (let i = 1; i < firsts.length; ++i) firsts[i] = (firsts[i] as number) + (firsts[i - 1] as number);
    const ends = firsts.slice();
    const children = new Uint32Array(firsts.at(-1) as number);
    eachChild((base, at) => (children[(ends[base] as number)++] = at));
    this.#firsts = firsts;
    this.#children = children;
  }

  /**
   * Reads a map.
   *
   * @param error - makes the error for one that is damaged.
   */
  static read(data: Uint8Array, error: (found: string) => Error): CharacterMap {
    const size = data.length < 4 ? 0 : new DataView(data.buffer, data.byteOffset).getUint32(0, true);
    if (size < 4 || size > data.length - 4) throw error(`is damaged: its trie has ${size} of ${data.length} bytes`);
    const units = new Uint32Array(new Uint8Array(data.subarray(4, 4 + size - (size % 4))).buffer); // a copy is aligned
    const replacements = data.subarray(4 + size - (size % 4));
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(replacements);
    } catch {
      throw error("is damaged: its replacements are not UTF-8");
    }
    const map = new CharacterMap(data, units, replacements, error);
    map.eachKey(() => {}); // which checks all
    return map;
  }

  /** Visits each key. */
  eachKey(visit: VisitKey): void {
    const units = this.#units;
    const key = new Uint8Array(LONGEST_KEY);
    const pending = [offsetOf(units[0] as number), 0]; // bases of nodes, each with the size of the key that leads there
    const last = [0]; // the last byte of each of these keys
    for (let paths = 0, byte; (byte = last.pop()) !== undefined; ) {
      const size = pending.pop() as number;
      const base = pending.pop() as number;
      if (size > 0) key[size - 1] = byte;
      const end = base + 1 < this.#firsts.length ? (this.#firsts[base + 1] as number) : 0;
      for (let i = this.#firsts[base] as number; i < end; ++i) {
        const at = this.#children[i] as number;
        const unit = units[at] as number;
        // Nodes of a forged trie may form a circle, or share what is below them many times.
        if (size === LONGEST_KEY || ++paths > MOST_PATHS) throw this.#error("is damaged: its trie has no end");
        const below = (at ^ offsetOf(unit)) >>> 0;
        if (unit & KEY_ENDS) {
          const value = units[below];
          if (value === undefined) throw this.#error(`is damaged: a value of its trie is at ${below}`);
          key[size] = labelOf(unit);
          visit(key, size + 1, this.#textAt(value & 0x7fffffff));
        }
        pending.push(below, size + 1);
        last.push(labelOf(unit));
      }
    }
  }

  /** Whether a byte is a key. */
  hasByte(byte: number): boolean {
    const unit = this.#units[(offsetOf(this.#units[0] as number) ^ byte) >>> 0] ?? 0;
    return labelOf(unit) === byte && (unit & KEY_ENDS) !== 0;
  }

  #textAt(start: number): string {
    const known = this.#texts.get(start);
    if (known !== undefined) return known;
    const end = this.#replacements.indexOf(0, start);
    const bytes = this.#replacements.subarray(start, end < 0 ? undefined : end);
    if (start > this.#replacements.length) {
      throw this.#error(`is damaged: a replacement begins at ${start}, outside of it`);
    }
    if (((bytes[0] ?? 0) & 0xc0) === 0x80) {
      throw this.#error(`is damaged: a replacement begins within a character, at ${start}`);
    }
    if (bytes.length > LONGEST_TEXT) {
      throw this.#error(`has a replacement of ${bytes.length} bytes; at most ${LONGEST_TEXT} are read`);
    }
    const text = String.fromCharCode(...bytes);
    this.#texts.set(start, text);
    return text;
  }
}

/** The byte that leads to a node; above 255 for a value. */
function labelOf(unit: number): number {
  return (unit & 0x800000ff) >>> 0;
}

function offsetOf(unit: number): number {
  return ((unit >>> 10) << ((unit & (1 << 9)) >>> 6)) >>> 0;
}
