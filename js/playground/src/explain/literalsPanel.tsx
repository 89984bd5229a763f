/** Why each literal of a special token was or was not recognized. */

import { useMemo } from "preact/hooks";
import type { SpanSummary, SpecialMode } from "../engine/protocol.js";
import { useVocabStates } from "../engine/useVocabStates.js";
import { type OpenVocab, vocabs } from "../engine/vocabs.js";
import { selectInEditor } from "../editor.js";
import { useStore } from "../store.js";
import { findLiterals, recognizedIn } from "./literals.js";
import { visibleText } from "../tokens/visible.js";

interface Props {
  vocab: OpenVocab;
  special: SpecialMode;
  text: string;
  spans: readonly SpanSummary[];
  offsets: Uint32Array;
}

const MOST = 200;

export function LiteralsPanel({ vocab, special, text, spans, offsets }: Props) {
  const open = useStore(vocabs);
  const states = useVocabStates(open);
  const findings = useMemo(() => {
    const added = vocab.state.get().info?.added ?? [];
    return findLiterals(text, added, special, recognizedIn(spans, offsets), (literal) =>
      open.flatMap(({ title }, i) => (states[i]?.info?.added.some(({ content }) => content === literal) ? title : [])),
    );
  }, [vocab, special, text, spans, offsets, states]);
  return (
    <section aria-labelledby="literals-title">
      <h2 id="literals-title">
        Special tokens in the text <span class="dim">{findings.length || "none"}</span>
      </h2>
      {findings.length > 0 && (
        <ul class="literals">
          {findings.slice(0, MOST).map((one) => (
            <li key={`${one.start} ${one.literal}`}>
              <button class={`tok ${one.isRecognized ? "ts" : "plain"}`} onClick={() => selectInEditor(one)}>
                {visibleText(one.literal)}
              </button>
              <span>
                {one.isRecognized ? `id ${one.token?.id}` : <strong>text</strong>}
                <span class="dim">: {one.why}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {findings.length > MOST && <p class="dim">and {(findings.length - MOST).toLocaleString("en")} more</p>}
    </section>
  );
}
