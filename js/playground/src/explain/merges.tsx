/** How a span is encoded: its merges, step by step, forwards and backwards; or the tokens that a model chose. */

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Choice, Pass } from "wordsplit";
import type { SpanSummary } from "../engine/protocol.js";
import type { OpenVocab } from "../engine/vocabs.js";
import { shortened, visible } from "../tokens/visible.js";
import { mergeTree } from "./mergeTree.js";
import { MergeTreeView } from "./mergeTreeView.js";
import { noteOn } from "./branchNotes.js";
import type { Branch } from "./pattern.js";

const BEAT = 700; // milliseconds between steps

const KINDS: Readonly<Record<SpanSummary["kind"], string>> = {
  merges: "",
  whole: "A token as a whole: this vocab looks that up before any merging.",
  long: "Too long to show how; its ids are below.",
  added: "An added token, found as a literal before anything else.",
  template: "Put around every text.",
  path: "The tokens whose scores have the greatest sum",
  matches: "The longest token at each position, from the left.",
  word: "A word is one token, or unknown.",
};

interface Props {
  explained: { vocab: OpenVocab; spans: readonly SpanSummary[] };
  span: number;
  summary: SpanSummary;
  branch: Branch | undefined;
  onSpan(span: number): void;
}

export function Merges({ explained, span, summary, branch, onSpan }: Props) {
  const { vocab, spans } = explained;
  const [passes, setPasses] = useState<{ of: SpanSummary; list: Pass[] }>();
  useEffect(() => {
    let isStale = false;
    if (summary.kind !== "merges") setPasses({ of: summary, list: [] });
    else {
      void vocab.passes(span).then(
        (list) => !isStale && setPasses({ of: summary, list }),
        () => {}, // the vocab was closed
      );
    }
    return () => {
      isStale = true;
    };
  }, [vocab, span, summary]);
  return (
    <section aria-labelledby="merges-title">
      <div class="row">
        <h2 id="merges-title">
          Span {(span + 1).toLocaleString("en")} <code class="tok plain">{shortened(visible(summary.data))}</code>
        </h2>
        <button class="quiet" disabled={span === 0} onClick={() => onSpan(span - 1)}>
          Previous span
        </button>
        <button class="quiet" disabled={span + 1 >= spans.length} onClick={() => onSpan(span + 1)}>
          Next span
        </button>
      </div>
      <p class="dim">
        {[noteOnKind(summary), branch && (noteOn(branch.source) ?? ""), `${summary.data.length} byte${summary.data.length === 1 ? "" : "s"}`]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {summary.kind !== "merges" && (
        <p class="ids">
          {summary.ids.slice(0, 400).map((id, i) => (
            <span key={i} class={`tok ${summary.kind === "added" ? "ts" : `t${i % 6}`}`}>
              {vocab.token(id).label}
              <small>{id}</small>
              <ChoiceNote choice={summary.choices[i]} />
            </span>
          ))}
        </p>
      )}
      {passes?.of === summary && passes.list.length > 0 && <Steps key={span} vocab={vocab} passes={passes.list} />}
    </section>
  );
}

/** What is known of the kind of a span, with the sum of the scores of a path. */
function noteOnKind({ kind, choices }: SpanSummary): string {
  const note = KINDS[kind];
  if (kind !== "path") return note;
  return `${note}, ${choices.reduce((sum, { score }) => sum + (score ?? 0), 0).toFixed(4)}.`;
}

/** What a token was chosen for, if it is unknown, and its score. */
function ChoiceNote({ choice }: { choice: Choice | undefined }) {
  if (!choice || (choice.known && choice.score === null)) return null;
  const unknown = choice.known ? [] : [`for ${visible(choice.data)}, which is unknown`];
  const score = choice.score === null ? [] : [choice.score.toFixed(4)];
  return <small>{[...unknown, ...score].join(" · ")}</small>;
}

function Steps({ vocab, passes }: { vocab: OpenVocab; passes: readonly Pass[] }) {
  const last = passes.length - 1;
  const [step, setStep] = useState(last);
  const [isPlaying, setPlaying] = useState(false);
  const nodes = useMemo(() => mergeTree(passes), [passes]);
  useEffect(() => {
    if (!isPlaying) return;
    if (step >= last) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => setStep(step + 1), BEAT);
    return () => clearTimeout(timer);
  }, [isPlaying, step, last]);
  const go = (to: number): void => {
    setPlaying(false);
    setStep(Math.min(Math.max(to, 0), last));
  };
  const play = (): void => {
    if (step === last) setStep(0);
    setPlaying(!isPlaying);
  };
  const pass = passes[step] as Pass;
  return (
    <>
      {last > 0 && (
        <div class="steps" role="group" aria-label="Steps">
          <button onClick={() => go(0)} disabled={step === 0}>
            First
          </button>
          <button onClick={() => go(step - 1)} disabled={step === 0}>
            Back
          </button>
          <button onClick={play}>{isPlaying ? "Pause" : "Play"}</button>
          <button onClick={() => go(step + 1)} disabled={step === last}>
            Forward
          </button>
          <button onClick={() => go(last)} disabled={step === last}>
            Last
          </button>
          <input
            type="range"
            min={0}
            max={last}
            value={step}
            aria-label="Merges done"
            onInput={(event) => go(Number(event.currentTarget.value))}
          />
          <span class="dim">
            {step} of {last} merge{last === 1 ? "" : "s"}
          </span>
        </div>
      )}
      <PassView vocab={vocab} pass={pass} />
      {last > 0 && <MergeTreeView vocab={vocab} nodes={nodes} step={step} />}
      {last > 0 && (
        <details>
          <summary>All passes</summary>
          <ol class="passes">
            {passes.map((one, i) => (
              <li key={i}>
                <PassView vocab={vocab} pass={one} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

/** The parts, and the ranks of the pairs of neighbours. */
function PassView({ vocab, pass: { parts, candidates, winner } }: { vocab: OpenVocab; pass: Pass }) {
  const label = (at: number): string => vocab.token(parts[at] as number).label;
  return (
    <div class="pass" aria-live="off">
      <p>
        {parts.map((id, i) => (
          <span key={i} class={`tok t${i % 6}`}>
            {label(i)}
            <small>{id}</small>
          </span>
        ))}
      </p>
      {candidates.length > 0 && (
        <p class="pairs">
          {candidates.map(({ rank }, i) => (
            <span key={i} class={`pair ${i === winner ? "win" : rank === null ? "none" : ""}`}>
              {label(i)} + {label(i + 1)} <span class="rank">{rank === null ? "no merge" : rank.toLocaleString("en")}</span>
              {i === winner && <span class="hidden"> (lowest rank: merged next)</span>}
            </span>
          ))}
        </p>
      )}
      {winner === null && candidates.length > 0 && <p class="dim">No pair of neighbours has a merge: these are the ids.</p>}
    </div>
  );
}
