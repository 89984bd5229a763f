/** Decodes ids to text as they arrive. */

import { StreamFinishedError } from "./errors.js";
import { decodedBy } from "./utf8.js";

/** A decoder of ids that arrive in parts. */
export interface Decoding {
  add(ids: Iterable<number>): string;
  finish(): string;
}

/** Joins the bytes of tokens. */
export class BytesDecoding implements Decoding {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #bytesOf: (ids: Iterable<number>) => Uint8Array;

  constructor(bytesOf: (ids: Iterable<number>) => Uint8Array) {
    this.#bytesOf = bytesOf;
  }

  add(ids: Iterable<number>): string {
    return decodedBy(this.#decoder, this.#bytesOf(ids), { stream: true });
  }

  finish(): string {
    return this.#decoder.decode();
  }
}

/**
 * A stream that holds back what is not final, such as the bytes of a character until it is whole. Joined, its texts are
 * what `Tokenizer.decode` returns for all ids.
 *
 * @example
 * const stream = tok.decodeStream();
 * for (const id of ids) process.stdout.write(stream.push(id));
 * process.stdout.write(stream.finish());
 */
export class DecodeStream {
  readonly #decoding: Decoding;
  #isFinished = false;

  /** @internal */
  constructor(decoding: Decoding) {
    this.#decoding = decoding;
  }

  /** @internal What keeps Vue from wrapping a stream in a proxy, which could not read its private fields. */
  get [Symbol.toStringTag](): string {
    return "DecodeStream";
  }

  /**
   * Adds one or several ids, and returns the text that is now final.
   *
   * @throws InvalidTokenIdError - no token has one of the ids; none of them is added then.
   * @throws StreamFinishedError - `finish` has been called.
   */
  push(ids: number | Iterable<number>): string {
    if (this.#isFinished) throw new StreamFinishedError("the stream is finished; make another with decodeStream()");
    return this.#decoding.add(typeof ids === "number" ? [ids] : ids);
  }

  /** Returns what was held back: U+FFFD if the last bytes are part of a character, and mostly an empty string. */
  finish(): string {
    if (this.#isFinished) return "";
    this.#isFinished = true;
    return this.#decoding.finish();
  }
}
