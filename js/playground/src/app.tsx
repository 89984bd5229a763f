/** The page: a head with the views, and the chosen view. */

import { useEffect, useRef, useState } from "preact/hooks";
import { ChatView } from "./chat/chatView.js";
import { CopyDialog } from "./copy/copyDialog.js";
import { DifferencesView } from "./differences/differencesView.js";
import { Editor } from "./editor.js";
import type { SpecialMode } from "./engine/protocol.js";
import { ExplainView } from "./explain/explainView.js";
import { DropZone, news, take } from "./files/drop.js";
import { HelpDialog } from "./helpDialog.js";
import { type Chip, page, update, type View, VIEWS } from "./page.js";
import { LARGE_SAMPLE, SAMPLES } from "./samples.js";
import { SpeedView } from "./speed/speedView.js";
import { useStore } from "./store.js";
import { ThemeSelect } from "./theme.js";
import { Columns } from "./tokens/columns.js";
import { textStats } from "./tokens/textStats.js";

const TITLES: Readonly<Record<View, string>> = {
  tokens: "Tokens",
  differences: "Differences",
  explain: "Explain",
  chat: "Chat",
  speed: "Speed",
};

const CONTENTS = {
  tokens: Columns,
  differences: DifferencesView,
  explain: ExplainView,
  speed: SpeedView,
} as const;

export function App() {
  const { view } = useStore(page);
  const Content = view === "chat" ? undefined : CONTENTS[view];
  return (
    <>
      <Head view={view} />
      <main>
        <div id="view" role="tabpanel" aria-labelledby={`tab-${view}`}>
          <div class="split" hidden={view === "chat"}>
            <TextPane />
            <section class="pane" aria-label={TITLES[view]}>
              {Content && <Content />}
            </section>
          </div>
          {view === "chat" && <ChatView />}
        </div>
      </main>
      <DropZone />
    </>
  );
}

function Head({ view }: { view: View }) {
  const [dialog, setDialog] = useState<"copy" | "help">();
  const file = useRef<HTMLInputElement>(null);
  useShortcuts();
  return (
    <header class="head">
      <h1>
        wordsplit <span>playground</span>
      </h1>
      <div role="tablist" aria-label="Views" onKeyDown={moveBetweenTabs}>
        {VIEWS.map((one, i) => (
          <button
            key={one}
            id={`tab-${one}`}
            role="tab"
            aria-selected={one === view}
            aria-controls="view"
            tabIndex={one === view ? 0 : -1}
            title={`Alt+${i + 1}`}
            onClick={() => update({ view: one })}
          >
            {TITLES[one]}
          </button>
        ))}
      </div>
      <div class="tools">
        <input
          ref={file}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            void take(event.currentTarget.files ?? []);
            event.currentTarget.value = "";
          }}
        />
        <button onClick={() => file.current?.click()}>Open file</button>
        <button onClick={() => setDialog("copy")}>Copy</button>
        <button onClick={() => setDialog("help")}>Help</button>
        <ThemeSelect />
      </div>
      {dialog === "copy" && <CopyDialog onClose={() => setDialog(undefined)} />}
      {dialog === "help" && <HelpDialog onClose={() => setDialog(undefined)} />}
    </header>
  );
}

function moveBetweenTabs(event: KeyboardEvent): void {
  const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const next = VIEWS[(VIEWS.indexOf(page.get().view) + step + VIEWS.length) % VIEWS.length] as View;
  update({ view: next });
  document.getElementById(`tab-${next}`)?.focus();
}

/** Alt and a number choose a view. */
function useShortcuts(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const view = /^Digit\d$/.test(event.code) ? VIEWS[Number(event.code.slice(5)) - 1] : undefined;
      if (!view || !event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      update({ view });
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}

function TextPane() {
  const { text, special, chip } = useStore(page);
  const said = useStore(news);
  const { characters, bytes, words } = textStats(text);
  const number = (value: number): string => value.toLocaleString("en");
  return (
    <section class="pane text" aria-label="Text and settings">
      <div class="settings">
        <label>
          Sample
          <select
            value=""
            onChange={(event) => {
              const { value } = event.currentTarget;
              const sample = SAMPLES.find(({ name }) => name === value);
              update({ text: sample ? sample.text : LARGE_SAMPLE.make() });
            }}
          >
            <option value="" disabled>
              choose
            </option>
            {[...SAMPLES, LARGE_SAMPLE].map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Special tokens
          <select value={special} onChange={(event) => update({ special: event.currentTarget.value as SpecialMode })}>
            <option value="parse">parse</option>
            <option value="text">as text</option>
            <option value="no_added">all added as text</option>
            <option value="error">refuse</option>
          </select>
        </label>
        <label>
          Show
          <select value={chip} onChange={(event) => update({ chip: event.currentTarget.value as Chip })}>
            <option value="text">text</option>
            <option value="both">text and ids</option>
            <option value="ids">ids</option>
          </select>
        </label>
      </div>
      <Editor />
      <p class="dim sizes">
        {number(characters)} character{characters === 1 ? "" : "s"} · {number(bytes)} byte{bytes === 1 ? "" : "s"} · {number(words)} word
        {words === 1 ? "" : "s"}
      </p>
      <p class="dim" role="status">
        {said}
      </p>
    </section>
  );
}
