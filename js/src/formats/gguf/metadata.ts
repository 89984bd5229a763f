/**
 * Reads the metadata of a GGUF file: little-endian, versions 2 and 3. Tensors are never read.
 *
 * Layout, from ggml's own description of the format: `GGUF`, version (u32), number of tensors (u64), number of keys
 * (u64); then for each key its name (u64 length, bytes), the type of its value (u32) and the value. A string is a
 * length and its bytes, an array the type of its items (u32), their number (u64) and the items.
 *
 * Every length is checked against the remaining bytes before anything is allocated. Nothing recurses, and each byte is
 * read once.
 */

import { UnsupportedVocabError, VocabFormatError } from "../../errors.js";
import { textOf } from "../../utf8.js";
import { MAX_ID } from "../../vocabData.js";

const MOST_KEYS = 1 << 16; // files have about fifty; the limit bounds the set of seen keys
const MOST_KEY_BYTES = 1 << 16;
const LEAST_KEY = 14; // bytes: a length, one character, a type and a value of one byte
const BOOL = 7;
const STRING = 8;
const ARRAY = 9;

/** Type -> name, size in bytes, and how it is read. */
const NUMBERS: Readonly<Record<number, readonly [string, number, (view: DataView, at: number) => number]>> = {
  0: ["uint8", 1, (view, at) => view.getUint8(at)],
  1: ["int8", 1, (view, at) => view.getInt8(at)],
  2: ["uint16", 2, (view, at) => view.getUint16(at, true)],
  3: ["int16", 2, (view, at) => view.getInt16(at, true)],
  4: ["uint32", 4, (view, at) => view.getUint32(at, true)],
  5: ["int32", 4, (view, at) => view.getInt32(at, true)],
  6: ["float32", 4, (view, at) => view.getFloat32(at, true)],
  [BOOL]: ["bool", 1, (view, at) => view.getUint8(at)],
  10: ["uint64", 8, (view, at) => Number(view.getBigUint64(at, true))],
  11: ["int64", 8, (view, at) => Number(view.getBigInt64(at, true))],
  12: ["float64", 8, (view, at) => view.getFloat64(at, true)],
};

/** The strings of an array: where each begins and ends in the file. */
export interface Strings {
  starts: Float64Array; // a file may have more than 4 GB
  ends: Float64Array;
}

/** A value of the metadata, with its offset in the file. */
export type Value = { offset: number } & (
  | { kind: "number"; type: string; value: number }
  | { kind: "string"; start: number; end: number }
  | { kind: "strings"; strings: Strings }
  | { kind: "numbers"; type: string; numbers: number[] }
);

/**
 * Returns the values of the wanted keys that the file has. Other keys are checked and skipped.
 *
 * @throws VocabFormatError - the metadata are damaged or truncated.
 * @throws UnsupportedVocabError - another version or byte order, or an array of arrays.
 */
export function readMetadata(
  bytes: Uint8Array,
  file: string | undefined,
  wanted: (key: string) => boolean,
): Map<string, Value> {
  const cursor = new Cursor(bytes, file);
  const count = readHeader(cursor);
  const out = new Map<string, Value>();
  const seen = new Set<string>();
  for (let i = 0; i < count; ++i) {
    cursor.field = `key ${i + 1} of ${count}`;
    const key = readKey(cursor);
    if (seen.has(key)) throw cursor.error(`key ${JSON.stringify(key.slice(0, 80))} occurs twice`);
    seen.add(key);
    cursor.field = key.slice(0, 80);
    const value = readValue(cursor, wanted(key));
    if (value) out.set(key, value);
  }
  return out;
}

/** A position in the data, which never moves past the end. */
class Cursor {
  at = 0;
  field = "header";
  readonly view: DataView;

