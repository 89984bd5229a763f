/** Byte-level BPE of a tokenizer.json. */

import { indexOf } from "../../sorted.js";
import type { AddedToken, VocabData } from "../../vocabData.js";
import { doubled, pack } from "../baseTokens.js";
import { byteOf, CHARACTERS, tokenBytes, writeToken } from "../byteLevel.js";
import { type JsonNode, shown } from "../jsonNode.js";
import type { Tokens } from "../namedTokens.js";
import { patternSteps } from "../patterns.js";
import { type Source, vocabName } from "../source.js";
import { COMPILE_IT } from "../unsupported.js";
import { checked } from "../vocabChecks.js";
import { readDecoder } from "./decoder.js";
import { readNormalizer, readPreTokenizer } from "./rules.js";
import { readAdded, readAround, readMerges, readTokens, refuseDropout } from "./tokens.js";

/** Bytes that are in no UTF-8 text. */
const NEVER = new Set([0xc0, 0xc1, ...Array.from({ length: 11 }, (_, i) => 0xf5 + i)]);

/** Reads a tokenizer.json whose model merges bytes. */
export function parseByteLevelBpe(root: JsonNode, source: Source): VocabData {
  const model = root.get("model");
  checkModel(model);
  const tokens = readTokens(model.get("vocab"));
  if (!model.get("unk_token").isMissing()) refuseUnknownBytes(model.get("unk_token"), tokens);
  const merges = readMerges(model.get("merges"), tokens.idOf);
  const ignoreMerges = model.get("ignore_merges").boolean();
  const own = readPreTokenizer(root.get("pre_tokenizer"));
  const added = readAdded(root.get("added_tokens"), tokens, tokenBytes);
  const nfc = readNormalizer(root.get("normalizer"));
  if (nfc) refuseUnnormalized(root.get("added_tokens"), added);
  const addedIds = new Set(added.map((token) => token.id));
  const longest = tokens.names.reduce((size, name) => size + 3 * name.length, 0);
  const write = (i: number, out: Uint8Array, at: number) => writeToken(tokens.names[i] as string, out, at);
  const packed = pack(tokens.ids, longest, write, doubled(addedIds, merges));
  return checked({
    name: vocabName(source),
    file: source.path,
    ...packed,
    merges: merges.pairs,
    ignoreMerges,
    ...own,
    ...(source.pattern === undefined ? {} : patternSteps(source.pattern, "tokenizers")),
    nfc,
    added,
    ...decoderOf(root.get("decoder"), tokens, packed.unreachable, added),
    ...readAround(root.get("post_processor"), tokens, added),
  });
}

/** Checks what the model is, besides its tokens and merges. */
function checkModel(model: JsonNode): void {
  refuseDropout(model);
  if (model.get("byte_fallback").boolean()) {
    throw model.get("byte_fallback").unsupported(`byte_fallback of byte-level BPE; ${COMPILE_IT}`);
  }
}

/** Refuses an unk_token unless the vocab has every byte, in which case it is never used. */
function refuseUnknownBytes(node: JsonNode, tokens: Tokens): void {
  const lacking = CHARACTERS.findIndex((character, byte) => !tokens.idOf.has(character) && !NEVER.has(byte));
  if (lacking >= 0) {
    const byte = `0x${lacking.toString(16).toUpperCase().padStart(2, "0")}`;
    throw node.unsupported(`unk_token ${shown(node.value)} in a vocab without a token for byte ${byte}; ${COMPILE_IT}`);
  }
}

/** Refuses tokens that are searched for in normalized text, and are something else there. */
function refuseUnnormalized(node: JsonNode, added: readonly AddedToken[]): void {
  const found = added.find(({ content, normalized }) => normalized && content.normalize("NFC") !== content);
  if (found) throw node.unsupported(`${shown(found.content)} in normalized text; ${COMPILE_IT}`);
}

/** The decoder, and what it sees of tokens; nothing if it joins the bytes of tokens. As `_decoder` in Python. */
function decoderOf(
  node: JsonNode,
  tokens: Tokens,
  unreachable: Uint32Array,
  added: readonly AddedToken[],
): Pick<VocabData, "decoder" | "spellings"> {
  const decoder = readDecoder(node);
  // An added token such as "Größe" consists of letters of the byte-level alphabet, and is decoded as such.
  const isAscii = ({ content }: AddedToken): boolean => /^[\0-\x7f]*$/.test(content);
  const isPlain = added.every((token) => isAscii(token) || [...token.content].some((letter) => byteOf(letter.codePointAt(0) as number) < 0));
  const joinsBytes = decoder.some(({ kind }) => kind === "byte_level") && decoder.every(({ kind }) => kind === "byte_level" || kind === "fuse");
  if (joinsBytes && isPlain) return {};
  const nameOf = (id: number): string => tokens.names[indexOf(tokens.ids, id)] ?? "";
  const spellings = new Map(Array.from(unreachable, (id) => [id, nameOf(id)]));
  for (const { id, content } of added) spellings.set(id, content);
  return { decoder, spellings };
}
