/**
 * Text to token ids and back, exactly as each model's own tokenizer does.
 *
 * @example
 * import { load } from "wordsplit";
 * const tok = await load("qwen3");
 * tok.encode("hello world"); // Uint32Array [14990, 1879]
 *
 * @module
 */

export { listVocabs } from "./bundled.js";
export type { Bytes } from "./bytes.js";
export { DecodeStream } from "./decodeStream.js";
export * from "./errors.js";
export type { Candidate, Choice, ExplainedSpan, Explanation, Pass } from "./explain.js";
export { type BundledOptions, type FileOptions, listEncoders, load, type LoadOptions, loadVocab } from "./load.js";
export type { Padding, Truncation } from "./lengths.js";
export type { Special } from "./special.js";
export type { EncodedPair } from "./template.js";
export type { DecodeOptions, EncodedText, Text, TextOptions, Truncated } from "./tokenizer.js";
export { Tokenizer } from "./tokenizer.js";
export type { AddedToken } from "./vocabData.js";