  constructor(
    readonly bytes: Uint8Array,
    readonly file: string | undefined,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  error(found: string, at = this.at): VocabFormatError {
    return new VocabFormatError(found, { file: this.file, field: `${this.field}, offset ${at}` });
  }

  unsupported(found: string): UnsupportedVocabError {
    return new UnsupportedVocabError(found, { file: this.file, field: `${this.field}, offset ${this.at}` });
  }

  /** Moves over some bytes, and returns where they began. */
  skip(size: number, what: string): number {
    if (size > this.left) {
      throw this.error(`${what} takes ${size} bytes, but ${this.left} are left; the file is cut short`);
    }
    this.at += size;
    return this.at - size;
  }

  word(what: string): number {
    return this.view.getUint32(this.skip(4, what), true);
  }

  /** A 64-bit length. It is exact below 2^53, more than any file has. */
  length(what: string): number {
    const at = this.skip(8, what);
    return this.view.getUint32(at, true) + this.view.getUint32(at + 4, true) * 2 ** 32;
  }
}

/** Reads the header and returns the number of keys. */
function readHeader(cursor: Cursor): number {
  if (String.fromCharCode(...cursor.bytes.subarray(0, 4)) !== "GGUF") {
    throw cursor.error('does not begin with "GGUF"; it is not a GGUF file');
  }
  cursor.at = 4;
  const version = cursor.word("the version");
  if (version >= 1 << 24 && (version & 0xffff) === 0) {
    throw cursor.unsupported("is big-endian; convert it to little-endian, which every current writer makes");
  }
  if (version === 1) {
    throw cursor.unsupported("is of version 1, whose lengths are 32 bits wide; convert it to version 3");
  }
  if (version !== 2 && version !== 3) throw cursor.unsupported(`is of version ${version}; versions 2 and 3 are read`);
  const tensors = cursor.length("the number of tensors");
  if (tensors >= 2 ** 63) throw cursor.error("claims a negative number of tensors", cursor.at - 8);
  const count = cursor.length("the number of keys");
  if (count > MOST_KEYS || count * LEAST_KEY > cursor.left) {
    throw cursor.error(`claims ${count} keys, in ${cursor.left} bytes (at most ${MOST_KEYS})`, cursor.at - 8);
  }
  return count;
}

function readKey(cursor: Cursor): string {
  const size = cursor.length("a key's length");
  if (size === 0 || size >= MOST_KEY_BYTES) {
    throw cursor.error(`its name is ${size} bytes long; 1 to ${MOST_KEY_BYTES - 1} are valid`, cursor.at - 8);
  }
  const start = cursor.skip(size, "a key's name");
  const key = textOf(cursor.bytes.subarray(start, cursor.at));
  if (key === undefined) throw cursor.error("its name is not UTF-8", start);
  if (key.includes("\0")) throw cursor.error(`its name ${JSON.stringify(key.slice(0, 80))} holds a NUL`, start);
  return key;
}

/** Reads a value, and returns it if it is wanted. */
function readValue(cursor: Cursor, wanted: boolean): Value | undefined {
  const offset = cursor.at;
  const type = cursor.word("its type");
  if (type === STRING) {
    const size = cursor.length("its length");
    const start = cursor.skip(size, "the string");
    return wanted ? { kind: "string", start, end: cursor.at, offset } : undefined;
  }
  if (type === ARRAY) return readArray(cursor, offset, wanted);
  const number = NUMBERS[type];
  if (!number) throw cursor.error(`its type is ${type}, which is not one of 0 to 12`, offset);
  const [name, size, read] = number;
  const value = read(cursor.view, cursor.skip(size, `a ${name}`));
  if (type === BOOL && value > 1) throw cursor.error(`a bool is 0 or 1, found ${value}`, cursor.at - 1);
  return wanted ? { kind: "number", type: name, value, offset } : undefined;
}

function readArray(cursor: Cursor, offset: number, wanted: boolean): Value | undefined {
  const type = cursor.word("the type of its items");
  const count = cursor.length("the number of its items");
  if (type === ARRAY) throw cursor.unsupported("is an array of arrays; no key of a tokenizer has this type");
  if (type === STRING) {
    const strings = readStrings(cursor, count);
    return wanted ? { kind: "strings", strings, offset } : undefined;
  }
  const number = NUMBERS[type];
  if (!number) throw cursor.error(`the type of its items is ${type}, which is not one of 0 to 12`, offset + 4);
  const [name, size, read] = number;
  const start = cursor.skip(count * size, `${count} items of ${size} bytes`);
  if (!wanted) return undefined;
  const numbers = Array.from({ length: count }, (_, i) => read(cursor.view, start + i * size));
  return { kind: "numbers", type: name, numbers, offset };
}

function readStrings(cursor: Cursor, count: number): Strings {
  if (count > MAX_ID + 1 || count * 8 > cursor.left) {
    throw cursor.error(`claims ${count} strings, in ${cursor.left} bytes (at most ${MAX_ID + 1})`, cursor.at - 8);
  }
  const starts = new Float64Array(count);
  const ends = new Float64Array(count);
  for (let i = 0; i < count; ++i) {
    const size = cursor.length("the length of a string");
    starts[i] = cursor.skip(size, "a string");
    ends[i] = cursor.at;
  }
  return { starts, ends };
}
