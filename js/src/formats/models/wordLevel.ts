/** WordLevel in the engine. */

import { ModelKind } from "../../vocabData.js";
import { byteTokenIds } from "../byteTokens.js";
import type { Tokens } from "../namedTokens.js";
import { type EngineModel, fallbackOf, type Refuse, withoutMerges } from "./engineModel.js";

export interface WordLevel {
  unkId: number | undefined;
  /** What each word of a span begins with; undefined if a span is one word. */
  wordStart?: string;
  /** Whether tokens spell the bytes of words that are not tokens. */
  byteFallback?: boolean;
  /** Ids of tokens that no text produces. */
  never?: ReadonlySet<number>;
}

export function wordLevel(tokens: Tokens, given: WordLevel, refuse: Refuse): EngineModel {
  const { unkId, wordStart = "", byteFallback = false, never } = given;
  const fallback = byteFallback ? fallbackOf(byteTokenIds(tokens), tokens, refuse) : undefined;
  const rules = { kind: ModelKind.WordLevel, unkId, fallback, prefix: wordStart };
  return { model: "WordLevel", ...withoutMerges(tokens, rules, "whole_span", refuse, "", never), hasWholeWords: false };
}
