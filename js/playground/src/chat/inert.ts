/** Literals of added tokens in messages, which stay text. */

import type { AddedToken } from "wordsplit";
import type { ChatPiece } from "../engine/protocol.js";
import type { Range } from "../page.js";
import type { Message } from "./message.js";

export interface InertLiteral {
  literal: string;
  id: number;
  count: number;
  /** The messages, in words. */
  places: string;
}

export function inertLiterals(messages: readonly Message[], added: readonly AddedToken[]): InertLiteral[] {
  return added.flatMap(({ content, id }): InertLiteral[] => {
    const counts = messages.map((message) => (content ? message.content.split(content).length - 1 : 0));
    const count = counts.reduce((sum, one) => sum + one, 0);
    const numbers = counts.flatMap((one, i) => (one ? i + 1 : []));
    if (!count) return [];
    return [{ literal: content, id, count, places: `message${numbers.length > 1 ? "s" : ""} ${numbers.join(", ")}` }];
  });
}

/** Returns where the text of a rendered chat has literals. */
export function inertRanges(pieces: readonly ChatPiece[], added: readonly AddedToken[]): Range[] {
  const out: Range[] = [];
  let start = 0;
  for (const { text, id } of pieces) {
    for (const { content } of id === undefined ? added : []) {
      if (!content) continue;
      for (let at = text.indexOf(content); at >= 0; at = text.indexOf(content, at + 1)) {
        out.push({ start: start + at, end: start + at + content.length });
      }
    }
    start += text.length;
  }
  return out;
}
