// A project that uses the package, for the types alone: types.test.mjs checks it.

import {
  type AddedToken,
  type Bytes,
  type DecodeOptions,
  type DecodeStream,
  type EncodedPair,
  type EncodedText,
  listEncoders,
  listVocabs,
  load,
  loadVocab,
  type Special,
  type Tokenizer,
  VocabFormatError,
  WordsplitError,
} from "wordsplit";

const special: Special = "no_added";
const wasm = new Uint8Array();
export const tok: Tokenizer = await load("gpt-4o", { wasm, baseUrl: new URL("https://example.org/vocabs/") });
const vocab: Bytes = new SharedArrayBuffer(8);
export const shared: Promise<Tokenizer>[] = [load("qwen3", { vocab }), loadVocab(new DataView(new ArrayBuffer(8)), { config: wasm })];
const decoding: DecodeOptions = { skipSpecial: true };
export const decoded: string = tok.decode([1], { ...decoding, errors: "strict" });
export const ids: Uint32Array = tok.encode("text", { special });
export const batch: Uint32Array[] = tok.encodeBatch(["one", new Uint8Array()]);
export const limited: number | false = tok.isWithinLimit("text", 8000);
export const text: string = tok.truncate("text", 1000).text;
export const placed: EncodedText = tok.encodeWithOffsets("text");
export const pair: EncodedPair = tok.encodePair("query", "passage");
export const stream: DecodeStream = tok.decodeStream({ skipSpecial: true });
export const pieces: string[] = [stream.push(ids), stream.finish()];
export const names: Promise<string[]>[] = [listEncoders(), Promise.resolve(listVocabs())];
export const added: readonly AddedToken[] = tok.addedTokens;

try {
  await loadVocab("tokenizer.json", { pattern: "cl100k" });
} catch (error) {
  if (error instanceof VocabFormatError) console.error(error.file, error.field, error.found);
  else if (error instanceof WordsplitError) console.error(error.message);
}

// @ts-expect-error a number is no text
tok.encode(1);
// @ts-expect-error there is no such option
tok.encode("text", { specials: "no_added" });
// @ts-expect-error special tokens are treated as an option says
tok.encode("text", "no_added");
