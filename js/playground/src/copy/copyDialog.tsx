/** The dialog that copies: ids, programs, and a link to the page in its present state. */

import { useEffect, useRef, useState } from "preact/hooks";
import { vocabs } from "../engine/vocabs.js";
import { linkTo } from "../link.js";
import { page } from "../page.js";
import { javaScriptSnippet, pythonSnippet } from "./snippets.js";

const LONGEST_LINK = 100_000; // characters; longer ones are cut by mail programs and chats
const LONGEST_SHOWN = 4_000;

interface Item {
  name: string;
  note?: string;
  content: string;
}

export function CopyDialog({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [items, setItems] = useState<Item[]>([]);
  const [copied, setCopied] = useState("");
  useEffect(() => {
    dialog.current?.showModal();
    void itemsNow().then(setItems);
  }, []);
  const copy = async ({ name, content }: Item): Promise<void> => {
    await navigator.clipboard.writeText(content).then(
      () => setCopied(`${name} copied`),
      () => setCopied("The browser does not allow copying here: select the text below"),
    );
  };
  return (
    <dialog ref={dialog} aria-labelledby="copy-title" onClose={onClose}>
      <div class="row">
        <h2 id="copy-title">Copy</h2>
        <p role="status" class="dim">
          {copied}
        </p>
        <button class="quiet close" aria-label="Close" onClick={() => dialog.current?.close()}>
          ×
        </button>
      </div>
      {items.map((item) => (
        <section key={item.name} aria-label={item.name}>
          <div class="row">
            <h3>{item.name}</h3>
            <button onClick={() => void copy(item)}>Copy</button>
          </div>
          {item.note && <p class="dim">{item.note}</p>}
          <pre tabIndex={0} aria-label={item.name}>
            {item.content.length > LONGEST_SHOWN ? `${item.content.slice(0, LONGEST_SHOWN)} …` : item.content}
          </pre>
        </section>
      ))}
    </dialog>
  );
}

async function itemsNow(): Promise<Item[]> {
  const state = page.get();
  const [vocab] = vocabs.get();
  const name = vocab?.title ?? "qwen3";
  const link = await linkTo(state, location.href);
  const isFile = vocab?.file !== undefined;
  const ids = vocab?.state.get().result?.ids;
  return [
    {
      name: "Link",
      note:
        link.length > LONGEST_LINK
          ? `With this text it has ${link.length.toLocaleString("en")} characters, which many programs cut.`
          : "It holds the text, the settings and the chat behind its #, which browsers do not send. Files are left out.",
      content: link,
    },
    ...(ids ? [{ name: `Ids of ${name}`, content: `[${ids.join(", ")}]` }] : []),
    { name: "Python", content: pythonSnippet(state, name) },
    ...(state.view === "chat" ? [] : [{ name: "JavaScript", content: javaScriptSnippet(state, name, isFile) }]),
  ];
}
