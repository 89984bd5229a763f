/**
 * The tokenizer.json format of Hugging Face's `tokenizers`, for byte-level BPE.
 *
 * Everything in the file is either supported exactly or refused with the JSON path of the unsupported part.
 */

import { type AddedToken, MAX_ID, type VocabData } from "../vocabData.js";
import { doubled, type Merges, pack } from "./baseTokens.js";
import { CHARACTERS, tokenBytes, writeToken } from "./byteLevel.js";
import { isText, type JsonNode, parseJson, shown } from "./jsonNode.js";
import { patternSteps } from "./patterns.js";
import { type Source, vocabName } from "./source.js";
import { readNormalizer, readPreTokenizer, readTemplate } from "./tokenizerJsonRules.js";
import { checked } from "./vocabChecks.js";

/** Bytes that are in no UTF-8 text. */
const NEVER = new Set([0xc0, 0xc1, ...Array.from({ length: 11 }, (_, i) => 0xf5 + i)]);
const FLAGS = {
  special: "special",
  lstrip: "lstrip",
  rstrip: "rstrip",
  singleWord: "single_word",
  normalized: "normalized",
};

/** The model's tokens in ascending order of ids, with the names by which merges refer to them. */
interface Tokens {
  names: string[];
  ids: number[];
  idOf: ReadonlyMap<string, number>;
}

/** Reads a tokenizer.json. */
export function parseTokenizerJson(source: Source): VocabData {
  const root = parseJson(source.bytes, source.path);
  root.object();
  const model = root.get("model");
  checkModel(model);
  const tokens = readTokens(model.get("vocab"));
  if (!model.get("unk_token").isMissing()) refuseUnknownBytes(model.get("unk_token"), tokens);
  const merges = readMerges(model.get("merges"), tokens.idOf);
  const ignoreMerges = model.get("ignore_merges").boolean();
  const own = readPreTokenizer(root.get("pre_tokenizer"));
  const added = readAdded(root.get("added_tokens"), tokens);
  checkDecoder(root.get("decoder"));
  const { prefix, suffix } = readTemplate(root.get("post_processor"));
  const addedIds = new Set(added.map((token) => token.id));
  const ids = new Set(tokens.ids);
  for (const id of [...prefix, ...suffix]) {
    if (!ids.has(id) && !addedIds.has(id)) {
      throw root.get("post_processor").error(`names id ${id}, which no token has`);
    }
  }
  const longest = tokens.names.reduce((size, name) => size + 3 * name.length, 0);
  const write = (i: number, out: Uint8Array, at: number) => writeToken(tokens.names[i] as string, out, at);
  return checked({
    name: vocabName(source),
    file: source.path,
    ...pack(tokens.ids, longest, write, doubled(addedIds, merges)),
    merges: merges.pairs,
    ignoreMerges,
    ...own,
    ...(source.pattern === undefined ? {} : patternSteps(source.pattern, "tokenizers")),
    nfc: readNormalizer(root.get("normalizer")),
    added,
    prefix,
    suffix,
  });
}

/** Checks what the model is, besides its tokens and merges. */
function checkModel(model: JsonNode): void {
  const hasMerges = Object.hasOwn(model.object(), "merges");
  // Files written before tokenizers 0.9 do not say.
  const kind = model.get("type").value ?? (hasMerges ? "BPE" : undefined);
  if (kind !== "BPE") {
    throw model.get("type").unsupported(`model ${shown(kind)}; wordsplit supports byte-level BPE`);
  }
  for (const [name, none] of [
    ["dropout", 0],
    ["continuing_subword_prefix", ""],
    ["end_of_word_suffix", ""],
  ] as const) {
    const node = model.get(name);
    if (!node.isMissing() && node.value !== none) throw node.unsupported(`${name} ${shown(node.value)}`);
  }
  if (model.get("byte_fallback").boolean()) {
    throw model.get("byte_fallback").unsupported("byte_fallback; it belongs to SentencePiece-style BPE");
  }
}

