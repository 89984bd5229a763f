/** Files dropped on the page, or chosen: vocabs are opened, templates are used for chats, other files are texts. */

import { useEffect, useState } from "preact/hooks";
import { openFile } from "../engine/vocabs.js";
import { page, update } from "../page.js";
import { Store } from "../store.js";

const LARGEST_TEXT = 20 << 20; // bytes
const CHECKED = 1 << 16; // bytes, at the beginning

/** What became of the newest files. */
export const news = new Store("");

/** Takes files. */
export async function take(given: Iterable<File>): Promise<void> {
  const said: string[] = [];
  for (const file of [...given]) { // a copy, since WebKit empties the list of an input that is reset
    try {
      said.push(await taken(file));
    } catch (error) {
      said.push(`${file.name}: ${(error as Error).message}`);
    }
  }
  news.set(said.join(" "));
}

async function taken(file: File): Promise<string> {
  const name = file.name.toLowerCase();
  if (/\.(tiktoken|gguf|model|ws)$/.test(name) || name === "vocab.txt") return opened(file);
  if (name.endsWith(".jinja")) return templateTaken(file.name, await file.text());
  if (name.endsWith(".json")) {
    const data = parsed(await file.text());
    const isVocab = typeof data?.model === "object" || (data === undefined && name.endsWith("tokenizer.json"));
    if (isVocab) return opened(file); // if it is damaged, its column says so; it is no text
    const template = chatTemplateIn(data?.chat_template);
    if (template !== undefined) return templateTaken(file.name, template);
  }
  if (file.size > LARGEST_TEXT) throw new Error(`a text of ${(file.size / 1e6).toFixed(0)} MB is too large for the page`);
  const text = await textIn(file);
  update({ text, view: page.get().view === "chat" ? "tokens" : page.get().view });
  return `${file.name} is the text.`;
}

/** Decodes a file as the command line does: bytes that are not UTF-8 are replaced, unless it has NUL bytes as well. */
async function textIn(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  const decoder = (): TextDecoder => new TextDecoder("utf-8", { ignoreBOM: true });
  const head = decoder().decode(bytes.slice(0, CHECKED), { stream: true });
  if (head.includes("\0") && head.includes("\ufffd")) throw new Error("neither text in UTF-8 nor a vocab that the page knows");
  return decoder().decode(bytes);
}

/** The template in a tokenizer_config.json: the only one, or of a list the default one. */
function chatTemplateIn(given: unknown): string | undefined {
  const found = Array.isArray(given) ? (given.find((one) => one?.name === "default") ?? given[0])?.template : given;
  return typeof found === "string" ? found : undefined;
}

function opened(file: File): string {
  openFile(file);
  return `${file.name} has a new column.`;
}

function templateTaken(name: string, template: string): string {
  update({ chat: { ...page.get().chat, template }, view: "chat" });
  return `The template of ${name} is used for chats.`;
}

function parsed(text: string): { model?: unknown; chat_template?: unknown } | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** Shows where files can be dropped, and takes them. */
export function DropZone() {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (!event.relatedTarget) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      event.stopPropagation(); // the editor would insert the file's content
      setOver(false);
      void take(event.dataTransfer?.files ?? []);
    };
    // In the capturing phase, so that the editor does not see files.
    document.addEventListener("dragover", over, true);
    document.addEventListener("dragleave", leave, true);
    document.addEventListener("drop", drop, true);
    return () => {
      document.removeEventListener("dragover", over, true);
      document.removeEventListener("dragleave", leave, true);
      document.removeEventListener("drop", drop, true);
    };
  }, []);
  return isOver ? <div class="dropzone">Drop a tokenizer.json, .tiktoken, GGUF, .model, vocab.txt or .ws file, a chat template or a text</div> : null;
}
