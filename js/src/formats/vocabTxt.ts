/**
 * The vocab.txt of BERT: one token per line, whose number is its id. The model is WordPiece, with BERT's rules, which a
 * tokenizer_config.json may change.
 */

import { VocabFormatError } from "../errors.js";
import { bertPair } from "../template.js";
import { textOf } from "../utf8.js";
import { type AddedToken, MAX_ID, type VocabData } from "../vocabData.js";
import { readBertConfig } from "./bertConfig.js";
import { BERT_DECODER, CONTINUES } from "./bertRules.js";
import { characterVocab } from "./characterVocab.js";
import { shown } from "./jsonNode.js";
import { wordPiece } from "./models/wordPiece.js";
import type { Tokens } from "./namedTokens.js";
import type { Source } from "./source.js";

const SPECIAL = { unk: "[UNK]", sep: "[SEP]", pad: "[PAD]", cls: "[CLS]", mask: "[MASK]" } as const;
const MOST_CHARACTERS = 100; // of a word
/** White space in Python, which has some control characters, and not U+FEFF. */
const WHITE_SPACE = /[\s\x1c-\x1f\x85]/;
const BYTE_ORDER_MARK = "\ufeff";

/** Reads a vocab.txt. */
export function parseVocabTxt(source: Source): VocabData {
  const fail = (found: string, field: string): Error => new VocabFormatError(found, { file: source.path, field });
  const tokens = readLines(source.bytes, fail);
  const config = readBertConfig(source);
  const special = Object.fromEntries(Object.entries(SPECIAL).map(([role, content]) => [role, config.token(role) || content]));
  const idOf = (role: keyof typeof SPECIAL): number => {
    const id = tokens.idOf.get(special[role] as string);
    if (id === undefined) throw fail(`lacks ${shown(special[role])}, the ${role} token`, "tokens");
    return id;
  };
  const [unkTokenId, cls, sep] = [idOf("unk"), idOf("cls"), idOf("sep")];
  const rules = { unkId: unkTokenId, mostCharacters: MOST_CHARACTERS, prefix: CONTINUES };
  const model = wordPiece(tokens, rules, (_, found) => fail(found, "tokens"));
  return characterVocab(source, tokens, model, { words: config.words }, {
    decoder: BERT_DECODER,
    added: Object.values(special).flatMap((content) => added(content, tokens)),
    prefix: [cls],
    suffix: [sep],
    pair: bertPair(cls, sep),
    eosTokenId: tokens.idOf.get(config.token("eos") ?? ""),
    bosTokenId: tokens.idOf.get(config.token("bos") ?? ""),
    padTokenId: tokens.idOf.get(special["pad"] as string),
    unkTokenId,
    chatTemplate: config.chatTemplate,
  });
}

/** Reads the tokens. Of equal ones the last counts. Empty lines have ids, and no tokens. */
function readLines(bytes: Uint8Array, fail: (found: string, field: string) => Error): Tokens {
  const text = textOf(bytes);
  if (text === undefined) throw fail("is not UTF-8, or too large for a string", "file");
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  if (lines.length > MAX_ID + 1) throw fail(`has ${lines.length} lines; at most ${MAX_ID + 1} are read`, "tokens");
  const idOf = new Map(lines.map((line, id) => [withoutSpaceAtEnd(line), id]));
  idOf.delete("");
  const entries = [...idOf].sort((a, b) => a[1] - b[1]);
  return { names: entries.map(([name]) => name), ids: entries.map(([, id]) => id), idOf };
}

function withoutSpaceAtEnd(line: string): string {
  let end = line.length;
  while (end > 0 && WHITE_SPACE.test(line[end - 1] as string) && line[end - 1] !== BYTE_ORDER_MARK) --end;
  return line.slice(0, end);
}

function added(content: string, { idOf }: Tokens): AddedToken[] {
  const id = idOf.get(content);
  if (id === undefined) return [];
  return [{ content, id, special: true, lstrip: false, rstrip: false, singleWord: false, normalized: false }];
}
