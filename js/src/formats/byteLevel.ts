/** The GPT-2 byte-level alphabet, each byte as one printable character, in which files spell tokens. */

const encoder = new TextEncoder();

/** The byte of each character of the alphabet; -1 for characters below U+0144 that are not in it. */
const BYTES = new Int16Array(0x144).fill(-1);
for (let byte = 0, spare = 0x100; byte < 256; ++byte) {
  const isPrintable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  BYTES[isPrintable ? byte : spare++] = byte;
}

/** The character of each byte. */
export const CHARACTERS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  String.fromCharCode(BYTES.indexOf(byte)),
);

/** The byte of a character; -1 if it is not in the alphabet. */
export function byteOf(character: number): number {
  return BYTES[character] ?? -1;
}

/** Writes the UTF-8 of a text and returns the number of bytes. */
export function writeText(text: string, out: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; ++i) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) return encoder.encodeInto(text, out.subarray(at)).written; // slow for texts as short as tokens
    out[at + i] = unit;
  }
  return text.length;
}

/**
 * Writes the bytes of a token: those that its characters stand for, or its UTF-8 if one is not in the alphabet.
 *
 * @returns their number; in the second case, in which no text produces the token, its complement.
 */
export function writeToken(spelled: string, out: Uint8Array, at: number): number {
  for (let i = 0; i < spelled.length; ++i) {
    const byte = byteOf(spelled.charCodeAt(i));
    if (byte < 0) return ~encoder.encodeInto(spelled, out.subarray(at)).written;
    out[at + i] = byte;
  }
  return spelled.length;
}

/** The bytes of a token, as writeToken() writes them. */
export function tokenBytes(spelled: string): Uint8Array {
  const out = new Uint8Array(3 * spelled.length);
  const size = writeToken(spelled, out, 0);
  return out.slice(0, size < 0 ? ~size : size);
}

/** The spellings of bytes in files. */
export function toByteLevel(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => CHARACTERS[byte]).join("");
}
