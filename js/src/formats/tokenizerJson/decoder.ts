/** The decoder of a tokenizer.json. */

import type { DecodeStep } from "../../vocabData.js";
import { decodeStep } from "../decodeStep.js";
import { type JsonNode, shown } from "../jsonNode.js";
import { flat } from "./rules.js";

/** Reads the steps of a decoder. Without one, tokens are joined by spaces. */
export function readDecoder(node: JsonNode): DecodeStep[] {
  if (node.isMissing()) return [decodeStep("join", { content: " " })];
  return flat(node, "decoders").map((part) => {
    const kind = part.get("type").string();
    const read = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
    if (!read) throw part.unsupported(`decoder ${shown(kind)}; known are ${Object.keys(KINDS).join(", ")}`);
    return read(part);
  });
}

const KINDS: Readonly<Record<string, (part: JsonNode) => DecodeStep>> = {
  ByteLevel: () => decodeStep("byte_level"),
  ByteFallback: () => decodeStep("byte_fallback"),
  Fuse: () => decodeStep("fuse"),
  Replace(part) {
    const pattern = part.get("pattern");
    pattern.object();
    const literal = pattern.get("Regex").isMissing();
    const found = pattern.get(literal ? "String" : "Regex").string();
    return decodeStep("replace", { pattern: found, content: part.get("content").string(), literal });
  },
  Strip(part) {
    const content = part.get("content").string();
    if ([...content].length !== 1) throw part.get("content").wrong("one character");
    return decodeStep("strip", { content, left: part.get("start").count(), right: part.get("stop").count() });
  },
  Metaspace(part) {
    const scheme = part.get("prepend_scheme");
    const prepended = scheme.isMissing() ? part.get("add_prefix_space").boolean(true) : scheme.value !== "never";
    return decodeStep("metaspace", { content: part.get("replacement").string(), prepended });
  },
  WordPiece: (part) => decodeStep("word_piece", { content: part.get("prefix").string(), cleanup: part.get("cleanup").boolean(true) }),
  BPEDecoder: (part) => decodeStep("suffix", { content: part.get("suffix").string() }),
  CTC: (part) =>
    decodeStep("ctc", {
      content: part.get("pad_token").string(),
      cleanup: part.get("cleanup").boolean(true),
      delimiter: part.get("word_delimiter_token").string(),
    }),
};
