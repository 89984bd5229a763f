/** The map of characters to words that begin with a space, behind a map of SentencePiece; as `_of_charsmap` in Python. */

import { bytesOf, utf8Of } from "./binaryStrings.js";
import type { SpacedWords } from "./vocabData.js";
import { writeWordMap } from "./wordMap.js";
import type { WordTables } from "./wordTables.js";

const SPACE = "\xfe";
const MARK = 0x2581;
const OUTSIDE = 0xffffffff;
const LONGEST_CLUSTER = 5; // bytes
const LONGEST_TEXT = 255;
const PAGES = 0x1100;
const WHITE_SPACE = [
  ...[0x9, 0xa, 0xb, 0xc, 0xd, 0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
  ...Array.from({ length: 11 }, (_, i) => 0x2000 + i),
];
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the map; undefined if it would look at more than clusters of characters. */
export function spacedMapOf({ keys, flags }: SpacedWords, { marks }: WordTables): Uint8Array | undefined {
  const spaces = flags.includes("dropSpaces") ? WHITE_SPACE : [0x20];
  const becomes = new Map<number, string | undefined>(spaces.map((point) => [point, SPACE]));
  becomes.set(MARK, undefined); // it is no space yet where these are dropped
  const marked = spaces.map((point) => utf8(point));
  const texts = new Map<string, string>();
  const clusters = new Map<string, string>();
  const mark = utf8(MARK);
  for (const [key, value] of keys) {
    const text = marked.reduce((now, space) => now.replaceAll(space, SPACE), value);
    if (text.includes(mark) ? key.length <= LONGEST_CLUSTER : text.length > LONGEST_TEXT) return undefined;
    texts.set(key, text);
    if (key.length <= LONGEST_CLUSTER) clusters.set(key, text);
  }
  for (const key of texts.keys()) {
    const point = pointOf(key);
    if (point === undefined) return undefined; // a key that ends within a character
    if (point === null) continue;
    const size = Array.from(key).findIndex((_, i) => texts.has(key.slice(0, i + 1))) + 1;
    becomes.set(point, texts.get(key.slice(0, size)));
  }
  if (clusters.size === 0) return writeWordMap({ flags, ...tablesOf(becomes) });
  for (const [first, last] of marks.before) for (let point = first; point <= last; ++point) becomes.set(point, undefined);
  return writeWordMap({ flags, ...tablesOf(becomes), clusters: { keys: clusters, joins: marks.joins, alone: marks.alone } });
}

/** Tables of what becomes of characters; undefined stands for one that is not in the map. Others stay as they are. */
function tablesOf(becomes: ReadonlyMap<number, string | undefined>): { pages: Uint8Array; entries: Uint8Array[]; texts: Uint8Array[] } {
  const pages = new Uint16Array(PAGES);
  const entries = [new Uint32Array(256)]; // page 0: of all that is not given
  const places = new Map<string, number>();
  const texts: Uint8Array[] = [];
  let end = 0;
  for (const [point, text] of becomes) {
    const high = point >> 8;
    if (pages[high] === 0) pages[high] = entries.push(new Uint32Array(256)) - 1;
    if (text === utf8(point)) continue;
    let entry = text === undefined ? OUTSIDE : places.get(text);
    if (entry === undefined) {
      const data = bytesOf(text as string);
      entry = end + 1;
      places.set(text as string, entry);
      texts.push(Uint8Array.of(data.length), data);
      end += 1 + data.length;
    }
    (entries[pages[high] as number] as Uint32Array)[point & 0xff] = entry;
  }
  const bytes = (words: Uint16Array | Uint32Array): Uint8Array => new Uint8Array(words.buffer);
  return { pages: bytes(pages), entries: entries.map(bytes), texts };
}

/** The code point that some bytes are; null if they are several, and undefined if they are no UTF-8. */
function pointOf(bytes: string): number | null | undefined {
  try {
    const text = decoder.decode(bytesOf(bytes));
    const point = text.codePointAt(0) as number;
    return text.length === (point > 0xffff ? 2 : 1) ? point : null;
  } catch {
    return undefined;
  }
}

/** The UTF-8 of a code point. */
function utf8(point: number): string {
  return utf8Of(String.fromCodePoint(point));
}
