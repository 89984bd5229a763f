/**
 * Models other than byte-level BPE of a tokenizer.json: BPE of characters, Unigram, WordPiece and WordLevel, with rules that
 * spell spaces otherwise, or that make words of characters one by one. `wordsplit compile` makes .ws files of others.
 */

import {
  type AddedToken,
  ModelKind,
  type ModelRules,
  PREPENDS,
  type SpacedWords,
  type TokenTable,
  type VocabData,
  type WordRules,
} from "../../vocabData.js";
import { pack } from "../baseTokens.js";
import { writeText } from "../byteLevel.js";
import { type JsonNode, shown } from "../jsonNode.js";
import { type Source, vocabName } from "../source.js";
import { checked } from "../vocabChecks.js";
import { readDecoder } from "./decoder.js";
import { lowered } from "./lowered.js";
import { COMPILE_IT } from "./rules.js";
import { readScores } from "./scores.js";
import { readSpaceMark, type SpaceMark, suits } from "./spaceMark.js";
import { readAdded, readAround, readMerges, readTokens, refuseDropout, type Tokens } from "./tokens.js";
import { normalizedContent, readSpacedWords, readWordRules } from "./wordRules.js";

const utf8 = new TextEncoder();
const LONGEST_PREFIX = 64;
const UNKNOWN_PENALTY = 10;

/** What a model is in the engine. */
interface InEngine {
  model: string;
  tokens: TokenTable;
  merges: Uint32Array;
  unreachable: Uint32Array;
  rules: ModelRules;
  encoder: string;
  longEncoder: string;
  /** Whether a word that is a token has its id. */
  hasWholeWords: boolean;
  scores?: Float64Array;
}

/** Reads a tokenizer.json whose model is of a kind that works on characters. */
export function parseCharacterModel(root: JsonNode, kind: string, source: Source): VocabData {
  const model = root.get("model");
  const read = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (!read) throw model.get("type").unsupported(`model ${shown(kind)}; ${COMPILE_IT}`);
  const rules = [root.get("normalizer"), root.get("pre_tokenizer")] as const;
  const space = kind === "BPE" || kind === "Unigram" ? readSpaceMark(...rules) : undefined;
  const words = space ? undefined : (readWordRules(...rules) ?? readSpacedWords(...rules));
  const tokens = kind === "Unigram" ? readListed(model.get("vocab")) : readTokens(model.get("vocab"));
  const added = readAdded(root.get("added_tokens"), tokens, (name) => utf8.encode(name));
  if (space ? !suits(space, tokens, added) : !words) {
    throw root.get("pre_tokenizer").unsupported(`these rules of a model of characters; ${COMPILE_IT}`);
  }
  const found = read(model, tokens, space?.mark ?? "", source);
  if (space && found.rules.drops) throw model.get("unk_token").unsupported(`no token for what is unknown; ${COMPILE_IT}`);
  return checked({
    name: vocabName(source),
    file: source.path,
    tokens: found.tokens,
    merges: found.merges,
    unreachable: found.unreachable,
    ignoreMerges: found.hasWholeWords,
    patterns: [],
    dialect: "tokenizers",
    nfc: false,
    model: found.model,
    modelRules: found.rules,
    scores: found.scores,
    spelled: space || found.model === "CharacterBPE" ? packed(tokens) : found.tokens,
    continuingPrefix: found.rules.prefix,
    decoder: readDecoder(root.get("decoder")),
    core: {
      encoder: found.encoder,
      longEncoder: found.longEncoder,
      nfkc: false,
      cuts: space !== undefined,
      cutsAtSpaces: space?.splits ?? false,
      spaceMark: space?.mark ?? "",
      prepend: PREPENDS.indexOf(space?.prepend ?? "never"),
      ...normalizedTokens(root.get("added_tokens"), added, space, words),
      maps: [],
      words,
    },
    addPrefixSpace: false,
    added,
    ...readAround(root.get("post_processor"), tokens, added),
    unkTokenId: found.rules.unkId,
  });
}

/** What added tokens are in normalized text, and how they are spelled when they are decoded. */
function normalizedTokens(
  node: JsonNode,
  added: readonly AddedToken[],
  space: SpaceMark | undefined,
  words: WordRules | SpacedWords | undefined,
): { literals: [number, string][]; spellings: Map<number, string> } {
  const literals: [number, string][] = [];
  const spellings = new Map<number, string>();
  const byNumber = [...added].sort((a, b) => a.id - b.id);
  for (const [number, { content, id, normalized, lstrip, rstrip }] of byNumber.entries()) {
    if (!normalized) continue;
    const text = space ? space.normalize(content) : normalizedContent(content, words as WordRules | SpacedWords);
    const strips = words !== undefined && "keys" in words && (lstrip || rstrip);
    if (text === undefined || strips) throw node.unsupported(`${shown(content)} in normalized text; ${COMPILE_IT}`);
    spellings.set(id, text);
    literals.push([number, space ? text.replaceAll(space.mark, " ") : text]);
  }
  const texts = literals.map(([, text]) => text);
  if (new Set(texts).size < texts.length) throw node.unsupported(`tokens that are equal when normalized; ${COMPILE_IT}`);
  return { literals, spellings };
}

