/** Bytes as strings with a character below U+0100 for each, so that they can be keys. */

/** The UTF-8 of a text, a character for each byte. An encoder takes longer for texts as short as tokens. */
export function utf8Of(text: string): string {
  let out = "";
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    if (point < 0x80) out += character;
    else if (point < 0x800) out += String.fromCharCode(0xc0 | (point >> 6), 0x80 | (point & 0x3f));
    else {
      const last = [0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)] as const;
      if (point < 0x10000) out += String.fromCharCode(0xe0 | (point >> 12), ...last);
      else out += String.fromCharCode(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 0x3f), ...last);
    }
  }
  return out;
}

/** The bytes that a string stands for. */
export function bytesOf(text: string): Uint8Array {
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
  return out;
}