function readTokens(vocab: JsonNode): Tokens {
  const entries = Object.entries(vocab.object()) as [string, number][];
  for (const [name, id] of entries) {
    if (!Number.isInteger(id) || id < 0 || id > MAX_ID) vocab.get(name).tokenId();
    if (!isText(name)) throw vocab.get(name).error("its name holds a lone surrogate");
  }
  entries.sort((a, b) => a[1] - b[1]);
  for (let i = 1; i < entries.length; ++i) {
    const [[other, id], [name, same]] = [entries[i - 1], entries[i]] as [[string, number], [string, number]];
    if (id === same) throw vocab.get(name).error(`id ${id} is also that of ${shown(other)}`);
  }
  return { names: entries.map((entry) => entry[0]), ids: entries.map((entry) => entry[1]), idOf: new Map(entries) };
}

/** Refuses an unk_token unless the vocab has every byte, in which case it is never used. */
function refuseUnknownBytes(node: JsonNode, tokens: Tokens): void {
  const lacking = CHARACTERS.findIndex((character, byte) => !tokens.idOf.has(character) && !NEVER.has(byte));
  if (lacking >= 0) {
    const byte = `0x${lacking.toString(16).toUpperCase().padStart(2, "0")}`;
    throw node.unsupported(`unk_token ${shown(node.value)} in a vocab without a token for byte ${byte}`);
  }
}

/** Reads merges, `"a b"` strings or `["a", "b"]` pairs. */
function readMerges(node: JsonNode, idOf: ReadonlyMap<string, number>): Merges {
  const items = node.list("a list of merges");
  const pairs = new Uint32Array(2 * items.length);
  const made = new Uint32Array(items.length);
  for (let rank = 0; rank < items.length; ++rank) {
    const item = items[rank];
    const parts: unknown = typeof item === "string" ? item.split(" ") : item;
    if (!Array.isArray(parts) || parts.length !== 2 || !parts.every((part) => typeof part === "string")) {
      throw node.item(item, rank).error(`a merge has two parts, found ${shown(item)}`);
    }
    const [left, right] = parts as [string, string];
    const ids = [left, right, left + right].map((name) => idOf.get(name));
    const lacking = ids.indexOf(undefined);
    if (lacking >= 0) {
      const name = [left, right, left + right][lacking];
      throw node.item(item, rank).error(`merge ${shown(item)} names ${shown(name)}, which is not a token of the vocab`);
    }
    [pairs[2 * rank], pairs[2 * rank + 1], made[rank]] = ids as [number, number, number];
  }
  return { pairs, made };
}

function readAdded(node: JsonNode, tokens: Tokens): AddedToken[] {
  const items = node.itemsOrEmpty();
  const nameOf = new Map(tokens.ids.map((id, i) => [id, tokens.names[i] as string]));
  const contentOf = new Map<number, string>();
  return items.map((item) => {
    item.object();
    const content = item.get("content").string();
    const id = item.get("id").tokenId();
    const flags = Object.entries(FLAGS).map(([flag, name]) => [flag, item.get(name).boolean()]);
    const other = contentOf.get(id);
    if (other !== undefined && other !== content) {
      throw node.error(`id ${id} is both ${shown(other)} and ${shown(content)}`);
    }
    contentOf.set(id, content);
    refuseTaken(item.get("id"), content, id, tokens.idOf, nameOf);
    return { content, id, ...Object.fromEntries(flags) } as AddedToken;
  });
}

/** Refuses an added token whose content has another id in the model's vocab, or whose id is another token's there. */
function refuseTaken(
  node: JsonNode,
  content: string,
  id: number,
  idOf: ReadonlyMap<string, number>,
  nameOf: ReadonlyMap<number, string>,
): void {
  const other = idOf.get(content) ?? id;
  const name = nameOf.get(id) ?? content;
  if (other !== id) {
    throw node.error(`contradicts $.model.vocab: ${shown(content)} has id ${other} there, and ${id} here`);
  }
  if (name !== "" && name !== content && String(tokenBytes(name)) !== String(tokenBytes(content))) {
    throw node.error(`contradicts $.model.vocab: the id is another token's there, and ${id} here`);
  }
}

function checkDecoder(node: JsonNode): void {
  const parts = node.get("type").value === "Sequence" ? node.get("decoders").itemsOrEmpty() : [node];
  for (const part of parts) {
    if (part.isMissing()) continue;
    const kind = part.get("type").string();
    if (kind !== "ByteLevel" && kind !== "Fuse") {
      throw part.unsupported(`decoder ${shown(kind)}; byte-level BPE has "ByteLevel"`);
    }
  }
}
