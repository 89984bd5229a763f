/** The page's state as programs. */

import type { Page } from "../page.js";

/** JSON's strings are also Python's and JavaScript's. */
const quoted = (text: string): string => JSON.stringify(text);

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

/** Returns a program in Python that gives the ids of the first vocab. */
export function pythonSnippet({ text, special, encoder, view, chat }: Page, vocab: string): string {
  const options = encoder === "auto" ? "" : `, encoder=${quoted(encoder)}`;
  const lines = ["import wordsplit", "", `tok = wordsplit.load_tokenizer(${quoted(vocab)}${options})`];
  if (view !== "chat") {
    const more = special === "parse" ? "" : `, special=${quoted(special)}`;
    return [...lines, `text = ${quoted(text)}`, `ids = tok.encode(text${more})`, "print(len(ids), ids)"].join("\n");
  }
  lines.push("messages = [", ...chat.messages.map((message) => `    ${pythonOf(message)},`), "]");
  const more = [
    ...(chat.tools.trim() ? [`tools=${pythonOf(JSON.parse(chat.tools))}`] : []),
    ...(chat.addGenerationPrompt ? ["add_generation_prompt=True"] : []),
    ...(chat.template === undefined ? [] : [`template=${quoted(chat.template)}`]),
    ...Object.entries(chat.variables.trim() ? JSON.parse(chat.variables) : {}).map(
      ([name, value]) => `${name}=${pythonOf(value)}`,
    ),
  ];
  lines.push(`ids = tok.apply_chat_template(${["messages", ...more].join(", ")})`, "print(len(ids), ids)");
  return lines.join("\n");
}

/** Returns a program in JavaScript that gives the ids of the first vocab. */
export function javaScriptSnippet({ text, special, encoder }: Page, vocab: string, isFile: boolean): string {
  const options = encoder === "auto" ? "" : `, { encoder: ${quoted(encoder)} }`;
  const [name, argument] = isFile ? ["loadVocab", `new URL(${quoted(vocab)}, import.meta.url)`] : ["load", quoted(vocab)];
  const more = special === "parse" ? "" : `, { special: ${quoted(special)} }`;
  return [
    `import { ${name} } from "wordsplit";`,
    "",
    `const tok = await ${name}(${argument}${options});`,
    `const text = ${quoted(text)};`,
    `const ids = tok.encode(text${more});`,
    "console.log(ids.length, ids);",
  ].join("\n");
}
