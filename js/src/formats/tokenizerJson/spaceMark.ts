/** The spelling of a space by the rules of a tokenizer.json, if they do nothing else to a text; as `Vocab.space_mark` in Python. */

import type { AddedToken } from "../../vocabData.js";
import type { SpelledSpace } from "../characterVocab.js";
import type { JsonNode } from "../jsonNode.js";
import type { Tokens } from "../namedTokens.js";
import { flat, readBehavior } from "./rules.js";

export interface SpaceMark extends SpelledSpace {
  /** Whether the normalizer spells them, which looks for added tokens afterwards. */
  isNormalized: boolean;
  /** What becomes of the content of an added token that is found in normalized text. */
  normalize(content: string): string;
}

/** Returns how a space is spelled; undefined if the rules do something else. */
export function readSpaceMark(normalizer: JsonNode, preTokenizer: JsonNode): SpaceMark | undefined {
  const steps = flat(preTokenizer, "pretokenizers");
  const rules = flat(normalizer, "normalizers");
  return rules.length === 0 ? ofMetaspace(steps) : ofNormalizer(rules, steps);
}

const SCHEMES = { always: "piece", first: "first", never: "never" } as const;

/** The prepend_scheme of a Metaspace. */
export function readPrependScheme(metaspace: JsonNode): keyof typeof SCHEMES {
  const node = metaspace.get("prepend_scheme");
  const scheme = node.isMissing() ? "always" : node.string();
  if (!Object.hasOwn(SCHEMES, scheme)) throw node.wrong("one of always, first, never");
  return scheme as keyof typeof SCHEMES;
}

function ofMetaspace([only, ...rest]: JsonNode[]): SpaceMark | undefined {
  if (only?.get("type").value !== "Metaspace" || rest.length > 0) return undefined;
  const mark = only.get("replacement").string();
  const scheme = readPrependScheme(only);
  if (!only.get("add_prefix_space").boolean(true) && scheme !== "never") {
    throw only.get("add_prefix_space").error(`contradicts the prepend_scheme "${scheme}"`);
  }
  if (!isMark(mark)) return undefined;
  return {
    mark,
    prepend: SCHEMES[scheme],
    splits: only.get("split").boolean(true),
    isNormalized: false,
    normalize: (content) => content,
  };
}

function ofNormalizer(rules: JsonNode[], steps: JsonNode[]): SpaceMark | undefined {
  const [replace, ...others] = [...rules].reverse();
  if (replace?.get("type").value !== "Replace" || replace.get("pattern").get("String").value !== " ") return undefined;
  const mark = replace.get("content").string();
  const prepends = others.length > 0;
  const isPrepend = (node: JsonNode) => node.get("type").value === "Prepend" && node.get("prepend").value === mark;
  // A step that looks for spaces finds none any more.
  const isIdle = (step: JsonNode): boolean => {
    if (step.get("type").value !== "Split" || step.get("pattern").get("String").value !== " ") return false;
    readBehavior(step); // which refuses an unknown one
    return !step.get("invert").boolean();
  };
  if (!isMark(mark) || others.length > 1 || !others.every(isPrepend) || !steps.every(isIdle)) return undefined;
  return {
    mark,
    prepend: prepends ? "stretch" : "never",
    splits: false,
    isNormalized: true,
    normalize: (content) => (prepends ? mark : "") + content.replaceAll(" ", mark),
  };
}

/** Whether the engine, for which a space stays a space, finds all tokens where `tokenizers` does. */
export function suits({ mark, isNormalized }: SpaceMark, { names, idOf }: Tokens, added: readonly AddedToken[]): boolean {
  const isFoundElsewhere = ({ content, normalized, lstrip, rstrip }: AddedToken): boolean =>
    normalized && (lstrip || rstrip || (!isNormalized && (content.includes(" ") || content.includes(mark))));
  return idOf.has(mark) && !names.some((name) => name.includes(" ")) && !added.some(isFoundElsewhere);
}

function isMark(text: string): boolean {
  return [...text].length === 1 && !/[\s\p{L}\p{N}]/u.test(text);
}
