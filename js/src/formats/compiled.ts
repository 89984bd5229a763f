/**
 * The .ws format: a compiled vocab, which the engine uses as it is (native/include/wordsplit/tables/compiled.hpp).
 *
 * Only the description and the added tokens are read here; the engine checks everything else.
 */

import { UnsupportedVocabError, VocabFormatError } from "../errors.js";
import type { AddedToken, VocabData } from "../vocabData.js";
import { type JsonNode, parseJson } from "./jsonNode.js";
import type { Source } from "./source.js";
import { checked } from "./vocabChecks.js";

const MAGIC = "wsvocab\n";
const HEADER_BYTES = 40;
const PART_BYTES = 16;
const VERSION = 2;
const PORTABLE_BUILD = 3;
const DESCRIPTION = 0;
const ADDED = 2; // the first of the four parts of the added tokens
const FLAGS = ["special", "lstrip", "rstrip", "singleWord", "normalized"] as const;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Whether a file is of the format. */
export function isCompiled(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, MAGIC.length)) === MAGIC;
}

/** Reads the description of a compiled vocab. */
export function parseCompiled(source: Source): VocabData {
  const root = parseJson(untilZero(partOf(source, DESCRIPTION)), source.path);
  if (!root.get("model").isMissing()) {
    const kind = String(root.get("model").get("kind").value);
    throw root.get("model").unsupported(`a model of type ${kind}; the JavaScript package supports byte-level BPE`);
  }
  const description = root.get("vocab");
  description.object();
  if (!description.get("decoder").isMissing()) {
    throw description.get("decoder").unsupported("steps of decoding; the JavaScript package joins the bytes of tokens");
  }
  if (!description.get("missing_bytes").isMissing()) {
    throw description.get("missing_bytes").unsupported("a rule for bytes without a token; the Python package has it");
  }
  const ids = (name: string) =>
    description
      .get(name)
      .itemsOrEmpty()
      .map((node) => node.tokenId());
  const id = (name: string) => optional(description.get(name), (node) => node.tokenId());
  return checked({
    name: source.name ?? description.get("name").string(),
    file: source.path,
    compiled: source.bytes,
    unreachable: Uint32Array.from(ids("unreachable_ids")),
    ignoreMerges: description.get("ignore_merges").boolean(),
    ...steps(description.get("pre_tokenizer")),
    nfc: isNfc(description.get("normalizer")),
    addPrefixSpace: description.get("add_prefix_space").boolean(),
    added: addedTokens(source),
    prefix: ids("prefix_ids"),
    suffix: ids("suffix_ids"),
    eosTokenId: id("eos_token_id"),
    bosTokenId: id("bos_token_id"),
    padTokenId: id("pad_token_id"),
    unkTokenId: optional(description.get("role_ids").get("unk"), (node) => node.tokenId()),
    chatTemplate: optional(description.get("chat_template"), (node) => node.string()),
  });
}

/** The JSON, behind which a byte 0 and the tables of other models follow. */
function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

function optional<T>(node: JsonNode, read: (node: JsonNode) => T): T | undefined {
  return node.isMissing() ? undefined : read(node);
}

/** The bytes of a part of the file. */
function partOf({ bytes, path: file }: Source, part: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fail = (found: string): never => {
    throw new VocabFormatError(found, { file, field: "header" });
  };
  if (bytes.length < HEADER_BYTES || !isCompiled(bytes)) fail("is not a compiled vocab, or cut short");
  if (view.getUint32(8, true) !== VERSION || view.getBigUint64(16, true) !== BigInt(PORTABLE_BUILD)) {
    throw new UnsupportedVocabError(
      "was compiled for another version of wordsplit: write it again with `wordsplit compile`",
      { file, field: "header" },
    );
  }
  const at = HEADER_BYTES + PART_BYTES * part;
  if (at + PART_BYTES > bytes.length) fail("is cut short");
  const offset = Number(view.getBigUint64(at, true));
  const size = Number(view.getBigUint64(at + 8, true));
  if (offset + size > bytes.length) fail("has a part outside the file");
  return bytes.subarray(offset, offset + size);
}

/** The steps of the pre-tokenizer, which must be plain ones: the others have no scanner. */
function steps(node: JsonNode): Pick<VocabData, "patterns" | "dialect"> {
  const patterns: string[] = [];
  let dialect: VocabData["dialect"] = "tokenizers";
  for (const step of node.items()) {
    const isPlain =
      step.get("behavior").string() === "isolated" &&
      !["invert", "literal", "prefix_space", "byte_level"].some((name) => step.get(name).boolean());
    if (!isPlain) throw step.unsupported("a step other than isolated matches; the Python package supports it");
    if (step.get("dialect").string() === "tiktoken") dialect = "tiktoken";
    patterns.push(step.get("pattern").string());
  }
  return { patterns, dialect };
}

function isNfc(node: JsonNode): boolean {
  if (node.isMissing()) return false;
  if (node.value !== "nfc") throw node.unsupported("a normalizer other than NFC; the Python package supports it");
  return true;
}

function addedTokens(source: Source): AddedToken[] {
  const [blob, ends, ids, flags] = [0, 1, 2, 3].map((i) => partOf(source, ADDED + i)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const word = (part: Uint8Array, i: number) =>
    new DataView(part.buffer, part.byteOffset + 4 * i, 4).getUint32(0, true);
  if (ends.length !== 4 * flags.length || ids.length !== 4 * flags.length) {
    throw new VocabFormatError("has added tokens that do not fit", { file: source.path, field: "added tokens" });
  }
  return Array.from(flags, (bits, i) => {
    const content = decoder.decode(blob.subarray(i > 0 ? word(ends, i - 1) : 0, word(ends, i)));
    const named = FLAGS.map((name, bit) => [name, ((bits >> bit) & 1) === 1]);
    return { content, id: word(ids, i), ...Object.fromEntries(named) } as AddedToken;
  });
}
