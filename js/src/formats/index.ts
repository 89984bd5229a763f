/** The formats of vocab files, and how they are told apart. */

import { OptionsError, UnsupportedVocabError } from "../errors.js";
import type { VocabData } from "../vocabData.js";
import { isCompiled, parseCompiled } from "./compiled.js";
import { parseGguf } from "./gguf/index.js";
import { isSentencePiece, parseSentencePiece } from "./sentencePiece/index.js";
import { fileName, type Source } from "./source.js";
import { isTiktoken, parseTiktoken } from "./tiktoken.js";
import { parseTokenizerJson } from "./tokenizerJson/index.js";
import { parseVocabTxt } from "./vocabTxt.js";

interface Format {
  /** The names of its files, if these say so. */
  names?: RegExp;
  /** Whether a file looks like one, whatever its name. */
  recognizes?: (bytes: Uint8Array) => boolean;
  parse: (source: Source) => VocabData;
}

// Declared, not inferred: TypeScript before 5.7 cannot read the type that its newer versions would write.
export type FormatName = "gguf" | "ws" | "tiktoken" | "vocab_txt" | "sentencepiece" | "tokenizer_json";

/** The formats, those that recognize their files with certainty first. */
const FORMATS: Readonly<Record<FormatName, Format>> = {
  gguf: { names: /\.gguf$/, recognizes: (bytes) => startsWith(bytes, "GGUF"), parse: parseGguf },
  ws: { names: /\.ws$/, recognizes: isCompiled, parse: parseCompiled },
  tiktoken: { names: /\.tiktoken$/, recognizes: isTiktoken, parse: parseTiktoken },
  vocab_txt: { names: /^vocab\.txt$/, parse: parseVocabTxt },
  sentencepiece: { recognizes: isSentencePiece, parse: parseSentencePiece },
  tokenizer_json: {
    names: /\.json$/,
    recognizes: (bytes) => startsWith(bytes.subarray(bytes.subarray(0, 64).findIndex((byte) => byte > 32)), "{"),
    parse: parseTokenizerJson,
  },
};

/**
 * Reads a vocab file.
 *
 * @param format - its format; by default it is found out from the name and the content.
 * @throws VocabFormatError - the file is damaged.
 * @throws UnsupportedVocabError - the file needs something that is not supported, or as `formatOf`.
 * @throws OptionsError - there is no such format.
 */
export function parseVocab(source: Source, format?: FormatName): VocabData {
  return FORMATS[formatOf(source, format)].parse(source);
}

/**
 * Returns the format of a vocab file: the given one, or else what its name and content say.
 *
 * @throws UnsupportedVocabError - the file is of no known format.
 * @throws OptionsError - there is no such format.
 */
export function formatOf(source: Source, format?: FormatName): FormatName {
  const known = Object.keys(FORMATS).join(", ");
  if (format !== undefined && !Object.hasOwn(FORMATS, format)) {
    throw new OptionsError(`format: "${format}" is not one of ${known}`);
  }
  const found = Object.entries<Format>(FORMATS).find(
    ([, { names, recognizes }]) => names?.test(fileName(source)) || recognizes?.(source.bytes),
  );
  const chosen = format ?? (found?.[0] as FormatName | undefined);
  if (chosen) return chosen;
  throw new UnsupportedVocabError(
    `is of no known format (${known}); if it is one of them, name it with the option format`,
    { file: source.path },
  );
}

function startsWith(bytes: Uint8Array, start: string): boolean {
  return String.fromCharCode(...bytes.subarray(0, start.length)) === start;
}
