/** The tables in maps from characters to words: the result for each character. Bytes are strings, a character for each. */

import { bytesOf, utf8Of } from "./binaryStrings.js";
import type { WordMapParts } from "./wordMap.js";

/** Stands for a space. */
export const SPACE = "\xfe";
/** The most bytes that may become of a character. */
export const LONGEST_TEXT = 255;

const OUTSIDE = 0xffffffff;
const PAGES = 0x1100;

/** Tables of what becomes of characters; undefined stands for one that is not in the map. Others stay as they are. */
export function tablesOf(becomes: ReadonlyMap<number, string | undefined>): Pick<WordMapParts, "pages" | "entries" | "texts"> {
  const pages = new Uint16Array(PAGES);
  const entries = [new Uint32Array(256)]; // page 0: of all that is not given
  const places = new Map<string, number>();
  const texts: Uint8Array[] = [];
  let end = 0;
  for (const [point, text] of becomes) {
    const high = point >> 8;
    if (pages[high] === 0) pages[high] = entries.push(new Uint32Array(256)) - 1;
    if (text === utf8OfPoint(point)) continue;
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

/** The UTF-8 of a code point. */
export function utf8OfPoint(point: number): string {
  return utf8Of(String.fromCodePoint(point));
}
