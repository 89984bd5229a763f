/**
 * Reads the fields of a message in the encoding of Protocol Buffers.
 *
 * A message is a sequence of fields, each a key and a value. The key is a number whose last three bits are the type of the
 * value: 0 is a number of variable length, seven bits to a byte; 1 and 5 are eight and four bytes; 2 is a length and as many
 * bytes. Nothing recurses, and each length is checked against the remaining bytes.
 */

import { VocabFormatError } from "../../errors.js";
import { textOf } from "../../utf8.js";

export const enum Wire {
  Varint = 0,
  Fixed64 = 1,
  Bytes = 2,
  Fixed32 = 5,
}

const NAMES: Readonly<Record<number, string>> = {
  [Wire.Varint]: "a number",
  [Wire.Fixed64]: "eight bytes",
  [Wire.Bytes]: "bytes",
  [Wire.Fixed32]: "four bytes",
};
const MOST_BITS = 64;

/** A field: its number, the type of its value, and a number, or where its bytes are in the file. */
export type Field = { number: number; kind: Wire; value: number; start: number; end: number };

/** A message within a file. */
export class Message {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #file: string | undefined;
  readonly #name: string;
  #at: number;

  /** @param name - the name of the message, for errors. */
  constructor(bytes: Uint8Array, file: string | undefined, name = "", start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#file = file;
    this.#name = name;
    this.#at = start;
    this.#end = end;
  }

  /**
   * Yields each field.
   *
   * @throws VocabFormatError - the message is damaged.
   */
  *fields(): Iterable<Field> {
    while (this.#at < this.#end) {
      const at = this.#at;
      const kind = (this.#bytes[at] as number) & 7; // also where the key has more bits than a number
      const number = Math.floor(this.#varint() / 8);
      if (!Object.hasOwn(NAMES, kind)) throw this.error(`a field at offset ${at} has type ${kind}`);
      const value = kind === Wire.Varint || kind === Wire.Bytes ? this.#varint() : 0;
      const size = kind === Wire.Bytes ? value : kind === Wire.Fixed64 ? 8 : kind === Wire.Fixed32 ? 4 : 0;
      const start = this.#at;
      const left = this.#end - start;
      if (size > left) throw this.error(`a field of ${size} bytes begins at offset ${start}, and ${left} are left`);
      this.#at = start + size;
      yield { number, kind, value, start, end: this.#at };
    }
  }

  /** The message in a field. */
  message(field: Field, name: string): Message {
    this.#require(field, Wire.Bytes, name);
    return new Message(this.#bytes, this.#file, name, field.start, field.end);
  }

  number(field: Field, name: string): number {
    this.#require(field, Wire.Varint, name);
    return field.value;
  }

  float(field: Field, name: string): number {
    this.#require(field, Wire.Fixed32, name);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + field.start, 4).getFloat32(0, true);
  }

  bytes(field: Field, name: string): Uint8Array {
    this.#require(field, Wire.Bytes, name);
    return this.#bytes.subarray(field.start, field.end);
  }

  text(field: Field, name: string): string {
    const text = textOf(this.bytes(field, name));
    if (text === undefined) throw this.error("is not UTF-8", name);
    return text;
  }

  /** An error about the message, or about a field of it. */
  error(found: string, field = ""): VocabFormatError {
    const place = [this.#name, field].filter(Boolean).join(".");
    return new VocabFormatError(found, { file: this.#file, field: place });
  }

  #require(field: Field, wanted: Wire, name: string): void {
    if (field.kind !== wanted) throw this.error(`should be ${NAMES[wanted]}, found ${NAMES[field.kind]}`, name);
  }

  /** Reads a number. It is exact below 2^53; none that matters is larger. */
  #varint(): number {
    let value = 0;
    const start = this.#at;
    for (let shift = 0; this.#at < this.#end && shift < MOST_BITS; shift += 7) {
      const byte = this.#bytes[this.#at++] as number;
      value += (byte & (shift < MOST_BITS - 1 ? 0x7f : 1)) * 2 ** shift; // bits beyond the last one are dropped
      if (byte < 0x80) return value;
    }
    throw this.error(`a number ends outside of the message, or is too long, at offset ${start}`);
  }
}
