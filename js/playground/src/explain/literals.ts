/** Literals of added tokens in a text: which of them were recognized, which were not, and why. */

import type { AddedToken } from "wordsplit";
import type { SpanSummary, SpecialMode } from "../engine/protocol.js";

export interface Finding {
  start: number;
  end: number;
  literal: string;
  /** The token; undefined if the vocab has none with this content. */
  token: AddedToken | undefined;
  isRecognized: boolean;
  why: string;
}

/** The place of an added token that was recognized in the text. */
export interface Recognized {
  id: number;
  start: number;
  end: number;
}

const LOOKS_SPECIAL = /<\|[^<>|\n]{1,40}\|>|<\/?[a-z_]{3,30}>|\[\/?[A-Z]{3,20}\]/g;
const WORD = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]/u;

/** Returns the literals in the order of the text. `tokensElsewhere` names the vocabs that have a token of this content. */
export function findLiterals(
  text: string,
  added: readonly AddedToken[],
  special: SpecialMode,
  recognized: readonly Recognized[],
  tokensElsewhere: (literal: string) => string[],
): Finding[] {
  const tokenOf = (id: number): AddedToken | undefined => added.find((one) => one.id === id);
  const out: Finding[] = recognized.flatMap((one) => {
    const token = tokenOf(one.id);
    return token ? [{ ...literalOf(token, text, one), token, isRecognized: true, why: whyRecognized(token) }] : [];
  });
  for (const { start, end, token } of occurrences(text, added)) {
    const found = recognized.find((one) => one.start < end && start < one.end);
    if (found?.id === token.id && found.start <= start && end <= found.end) continue;
    const other = found && JSON.stringify(tokenOf(found.id)?.content ?? "");
    const why = found
      ? `${other} begins before it, or is longer, and so was found first`
      : whyNot(token, special, text, start, end);
    out.push({ start, end, literal: token.content, token, isRecognized: false, why });
  }
  for (const match of text.matchAll(LOOKS_SPECIAL)) {
    const start = match.index;
    const end = start + match[0].length;
    if (out.some((one) => one.start < end && start < one.end)) continue;
    const why = whyUnknown(match[0], added, tokensElsewhere);
    if (why) out.push({ start, end, literal: match[0], token: undefined, isRecognized: false, why });
  }
  return out.sort((a, b) => a.start - b.start);
}

/** The places of recognized added tokens: the spans of a text, and the places of their ids in it. */
export function recognizedIn(spans: readonly SpanSummary[], offsets: Uint32Array): Recognized[] {
  let at = 0;
  return spans.flatMap(({ kind, ids }) => {
    const [start, end] = [offsets[2 * at] as number, offsets[2 * at + 1] as number];
    at += ids.length;
    return kind === "added" ? [{ id: ids[0] as number, start, end }] : [];
  });
}

/** The literal of a recognized token without blanks that it takes; in normalized text, it may be spelled otherwise. */
function literalOf({ content }: AddedToken, text: string, { start, end }: Recognized): Pick<Finding, "start" | "end" | "literal"> {
  const given = text.slice(start, end);
  const at = given.indexOf(content);
  return at < 0 ? { start, end, literal: given } : { start: start + at, end: start + at + content.length, literal: content };
}

/** The places of the contents in the text, also where two overlap. */
function* occurrences(text: string, added: readonly AddedToken[]): Iterable<{ start: number; end: number; token: AddedToken }> {
  for (const token of added) {
    if (!token.content) continue;
    for (let at = text.indexOf(token.content); at >= 0; at = text.indexOf(token.content, at + 1)) {
      yield { start: at, end: at + token.content.length, token };
    }
  }
}

function whyRecognized({ special, lstrip, rstrip, normalized }: AddedToken): string {
  const flags = [
    ...(lstrip ? ["takes the blanks before it (lstrip)"] : []),
    ...(rstrip ? ["takes the blanks after it (rstrip)"] : []),
    ...(normalized ? ["is searched for after normalization"] : []),
  ];
  const kind = special ? "a special token" : "an added token that is not special";
  return `${kind}, found as a literal before anything else${flags.length ? `; it ${flags.join(" and ")}` : ""}`;
}

function whyNot({ special, singleWord, content }: AddedToken, mode: SpecialMode, text: string, start: number, end: number): string {
  if (mode === "no_added") return "all added tokens are treated as text, as chosen above";
  if (mode === "text" && special) return "special tokens are treated as text, as chosen above";
  const isAlone = !WORD.test(text.slice(0, start).slice(-1)) && !WORD.test(text.slice(end, end + 1));
  if (singleWord && !isAlone) return "it is a token only as a word of its own (single_word), and a letter or digit is next to it";
  return `normalization, or a token that overlaps it, leaves no ${JSON.stringify(content)} here`;
}

function whyUnknown(
  literal: string,
  added: readonly AddedToken[],
  tokensElsewhere: (literal: string) => string[],
): string | undefined {
  const plain = (content: string): string => content.toLowerCase().replaceAll(/[\s_-]/g, "");
  const near = added.find(({ content }) => plain(content) === plain(literal));
  const elsewhere = tokensElsewhere(literal);
  if (near) return `not a token of this vocab, which has ${JSON.stringify(near.content)}: every character counts`;
  if (elsewhere.length) return `not a token of this vocab, but one of ${elsewhere.join(" and ")}`;
  return literal.startsWith("<|") ? "not a token of this vocab" : undefined;
}
