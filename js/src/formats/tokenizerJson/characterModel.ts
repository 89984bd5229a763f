/**
 * Models other than byte-level BPE of a tokenizer.json: BPE of characters, Unigram, WordPiece and WordLevel, with rules that
 * spell spaces otherwise, or that make words of characters one by one. `wordsplit compile` makes .ws files of others.
 */

import { type AddedToken, type SpacedWords, type WordRules, type VocabData } from "../../vocabData.js";
import { characterVocab } from "../characterVocab.js";
import { type JsonNode, shown } from "../jsonNode.js";
import { characterBpe } from "../models/characterBpe.js";
import { type EngineModel, type Refuse } from "../models/engineModel.js";
import { unigram } from "../models/unigram.js";
import { wordLevel } from "../models/wordLevel.js";
import { wordPiece } from "../models/wordPiece.js";
import { listed, type Tokens } from "../namedTokens.js";
import type { Source } from "../source.js";
import { COMPILE_IT } from "../unsupported.js";
import { readDecoder } from "./decoder.js";
import { readScores } from "./scores.js";
import { readSpaceMark, type SpaceMark, suits } from "./spaceMark.js";
import { readAdded, readAround, readMerges, readTokens, refuseDropout } from "./tokens.js";
import { normalizedContent, readSpacedWords, readWordRules } from "./wordRules.js";

const utf8 = new TextEncoder();

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
  const refuse: Refuse = (part, found) => model.get(part).unsupported(found);
  const found = read(model, tokens, space?.mark ?? "", refuse, source);
  if (space && found.rules.drops) throw refuse("unk_token", `no token for what is unknown; ${COMPILE_IT}`);
  const normalized = normalizedTokens(root.get("added_tokens"), added, space, words);
  return characterVocab(source, tokens, found, { space, words, ...normalized }, {
    decoder: readDecoder(root.get("decoder")),
    added,
    ...readAround(root.get("post_processor"), tokens, added),
    unkTokenId: found.rules.unkId,
  });
}

/** The forms of added tokens in normalized text, and their spellings when they are decoded. */
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
    const strips = words !== undefined && "map" in words && (lstrip || rstrip);
    if (text === undefined || strips) throw node.unsupported(`${shown(content)} in normalized text; ${COMPILE_IT}`);
    spellings.set(id, text);
    literals.push([number, space ? text.replaceAll(space.mark, " ") : text]);
  }
  const texts = literals.map(([, text]) => text);
  if (new Set(texts).size < texts.length) throw node.unsupported(`tokens that are equal when normalized; ${COMPILE_IT}`);
  return { literals, spellings };
}

type Read = (model: JsonNode, tokens: Tokens, mark: string, refuse: Refuse, source: Source) => EngineModel;

const KINDS: Readonly<Record<string, Read>> = {
  BPE(model, tokens, mark, refuse) {
    refuseDropout(model);
    for (const name of ["continuing_subword_prefix", "end_of_word_suffix", "ignore_merges"]) {
      const { value } = model.get(name);
      if (value) throw refuse(name, `${name} ${shown(value)}; ${COMPILE_IT}`);
    }
    const merges = readMerges(model.get("merges"), tokens.idOf);
    const [fuseUnk, byteFallback] = [model.get("fuse_unk").boolean(), model.get("byte_fallback").boolean()];
    return characterBpe(tokens, { merges, unkId: unknownId(model, tokens), fuseUnk, byteFallback, mark }, refuse);
  },

  WordPiece(model, tokens, _, refuse) {
    const most = model.get("max_input_chars_per_word");
    const prefix = model.get("continuing_subword_prefix").isMissing() ? "##" : model.get("continuing_subword_prefix").string();
    const mostCharacters = most.isMissing() ? 100 : most.count();
    return wordPiece(tokens, { unkId: unknownId(model, tokens, "[UNK]"), mostCharacters, prefix }, refuse);
  },

  Unigram(model, tokens, mark, refuse, source) {
    const scores = readScores(model.get("vocab"), source.bytes);
    const node = model.get("unk_id");
    const unkId = node.isMissing() ? undefined : node.tokenId();
    if (unkId !== undefined && unkId >= scores.length) throw node.error(`is outside the vocab of ${scores.length} tokens`);
    const byteFallback = model.get("byte_fallback").boolean();
    const leastScore = scores.reduce((least, score) => Math.min(least, score), Infinity);
    return unigram(tokens, { scores, leastScore, unkId, byteFallback, mark }, refuse);
  },

  WordLevel(model, tokens, _, refuse) {
    return wordLevel(tokens, { unkId: unknownId(model, tokens, "<unk>") }, refuse);
  },
};

/** Reads a `vocab` that lists tokens and scores. */
function readListed(vocab: JsonNode): Tokens {
  const names = vocab.list().map((item, at) => {
    const node = vocab.item(item, at);
    const pair = node.list("a token and its score");
    if (pair.length !== 2 || typeof pair[1] !== "number") throw node.wrong("a token and its score");
    return node.item(pair[0], 0).string();
  });
  return listed(names);
}

function unknownId(model: JsonNode, { idOf }: Tokens, name?: string): number | undefined {
  const node = model.get("unk_token");
  const token = node.isMissing() ? name : node.string();
  return token === undefined ? undefined : idOf.get(token);
}
