/** WordPiece in the engine. */

import { ModelKind } from "../../vocabData.js";
import type { Tokens } from "../namedTokens.js";
import { COMPILE_IT } from "../unsupported.js";
import { type EngineModel, type Refuse, withoutMerges } from "./engineModel.js";

export interface WordPiece {
  unkId: number | undefined;
  /** The most characters of a word. */
  mostCharacters: number;
  /** What tokens within a word begin with. */
  prefix: string;
}

const LONGEST_PREFIX = 64;

export function wordPiece(tokens: Tokens, rules: WordPiece, refuse: Refuse): EngineModel {
  if (new TextEncoder().encode(rules.prefix).length > LONGEST_PREFIX) {
    throw refuse("continuing_subword_prefix", `a prefix that is long; ${COMPILE_IT}`);
  }
  const found = withoutMerges(tokens, { kind: ModelKind.WordPiece, ...rules }, "longest_match", refuse);
  const longest = found.tokens.ends.reduce((size, end, i, ends) => Math.max(size, end - (ends[i - 1] ?? 0)), 0);
  return { model: "WordPiece", ...found, hasWholeWords: longest <= rules.mostCharacters };
}
