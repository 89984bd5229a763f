/**
 * The .ws format: a compiled vocab, which the engine uses as it is (native/include/wordsplit/tables/compiled.hpp).
 *
 * Only the description and the added tokens are read here; the engine checks everything else.
 */

import { UnsupportedVocabError, VocabFormatError } from "../errors.js";
import type { TemplatePart } from "../template.js";
import { type AddedToken, type CoreSettings, type DecodeStep, PREPENDS, type TokenTable, type VocabData } from "../vocabData.js";
import { type JsonNode, parseJson } from "./jsonNode.js";
import { readLengths } from "./lengths.js";
import { patternSteps } from "./patterns.js";
import type { Scheme } from "./schemes.js";
import type { Source } from "./source.js";
import { checked } from "./vocabChecks.js";

const MAGIC = "wsvocab\n";
const HEADER_BYTES = 40;
const PART_BYTES = 16;
const VERSION = 2;
const PORTABLE_BUILD = 4;
const ALIGN = 64; // of the tables after the description
const DESCRIPTION = 0;
const ADDED = 2; // the first of the four parts of the added tokens
const FLAGS = ["special", "lstrip", "rstrip", "singleWord", "normalized"] as const;
const OR_OLDER = ", or compiled by an older wordsplit; the Python package supports it";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Whether a file is of the format. */
export function isCompiled(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, MAGIC.length)) === MAGIC;
}

/** Reads the description of a compiled vocab. */
export function parseCompiled(source: Source): VocabData {
  const part = partOf(source, DESCRIPTION);
  const jsonSize = part.indexOf(0) < 0 ? part.length : part.indexOf(0);
  const own = part.subarray(jsonSize + ALIGN - (jsonSize % ALIGN));
  const root = parseJson(part.subarray(0, jsonSize), source.path);
  const description = root.get("vocab");
  description.object();
  const settings = root.get(root.get("core_with_rules").isMissing() ? "core" : "core_with_rules");
  const core = settings.isMissing() ? undefined : coreOf(settings, own);
  const model = root.get("model");
  if (!core) refuseOthers(model, description);
  const ids = (name: string) =>
    description
      .get(name)
      .itemsOrEmpty()
      .map((node) => node.tokenId());
  const id = (name: string) => optional(description.get(name), (node) => node.tokenId());
  const rules = core ? settings : description;
  return checked({
    name: source.name ?? description.get("name").string(),
    file: source.path,
    compiled: source.bytes,
    unreachable: Uint32Array.from(ids("unreachable_ids")),
    ignoreMerges: rules.get("ignore_merges").boolean(),
    ...(source.pattern === undefined
      ? steps(description.get("pre_tokenizer"), core?.findsSpans ?? false)
      : otherSteps(source.pattern, source.path, core)),
    nfc: core ? rules.get("nfc").boolean() : isNfc(description.get("normalizer")),
    core,
    model: optional(model, (node) => node.get("kind").string()),
    spelled: model.isMissing() ? undefined : tokensOf(model, own),
    continuingPrefix: optional(model.get("values").get("continuing_subword_prefix"), (node) => node.string()),
    decoder: optional(description.get("decoder"), (node) => node.items().map(decodeStep)),
    spellings: core && new Map(numbered(settings.get("spellings"))),
    addPrefixSpace: rules.get("add_prefix_space").boolean(),
    added: addedTokens(source),
    prefix: ids("prefix_ids"),
    suffix: ids("suffix_ids"),
    pair: optional(description.get("pair_template"), (node) => node.items().map(templatePart)),
    eosTokenId: id("eos_token_id"),
    bosTokenId: id("bos_token_id"),
    padTokenId: id("pad_token_id"),
    unkTokenId: optional(description.get("role_ids").get("unk"), (node) => node.tokenId()),
    chatTemplate: optional(description.get("chat_template"), (node) => node.string()),
    ...readLengths(description),
  });
}

/** Throws for a file without settings of the core whose vocab needs them. */
function refuseOthers(model: JsonNode, description: JsonNode): void {
  if (!model.isMissing()) {
    const kind = String(model.get("kind").value);
    throw model.unsupported(`a ${kind} model with rules that the engine does not have${OR_OLDER}`);
  }
  if (!description.get("missing_bytes").isMissing()) {
    throw description.get("missing_bytes").unsupported(`a rule for bytes without a token${OR_OLDER}`);
  }
}

