/** Maps of characters to words, as the engine reads them (word_map_file.hpp). Bytes are strings, a character for each. */

/** The properties of all words of a map, by their bits; see `WordFlags` in word_map.hpp. */
const FLAGS = [
  ...(["hasSigns", "contractions", "ended", "spaced", "dropSpaces", "collapseSpaces", "prepend", "prependEach"] as const),
  ...(["trimLeft", "trimRight", "stripRight", "joined", "summed", "longestKeys"] as const),
];
export type WordFlag = (typeof FLAGS)[number];

/** A first and a last number. */
export type Range = readonly [number, number];

/** The parts of a map; see `WordRules` in word_map.hpp. */
export interface WordMapParts {
  flags: readonly WordFlag[];
  /** By the high bits of a code point a page, as 16-bit numbers. */
  pages: Uint8Array;
  /** The entries of all pages, as 32-bit numbers. */
  entries: readonly Uint8Array[];
  texts: readonly Uint8Array[];
  /** What replaces clusters, with the characters that join the one before, and those that join none. */
  clusters?: { keys: ReadonlyMap<string, string>; joins: readonly Range[]; alone: readonly Range[] };
  /** Ranges of which each character gets a space before and after it. */
  apart?: readonly Range[];
}

const POINTS = 0x110000;

/** Returns the bytes of a map. */
export function writeWordMap({ flags, pages, entries, texts, clusters, apart = [] }: WordMapParts): Uint8Array {
  const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((size, part) => size + part.length, 0);
  const keys = clusters?.keys ?? new Map<string, string>();
  const marks = [clusters?.joins, clusters?.alone].flatMap((ranges) =>
    ranges ? [numbers(POINTS / 8), bitsOf(ranges)] : [numbers(0)],
  );
  return joined([
    numbers(FLAGS.reduce((bits, flag, i) => bits | (flags.includes(flag) ? 1 << i : 0), 0)),
    ...[numbers(pages.length / 2), pages],
    ...[numbers(sizeOf(entries) / 4), ...entries],
    ...[numbers(sizeOf(texts)), ...texts],
    ...[numbers(keys.size), packed(keys)],
    ...marks,
    numbers(apart.length, ...apart.flat()),
    numbers(0, 0), // no steps before it
  ]);
}

/** Keys and texts one after another, each after its size. */
function packed(keys: ReadonlyMap<string, string>): Uint8Array {
  let size = 0;
  for (const [key, text] of keys) size += 8 + key.length + text.length;
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  let at = 0;
  const put = (text: string): void => {
    view.setUint32(at, text.length, true);
    at += 4;
    for (let i = 0; i < text.length; ++i) out[at++] = text.charCodeAt(i);
  };
  for (const [key, text] of keys) {
    put(key);
    put(text);
  }
  return out;
}

function bitsOf(ranges: readonly Range[]): Uint8Array {
  const out = new Uint8Array(POINTS / 8);
  for (const [first, last] of ranges) {
    for (let point = first; point <= last; ++point) out[point >> 3] = (out[point >> 3] as number) | (1 << (point & 7));
  }
  return out;
}

function numbers(...values: number[]): Uint8Array {
  const out = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => out.setUint32(4 * i, value, true));
  return new Uint8Array(out.buffer);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
