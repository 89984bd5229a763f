/**
 * The GGUF format of llama.cpp.
 *
 * Only the metadata are read. The ids are those of llama.cpp, which does no normalization of byte-level BPE: a vocab whose
 * tokenizer.json has NFC gives other ids than its GGUF file.
 */

import type { VocabData } from "../../vocabData.js";
import { shown } from "../jsonNode.js";
import { ownEntry } from "../ownEntry.js";
import type { Source } from "../source.js";
import { parseByteLevelBpe } from "./byteLevel.js";
import { Fields, MODEL } from "./fields.js";
import { KINDS, parseKind } from "./kinds.js";

/** Reads a GGUF file. */
export function parseGguf(source: Source): VocabData {
  const fields = new Fields(source);
  const model = fields.text(MODEL);
  if (model === "gpt2") return parseByteLevelBpe(fields, source);
  const kind = ownEntry(KINDS, model);
  if (kind) return parseKind(kind, fields, source);
  const known = ["gpt2", ...Object.keys(KINDS)].map(shown).join(", ");
  throw fields.unsupported(MODEL, `model ${shown(model)}; wordsplit supports ${known}`);
}
