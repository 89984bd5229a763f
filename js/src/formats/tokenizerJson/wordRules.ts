/** The rules of a tokenizer.json that treat characters one by one, for which there is a table (wordTables.ts). */

import type { WordRules } from "../../vocabData.js";
import type { JsonNode } from "../jsonNode.js";
import { flat } from "./rules.js";

const PLAIN: Readonly<Record<string, string>> = { NFD: "nfd", Lowercase: "lowercase", StripAccents: "strip_accents" };
const WORDS = ["BertPreTokenizer", "Whitespace", "WhitespaceSplit"];

/** Returns the rules; undefined if they are others. */
export function readWordRules(normalizer: JsonNode, preTokenizer: JsonNode): WordRules | undefined {
  const [words, ...others] = flat(preTokenizer, "pretokenizers").map((part) => part.get("type").string());
  if (words === undefined || others.length > 0 || !WORDS.includes(words)) return undefined;
  const steps: string[] = [];
  for (const part of flat(normalizer, "normalizers")) {
    const kind = part.get("type").string();
    if (kind === "BertNormalizer" || kind === "Bert") steps.push(...bert(part));
    else if (Object.hasOwn(PLAIN, kind)) steps.push(PLAIN[kind] as string);
    else return undefined;
  }
  return { steps, words };
}

function bert(part: JsonNode): string[] {
  const required = (name: string): boolean => {
    if (part.get(name).isMissing()) throw part.get(name).wrong("true or false");
    return part.get(name).boolean();
  };
  const lowercase = required("lowercase");
  const wanted = {
    bert_clean_text: required("clean_text"),
    bert_chinese_chars: required("handle_chinese_chars"),
    bert_strip_accents: part.get("strip_accents").boolean(lowercase),
    lowercase,
  };
  return Object.entries(wanted).flatMap(([step, isOn]) => (isOn ? [step] : []));
}

/** What becomes of the content of an added token by the rules; undefined if only Python can tell. */
export function normalizedContent(content: string, rules: WordRules): string | undefined {
  if (!/^[!-~]+$/.test(content)) return undefined;
  return rules.steps.includes("lowercase") ? content.toLowerCase() : content;
}
