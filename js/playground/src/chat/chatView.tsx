/** A chat in the model's template: messages on one side, tokens on the other, control tokens marked. */

import { useEffect, useState } from "preact/hooks";
import { type OpenVocab, vocabs } from "../engine/vocabs.js";
import { type ChatState, page, type Page, update } from "../page.js";
import { useStore } from "../store.js";
import { TokenFlow } from "../tokens/tokenFlow.js";
import { VocabTabs } from "../vocabTabs.js";
import { chatVocab, encodedChat, type EncodedChat, templateOf } from "./encodedChat.js";
import { inertLiterals } from "./inert.js";
import { Messages } from "./messages.js";

export function ChatView() {
  const open = useStore(vocabs);
  const state = useStore(page);
  const vocab = chatVocab(open, state.chat);
  const change = (more: Partial<ChatState>): void => update({ chat: { ...page.get().chat, ...more } });
  return (
    <div class="split chat">
      <section class="pane" aria-label="Messages">
        <Messages messages={state.chat.messages} onChange={(messages) => change({ messages })} />
        <Settings chat={state.chat} vocab={vocab} onChange={change} />
      </section>
      <section class="pane" aria-label="Tokens of the chat">
        <VocabTabs label="Chat with" open={open} chosen={vocab} onChoose={({ key }) => change({ vocab: key })} />
        {vocab && <Rendered key={vocab.key} vocab={vocab} state={state} />}
      </section>
    </div>
  );
}

interface SettingsProps {
  chat: ChatState;
  vocab: OpenVocab | undefined;
  onChange(change: Partial<ChatState>): void;
}

function Settings({ chat, vocab, onChange }: SettingsProps) {
  const own = vocab?.state.get().info?.chatTemplate;
  return (
    <>
      <p>
        <label class="check">
          <input
            type="checkbox"
            checked={chat.addGenerationPrompt}
            onChange={(event) => onChange({ addGenerationPrompt: event.currentTarget.checked })}
          />{" "}
          End with the beginning of the assistant's answer
        </label>
      </p>
      <details>
        <summary>Tools and variables</summary>
        <label class="field">
          Tools, as a JSON list of schemas
          <textarea rows={3} spellcheck={false} value={chat.tools} onInput={(event) => onChange({ tools: event.currentTarget.value })} />
        </label>
        <label class="field">
          Variables of the template, as a JSON object
          <textarea
            rows={2}
            spellcheck={false}
            placeholder='{"enable_thinking": false}'
            value={chat.variables}
            onInput={(event) => onChange({ variables: event.currentTarget.value })}
          />
        </label>
      </details>
      <details>
        <summary>Template</summary>
        <label class="field">
          {chat.template === undefined ? (own ? "The vocab's own; edit it to try another" : "The vocab has none; this is ChatML") : "Your template"}
          <textarea
            rows={14}
            spellcheck={false}
            value={templateOf(chat, own)}
            onInput={(event) => onChange({ template: event.currentTarget.value })}
          />
        </label>
        {chat.template !== undefined && <button onClick={() => onChange({ template: undefined })}>Back to the vocab's own</button>}
      </details>
    </>
  );
}

type Outcome = EncodedChat | { error: string } | undefined;

function Rendered({ vocab, state: { chat, chip } }: { vocab: OpenVocab; state: Page }) {
  const { info, error } = useStore(vocab.state);
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    if (!info) return;
    let isStale = false;
    void (async () => {
      const next = await encodedChat(vocab, chat).catch((problem: Error) => ({ error: problem.message }));
      if (!isStale) setOutcome(next);
    })();
    return () => {
      isStale = true;
    };
  }, [vocab, info, chat]);
  if (error) return <p class="error">{error}</p>;
  if (!outcome) return <p class="dim loading">Loading {vocab.title} …</p>;
  if ("error" in outcome) {
    return (
      <p class="error" role="alert">
        {outcome.error}
      </p>
    );
  }
  const { result, tokens, control, inert: marked } = outcome;
  const inert = inertLiterals(chat.messages, info?.added ?? []);
  return (
    <>
      <p class="count">
        <strong>{result.ids.length.toLocaleString("en")}</strong> token{result.ids.length === 1 ? "" : "s"}
        <span class="dim">
          , {control.toLocaleString("en")} of them control token{control === 1 ? "" : "s"}, all from the template
        </span>
      </p>
      {!info?.chatTemplate && chat.template === undefined && (
        <p class="notice">
          {vocab.title} has no chat template. This is ChatML{control ? "" : ", whose control tokens the vocab does not have: they are text here"}.
        </p>
      )}
      <TokenFlow label={`Tokens of the chat in ${vocab.title}`} result={result} tokens={tokens} chip={chip} isOfEditor={false} marked={marked} />
      {inert.length > 0 && (
        <section class="inert" aria-labelledby="inert-title">
          <h2 id="inert-title">Literals in messages are text</h2>
          <ul>
            {inert.map(({ literal, id, places }) => (
              <li key={literal}>
                <code class="tok plain">{literal}</code> in {places} is not the token {id}: the model reads its characters.
              </li>
            ))}
          </ul>
          <p class="dim">
            A chat that is rendered to a string and then encoded would have{" "}
            {inert.reduce((sum, one) => sum + one.count, control).toLocaleString("en")} control tokens, not {control.toLocaleString("en")}.
          </p>
        </section>
      )}
    </>
  );
}
