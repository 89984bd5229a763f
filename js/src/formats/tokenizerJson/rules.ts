/**
 * The rules of a tokenizer.json: normalizer, pre-tokenizer, post-processor.
 *
 * What only files that the Python package has compiled can have is refused: normalizers other than NFC, and pre-tokenizers
 * other than steps of isolated matches.
 */

import { FROM_TOKENIZERS, SCHEMES, type Scheme } from "../schemes.js";
import { type JsonNode, shown } from "../jsonNode.js";
import { COMPILE_IT } from "../unsupported.js";

const DEEPEST = 16; // of nested sequences; known files have one level
const NORMALIZERS = [
  ...["NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "BertNormalizer", "Precompiled"],
  ...["ByteLevel", "Prepend", "Replace", "Strip"],
];
const PRE_TOKENIZERS = [
  ...["Digits", "Punctuation", "Whitespace", "WhitespaceSplit", "CharDelimiterSplit"],
  ...["BertPreTokenizer", "FixedLength", "UnicodeScripts"],
];
const BEHAVIORS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"];
const NO_SCANNER = `the JavaScript package has no scanner for it; ${COMPILE_IT}`;

/** Whether the normalizer is NFC; if not, there is none. */
export function readNormalizer(node: JsonNode): boolean {
  let nfc = false;
  for (const part of flat(node, "normalizers")) {
    const kind = part.get("type").string();
    if (kind !== "NFC") {
      const where = NORMALIZERS.includes(kind) ? `; ${COMPILE_IT}` : "";
      throw part.unsupported(`normalizer ${shown(kind)}; the JavaScript package supports "NFC"${where}`);
    }
    nfc = true;
  }
  return nfc;
}

/** The steps of the pre-tokenizer, and whether a space is put before the text. */
export function readPreTokenizer(node: JsonNode): Scheme & { addPrefixSpace: boolean } {
  const patterns: string[] = [];
  let dialect: Scheme["dialect"] = "tokenizers";
  let isByteLevel = false;
  let addPrefixSpace = false;
  for (const [at, part] of flat(node, "pretokenizers").entries()) {
    const kind = part.get("type").string();
    if (kind === "ByteLevel") {
      if (isByteLevel) throw part.unsupported('pre-tokenizer "ByteLevel" after another one');
      isByteLevel = true;
      if (part.get("add_prefix_space").boolean(true)) {
        if (at > 0) throw part.unsupported(`add_prefix_space after other steps; ${NO_SCANNER}`);
        addPrefixSpace = true;
      }
      if (part.get("use_regex").boolean(true)) patterns.push(...(SCHEMES["gpt2"] as Scheme).patterns);
    } else if (kind === "Split") {
      const pattern = readSplit(part);
      if (isByteLevel) throw part.unsupported(`"Split" after "ByteLevel"; ${NO_SCANNER}`);
      const known = Object.hasOwn(FROM_TOKENIZERS, pattern) ? FROM_TOKENIZERS[pattern] : undefined;
      if (known !== undefined) dialect = "tiktoken";
      patterns.push(known ?? pattern);
    } else if (PRE_TOKENIZERS.includes(kind)) {
      throw part.unsupported(`pre-tokenizer ${shown(kind)}; ${NO_SCANNER}`);
    } else {
      const known = [...PRE_TOKENIZERS, "Split", "ByteLevel", "Sequence"].map(shown).join(", ");
      throw part.unsupported(`pre-tokenizer ${shown(kind)}; wordsplit supports ${known}`);
    }
  }
  if (!isByteLevel) throw node.unsupported('a pre-tokenizer without "ByteLevel"; wordsplit supports byte-level BPE');
  return { patterns, dialect, addPrefixSpace };
}

/** The pattern of a Split whose matches are isolated. */
function readSplit(part: JsonNode): string {
  const pattern = part.get("pattern");
  pattern.object();
  const isLiteral = pattern.get("Regex").isMissing();
  const found = pattern.get(isLiteral ? "String" : "Regex").string();
  const behavior = readBehavior(part);
  const isInverted = part.get("invert").boolean();
  if (isLiteral) throw pattern.unsupported(`a "Split" at a plain string; ${NO_SCANNER}`);
  if (behavior !== "Isolated") throw part.get("behavior").unsupported(`behavior ${shown(behavior)}; ${NO_SCANNER}`);
  if (isInverted) throw part.get("invert").unsupported(`an inverted "Split"; ${NO_SCANNER}`);
  return found;
}

/** The behavior of a Split. */
export function readBehavior(part: JsonNode): string {
  const behavior = part.get("behavior").string();
  if (BEHAVIORS.includes(behavior)) return behavior;
  throw part.get("behavior").unsupported(`behavior ${shown(behavior)}; known are ${BEHAVIORS.map(shown).join(", ")}`);
}

/** The parts of a component, with nested sequences flattened; none for `null`. */
export function flat(node: JsonNode, inside: string, kindOf = (part: JsonNode): string => part.get("type").string()): JsonNode[] {
  if (node.isMissing()) return [];
  const out: JsonNode[] = [];
  const pending: [JsonNode, number][] = [[node, 0]];
  for (let next; (next = pending.pop());) {
    const [part, depth] = next;
    part.object();
    if (kindOf(part) !== "Sequence") {
      out.push(part);
      continue;
    }
    if (depth === DEEPEST) throw part.unsupported(`sequences more than ${DEEPEST} deep`);
    for (const item of part.get(inside).items().reverse()) pending.push([item, depth + 1]);
  }
  return out;
}
