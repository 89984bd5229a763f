/** Printable forms of bytes, the same as those of `wordsplit show` in Python. */

import { textOf } from "../../../src/utf8.js";

const SIGNS: Readonly<Record<string, string>> = { " ": "␣", "\n": "↵", "\t": "⇥", "\r": "␍" };
const UNSEEN = /[\p{C}\p{Z}]/u;

/** Returns bytes in hexadecimal, such as `"F0 9F"`. */
export function hexOf(data: Uint8Array): string {
  return Array.from(data, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
}

/** Returns a text with blanks as signs, and with characters that are invisible as their code points. */
export function visibleText(text: string): string {
  let out = "";
  for (const char of text) {
    out += SIGNS[char] ?? (UNSEEN.test(char) ? `<U+${codeOf(char)}>` : char);
  }
  return out;
}

/** Returns a printable form of bytes: as `visibleText`, or in hexadecimal if they are not UTF-8. */
export function visible(data: Uint8Array): string {
  const text = textOf(data);
  return text === undefined ? `<${hexOf(data)}>` : visibleText(text);
}

/** Leaves out the middle of a long text. */
export function shortened(text: string, most = 72): string {
  const half = most >> 1;
  return text.length <= most ? text : `${text.slice(0, half)}…${text.slice(-half)}`;
}

function codeOf(char: string): string {
  return (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
}
