/** The tokens of each open vocab, side by side. */

import { knownVocabs, type OpenVocab, titleOf, vocabs } from "../engine/vocabs.js";
import { page, update } from "../page.js";
import { useStore } from "../store.js";
import { TokenFlow } from "./tokenFlow.js";
import { VocabHead } from "./vocabHead.js";

export function Columns() {
  const open = useStore(vocabs);
  const { vocabs: keys } = useStore(page);
  const free = knownVocabs().filter((key) => !keys.includes(key));
  return (
    <>
      <div class="columns">
        {open.map((vocab) => (
          <Column key={vocab.key} vocab={vocab} isOnly={open.length === 1} />
        ))}
      </div>
      {free.length > 0 && (
        <p class="add">
          <label>
            Compare with{" "}
            <select
              value=""
              onChange={(event) => update({ vocabs: [...keys, event.currentTarget.value] })}
            >
              <option value="" disabled>
                another vocab
              </option>
              {free.map((key) => (
                <option key={key} value={key}>
                  {titleOf(key)}
                </option>
              ))}
            </select>
          </label>{" "}
          <span class="dim">or drop a tokenizer.json, .tiktoken, .gguf, .model, vocab.txt or .ws file on the page</span>
        </p>
      )}
    </>
  );
}

function Column({ vocab, isOnly }: { vocab: OpenVocab; isOnly: boolean }) {
  const { chip } = useStore(page);
  const { info, result, error } = useStore(vocab.state);
  return (
    <section class="column" aria-label={vocab.title}>
      <VocabHead vocab={vocab} isOnly={isOnly} />
      {error ? (
        <p class="error" role="alert">
          {error}
        </p>
      ) : (
        <TokenFlow label={`Tokens of ${vocab.title}`} result={result} tokens={vocab.tokens} chip={chip} />
      )}
      {!info && !error && <p class="dim loading">Loading {vocab.title} …</p>}
    </section>
  );
}
