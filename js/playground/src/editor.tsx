/** The editor of the text. */

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightSpecialChars, keymap, placeholder } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { hovered, page, type Range, selected, update } from "./page.js";

const setHovered = StateEffect.define<Range | undefined>();
const hoverMark = Decoration.mark({ class: "hovered" });

/** The part of the text under the pointer in a list of tokens. */
const hoverField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let found = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setHovered)) continue;
      const range = effect.value;
      const isSound = range && range.start < range.end && range.end <= transaction.newDoc.length;
      found = isSound ? Decoration.set([hoverMark.range(range.start, range.end)]) : Decoration.none;
    }
    return found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const SIGNS: Readonly<Record<string, string>> = { "\r": "␍" };

const EXTENSIONS: Extension[] = [
  EditorState.lineSeparator.of("\n"), // so that carriage returns stay in the text
  history(),
  drawSelection(),
  highlightSpecialChars({
    addSpecialChars: /[\p{Cf}\u00a0\u2000-\u200a\u202f\u205f\u3000\r]/u,
    render: (code) => sign(String.fromCodePoint(code), code),
  }),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ "aria-label": "Text", spellcheck: "false", autocorrect: "off" }),
  placeholder("Type or paste a text, or drop a file"),
  keymap.of([...defaultKeymap, ...historyKeymap]),
  hoverField,
  EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
    if (docChanged) update({ text: (typed = state.doc.toString()) });
    if (docChanged || selectionSet) selected.set({ start: state.selection.main.from, end: state.selection.main.to });
  }),
];

function sign(char: string, code: number): HTMLElement {
  const element = document.createElement("span");
  element.className = "sign";
  element.textContent = SIGNS[char] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  element.title = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return element;
}

let editor: EditorView | undefined;
let typed = "";

/** Selects a part of the text, and scrolls to it. */
export function selectInEditor({ start, end }: Range): void {
  if (!editor || end > editor.state.doc.length) return;
  editor.dispatch({ selection: { anchor: start, head: end }, effects: EditorView.scrollIntoView(start, { y: "center" }) });
}

export function Editor() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    typed = page.get().text;
    const view = new EditorView({
      parent: element.current as HTMLElement,
      state: EditorState.create({ doc: typed, extensions: EXTENSIONS }),
    });
    editor = view;
    const stops = [
      page.watch(() => replaceText(view, page.get().text)),
      hovered.watch(() => view.dispatch({ effects: setHovered.of(hovered.get()) })),
    ];
    return () => {
      stops.forEach((stop) => stop());
      view.destroy();
      editor = undefined;
    };
  }, []);
  return <div class="editor" ref={element} />;
}

/** Takes a text that came from elsewhere, such as a sample. */
function replaceText(view: EditorView, text: string): void {
  if (text === typed) return;
  typed = text;
  const { doc } = view.state;
  view.dispatch({
    changes: { from: 0, to: doc.length, insert: view.state.toText(text) }, // a change, so that it can be undone
    selection: { anchor: 0 },
    scrollIntoView: true,
  });
}
