/**
 * The .tiktoken format: one line per token, with its bytes in base64 and its rank, which is its id.
 *
 * The file holds neither a pattern nor special tokens. Both come from the catalog, if the file has the name of a vocab
 * there (or the caller gives that name to its bytes), or from the caller.
 */

import { addedTokensOf, findBundled } from "../bundled.js";
import { UnsupportedVocabError, VocabFormatError } from "../errors.js";
import { type AddedToken, MAX_ID, type TokenTable, type VocabData } from "../vocabData.js";
import { findScheme, patternSteps, SCHEME_NAMES } from "./patterns.js";
import type { Scheme } from "./schemes.js";
import { fileName, type Source, vocabName } from "./source.js";
import { checked } from "./vocabChecks.js";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const EQUALS = 61;
const ZERO = 48;
const LONGEST_SHOWN = 60;
const MOST_DIGITS = 10;

/** The six bits of each character of base64; -1 for others. */
const SIX_BITS = new Int8Array(256).fill(-1);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((character, bits) => {
  SIX_BITS[character.charCodeAt(0)] = bits;
});

/** Whether the first line is one of the format. */
export function isTiktoken(bytes: Uint8Array): boolean {
  const line = new TextDecoder().decode(bytes.subarray(0, 4096)).split("\n", 1)[0] as string;
  return /^[A-Za-z0-9+/]+={0,2} [0-9]{1,10}\r*$/.test(line);
}

/** Reads a .tiktoken file. */
export function parseTiktoken(source: Source): VocabData {
  const { added, ...steps } = rules(source);
  const tokens = readRanks(source.bytes, source.path);
  const ids = new Set(tokens.ids);
  const taken = added.find((token) => ids.has(token.id));
  if (taken) {
    throw new VocabFormatError("is already a token's id", { file: source.path, field: `special token id ${taken.id}` });
  }
  return checked({
    name: vocabName(source),
    file: source.path,
    tokens,
    unreachable: new Uint32Array(),
    ignoreMerges: true,
    ...steps,
    nfc: false,
    addPrefixSpace: false,
    added,
    prefix: [],
    suffix: [],
    eosTokenId: added.find((token) => token.content === "<|endoftext|>")?.id,
  });
}

function rules(source: Source): Scheme & { added: AddedToken[] } {
  const pattern = source.pattern ?? source.pre;
  if (pattern !== undefined) return { ...patternSteps(pattern, "tiktoken"), added: [] };
  const entry = findBundled((fileName(source) || (source.name ?? "")).replace(/\.tiktoken$/, ""));
  const scheme = entry && findScheme(entry.scheme);
  if (scheme) return { ...scheme, added: addedTokensOf(entry) };
  throw new UnsupportedVocabError(
    `a .tiktoken file holds no pattern: give the option pattern, a scheme's name (${SCHEME_NAMES}) or a regular expression`,
    { file: source.path, field: "pattern" },
  );
}

/** Reads the tokens, in any order of ranks. */
function readRanks(bytes: Uint8Array, file: string | undefined): TokenTable {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new VocabFormatError("begins with a byte-order mark; save it without", { file, field: "line 1" });
  }
  const blob = new Uint8Array(Math.ceil(bytes.length / 4) * 3);
  const ranks: number[] = [];
  const ends: number[] = [];
  for (let at = 0, end = 0; at < bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, at);
    const stop = found < 0 ? bytes.length : found;
    const line = bytes.subarray(at, bytes[stop - 1] === CARRIAGE_RETURN && stop > at ? stop - 1 : stop);
    const fail = (problem: string) => {
      throw new VocabFormatError(`${problem}: ${JSON.stringify(latin1(line.subarray(0, LONGEST_SHOWN)))}`, {
        file,
        field: `line ${ranks.length + 1}`,
      });
    };
    const space = line.indexOf(SPACE);
    const rank = space < 1 ? -1 : numberIn(line.subarray(space + 1));
    if (rank < 0) fail("not 'base64 rank'");
    if (rank > MAX_ID) fail(`rank ${rank} is above ${MAX_ID}`);
    const size = decodeBase64(line, space, blob, end);
    if (size < 0) fail("not base64");
    ranks.push(rank);
    ends.push((end += size));
    at = stop + 1;
  }
  const tokens = inOrder(blob, ends, ranks, file);
  checkDistinct(tokens, file);
  return tokens;
}

