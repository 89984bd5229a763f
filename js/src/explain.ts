/**
 * Explains step by step how a text is encoded: its spans, and how the model divides each. For byte-pair encoding these are
 * all merges with all candidate pairs.
 */

import type { Engine } from "./engine.js";

/** An adjacent pair in a pass: the rank of their merge and the id it produces, or null if they never merge. */
export interface Candidate {
  rank: number | null;
  merged: number | null;
}

/** One pass over a span. */
export interface Pass {
  /** The ids at its beginning. */
  parts: number[];
  /** The adjacent pairs from the left. */
  candidates: Candidate[];
  /** Which of the pairs is merged; null in the last pass. */
  winner: number | null;
}

/** A span, and how its ids were found. */
export interface ExplainedSpan {
  /** Its bytes, normalized. */
  data: Uint8Array;
  /**
   * - `"merges"`: see `passes`.
   * - `"whole"`: the whole span is a token, which the vocab looks up first.
   * - `"long"`: by merges that are left out, because it has more than `maxSpan` bytes.
   * - `"added"`: it is an added token.
   * - `"template"`: it is put before or after every text.
   * - `"path"`, `"matches"`, `"word"`: see `choices`; by Unigram, WordPiece and WordLevel.
   */
  kind: "merges" | "whole" | "long" | "added" | "template" | "path" | "matches" | "word";
  ids: number[];
  /** The passes, the last one without a winner; empty for kinds other than `"merges"`. */
  passes: Pass[];
  /** The tokens that a model without merges chose. */
  choices: Choice[];
}

/** A token that a model without merges chose. */
export interface Choice {
  id: number;
  /** The bytes of the span that it stands for. */
  data: Uint8Array;
  /**
   * Its score on the best path of Unigram. Ids that together stand for unknown text have one score, that of the first. Null
   * for other models.
   */
  score: number | null;
  /** Whether the text is a token, and not unknown. */
  known: boolean;
}

export interface Explanation {
  vocab: string;
  text: string;
  spans: ExplainedSpan[];
}

/** A span without passes. */
export function plainSpan(kind: ExplainedSpan["kind"], data: Uint8Array, ids: Iterable<number>): ExplainedSpan {
  return { data, kind, ids: [...ids], passes: [], choices: [] };
}

/** A span whose ids are made by merges of these parts. */
export function mergedSpan(engine: Engine, data: Uint8Array, parts: number[]): ExplainedSpan {
  const passes = passesFrom(engine, parts);
  return { data, kind: "merges", ids: (passes.at(-1) as Pass).parts, passes, choices: [] };
}

/** Explains the ids of a span of byte-level BPE. */
export function explainSpan(
  engine: Engine,
  data: Uint8Array,
  ignoreMerges: boolean,
  maxSpan: number,
): ExplainedSpan {
  const whole = ignoreMerges ? engine.findToken(data) : undefined;
  if (whole !== undefined) return plainSpan("whole", data, [whole]);
  if (data.length > maxSpan) return plainSpan("long", data, engine.encodeSpan(data));
  return mergedSpan(engine, data, engine.symbols(data));
}

function passesFrom(engine: Engine, parts: number[]): Pass[] {
  const passes: Pass[] = [];
  for (;;) {
    const found = parts.slice(1).map((right, i) => engine.findMerge(parts[i] as number, right));
    let winner: number | null = null;
    let least = Infinity;
    found.forEach((merge, i) => {
      if (merge && merge.rank < least) [winner, least] = [i, merge.rank];
    });
    const candidates = found.map((merge) => ({ rank: merge?.rank ?? null, merged: merge?.merged ?? null }));
    passes.push({ parts, candidates, winner });
    if (winner === null) return passes;
    parts = [...parts.slice(0, winner), (found[winner] as { merged: number }).merged, ...parts.slice(winner + 2)];
  }
}
