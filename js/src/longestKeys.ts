/**
 * Maps of characters to words that begin with a space, after a map of SentencePiece of which the longest keys count; as
 * `_of_longest_keys` in Python.
 */

import { utf8Of } from "./binaryStrings.js";
import { LONGEST_TEXT, SPACE, tablesOf } from "./characterTables.js";
import type { CharacterMap } from "./formats/characterMap.js";
import { textsOf } from "./utf8.js";
import { type Range, type WordFlag, writeWordMap } from "./wordMap.js";

const MARK = "\u2581";
const MARK_BYTES = utf8Of(MARK);
const MOST_CHARACTERS = 16;

/** The treatment of spaces by a map. */
export interface Spaces {
  /** Whether the words of a text are one span. */
  joined: boolean;
  /** Whether the scores of words are summed. */
  summed: boolean;
  /** Whether texts with marks of spaces are outside of the map. */
  lacksMark: boolean;
}

/** The keys of a map, of which the longest count. */
export class LongestKeys {
  readonly #becomes: ReadonlyMap<number, string | undefined>;
  readonly #map: Uint8Array;
  readonly #joins: readonly Range[];

  private constructor(becomes: ReadonlyMap<number, string | undefined>, map: Uint8Array, joins: readonly Range[]) {
    this.#becomes = becomes;
    this.#map = map;
    this.#joins = joins;
  }

  /**
   * Returns the keys; undefined if a map cannot express them.
   *
   * @param alone - texts that are left alone.
   */
  static of({ data, keys }: CharacterMap, alone: readonly string[]): LongestKeys | undefined {
    const becomes = new Map<number, string | undefined>([[0x20, SPACE]]);
    const firsts = new Set<string>();
    const others = new Set<string>();
    const texts = textsOf([...keys.keys()]);
    const replacements = new Map<string, string | undefined>(); // far fewer than keys
    let at = 0;
    for (const [key, value] of keys) {
      const text = texts[at++];
      if (text === undefined) continue; // a key within a character, as no text has it
      if (value.length > LONGEST_TEXT) return undefined;
      if (!replacements.has(value)) {
        replacements.set(value, value.includes(MARK_BYTES) ? undefined : value.replaceAll(" ", SPACE));
      }
      const replacement = replacements.get(value);
      const [first, ...rest] = text;
      if (rest.length === 0) {
        becomes.set(pointOf(text), replacement);
        continue;
      }
      const looksFar = rest.length >= MOST_CHARACTERS || rest.includes(" ") || text.includes(MARK);
      if (replacement === undefined || looksFar) return undefined;
      firsts.add(first as string);
      for (const char of rest) others.add(char);
    }
    for (const text of alone) {
      if ([...text].length > 1 || firsts.has(text) || text === " " || text === MARK) return undefined;
      becomes.set(pointOf(text), utf8Of(text)); // it has priority over all keys
    }
    return new LongestKeys(becomes, data, Array.from(others, (char) => [pointOf(char), pointOf(char)] as const));
  }

  /** Whether a mark of spaces becomes something else. */
  get replacesMark(): boolean {
    return this.#becomes.has(pointOf(MARK));
  }

  /** Returns the map. */
  map({ joined, summed, lacksMark }: Spaces): Uint8Array {
    const becomes = lacksMark ? new Map([...this.#becomes, [pointOf(MARK), undefined]]) : this.#becomes;
    const flags: WordFlag[] = ["spaced", "dropSpaces", "prepend", "longestKeys"];
    if (joined) flags.push("joined");
    if (summed) flags.push("summed");
    if (this.#joins.length === 0) return writeWordMap({ flags, ...tablesOf(becomes) });
    return writeWordMap({ flags, ...tablesOf(becomes), clusters: { map: this.#map, spaces: [" "], joins: this.#joins, alone: [] } });
  }
}

function pointOf(char: string): number {
  return char.codePointAt(0) as number;
}
