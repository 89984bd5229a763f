/** Checks that every vocab must pass, whatever the format of its file. */

import { VocabFormatError } from "../errors.js";
import type { AddedToken, VocabData } from "../vocabData.js";
import { isText, shown } from "./jsonNode.js";

/**
 * Returns the vocab with its added tokens in order of ids.
 *
 * @throws VocabFormatError - the parts contradict each other.
 */
export function checked(vocab: VocabData): VocabData {
  const { file, added, tokens } = vocab;
  if (tokens?.ids.length === 0) throw new VocabFormatError("the vocab has no tokens", { file, field: "tokens" });
  const idOf = new Map<string, number>();
  for (const { content, id } of added) {
    const field = `added_tokens[${shown(content)}]`;
    if (content === "") throw new VocabFormatError(`added token ${id} is empty`, { file, field });
    if (!isText(content)) throw new VocabFormatError(`added token ${id} has a lone surrogate`, { file, field });
    const other = idOf.get(content);
    if (other !== undefined) throw new VocabFormatError(`listed twice, as ${other} and ${id}`, { file, field });
    idOf.set(content, id);
  }
  return { ...vocab, added: [...added].sort(byId) };
}

function byId(a: AddedToken, b: AddedToken): number {
  return a.id - b.id;
}
