/** The tree of merges: bytes below, and above each pair what it merges to. */

import type { OpenVocab } from "../engine/vocabs.js";
import type { Node } from "./mergeTree.js";

interface Props {
  vocab: OpenVocab;
  nodes: readonly Node[];
  /** How many merges are done. */
  step: number;
}

export function MergeTreeView({ vocab, nodes, step }: Props) {
  const width = Math.max(...nodes.map((node) => node.to));
  const height = Math.max(...nodes.map((node) => node.height));
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Tree of merges">
      <div class="tree" role="img" aria-label={spoken(vocab, nodes)} style={{ gridTemplateColumns: `repeat(${width}, minmax(2.1rem, 1fr))` }}>
        {nodes.map((node) => (
          <span
            key={`${node.from} ${node.to}`}
            class={`tok ${stateOf(node, step)} t${node.from % 6}`}
            style={{ gridColumn: `${node.from + 1} / ${node.to + 1}`, gridRow: height - node.height + 1 }}
          >
            {vocab.token(node.id).label}
            <small>{node.rank === null ? node.id : `rank ${node.rank.toLocaleString("en")}`}</small>
          </span>
        ))}
      </div>
    </div>
  );
}

function stateOf(node: Node, step: number): string {
  return node.pass < step ? "" : node.pass === step ? "next" : "later";
}

/** The tree with brackets around each merge. */
function spoken(vocab: OpenVocab, nodes: readonly Node[]): string {
  const inside = new Set(nodes.flatMap(({ left, right }) => [left, right]));
  const bracketed = ({ id, left, right }: Node): string =>
    left && right ? `(${bracketed(left)} ${bracketed(right)})` : vocab.token(id).label;
  return nodes.filter((node) => !inside.has(node)).sort((a, b) => a.from - b.from).map(bracketed).join(" ");
}
