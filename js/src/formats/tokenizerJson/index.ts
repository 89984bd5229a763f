/**
 * The tokenizer.json format of Hugging Face's `tokenizers`.
 *
 * Everything in the file is either supported exactly or refused with the JSON path of the unsupported part.
 */

import type { VocabData } from "../../vocabData.js";
import { type JsonNode, parseJson } from "../jsonNode.js";
import { padTokenOf, readLengths } from "../lengths.js";
import type { Source } from "../source.js";
import { rolesOf } from "../tokenizerConfig.js";
import { parseByteLevelBpe } from "./byteLevelBpe.js";
import { parseCharacterModel } from "./characterModel.js";
import { flat } from "./rules.js";

/** Reads a tokenizer.json. */
export function parseTokenizerJson(source: Source): VocabData {
  const root = parseJson(source.bytes, source.path);
  root.object();
  const kind = kindOf(root.get("model"));
  const vocab = mergesBytes(root, kind) ? parseByteLevelBpe(root, source) : parseCharacterModel(root, kind, source);
  const lengths = readLengths(root);
  const padTokenId = padTokenOf(lengths.padding, vocab.added);
  return { ...vocab, ...lengths, padTokenId, ...rolesOf(source, vocab.added) };
}

/** The kind of a model, which old files do not name. */
function kindOf(model: JsonNode): string {
  const fields = model.object();
  if (!model.get("type").isMissing()) return model.get("type").string();
  if (Object.hasOwn(fields, "merges")) return "BPE";
  if (Array.isArray(model.get("vocab").value)) return "Unigram";
  return Object.hasOwn(fields, "max_input_chars_per_word") ? "WordPiece" : "WordLevel";
}

/** Whether the model merges bytes. With affixes, as in CLIP, it merges letters of the byte-level alphabet. */
function mergesBytes(root: JsonNode, kind: string): boolean {
  const model = root.get("model");
  const hasAffix = ["continuing_subword_prefix", "end_of_word_suffix"].some((name) => model.get(name).value);
  const parts = kind === "BPE" && !hasAffix ? flat(root.get("pre_tokenizer"), "pretokenizers") : [];
  return parts.some((part) => part.get("type").value === "ByteLevel");
}
