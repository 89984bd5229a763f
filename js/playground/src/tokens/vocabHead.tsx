/** The head of a vocab's column: which vocab it is, and how many tokens the text has. */

import { SCHEMES } from "../../../src/formats/schemes.js";
import { choosePattern, knownVocabs, type OpenVocab, titleOf, vocabs } from "../engine/vocabs.js";
import { page, update } from "../page.js";
import { useStore } from "../store.js";
import { textStats } from "./textStats.js";

interface Props {
  vocab: OpenVocab;
  isOnly: boolean;
}

export function VocabHead({ vocab, isOnly }: Props) {
  const { vocabs: keys } = useStore(page);
  const { info, result } = useStore(vocab.state);
  const choose = (key: string): void => update({ vocabs: keys.map((old) => (old === vocab.key ? key : old)) });
  return (
    <header>
      <div class="row">
        <select aria-label="Vocab of this column" value={vocab.key} onChange={(event) => choose(event.currentTarget.value)}>
          {knownVocabs()
            .filter((key) => key === vocab.key || !keys.includes(key))
            .map((key) => (
              <option key={key} value={key}>
                {titleOf(key)}
              </option>
            ))}
        </select>
        {vocab.file && (
          <select
            aria-label="Pattern of this file"
            value={vocab.pattern}
            onChange={(event) => choosePattern(vocab.key, event.currentTarget.value)}
          >
            <option value="">its own pattern</option>
            {Object.keys(SCHEMES).map((scheme) => (
              <option key={scheme}>{scheme}</option>
            ))}
          </select>
        )}
        {!isOnly && (
          <button
            class="quiet close"
            aria-label={`Close ${vocab.title}`}
            title="Close"
            onClick={() => update({ vocabs: keys.filter((key) => key !== vocab.key) })}
          >
            ×
          </button>
        )}
      </div>
      <p class="count">
        <strong>{result ? result.ids.length.toLocaleString("en") : "–"}</strong> token{result?.ids.length === 1 ? "" : "s"}
        <Difference vocab={vocab} />
      </p>
      <p class="dim facts">{result && info ? factsOf(result, info.nVocab) : " "}</p>
    </header>
  );
}

/** How many more or fewer tokens than in the first column. */
function Difference({ vocab }: { vocab: OpenVocab }) {
  const [first] = useStore(vocabs);
  const { result } = useStore(vocab.state);
  const base = useStore((first ?? vocab).state).result;
  if (!base || !result || first === vocab || base.text !== result.text || !base.ids.length) return null;
  const percent = (100 * (result.ids.length - base.ids.length)) / base.ids.length;
  return (
    <span class="dim">
      {" "}
      {percent < 0 ? "−" : percent > 0 ? "+" : "±"}
      {Math.abs(percent).toFixed(1)} %
    </span>
  );
}

function factsOf({ text, ids, milliseconds }: { text: string; ids: Uint32Array; milliseconds: number }, nVocab: number): string {
  const { bytes, words } = textStats(text);
  const facts = [
    `${(ids.length ? bytes / ids.length : 0).toFixed(2)} bytes per token`,
    `${(words ? ids.length / words : 0).toFixed(2)} tokens per word`,
    `${nVocab.toLocaleString("en")} ids`,
    `${milliseconds < 1 ? "under 1" : milliseconds.toFixed(0)} ms`,
  ];
  return facts.join(" · ");
}
