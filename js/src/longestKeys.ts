/**
 * Maps of characters to words that begin with a space, after a map of SentencePiece of which the longest keys count; as
 * `_of_longest_keys` in Python.
 */

import { utf8Of } from "./binaryStrings.js";
import { SPACE, tablesOf } from "./characterTables.js";
import type { CharacterMap } from "./formats/characterMap.js";
import { keysOf, MARK } from "./mapKeys.js";
import { type Range, type WordFlag, writeWordMap } from "./wordMap.js";

const SPACE_POINT = 0x20;
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
  static of(map: CharacterMap, alone: readonly string[]): LongestKeys | undefined {
    const keys = keysOf(map, [" "]);
    const { characters, firsts, others } = keys;
    const looksFar = keys.most > MOST_CHARACTERS || others.has(SPACE_POINT) || others.has(MARK) || firsts.has(MARK);
    if (keys.hasMark || looksFar) return undefined;
    const becomes = new Map<number, string | undefined>([[SPACE_POINT, SPACE], ...characters]);
    for (const text of alone) {
      const point = text.codePointAt(0) as number;
      if ([...text].length > 1 || firsts.has(point) || point === SPACE_POINT || point === MARK) return undefined;
      becomes.set(point, utf8Of(text)); // it has priority over all keys
    }
    return new LongestKeys(becomes, map.data, Array.from(others, (point) => [point, point] as const));
  }

  /** Whether a mark of spaces becomes something else. */
  get replacesMark(): boolean {
    return this.#becomes.has(MARK);
  }

  /** Returns the map. */
  map({ joined, summed, lacksMark }: Spaces): Uint8Array {
    const becomes = lacksMark ? new Map([...this.#becomes, [MARK, undefined]]) : this.#becomes;
    const flags: WordFlag[] = ["spaced", "dropSpaces", "prepend", "longestKeys"];
    if (joined) flags.push("joined");
    if (summed) flags.push("summed");
    if (this.#joins.length === 0) return writeWordMap({ flags, ...tablesOf(becomes) });
    return writeWordMap({ flags, ...tablesOf(becomes), clusters: { map: this.#map, spaces: [" "], joins: this.#joins, alone: [] } });
  }
}
