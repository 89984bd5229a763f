/** The keys of a SentencePiece map: those of one character, and the characters of others; as `keys_of` in map_keys.hpp. */

import { SPACE, utf8OfPoint } from "./characterTables.js";
import { type CharacterMap, LONGEST_KEY } from "./formats/characterMap.js";
import { decodePoints } from "./utf8.js";

/** The mark of spaces. */
export const MARK = 0x2581;

export interface MapKeys {
  /** What becomes of single characters, a character for each byte; undefined for text with the mark of spaces. */
  characters: Map<number, string | undefined>;
  /** The number of characters of the longest key. */
  most: number;
  /** The first characters of keys of several. */
  firsts: ReadonlySet<number>;
  /** Their other characters. */
  others: ReadonlySet<number>;
  /** Whether keys end within a character, as no text does. */
  endsWithin: boolean;
  /** Whether the text of a cluster has the mark of spaces. */
  hasMark: boolean;
}

/**
 * Returns the keys of a map.
 *
 * @param spaces - what becomes a space in the texts, a character for each byte.
 * @param mostBytes - the most bytes of keys that are clusters; 0 if all keys of several characters are.
 */
export function keysOf(map: CharacterMap, spaces: readonly string[], mostBytes = 0): MapKeys {
  const mark = utf8OfPoint(MARK);
  const characters = new Map<number, string | undefined>();
  const [firsts, others] = [new Set<number>(), new Set<number>()];
  const texts = new Map<string, string | undefined>(); // far fewer than keys
  const textOf = (text: string): string | undefined => {
    if (!texts.has(text)) {
      const spaced = spaces.reduce((now, space) => now.replaceAll(space, SPACE), text);
      texts.set(text, spaced.includes(mark) ? undefined : spaced);
    }
    return texts.get(text);
  };
  const points = new Uint32Array(LONGEST_KEY);
  const out = { characters, most: 0, firsts, others, endsWithin: false, hasMark: false };
  map.eachKey((key, size, own) => {
    const count = decodePoints(key, size, points);
    if (count < 0) {
      out.endsWithin = true;
      return;
    }
    const text = textOf(own);
    if (count === 1) {
      characters.set(points[0] as number, text);
    } else {
      firsts.add(points[0] as number);
      for (let i = 1; i < count; ++i) others.add(points[i] as number);
    }
    out.most = Math.max(out.most, count);
    const isCluster = mostBytes > 0 ? size <= mostBytes : count > 1;
    out.hasMark ||= isCluster && text === undefined;
  });
  return out;
}
