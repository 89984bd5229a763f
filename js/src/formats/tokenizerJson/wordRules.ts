/** The rules of a tokenizer.json that make words of characters one by one, or nearly so. */

import { bytesOf } from "../../binaryStrings.js";
import type { SpacedWords, WordRules } from "../../vocabData.js";
import type { WordFlag } from "../../wordMap.js";
import { CharacterMap } from "../characterMap.js";
import type { JsonNode } from "../jsonNode.js";
import { flat } from "./rules.js";
import { readPrependScheme } from "./spaceMark.js";

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

/**
 * Returns the rules of words that begin with a space, after a map of SentencePiece or nothing; undefined if they are
 * others. As `_by_map` in Python.
 */
export function readSpacedWords(normalizer: JsonNode, preTokenizer: JsonNode): SpacedWords | undefined {
  const words = flat(preTokenizer, "pretokenizers");
  const drops = words[0]?.get("type").value === "WhitespaceSplit";
  const [metaspace, ...others] = drops ? words.slice(1) : words;
  if (metaspace?.get("type").value !== "Metaspace" || others.length > 0) return undefined;
  const scheme = readPrependScheme(metaspace);
  const isUsual = metaspace.get("replacement").string() === "\u2581" && metaspace.get("split").boolean(true);
  const contradicts = !metaspace.get("add_prefix_space").boolean(true) && scheme !== "never";
  if (!isUsual || contradicts || scheme === "first" || (scheme === "never" && drops)) return undefined;
  const flags = new Set<WordFlag>(["spaced"]);
  if (drops) flags.add("dropSpaces");
  if (scheme === "always") flags.add("prepend");
  let map: CharacterMap | undefined;
  let hasMarks = false; // which are no white space for the steps behind
  for (const [at, part] of flat(normalizer, "normalizers").entries()) {
    const kind = part.get("type").string();
    const pattern = part.get("pattern").get("Regex").value;
    const joined = kind === "Replace" && pattern === " {2,}" ? part.get("content").string() : undefined;
    const [left, right] = [part.get("strip_left").boolean(true), part.get("strip_right").boolean(true)];
    const isBehindOthers = flags.has("stripRight") || flags.has("collapseSpaces");
    if (kind === "Precompiled" && !map && !isBehindOthers) {
      map = readEncodedMap(part.get("precompiled_charsmap"));
    } else if (kind === "Strip" && at === 0) {
      if (left) flags.add("trimLeft");
      if (right) flags.add("trimRight");
    } else if (kind === "Strip" && !left && right && !hasMarks) {
      flags.add("stripRight");
    } else if (joined === " " || (joined === "\u2581" && !drops)) {
      flags.add("collapseSpaces");
      hasMarks ||= joined === "\u2581";
    } else {
      return undefined;
    }
  }
  return { flags: [...flags], map: map ?? CharacterMap.NONE };
}

function readEncodedMap(node: JsonNode): CharacterMap {
  const encoded = node.string();
  let data: Uint8Array;
  try {
    data = bytesOf(atob(encoded));
  } catch {
    throw node.error("is damaged: it is not base64");
  }
  return CharacterMap.read(data, (found) => node.error(found));
}

/** The result of the rules for the content of an added token; undefined if only Python can tell. */
export function normalizedContent(content: string, rules: WordRules | SpacedWords): string | undefined {
  if (!/^[!-~]+$/.test(content)) return undefined;
  if ("map" in rules) return [...content].some((char) => rules.map.hasByte(char.charCodeAt(0))) ? undefined : content;
  return rules.steps.includes("lowercase") ? content.toLowerCase() : content;
}
