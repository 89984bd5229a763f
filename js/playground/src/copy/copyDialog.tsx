/** The dialog that copies: ids, programs, and a link to the page in its present state. */

import { useEffect, useRef, useState } from "preact/hooks";
import { chatVocab, encodedChat } from "../chat/encodedChat.js";
import { vocabs } from "../engine/vocabs.js";
import { linkTo } from "../link.js";
import { page } from "../page.js";
import { javaScriptSnippet, pythonSnippet, type SnippetVocab } from "./snippets.js";

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
    try {
      await navigator.clipboard.writeText(content);
      setCopied(`${name} copied`);
    } catch {
      setCopied("The browser does not allow copying here: select the text below"); // or it has no clipboard for the page
    }
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

/** The link, and the ids of the first column, or of the chat, with programs that give them. */
async function itemsNow(): Promise<Item[]> {
  const state = page.get();
  const link = await linkTo(state, location.href);
  const first: Item = {
    name: "Link",
    note:
      link.length > LONGEST_LINK
        ? `With this text it has ${link.length.toLocaleString("en")} characters, which many programs cut.`
        : "It holds the text, the settings and the chat behind its #, which browsers do not send. Files are left out.",
    content: link,
  };
  const open = vocabs.get();
  const vocab = state.view === "chat" ? chatVocab(open, state.chat) : open[0];
  if (!vocab) return [first];
  const { info, result } = vocab.state.get();
  const named: SnippetVocab = {
    name: vocab.file?.name ?? vocab.key,
    isFile: vocab.file !== undefined,
    pattern: vocab.pattern,
    encoder: info?.encoder === state.encoder ? state.encoder : "auto",
    chatTemplate: info?.chatTemplate,
  };
  const item = (ids: Uint32Array): Item => ({ name: `Ids of ${vocab.title}`, content: `[${ids.join(", ")}]` });
  if (state.view !== "chat") {
    return [
      ...[first, ...(result ? [item(result.ids)] : [])],
      { name: "Python", content: pythonSnippet(state, named) },
      { name: "JavaScript", content: javaScriptSnippet(state, named) },
    ];
  }
  try {
    const { ids } = (await encodedChat(vocab, state.chat)).result;
    return [first, item(ids), { name: "Python", content: pythonSnippet(state, named) }];
  } catch {
    return [first]; // the view says why the chat has no ids
  }
}