/** The number that these digits are; -1 if they are none. */
function numberIn(digits: Uint8Array): number {
  if (digits.length === 0 || digits.length > MOST_DIGITS) return -1;
  let out = 0;
  for (const digit of digits) {
    if (digit < ZERO || digit > ZERO + 9) return -1;
    out = 10 * out + digit - ZERO;
  }
  return out;
}

/** Decodes the first `size` bytes of a line, and returns the number of bytes; -1 if no encoder writes them so. */
function decodeBase64(line: Uint8Array, size: number, out: Uint8Array, at: number): number {
  if (size === 0 || size % 4 !== 0) return -1;
  const padding = line[size - 1] !== EQUALS ? 0 : line[size - 2] !== EQUALS ? 1 : 2;
  let bits = 0;
  let end = at;
  for (let i = 0; i < size; ++i) {
    const six = i < size - padding ? (SIX_BITS[line[i] as number] as number) : 0;
    if (six < 0) return -1;
    bits = (bits << 6) | six;
    if (i % 4 !== 3) continue;
    out[end++] = bits >> 16;
    out[end++] = bits >> 8;
    out[end++] = bits;
    bits = 0;
  }
  for (let i = 0; i < padding; ++i) {
    if (out[--end] !== 0) return -1; // bits left over
  }
  return end - at;
}

/** Sorts tokens by rank. */
function inOrder(blob: Uint8Array, ends: number[], ranks: number[], file: string | undefined): TokenTable {
  const order = ranks.map((_, i) => i).sort((a, b) => (ranks[a] as number) - (ranks[b] as number) || a - b);
  const out = new Uint8Array(ends.at(-1) ?? 0);
  const sortedEnds = new Uint32Array(order.length);
  const ids = new Uint32Array(order.length);
  let end = 0;
  for (const [at, i] of order.entries()) {
    const id = ranks[i] as number;
    if (at > 0 && ids[at - 1] === id) {
      throw new VocabFormatError(`rank ${id} occurs twice`, { file, field: `line ${i + 1}` });
    }
    const token = blob.subarray(i > 0 ? ends[i - 1] : 0, ends[i]);
    out.set(token, end);
    ids[at] = id;
    sortedEnds[at] = end += token.length;
  }
  return { blob: out, ends: sortedEnds, ids };
}

/** Refuses tokens that occur twice, and a vocab that lacks one of the single bytes. */
function checkDistinct({ blob, ends, ids }: TokenTable, file: string | undefined): void {
  const all = latin1(blob);
  const rankOf = new Map<string, number>();
  for (let i = 0; i < ids.length; ++i) {
    const token = all.slice(i > 0 ? ends[i - 1] : 0, ends[i]);
    const rank = ids[i] as number;
    const other = rankOf.get(token);
    if (other !== undefined) {
      const found = JSON.stringify(token.slice(0, LONGEST_SHOWN));
      throw new VocabFormatError(`token ${found} occurs twice, as rank ${other} and ${rank}`, {
        file,
        field: "tokens",
      });
    }
    rankOf.set(token, rank);
  }
  const lacking = Array.from({ length: 256 }, (_, byte) => byte).filter(
    (byte) => !rankOf.has(latin1(Uint8Array.of(byte))),
  );
  if (lacking.length > 0) {
    const first = (lacking[0] as number).toString(16).toUpperCase().padStart(2, "0");
    throw new VocabFormatError(
      `${lacking.length} of the 256 single bytes are missing, 0x${first} the first; the file is cut short or not a ` +
        "byte-level vocab",
      { file, field: `line ${ids.length + 1}` },
    );
  }
}

/** One character for each byte. */
function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
