/** BPE of characters in the engine. */

import { ModelKind } from "../../vocabData.js";
import type { Merges } from "../baseTokens.js";
import { byteTokenIds } from "../byteTokens.js";
import type { Tokens } from "../namedTokens.js";
import { COMPILE_IT } from "../unsupported.js";
import { type EngineModel, fallbackOf, type Refuse } from "./engineModel.js";
import { lowered } from "./lowered.js";

export interface CharacterBpe {
  merges: Merges;
  unkId: number | undefined;
  /** Whether a run of unknown characters gives one id. */
  fuseUnk: boolean;
  /** Whether tokens spell the bytes of characters that are not tokens. */
  byteFallback: boolean;
  /** The character that stands for a space in tokens; or the empty string. */
  mark: string;
  /** Ids of tokens that no text produces, and no merge has. */
  never?: ReadonlySet<number>;
}

export function characterBpe(tokens: Tokens, bpe: CharacterBpe, refuse: Refuse): EngineModel {
  const { merges, unkId, never = new Set() } = bpe;
  const byteIds = bpe.byteFallback ? byteTokenIds(tokens) : [];
  const special = new Set([...byteIds, unkId].filter((id) => id !== undefined));
  const joins = merges.pairs.some((id) => special.has(id)) || merges.made.some((id) => special.has(id));
  if (joins) throw refuse("merges", `merges of byte tokens, or of the unknown one; ${COMPILE_IT}`);
  const { rules, ...tables } = lowered(tokens, merges, new Set([...special, ...never]), byteIds, bpe.mark);
  const fallback = fallbackOf(byteIds, tokens, refuse);
  const drops = unkId === undefined && byteIds.every((id) => id === undefined);
  return {
    model: "CharacterBPE",
    ...tables,
    rules: { kind: ModelKind.Characters, unkId, fuseUnk: bpe.fuseUnk, drops, fallback, ...rules },
    encoder: "priority_merge",
    longEncoder: "heap_merge",
    hasWholeWords: false,
  };
}
