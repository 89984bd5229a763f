/** The tokens of all open vocabs in aligned rows, with the places where they divide the text in different ways. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { useVocabStates } from "../engine/useVocabStates.js";
import { type OpenVocab, type Result, type VocabState, vocabs } from "../engine/vocabs.js";
import { Flow } from "../flow/flow.js";
import type { FlowContent, FlowView } from "../flow/flowView.js";
import { type Chip, hovered, page } from "../page.js";
import { useStore } from "../store.js";
import { selectInEditor } from "../editor.js";
import { align, type Blocks, differences, idsOfBlock } from "../tokens/alignment.js";
import { CHIP_HEIGHTS, chipOf, chipWidths } from "../tokens/chips.js";

const GAP = 3; // between chips, as in tokens.css
const EDGE = 8; // around the chips of a block

interface Aligned {
  vocabs: readonly OpenVocab[];
  results: readonly Result[];
  blocks: Blocks;
  /** For each block, 1 if the vocabs differ. */
  differ: Uint8Array;
}

export function DifferencesView() {
  const open = useStore(vocabs);
  const { chip, text } = useStore(page);
  const states = useVocabStates(open);
  const aligned = useMemo(() => alignedOf(open, states, text), [open, states, text]);
  const content = useMemo(() => aligned && contentOf(aligned, chip), [aligned, chip]);
  const different = useMemo(() => (aligned ? Array.from(aligned.differ.keys()).filter((i) => aligned.differ[i]) : []), [aligned]);
  const [view, setView] = useState<FlowView>();
  const [at, setAt] = useState(-1);
  useEffect(() => setAt(-1), [aligned]);
  if (open.length < 2) return <p class="notice">Open a second vocab in the view Tokens to compare.</p>;

  const failed = states.findIndex(({ error }) => error);
  if (failed >= 0) {
    return (
      <p class="error" role="alert">
        {open[failed]?.title}: {states[failed]?.error}
      </p>
    );
  }

  const go = (to: number): void => {
    const block = different[to];
    if (block === undefined) return;
    setAt(to);
    view?.reveal(block);
  };
  const count = aligned?.blocks.ends.length ?? 0;
  return (
    <div
      class="differences"
      onKeyDown={(event) => {
        if (event.key === "n") go(at + 1);
        if (event.key === "p") go(Math.max(at - 1, 0));
      }}
    >
      <div class="row">
        <p role="status">
          <strong>{different.length.toLocaleString("en")}</strong> of {count.toLocaleString("en")} parts are divided in different ways
        </p>
        <button disabled={at <= 0} onClick={() => go(at - 1)} title="p, in the list">
          Previous
        </button>
        <button disabled={at + 1 >= different.length} onClick={() => go(at + 1)} title="n, in the list">
          Next difference
        </button>
      </div>
      <ol class="legend dim">
        {open.map((vocab, i) => (
          <li key={vocab.key}>
            {vocab.title}
            <span> {states[i]?.result?.ids.length.toLocaleString("en") ?? "–"}</span>
          </li>
        ))}
      </ol>
      <Flow
        label={`Parts of the text, each with the tokens of ${open.map((vocab) => vocab.title).join(", ")}`}
        content={content}
        onView={setView}
        onPoint={(block) => hovered.set(block === undefined || !aligned ? undefined : rangeOf(aligned, block))}
        onChoose={(block) => aligned && selectInEditor(rangeOf(aligned, block))}
      />
    </div>
  );
}

function alignedOf(open: readonly OpenVocab[], states: readonly VocabState[], text: string): Aligned | undefined {
  const ready = states.flatMap(({ result }) => (result?.text === text ? result : []));
  if (ready.length < 2 || ready.length !== open.length) return undefined;
  const blocks = align(ready, text.length);
  const [first] = open;
  const isSame = (vocab: number, id: number, firstId: number): boolean =>
    open[vocab]?.token(id).text === first?.token(firstId).text;
  return { vocabs: open, results: ready, blocks, differ: differences(blocks, ready, isSame) };
}

function contentOf({ vocabs: open, results, blocks, differ }: Aligned, chip: Chip): FlowContent {
  const count = blocks.ends.length;
  const widths = new Float32Array(count);
  const breaks = new Uint8Array(count);
  open.forEach((vocab, v) => {
    const { ids } = results[v] as Result;
    const chips = chipWidths(ids, vocab.tokens, chip);
    for (let block = 0; block < count; block++) {
      const [from, to] = idsOfBlock(blocks.idEnds[v] as Uint32Array, block);
      let width = EDGE + Math.max(0, to - from - 1) * GAP;
      for (let i = from; i < to; i++) width += chips[i] as number;
      if (width > (widths[block] as number)) widths[block] = width;
      if (v === 0 && chip !== "ids" && to > from) breaks[block] = vocab.tokens.endsLine[ids[to - 1] as number] as number;
    }
  });
  const line = (v: number, block: number): HTMLElement => {
    const element = document.createElement("span");
    element.className = "line";
    const [from, to] = idsOfBlock(blocks.idEnds[v] as Uint32Array, block);
    for (let i = from; i < to; i++) element.append(chipOf((open[v] as OpenVocab).token(results[v]?.ids[i] as number), i, chip));
    return element;
  };
  return {
    widths,
    breaks,
    rowHeight: open.length * (CHIP_HEIGHTS[chip] - 3) + 14, // chips are closer in a block than rows are
    draw(block) {
      const element = document.createElement("span");
      element.className = `block ${differ[block] ? "differs" : ""}`;
      element.append(...open.map((_, v) => line(v, block)));
      return element;
    },
    describe: (block) => (differ[block] ? ": different" : ""),
  };
}

function rangeOf({ blocks: { ends } }: Aligned, block: number): { start: number; end: number } {
  return { start: block ? (ends[block - 1] as number) : 0, end: ends[block] as number };
}