const KINDS: Readonly<Record<string, (model: JsonNode, tokens: Tokens, mark: string, source: Source) => InEngine>> = {
  BPE(model, tokens, mark) {
    refuseDropout(model);
    for (const name of ["continuing_subword_prefix", "end_of_word_suffix", "ignore_merges"]) {
      const node = model.get(name);
      if (node.value) throw node.unsupported(`${name} ${shown(node.value)}; ${COMPILE_IT}`);
    }
    const merges = readMerges(model.get("merges"), tokens.idOf);
    const unkId = unknownId(model, tokens);
    const byteIds = model.get("byte_fallback").boolean() ? byteTokens(tokens) : [];
    const special = new Set([...byteIds, unkId].filter((id) => id !== undefined));
    const joins = merges.pairs.some((id) => special.has(id)) || merges.made.some((id) => special.has(id));
    if (joins) throw model.get("merges").unsupported(`merges of byte tokens, or of the unknown one; ${COMPILE_IT}`);
    const { rules, ...tables } = lowered(tokens, merges, special, byteIds, mark);
    const fallback = completed(byteIds, tokens, model.get("byte_fallback"));
    const drops = unkId === undefined && byteIds.every((id) => id === undefined);
    return {
      model: "CharacterBPE",
      ...tables,
      rules: { kind: ModelKind.Characters, unkId, fuseUnk: model.get("fuse_unk").boolean(), drops, fallback, ...rules },
      encoder: "priority_merge",
      longEncoder: "heap_merge",
      hasWholeWords: false,
    };
  },

  WordPiece(model, tokens) {
    const most = model.get("max_input_chars_per_word");
    const prefix = model.get("continuing_subword_prefix").isMissing() ? "##" : model.get("continuing_subword_prefix").string();
    if (utf8.encode(prefix).length > LONGEST_PREFIX) {
      throw model.get("continuing_subword_prefix").unsupported(`a prefix that is long; ${COMPILE_IT}`);
    }
    const mostCharacters = most.isMissing() ? 100 : most.count();
    const rules = { kind: ModelKind.WordPiece, unkId: unknownId(model, tokens, "[UNK]"), mostCharacters, prefix };
    const found = plain(model, tokens, rules, "longest_match");
    const longest = found.tokens.ends.reduce((size, end, i, ends) => Math.max(size, end - (ends[i - 1] ?? 0)), 0);
    return { model: "WordPiece", ...found, hasWholeWords: longest <= mostCharacters };
  },

  Unigram(model, tokens, mark, source) {
    const scores = readScores(model.get("vocab"), source.bytes);
    const node = model.get("unk_id");
    const unkId = node.isMissing() ? undefined : node.tokenId();
    if (unkId !== undefined && unkId >= scores.length) throw node.error(`is outside the vocab of ${scores.length} tokens`);
    const fallback = model.get("byte_fallback").boolean()
      ? completed(byteTokens(tokens), tokens, model.get("byte_fallback"))
      : undefined;
    const unknownScore = scores.reduce((least, score) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY;
    const rules = { kind: ModelKind.Unigram, unkId, fallback, unknownScore };
    return { model: "Unigram", ...plain(model, tokens, rules, "viterbi", mark), hasWholeWords: false, scores };
  },

  WordLevel(model, tokens) {
    const rules = { kind: ModelKind.WordLevel, unkId: unknownId(model, tokens, "<unk>") };
    return { model: "WordLevel", ...plain(model, tokens, rules, "whole_span"), hasWholeWords: false };
  },
};

/** A model without merges. */
function plain(
  model: JsonNode,
  tokens: Tokens,
  rules: ModelRules,
  encoder: string,
  mark = "",
): Omit<InEngine, "model" | "hasWholeWords"> {
  if (rules.unkId === undefined) throw model.get("unk_token").unsupported(`no token for what is unknown; ${COMPILE_IT}`);
  return {
    tokens: packed(mark ? { ...tokens, names: tokens.names.map((name) => name.replaceAll(mark, " ")) } : tokens),
    merges: new Uint32Array(),
    unreachable: Uint32Array.from(tokens.ids.filter((id, i) => tokens.idOf.get(tokens.names[i] as string) !== id)),
    rules,
    encoder,
    longEncoder: encoder,
  };
}

/** Reads a `vocab` that lists tokens and scores. */
function readListed(vocab: JsonNode): Tokens {
  const names = vocab.list().map((item, at) => {
    const node = vocab.item(item, at);
    const pair = node.list("a token and its score");
    if (pair.length !== 2 || typeof pair[1] !== "number") throw node.wrong("a token and its score");
    return node.item(pair[0], 0).string();
  });
  return { names, ids: names.map((_, id) => id), idOf: new Map(names.map((name, id) => [name, id])) };
}

function unknownId(model: JsonNode, { idOf }: Tokens, name?: string): number | undefined {
  const node = model.get("unk_token");
  const token = node.isMissing() ? name : node.string();
  return token === undefined ? undefined : idOf.get(token);
}

/** The id of the token that spells each byte. */
function byteTokens({ idOf }: Tokens): (number | undefined)[] {
  return Array.from({ length: 256 }, (_, byte) => idOf.get(`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`));
}

/**
 * An id for each byte; undefined without byte fallback. An ASCII character that is a token never falls back, so its byte
 * needs no token.
 */
function completed(byteIds: (number | undefined)[], { idOf }: Tokens, node: JsonNode): Uint32Array | undefined {
  if (byteIds.every((id) => id === undefined)) return undefined;
  return Uint32Array.from(byteIds, (id, byte) => {
    const found = id ?? (byte < 0x80 ? idOf.get(String.fromCharCode(byte)) : undefined);
    if (found === undefined) throw node.unsupported(`byte_fallback without a token for byte ${byte}; ${COMPILE_IT}`);
    return found;
  });
}

/** The tokens as the file has them. */
function packed({ names, ids }: Tokens): TokenTable {
  const longest = names.reduce((size, name) => size + 3 * name.length, 0);
  return pack(ids, longest, (i, out, at) => writeText(names[i] as string, out, at), new Set()).tokens;
}
