/** The models other than byte-level BPE in the engine. */

import type { ModelRules, TokenTable } from "../../vocabData.js";
import { completed } from "../byteTokens.js";
import { COMPILE_IT } from "../unsupported.js";
import { packed, type Tokens } from "../namedTokens.js";

export interface EngineModel {
  /** Its kind, as the Python package names it. */
  model: string;
  tokens: TokenTable;
  merges: Uint32Array;
  unreachable: Uint32Array;
  rules: ModelRules;
  encoder: string;
  longEncoder: string;
  /** Whether a word that is a token has its id. */
  hasWholeWords: boolean;
  scores?: Float64Array;
}

/** Makes the error for a part of a model, by its name in a tokenizer.json, that the engine does not have. */
export type Refuse = (part: string, found: string) => Error;

/**
 * The ids that spell the bytes of what is unknown; undefined if none does.
 *
 * @param byteIds - the ids of the tokens that spell bytes, by these.
 */
export function fallbackOf(
  byteIds: readonly (number | undefined)[],
  tokens: Tokens,
  refuse: Refuse,
): Uint32Array | undefined {
  return completed(byteIds, tokens, (byte) =>
    refuse("byte_fallback", `byte_fallback without a token for byte ${byte}; ${COMPILE_IT}`),
  );
}

/**
 * What models without merges have in common.
 *
 * @param mark - the character that stands for a space in tokens; or the empty string. The tables have a space.
 * @param never - ids of tokens that no text produces.
 */
export function withoutMerges(
  tokens: Tokens,
  rules: ModelRules,
  encoder: string,
  refuse: Refuse,
  mark = "",
  never: ReadonlySet<number> = new Set(),
): Omit<EngineModel, "model" | "hasWholeWords"> {
  if (rules.unkId === undefined) throw refuse("unk_token", `no token for what is unknown; ${COMPILE_IT}`);
  return {
    tokens: packed(mark ? { ...tokens, names: tokens.names.map((name) => name.replaceAll(mark, " ")) } : tokens),
    merges: new Uint32Array(),
    unreachable: Uint32Array.from(
      tokens.ids.filter((id, i) => tokens.idOf.get(tokens.names[i] as string) !== id || never.has(id)),
    ),
    rules,
    encoder,
    longEncoder: encoder,
  };
}
