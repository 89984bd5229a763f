/** The page's state as programs. */

import { templateOf, variablesOf } from "../chat/encodedChat.js";
import type { Page } from "../page.js";

/** JSON's strings are also Python's and JavaScript's. */
const quoted = (text: string): string => JSON.stringify(text);

const IDENTIFIER = /^[A-Za-z_]\w*$/;
const PYTHON_WORDS: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** Returns a value of JSON as Python writes it. */
export function pythonOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${quoted(key)}: ${pythonOf(item)}`)
      .join(", ")}}`;
  }
  const json = JSON.stringify(value);
  return PYTHON_WORDS[json] ?? json;
}

/** A vocab as programs load it. */
export interface SnippetVocab {
  /** The name of a bundled vocab, or of a file. */
  name: string;
  isFile: boolean;
  /** The pattern that was chosen for a file; empty for its own. */
  pattern: string;
  /** The chosen encoder, if the vocab uses it; else `"auto"`. */
  encoder: string;
  chatTemplate: string | undefined;
}

/** Returns a program in Python that gives the ids of a vocab. Throws an error if the chat's tools or variables are invalid. */
export function pythonSnippet({ text, special, view, chat }: Page, vocab: SnippetVocab): string {
  const { name, pattern, encoder } = vocab;
  const source = pattern ? `wordsplit.load_vocab(${quoted(name)}, pattern=${quoted(pattern)})` : quoted(name);
  const options = encoder === "auto" ? "" : `, encoder=${quoted(encoder)}`;
  const lines = ["import wordsplit", "", `tok = wordsplit.load_tokenizer(${source}${options})`];
  if (view !== "chat") {
    const more = special === "parse" ? "" : `, special=${quoted(special)}`;
    return [...lines, `text = ${quoted(text)}`, `ids = tok.encode(text${more})`, "print(len(ids), ids)"].join("\n");
  }
  lines.push("messages = [", ...chat.messages.map((message) => `    ${pythonOf(message)},`), "]");
  const { tools, add_generation_prompt, ...others } = variablesOf(chat);
  const variables = Object.entries(others);
  const unfit = variables.filter(([name]) => !IDENTIFIER.test(name));
  const more = [
    ...(tools === null ? [] : [`tools=${pythonOf(tools)}`]),
    ...(add_generation_prompt === false ? [] : [`add_generation_prompt=${pythonOf(add_generation_prompt)}`]),
    ...(chat.template === undefined && vocab.chatTemplate !== undefined ? [] : [`template=${quoted(templateOf(chat, undefined))}`]),
    ...variables.filter(([name]) => IDENTIFIER.test(name)).map(([name, value]) => `${name}=${pythonOf(value)}`),
    ...(unfit.length ? [`**${pythonOf(Object.fromEntries(unfit))}`] : []),
  ];
  lines.push(`ids = tok.apply_chat_template(${["messages", ...more].join(", ")})`, "print(len(ids), ids)");
  return lines.join("\n");
}

/** Returns a program in JavaScript that gives the ids of a vocab. */
export function javaScriptSnippet({ text, special }: Page, { name, isFile, pattern, encoder }: SnippetVocab): string {
  const [load, source] = isFile
    ? ["loadVocab", `new URL(${quoted(encodeURIComponent(name))}, import.meta.url)`]
    : ["load", quoted(name)];
  const options = [...(pattern ? [`pattern: ${quoted(pattern)}`] : []), ...(encoder === "auto" ? [] : [`encoder: ${quoted(encoder)}`])];
  const more = special === "parse" ? "" : `, { special: ${quoted(special)} }`;
  return [
    `import { ${load} } from "wordsplit";`,
    "",
    `const tok = await ${load}(${source}${options.length ? `, { ${options.join(", ")} }` : ""});`,
    `const text = ${quoted(text)};`,
    `const ids = tok.encode(text${more});`,
    "console.log(ids.length, ids);",
  ].join("\n");
}