/** The texts of a table, by number. */
function numbered(node: JsonNode): [number, string][] {
  return Object.keys(node.object()).map((key) => [Number(key), node.get(key).string()]);
}

function coreOf(node: JsonNode, own: Uint8Array): CoreSettings {
  const prepend = PREPENDS.findIndex((name) => name === node.get("prepend").string());
  if (prepend < 0) throw node.get("prepend").error(`should be one of ${PREPENDS.join(", ")}`);
  const parts = (name: string): Uint8Array[] =>
    node
      .get(name)
      .itemsOrEmpty()
      .map((place) => {
        const [at, size] = place.items().map((item) => item.count()) as [number, number];
        if (at + size > own.length) throw place.error("is outside the file");
        return own.subarray(at, at + size);
      });
  const maps = parts("maps");
  const [rules] = parts("rules");
  return {
    encoder: node.get("encoder").string(),
    longEncoder: node.get("long_encoder").string(),
    cuts: node.get("cuts").boolean(),
    cutsAtSpaces: node.get("cuts_at_spaces").boolean(),
    spaceMark: node.get("space_mark").string(),
    prepend,
    literals: numbered(node.get("literals")),
    maps,
    rules,
    scheme: optional(node.get("scheme"), (scheme) => scheme.string()),
    findsSpans: node.get("cuts").boolean() || maps.length > 0 || rules !== undefined,
  };
}

/** The tokens of a model, the first tables after the description. */
function tokensOf(model: JsonNode, own: Uint8Array): TokenTable {
  let at = 0;
  const [blob, ends, ids] = model
    .get("sizes")
    .items()
    .slice(0, 3)
    .map((node) => {
      const from = at;
      const size = node.count();
      at += size + (ALIGN - (size % ALIGN)) % ALIGN;
      if (from + size > own.length) throw node.error("is outside the file");
      return new Uint8Array(own.subarray(from, from + size)); // a copy is aligned
    }) as [Uint8Array, Uint8Array, Uint8Array];
  return { blob, ends: new Uint32Array(ends.buffer), ids: new Uint32Array(ids.buffer) };
}

function templatePart(node: JsonNode): TemplatePart {
  const [text, ids] = [node.get("text"), node.get("ids").items().map((id) => id.tokenId())];
  if (!text.isMissing() && (!isName(text.value) || ids.length > 0)) throw text.wrong("null or, without ids, first or second");
  return { ids, text: isName(text.value) ? text.value : undefined, typeId: node.get("type_id").count() };
}

function isName(value: unknown): value is "first" | "second" {
  return value === "first" || value === "second";
}

function decodeStep(node: JsonNode): DecodeStep {
  return {
    kind: node.get("kind").string(),
    pattern: node.get("pattern").string(),
    content: node.get("content").string(),
    literal: node.get("literal").boolean(),
    left: node.get("left").count(),
    right: node.get("right").count(),
    prepended: node.get("prepended").boolean(),
    cleanup: node.get("cleanup").boolean(),
    delimiter: node.get("delimiter").string(),
  };
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

/**
 * The steps of the pre-tokenizer, which must be plain ones for a scanner. Where the file has what finds the spans, there
 * are no patterns if one of them is not.
 */
function steps(node: JsonNode, findsSpans: boolean): Pick<VocabData, "patterns" | "dialect"> {
  const patterns: string[] = [];
  let dialect: VocabData["dialect"] = "tokenizers";
  for (const step of node.items()) {
    const isPlain =
      step.get("behavior").value === "isolated" &&
      !["invert", "literal", "prefix_space", "byte_level"].some((name) => step.get(name).boolean());
    if (!isPlain && findsSpans) return { patterns: [], dialect };
    if (!isPlain) throw step.unsupported(`a step other than isolated matches${OR_OLDER}`);
    if (step.get("dialect").string() === "tiktoken") dialect = "tiktoken";
    patterns.push(step.get("pattern").string());
  }
  return { patterns, dialect };
}

/** The steps of a caller's pattern, which only a scanner finds. */
function otherSteps(pattern: string, file: string | undefined, core: CoreSettings | undefined): Scheme {
  if (!core) return patternSteps(pattern, "tokenizers");
  throw new UnsupportedVocabError("not supported: another pattern for this vocab; the Python package supports it", { file, field: "pattern" });
}

function isNfc(node: JsonNode): boolean {
  if (node.isMissing()) return false;
  if (node.value !== "nfc") throw node.unsupported(`a normalizer other than NFC${OR_OLDER}`);
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
