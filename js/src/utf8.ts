/** Decodes UTF-8. */

import { InvalidTextError, WordsplitError } from "./errors.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text that bytes are; undefined if they are no UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The least code point of each number of bytes. */
const LEAST = [0, 0, 0x80, 0x800, 0x10000] as const;

/** Decodes bytes[0, size) into code points, and returns their number; -1 if the bytes are no UTF-8. */
export function decodePoints(bytes: Uint8Array, size: number, out: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < size; ) {
    const first = bytes[at++] as number;
    const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length === 0 || at + length - 1 > size) return -1;
    let point = length === 1 ? first : first & (0x7f >> length);
    for (let i = 1; i < length; ++i) {
      const byte = bytes[at++] as number;
      if ((byte & 0xc0) !== 0x80) return -1;
      point = (point << 6) | (byte & 0x3f);
    }
    const isSurrogate = point >= 0xd800 && point < 0xe000;
    if (point < (LEAST[length] as number) || isSurrogate || point > 0x10ffff) return -1;
    out[count++] = point;
  }
  return count;
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
