/** What the page does, and its keys. */

import { useEffect, useRef } from "preact/hooks";

const KEYS: readonly [string, string][] = [
  ["Alt+1 … Alt+5", "choose a view"],
  ["Tab", "go on to the next part of the page"],
  ["Arrows, Home, End, Page Up, Page Down", "move through tokens, spans or parts"],
  ["Enter", "select the token's text in the editor; in spans, show its merges"],
  ["n, p", "in the list of differences: the next, the previous difference"],
];

export function HelpDialog({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={onClose}>
      <div class="row">
        <h2 id="help-title">Help</h2>
        <button class="quiet close" aria-label="Close" onClick={() => dialog.current?.close()}>
          ×
        </button>
      </div>
      <p>
        Everything happens in this page: it has no server, and its content policy forbids the browser to send or fetch anything. It works
        offline, and from a file.
      </p>
      <p>
        Vocabs: seven come with the page; drop a <code>tokenizer.json</code>, a <code>.tiktoken</code>, a GGUF file, a <code>.model</code>{" "}
        of SentencePiece, a <code>vocab.txt</code> of BERT or a <code>.ws</code> file to add your own. A{" "}
        <code>tokenizer_config.json</code> or a <code>.jinja</code> file gives the template of chats; any other file is a text.
      </p>
      <p>
        Blanks are shown as ␣, ↵ and ⇥. A token that is not UTF-8 on its own, because it has a part of a character, is shown in hexadecimal
        with a dashed edge. Added tokens are dark.
      </p>
      <h3>Keys</h3>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
