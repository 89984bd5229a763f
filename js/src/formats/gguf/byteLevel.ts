/** Byte-level BPE of a GGUF file (`tokenizer.ggml.model` = `gpt2`). */

import { UnsupportedVocabError } from "../../errors.js";
import type { VocabData } from "../../vocabData.js";
import { doubled, type Merges, pack } from "../baseTokens.js";
import { writeToken } from "../byteLevel.js";
import { shown } from "../jsonNode.js";
import { ownEntry } from "../ownEntry.js";
import { findScheme, patternSteps, SCHEME_NAMES } from "../patterns.js";
import { KNOWN_UNSUPPORTED, PRE_TOKENIZERS, type PreTokenizer, type Scheme } from "../schemes.js";
import { type Source, vocabName } from "../source.js";
import { COMPILE_IT } from "../unsupported.js";
import { checked } from "../vocabChecks.js";
import { ADD, type Fields, MERGES, PRE, type Role, roleKey, TEMPLATE, TOKENS, TYPES } from "./fields.js";
import { addedTokens, type FileTokens, readFileTokens } from "./tokens.js";
import { BYTE } from "./tokenTypes.js";

/** Reads a file whose model merges bytes. */
export function parseByteLevelBpe(fields: Fields, source: Source): VocabData {
  const [steps, pre] = preTokenizer(fields, source);
  const tokens = readFileTokens(fields);
  const { texts, roles } = tokens;
  const merges = readMerges(fields, tokens.idOf);
  refuseByteTokens(tokens, fields);
  const added = addedTokens(tokens).map((token) => ({
    ...token,
    lstrip: pre.maskLstrip === true && token.content === "<mask>",
  }));
  const ids = texts.map((_, i) => i);
  const longest = texts.reduce((size, text) => size + 3 * text.length, 0);
  const write = (i: number, out: Uint8Array, at: number) => writeToken(texts[i] as string, out, at);
  const addedIds = added.map((token) => token.id);
  return checked({
    name: vocabName(source),
    file: source.path,
    ...pack(ids, longest, write, doubled(addedIds, merges)),
    merges: merges.pairs,
    ignoreMerges: pre.ignoreMerges ?? false,
    ...steps,
    nfc: false,
    addPrefixSpace: false,
    added,
    prefix: put(fields, "bos", roles),
    suffix: put(fields, "eos", roles),
    eosTokenId: roles.get("eos"),
    bosTokenId: roles.get("bos"),
    padTokenId: roles.get("pad"),
    unkTokenId: roles.get("unk"),
    chatTemplate: fields.text(TEMPLATE),
  });
}

/** The steps and the settings of the pre-tokenizer's name. An unknown name is never guessed. */
function preTokenizer(fields: Fields, source: Source): [Scheme, Partial<PreTokenizer>] {
  const own = fields.text(PRE);
  const wanted = source.pre ?? own;
  const known = ownEntry(PRE_TOKENIZERS, wanted) ?? {
    scheme: wanted ?? "",
    // The file's own name still decides whether whole spans are looked up, even if the caller names a scheme.
    ignoreMerges: ownEntry(PRE_TOKENIZERS, own)?.ignoreMerges ?? ownEntry(KNOWN_UNSUPPORTED, own) ?? false,
  };
  const isNamed = ownEntry(PRE_TOKENIZERS, wanted) !== undefined;
  const scheme = isNamed || source.pre !== undefined ? findScheme(known.scheme) : undefined;
  if (source.pattern !== undefined && (scheme || source.pre === undefined)) {
    return [patternSteps(source.pattern, "tokenizers"), known];
  }
  if (scheme) return [scheme, known];
  const advice = `Give the option pre, llama.cpp's name of the right one or a scheme's name (${SCHEME_NAMES})`;
  throw new UnsupportedVocabError(`${problemOf(wanted)}. ${advice}`, { file: source.path, field: PRE });
}

/** Why the name of a pre-tokenizer stands for no scheme with a scanner. */
function problemOf(name: string | undefined): string {
  if (name === undefined) return "the file does not name its pre-tokenizer, which decides the ids";
  const refused = `not supported: pre-tokenizer ${shown(name)}`;
  if (ownEntry(PRE_TOKENIZERS, name)) return `${refused}, for which the JavaScript package has no scanner; ${COMPILE_IT}`;
  return ownEntry(KNOWN_UNSUPPORTED, name) === undefined
    ? `${refused}, which is unknown`
    : `${refused}, which no scheme matches`;
}

/** Reads merges, `"a b"`, split at the first space after the first byte as in llama.cpp. */
function readMerges(fields: Fields, idOf: ReadonlyMap<string, number>): Merges {
  const items = fields.strings(MERGES);
  const pairs = new Uint32Array(2 * items.length);
  const made = new Uint32Array(items.length);
  const first = new Map<string, number>();
  for (const [rank, { key }] of items.entries()) {
    const field = `${MERGES}[${rank}]`;
    const cut = key.indexOf(" ", 1);
    if (cut < 0) throw fields.error(field, `a merge has two parts with a space between, found ${shown(key)}`);
    const [left, right] = [key.slice(0, cut), key.slice(cut + 1)];
    const ids = [left, right, left + right].map((name) => idOf.get(name));
    const lacking = ids.indexOf(undefined);
    if (lacking >= 0) {
      const name = [left, right, left + right][lacking];
      throw fields.error(field, `merge ${shown(key)} names ${shown(name)}, which is not a token of the vocab`);
    }
    const other = first.get(key);
    if (other !== undefined) throw fields.error(field, `${shown(key)} is also at ${other}`);
    first.set(key, rank);
    [pairs[2 * rank], pairs[2 * rank + 1], made[rank]] = ids as [number, number, number];
  }
  return { pairs, made };
}

function refuseByteTokens({ texts, types }: FileTokens, fields: Fields): void {
  const id = types.indexOf(BYTE);
  if (id < 0) return;
  const content = texts[id] as string;
  if (!/^<0x[0-9A-Fa-f]{2}>$/.test(content)) {
    throw fields.error(`${TOKENS}[${id}]`, `a byte token is spelled <0x00> to <0xFF>, found ${shown(content)}`);
  }
  throw fields.unsupported(`${TYPES}[${id}]`, `byte token ${shown(content)}; byte-level BPE has none`);
}

/** The ids to put before (`bos`) or after (`eos`) a text. */
function put(fields: Fields, role: "bos" | "eos", roles: ReadonlyMap<Role, number>): number[] {
  if (!fields.flag(ADD[role])) return [];
  const id = roles.get(role);
  if (id === undefined) throw fields.error(ADD[role], `is true, but ${roleKey(role)} is missing`);
  return [id];
}
