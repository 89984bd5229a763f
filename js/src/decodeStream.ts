/** Decodes ids to text as they arrive. */

import { StreamFinishedError } from "./errors.js";

/**
 * A stream that holds back the bytes of a character until it is whole. Joined, its texts are what `Tokenizer.decode`
 * returns for all ids.
 *
 * @example
 * const stream = tok.decodeStream();
 * for (const id of ids) process.stdout.write(stream.push(id));
 * process.stdout.write(stream.finish());
 */
export class DecodeStream {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #bytesOf: (ids: Iterable<number>) => Uint8Array;
  #isFinished = false;

  constructor(bytesOf: (ids: Iterable<number>) => Uint8Array) {
    this.#bytesOf = bytesOf;
  }

  /**
   * Adds one or several ids, and returns the text that is now final.
   *
   * @throws InvalidTokenIdError - no token has one of the ids; none of them is added then.
   * @throws StreamFinishedError - `finish` has been called.
   */
  push(ids: number | Iterable<number>): string {
    if (this.#isFinished) throw new StreamFinishedError("the stream is finished; make another with decodeStream()");
    return this.#decoder.decode(this.#bytesOf(typeof ids === "number" ? [ids] : ids), { stream: true });
  }

  /** Returns U+FFFD if the last bytes are part of a character, else an empty string. */
  finish(): string {
    if (this.#isFinished) return "";
    this.#isFinished = true;
    return this.#decoder.decode();
  }
}
