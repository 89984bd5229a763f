/** How a text is encoded: spans, the branches that made them, the merges in a span, and special tokens. */

import { useEffect, useMemo, useState } from "preact/hooks";
import type { SpanSummary, SpecialMode } from "../engine/protocol.js";
import { type OpenVocab, vocabs } from "../engine/vocabs.js";
import { Flow } from "../flow/flow.js";
import type { FlowContent } from "../flow/flowView.js";
import { page } from "../page.js";
import { useStore } from "../store.js";
import { CHIP_HEIGHTS, chipWidth } from "../tokens/chips.js";
import { shortened, visible } from "../tokens/visible.js";
import { VocabTabs } from "../vocabTabs.js";
import { branchesOfSpans } from "./branchesOfSpans.js";
import { branchClass, PatternPanel } from "./patternPanel.js";
import { LiteralsPanel } from "./literalsPanel.js";
import { Merges } from "./merges.js";
import { type Branch, Pattern } from "./pattern.js";

const LONGEST = 1 << 16; // characters
const PAUSE = 120; // milliseconds without typing

/** A text with its spans. */
interface Explained {
  vocab: OpenVocab;
  text: string;
  special: SpecialMode;
  spans: SpanSummary[];
  offsets: Uint32Array;
  pattern: Pattern | undefined;
  branches: (Branch | undefined)[];
}

export function ExplainView() {
  const open = useStore(vocabs);
  const [chosen, choose] = useState("");
  const vocab = open.find((one) => one.key === chosen) ?? open[0];
  return (
    <div class="explain">
      <VocabTabs label="Explain with" open={open} chosen={vocab} onChoose={(one) => choose(one.key)} />
      {vocab && <Explanation key={vocab.key} vocab={vocab} />}
    </div>
  );
}

function Explanation({ vocab }: { vocab: OpenVocab }) {
  const { text, special } = useStore(page);
  const { info, error } = useStore(vocab.state);
  const shown = textStart(text, LONGEST);
  const [explained, setExplained] = useState<Explained>();
  const [problem, setProblem] = useState("");
  const [span, setSpan] = useState(0);

  useEffect(() => {
    if (!info) return;
    let isStale = false;
    const timer = setTimeout(
      async () => {
        try {
          const { spans, offsets } = await vocab.explain(shown, special);
          if (isStale) return;
          const pattern = patternOf(info.patterns);
          const branches = pattern ? branchesOfSpans(spans, pattern) : spans.map(() => undefined);
          setExplained({ vocab, text: shown, special, spans, offsets, pattern, branches });
          setProblem("");
        } catch (error) {
          if (!isStale) setProblem(error instanceof Error ? error.message : String(error));
        }
      },
      explained ? PAUSE : 0,
    );
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [vocab, info, shown, special]);

  const content = useMemo(() => explained && spanChips(explained), [explained]);
  if (error || problem) return <p class="error">{error || problem}</p>;
  if (!explained) return <p class="dim loading">Loading {vocab.title} …</p>;
  const at = Math.min(span, explained.spans.length - 1);
  const summary = explained.spans[at];
  return (
    <>
      {text.length > LONGEST && <p class="notice">The first {LONGEST.toLocaleString("en")} characters are explained.</p>}
      <section aria-labelledby="spans-title">
        <h2 id="spans-title">
          Spans <span class="dim">{explained.spans.length.toLocaleString("en")}; tokens never cross their ends</span>
        </h2>
        <div class="spans">
          <Flow label="Spans" content={content} onPoint={() => {}} onChoose={setSpan} />
        </div>
      </section>
      {summary && <Merges explained={explained} span={at} summary={summary} branch={explained.branches[at]} onSpan={setSpan} />}
      {info && info.patterns.length > 0 && (
        <PatternPanel pattern={explained.pattern} patterns={info.patterns} branches={explained.branches} chosen={explained.branches[at]} />
      )}
      <LiteralsPanel vocab={vocab} special={special} text={explained.text} spans={explained.spans} offsets={explained.offsets} />
    </>
  );
}

/** The beginning of a text, without half a character at its end. */
function textStart(text: string, most: number): string {
  return text.slice(0, (text.codePointAt(most - 1) ?? 0) > 0xffff ? most - 1 : most);
}

function patternOf(patterns: readonly string[]): Pattern | undefined {
  if (patterns.length === 0) return undefined; // a model of characters has none
  try {
    return new Pattern(patterns);
  } catch {
    return undefined; // the panel says so
  }
}

function spanChips({ spans, branches, pattern }: Explained): FlowContent {
  const labels = spans.map((span) => shortened(visible(span.data)));
  const element = (at: number): HTMLElement => {
    const chip = document.createElement("span");
    const isLiteral = spans[at]?.kind === "added" || spans[at]?.kind === "template";
    chip.className = `tok ${isLiteral ? "ts" : branchClass(pattern, branches[at])}`;
    chip.textContent = labels[at] as string;
    return chip;
  };
  return {
    widths: Float32Array.from(labels, (label) => chipWidth({ label, id: 0 }, "text")),
    breaks: Uint8Array.from(spans, (span) => (span.data.at(-1) === 10 ? 1 : 0)),
    rowHeight: CHIP_HEIGHTS.text,
    draw: element,
    describe: (at) => {
      const { ids } = spans[at] as SpanSummary;
      const branch = branches[at];
      const number = branch && pattern ? `, branch ${pattern.branches.indexOf(branch) + 1}` : "";
      return `, ${ids.length} id${ids.length === 1 ? "" : "s"}${number}`;
    },
  };
}
