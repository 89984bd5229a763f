/** Explains byte-pair encoding step by step: spans, and every merge in each with all candidate pairs. */

import type { Engine } from "./engine.js";

/** A pair of neighbours in a pass: the rank of their merge and the id it makes, or null if they never merge. */
export interface Candidate {
  rank: number | null;
  merged: number | null;
}

/** One pass over a span. */
export interface Pass {
  /** The ids at its beginning. */
  parts: number[];
  /** The pairs of neighbours from the left. */
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
   */
  kind: "merges" | "whole" | "long" | "added" | "template";
  ids: number[];
  /** The passes, the last one without a winner; empty for kinds other than `"merges"`. */
  passes: Pass[];
}

export interface Explanation {
  vocab: string;
  text: string;
  spans: ExplainedSpan[];
}

/** Explains the ids of a span of no added token. */
export function explainSpan(
  engine: Engine,
  data: Uint8Array,
  ignoreMerges: boolean,
  maxSpan: number,
): ExplainedSpan {
  const whole = ignoreMerges ? engine.findToken(data) : undefined;
  if (whole !== undefined) return { data, kind: "whole", ids: [whole], passes: [] };
  if (data.length > maxSpan) return { data, kind: "long", ids: [...engine.encodeSpan(data)], passes: [] };
  const passes: Pass[] = [];
  let parts = Array.from(data, (byte) => engine.byteId(byte));
  for (;;) {
    const found = parts.slice(1).map((right, i) => engine.findMerge(parts[i] as number, right));
    let winner: number | null = null;
    let least = Infinity;
    found.forEach((merge, i) => {
      if (merge && merge.rank < least) [winner, least] = [i, merge.rank];
    });
    const candidates = found.map((merge) => ({ rank: merge?.rank ?? null, merged: merge?.merged ?? null }));
    passes.push({ parts, candidates, winner });
    if (winner === null) return { data, kind: "merges", ids: parts, passes };
    parts = parts.toSpliced(winner, 2, (found[winner] as { merged: number }).merged);
  }
}
