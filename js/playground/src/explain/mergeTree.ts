/** The tree of merges in a span. */

import type { Pass } from "wordsplit";

export interface Node {
  id: number;
  /** The parts at the beginning of the span that it covers: from the first to the one behind the last. */
  from: number;
  to: number;
  /** The row, from the bottom: 0 for the parts at the beginning. */
  height: number;
  /** The pass that makes it, from 0; -1 for the parts at the beginning. */
  pass: number;
  rank: number | null;
  left?: Node;
  right?: Node;
}

/** Returns all nodes, in the order in which they are made. */
export function mergeTree(passes: readonly Pass[]): Node[] {
  const row: Node[] = (passes[0]?.parts ?? []).map((id, i) => ({ id, from: i, to: i + 1, height: 0, pass: -1, rank: null }));
  const all = [...row];
  passes.forEach(({ candidates, winner }, pass) => {
    if (winner === null) return;
    const [left, right] = [row[winner] as Node, row[winner + 1] as Node];
    const { rank, merged } = candidates[winner] as Pass["candidates"][number];
    const height = 1 + Math.max(left.height, right.height);
    const node: Node = { id: merged as number, from: left.from, to: right.to, height, pass, rank, left, right };
    row.splice(winner, 2, node);
    all.push(node);
  });
  return all;
}
