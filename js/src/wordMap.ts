/** Maps of characters to words, as the engine reads them (word_map_file.hpp). */

import { bytesOf } from "./binaryStrings.js";

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
  /** What replaces clusters of characters. */
  clusters?: Clusters;
  /** Ranges of which each character gets a space before and after it. */
  apart?: readonly Range[];
}

export interface Clusters {
  /** A character map as in a file of SentencePiece. */
  map: Uint8Array;
  /** What is a space in its replacements, with a character for each byte. */
  spaces: readonly string[];
  /** The characters that join the one before, and those that join none. */
  joins: readonly Range[];
  alone: readonly Range[];
}

const POINTS = 0x110000;

/** Returns the bytes of a map. */
export function writeWordMap({ flags, pages, entries, texts, clusters, apart = [] }: WordMapParts): Uint8Array {
  const sizeOf = (parts: readonly Uint8Array[]): number => parts.reduce((size, part) => size + part.length, 0);
  const marks = [clusters?.joins, clusters?.alone].flatMap((ranges) =>
    ranges ? [numbers(POINTS / 8), bitsOf(ranges)] : [numbers(0)],
  );
  return joined([
    numbers(FLAGS.reduce((bits, flag, i) => bits | (flags.includes(flag) ? 1 << i : 0), 0)),
    ...[numbers(pages.length / 2), pages],
    ...[numbers(sizeOf(entries) / 4), ...entries],
    ...[numbers(sizeOf(texts)), ...texts],
    ...(clusters ? packed(clusters) : [numbers(0)]),
    ...marks,
    numbers(apart.length, ...apart.flat()),
    numbers(0, 0), // no steps before it
  ]);
}

/** A character map: the units of its trie, and its replacements, each after their number; and the spaces. */
function packed({ map, spaces }: Clusters): Uint8Array[] {
  const units = new DataView(map.buffer, map.byteOffset).getUint32(0, true) >> 2;
  const replacements = map.subarray(4 + 4 * units);
  return [
    ...[numbers(1, units), map.subarray(4, 4 + 4 * units)],
    ...[numbers(replacements.length), replacements],
    ...[numbers(spaces.length), ...spaces.flatMap((space) => [numbers(space.length), bytesOf(space)])],
  ];
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
