/** The map from characters to words that begin with a space, after a map of SentencePiece; as `_of_charsmap` in Python. */

import { bytesOf } from "./binaryStrings.js";
import { LONGEST_TEXT, SPACE, tablesOf, utf8OfPoint } from "./characterTables.js";
import { textOf } from "./utf8.js";
import type { SpacedWords } from "./vocabData.js";
import { writeWordMap } from "./wordMap.js";
import type { WordTables } from "./wordTables.js";

const MARK = 0x2581;
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
  const texts = new Map<string, string>();
  let hasClusters = false;
  const mark = utf8OfPoint(MARK);
  for (const [key, value] of map.keys) {
    const text = marked.reduce((now, space) => now.replaceAll(space, SPACE), value);
    if (text.includes(mark) ? key.length <= LONGEST_CLUSTER : text.length > LONGEST_TEXT) return undefined;
    texts.set(key, text);
    hasClusters ||= key.length <= LONGEST_CLUSTER;
  }
  for (const key of texts.keys()) {
    const point = pointOf(key);
    if (point === undefined) return undefined; // a key that ends within a character
    if (point === null) continue;
    const size = Array.from(key).findIndex((_, i) => texts.has(key.slice(0, i + 1))) + 1;
    becomes.set(point, texts.get(key.slice(0, size)));
  }
  if (!hasClusters) return writeWordMap({ flags, ...tablesOf(becomes) });
  for (const [first, last] of marks.before) for (let point = first; point <= last; ++point) becomes.set(point, undefined);
  return writeWordMap({ flags, ...tablesOf(becomes), clusters: { map: map.data, spaces: marked, joins: marks.joins, alone: marks.alone } });
}

/** The code point that some bytes are; null if they are several, and undefined if they are no UTF-8. */
function pointOf(bytes: string): number | null | undefined {
  const text = textOf(bytesOf(bytes));
  if (text === undefined) return undefined;
  const [first, ...others] = text;
  return first === undefined || others.length > 0 ? null : (first.codePointAt(0) as number);
}
