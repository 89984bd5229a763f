/** Unigram in the engine. */

import { ModelKind } from "../../vocabData.js";
import { byteTokenIds } from "../byteTokens.js";
import type { Tokens } from "../namedTokens.js";
import { type EngineModel, fallbackOf, type Refuse, withoutMerges } from "./engineModel.js";

export interface Unigram {
  /** The score of each token on a path, in order of ids. */
  scores: Float64Array;
  /** The least score of a token that a text can give, from which that of an unknown character is made. */
  leastScore: number;
  unkId: number | undefined;
  /** Whether tokens spell the bytes of characters that are not tokens. */
  byteFallback: boolean;
  /** The character that stands for a space in tokens; or the empty string. */
  mark: string;
  /** Whether scores are added with 32 bits. */
  singlePrecision?: boolean;
  /** Ids of tokens that no text produces. */
  never?: ReadonlySet<number>;
}

const UNKNOWN_PENALTY = 10;

export function unigram(tokens: Tokens, given: Unigram, refuse: Refuse): EngineModel {
  const { scores, unkId, singlePrecision = false, mark, never } = given;
  const rounded = singlePrecision ? Math.fround : (value: number) => value;
  const fallback = given.byteFallback ? fallbackOf(byteTokenIds(tokens), tokens, refuse) : undefined;
  const unknownScore = rounded(rounded(given.leastScore) - UNKNOWN_PENALTY);
  const rules = { kind: ModelKind.Unigram, unkId, fallback, unknownScore, singlePrecision };
  const found = withoutMerges(tokens, rules, "viterbi", refuse, mark, never);
  return { model: "Unigram", ...found, hasWholeWords: false, scores };
}
