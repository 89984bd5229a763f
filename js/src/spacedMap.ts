/** The map from characters to words that begin with a space, after a map of SentencePiece; as `_of_charsmap` in Python. */

import { SPACE, tablesOf, utf8OfPoint } from "./characterTables.js";
import { CharacterMap } from "./formats/characterMap.js";
import { keysOf, MARK } from "./mapKeys.js";
import type { SpacedWords } from "./vocabData.js";
import { writeWordMap } from "./wordMap.js";
import type { WordTables } from "./wordTables.js";

const LONGEST_CLUSTER = 5; // bytes
const WHITE_SPACE = [
  ...[0x9, 0xa, 0xb, 0xc, 0xd, 0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
  ...Array.from({ length: 11 }, (_, i) => 0x2000 + i),
];

/** Returns the map; undefined if it would look at more than clusters of characters. */
export function spacedMapOf({ map, flags }: SpacedWords, { marks }: WordTables): Uint8Array | undefined {
  const spaces = flags.includes("dropSpaces") ? WHITE_SPACE : [0x20];
  const becomes = new Map<number, string | undefined>(spaces.map((point) => [point, SPACE]));
  becomes.set(MARK, undefined); // it is not a space yet where these are dropped
  const marked = spaces.map((point) => utf8OfPoint(point));
  const keys = keysOf(map, marked, LONGEST_CLUSTER);
  if (keys.hasMark || keys.endsWithin) return undefined; // a key that ends within a character replaces all that begin so
  for (const [point, text] of keys.characters) becomes.set(point, text);
  if (map === CharacterMap.NONE) return writeWordMap({ flags, ...tablesOf(becomes) });
  for (const [first, last] of marks.before) for (let point = first; point <= last; ++point) becomes.set(point, undefined);
  return writeWordMap({ flags, ...tablesOf(becomes), clusters: { map: map.data, spaces: marked, joins: marks.joins, alone: marks.alone } });
}
