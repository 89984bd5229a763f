/** The tokens with which byte fallback spells what has no token. */

import type { Tokens } from "./namedTokens.js";

/** The spellings of bytes by byte fallback. */
export const BYTE_TOKENS: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
);

/** The id of the token that spells each byte. */
export function byteTokenIds({ idOf }: Tokens): (number | undefined)[] {
  return BYTE_TOKENS.map((name) => idOf.get(name));
}

/**
 * An id for each byte; undefined without byte fallback. An ASCII character that is a token never falls back, so its byte
 * needs no token.
 *
 * @param lacking - makes the error for a byte without an id.
 */
export function completed(
  byteIds: readonly (number | undefined)[],
  { idOf }: Tokens,
  lacking: (byte: number) => Error,
): Uint32Array | undefined {
  if (byteIds.every((id) => id === undefined)) return undefined;
  return Uint32Array.from(byteIds, (id, byte) => {
    const found = id ?? (byte < 0x80 ? idOf.get(String.fromCharCode(byte)) : undefined);
    if (found === undefined) throw lacking(byte);
    return found;
  });
}
