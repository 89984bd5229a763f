/** Decodes UTF-8. */

import { bytesOf } from "./binaryStrings.js";
import { InvalidTextError, WordsplitError } from "./errors.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text that bytes are; undefined if they are no UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The texts that strings of bytes are; undefined for those that are no UTF-8. None has a zero byte. To decode thousands
 * of short ones together takes half of the time.
 */
export function textsOf(keys: readonly string[]): (string | undefined)[] {
  const texts = lossy.decode(bytesOf(keys.join("\0"))).split("\0");
  return keys.map((key, i) => (texts[i]?.includes("\ufffd") ? textOf(bytesOf(key)) : texts[i]));
}

/** The fewest bytes that may make a string longer than an engine of JavaScript allows. */
const MANY_BYTES = 2 ** 29 - 24;

/**
 * Decodes bytes.
 *
 * @throws InvalidTextError - they are not UTF-8, and the decoder is a fatal one.
 * @throws WordsplitError - the string would be too long.
 */
export function decodedBy(decoder: TextDecoder, bytes: Uint8Array, options?: TextDecodeOptions): string {
  try {
    return decoder.decode(bytes, options);
  } catch {
    if (decoder.fatal && bytes.length < MANY_BYTES) return notUtf8();
    throw new WordsplitError(`${bytes.length} bytes are too many for one string; decode the ids in parts, or use decodeBytes()`);
  }
}

/** Throws the error for bytes that are not UTF-8. */
export function notUtf8(): never {
  throw new InvalidTextError("the bytes of the ids are not UTF-8; use errors: 'replace', or decodeBytes()");
}
