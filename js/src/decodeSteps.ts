/**
 * Decoding by steps, for vocabs whose ids do not become text by joining the bytes of tokens: what Python's
 * `wordsplit.features.decode_steps` does.
 *
 * Each step is a stage: it takes texts as they come, passes on what is final, and holds back what may still change. Up to a
 * step that joins them, these are the texts of tokens, after it parts of one text.
 */

import { UnsupportedVocabError } from "./errors.js";
import { tokenBytes } from "./formats/byteLevel.js";
import { SPACE } from "./formats/sentencePiece/decoder.js";
import { decodedBy, notUtf8, textOf } from "./utf8.js";
import type { DecodeStep } from "./vocabData.js";

/** The treatment of bytes that are not UTF-8. */
export type Errors = "replace" | "strict";

interface Stage {
  /** Takes texts, and returns those that are final. */
  feed(texts: string[]): string[];
  /** Returns what was held back; a stage that holds nothing back lacks it. */
  end?(): string[];
}

const JOINING = new Set(["fuse", "join", "byte_level"]);
const BYTE_PIECE = /^<0x[0-9A-F]{2}>$/;
const BYTE = /^<0x(?:[0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>$/;
const CLEANUP: readonly (readonly [string, string])[] = [
  [" .", "."],
  [" ?", "?"],
  [" !", "!"],
  [" ,", ","],
  [" ' ", "'"],
  [" n't", "n't"],
  [" 'm", "'m"],
  [" do not", " don't"],
  [" 's", "'s"],
  [" 've", "'ve"],
  [" 're", "'re"],
];

/** The steps of a vocab's decoder. What the first ones make of each token is kept. */
export class StepDecoder {
  readonly #spelled: (id: number) => string;
  readonly #changes: readonly Change[];
  readonly #rest: readonly DecodeStep[];
  readonly #first = new Map<number, string>();
  readonly #later: string[] = [];

  /** @param spelled - how the vocab's file spells a token; it throws for an unknown id. */
  constructor(steps: readonly DecodeStep[], spelled: (id: number) => string) {
    const known = steps.findIndex((step) => !(step.kind in CHANGES));
    const split = known < 0 ? steps.length : known;
    this.#spelled = spelled;
    this.#changes = steps.slice(0, split).map(changeOf);
    this.#rest = steps.slice(split);
  }

  /** Returns a stream: the texts that it returns, joined, are what the steps make of all ids. */
  stream(errors: Errors): StepStream {
    return new StepStream(this, this.#rest, errors);
  }

  decode(ids: Iterable<number>, errors: Errors): string {
    const stream = this.stream(errors);
    return stream.add(ids) + stream.finish();
  }

  /** The text of a token after the first steps. */
  textOf(id: number, isFirst: boolean): string {
    const known = isFirst ? this.#first.get(id) : this.#later[id];
    if (known !== undefined) return known;
    const text = this.#changes.reduce((now, change) => change(now, isFirst), this.#spelled(id));
    if (isFirst) this.#first.set(id, text);
    else this.#later[id] = text;
    return text;
  }
}

/** Decodes ids as they come. */
export class StepStream {
  readonly #decoder: StepDecoder;
  readonly #stages: Stage[];
  #isFirst = true;

  constructor(decoder: StepDecoder, steps: readonly DecodeStep[], errors: Errors) {
    let isJoined = false;
    this.#decoder = decoder;
    this.#stages = steps.map((step) => {
      const stage = isJoined ? stageOfWhole(step, errors) : stageOfTexts(step, errors);
      isJoined ||= JOINING.has(step.kind);
      return stage;
    });
  }

  /** Adds ids and returns the text that is now final. If one is unknown, none is added. */
  add(ids: Iterable<number>): string {
    const texts = Array.from(ids, (id, i) => this.#decoder.textOf(id, this.#isFirst && i === 0));
    this.#isFirst &&= texts.length === 0;
    return this.#stages.reduce((now, stage) => stage.feed(now), texts).join("");
  }

  finish(): string {
    return this.#stages.reduce<string[]>((now, stage) => [...stage.feed(now), ...(stage.end?.() ?? [])], []).join("");
  }
}

/**
 * Throws for steps that are not here.
 *
 * @throws UnsupportedVocabError - a step replaces what matches a regular expression, or is unknown.
 */
export function checkSteps(steps: readonly DecodeStep[], file: string | undefined): void {
  for (const step of steps) {
    const isKnown = step.kind in CHANGES || step.kind in STAGES;
    if (isKnown && !(step.kind === "replace" && (!step.literal || step.pattern === ""))) continue;
    throw new UnsupportedVocabError(`not supported: a decoding step ${step.kind} of this kind; the Python package has it`, {
      file,
      field: "decoder",
    });
  }
}

type Change = (text: string, isFirst: boolean) => string;

/** A stage that changes each text by itself; the first one may be an exception. */
class Each implements Stage {
  #isFirst = true;

  constructor(readonly change: Change) {}

  feed(texts: string[]): string[] {
    return texts.map((text) => {
      const changed = this.change(text, this.#isFirst);
      this.#isFirst = false;
      return changed;
    });
  }
}

/** A stage that joins all texts, so that those after it get parts of one. */
class Joining implements Stage {
  #isFirst = true;

  constructor(readonly separator: string) {}

  feed(texts: string[]): string[] {
    return texts.map((text) => {
      const separator = this.#isFirst ? "" : this.separator;
      this.#isFirst = false;
      return separator + text;
    });
  }
}

/** A stage that changes the whole text, once it is there. */
class AtTheEnd implements Stage {
  #held = "";

  constructor(readonly change: (text: string) => string) {}

  feed(texts: string[]): string[] {
    this.#held += texts.join("");
    return [];
  }

  end(): string[] {
    return [this.change(this.#held)];
  }
}

/** Runs of tokens that stand for bytes become the characters that these spell. */
class ByteRuns implements Stage {
  #held: number[] = [];

  constructor(readonly spelled: (bytes: Uint8Array) => string[]) {}

  feed(texts: string[]): string[] {
    const out: string[] = [];
    for (const text of texts) {
      const byte = byteSpelledBy(text);
      if (byte === undefined) out.push(...this.end(), text);
      else this.#held.push(byte);
    }
    return out;
  }

  end(): string[] {
    if (this.#held.length === 0) return [];
    const bytes = Uint8Array.from(this.#held);
    this.#held = [];
    return this.spelled(bytes);
  }
}

/**
 * What `sentencepiece` makes of its pieces. What a piece is decides, not how it is spelled once its space is dropped: the text
 * of `\u2581<unk>` is `<unk>`.
 */
class PieceTexts implements Stage {
  readonly #unknown: string | undefined;
  readonly #control: ReadonlySet<string>;
  #drops: boolean; // spaces at the beginning
  #held: number[] = [];

  constructor(
    readonly step: DecodeStep,
    readonly errors: Errors,
  ) {
    const [unknown, ...control] = step.pattern.split("\0");
    this.#unknown = unknown;
    this.#control = new Set(control);
    this.#drops = step.prepended;
  }

  feed(texts: string[]): string[] {
    const out: string[] = [];
    for (const text of texts) {
      if (this.step.kind === "pieces_and_bytes" && BYTE_PIECE.test(text)) this.#held.push(Number.parseInt(text.slice(3, 5), 16));
      else out.push(...this.end(), this.#textOf(text));
    }
    return out;
  }

  end(): string[] {
    if (this.#held.length === 0) return [];
    const bytes = Uint8Array.from(this.#held);
    this.#held = [];
    this.#drops = false;
    return [replacedOneByOne(bytes, this.errors)];
  }

  #textOf(piece: string): string {
    if (this.#control.has(piece)) return "";
    if (piece !== "" && piece === this.#unknown) {
      this.#drops &&= this.step.content === "";
      return this.step.content;
    }
    if (!this.#drops) return piece.replaceAll(SPACE, " ");
    const bare = withoutPrefix(piece, SPACE);
    this.#drops = bare === "" && (bare === piece || this.step.cleanup);
    return bare.replaceAll(SPACE, " ");
  }
}

/** The end of a word becomes a space, except for that of the last token. */
class Suffix implements Stage {
  #last: string | undefined;

  constructor(readonly content: string) {}

  feed(texts: string[]): string[] {
    if (texts.length === 0) return [];
    const known = this.#last === undefined ? texts : [this.#last, ...texts];
    this.#last = known.at(-1);
    return known.slice(0, -1).map((text) => replaced(text, this.content, " "));
  }

  end(): string[] {
    return this.#last === undefined ? [] : [replaced(this.#last, this.content, "")];
  }
}

/** Repeated tokens count once, and padding not at all. */
class Ctc implements Stage {
  #last: string | undefined;

  constructor(readonly step: DecodeStep) {}

  feed(texts: string[]): string[] {
    const out: string[] = [];
    for (const text of texts) {
      if (text === this.#last) continue;
      this.#last = text;
      const bare = replaced(text, this.step.content, "");
      out.push(this.step.cleanup ? replaced(cleaned(bare), this.step.delimiter, " ") : bare);
    }
    return out.filter((text) => text !== "");
  }
}

/** Texts in the byte-level alphabet become the characters that their bytes spell. */
class ByteLevel implements Stage {
  readonly #decoder: TextDecoder;

  constructor(errors: Errors) {
    this.#decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: errors === "strict" });
  }

  feed(texts: string[]): string[] {
    return texts.map((text) => decodedBy(this.#decoder, tokenBytes(text), { stream: true }));
  }

  end(): string[] {
    return [decodedBy(this.#decoder, new Uint8Array())];
  }
}

/** The steps that change each text by itself, except for the first one. */
const CHANGES: Readonly<Record<string, (step: DecodeStep) => Change>> = {
  strip: (step) => (text) => stripped(text, step),
  replace:
    ({ pattern, content }) =>
    (text) =>
      replaced(text, pattern, content),
  metaspace:
    ({ content, prepended }) =>
    (text, isFirst) =>
      replaced(text, content, prepended && isFirst ? "" : " "),
  word_piece:
    ({ content, cleanup }) =>
    (text, isFirst) => {
      const spaced = isFirst ? text : text.startsWith(content) ? text.slice(content.length) : ` ${text}`;
      return cleanup ? cleaned(spaced) : spaced;
    },
};

/** The other steps. */
const STAGES: Readonly<Record<string, (step: DecodeStep, errors: Errors) => Stage>> = {
  byte_fallback: (_, errors) => new ByteRuns((bytes) => replacedAsAWhole(bytes, errors)),
  pieces: (step, errors) => new PieceTexts(step, errors),
  pieces_and_bytes: (step, errors) => new PieceTexts(step, errors),
  fuse: () => new Joining(""),
  join: ({ content }) => new Joining(content),
  byte_level: (_, errors) => new ByteLevel(errors),
  suffix: ({ content }) => new Suffix(content),
  ctc: (step) => new Ctc(step),
};

function changeOf(step: DecodeStep): Change {
  return (CHANGES[step.kind] as (step: DecodeStep) => Change)(step);
}

function stageOfTexts(step: DecodeStep, errors: Errors): Stage {
  return STAGES[step.kind]?.(step, errors) ?? new Each(changeOf(step));
}

/** A stage after one that joins all texts: it gets parts of one. */
function stageOfWhole(step: DecodeStep, errors: Errors): Stage {
  if (JOINING.has(step.kind) && step.kind !== "byte_level") return new Each((text) => text);
  if (step.kind === "strip" && step.right === 0) return new StripLeft(step);
  const isOfCharacters = step.kind === "replace" && step.pattern.length === 1;
  if (isOfCharacters) return stageOfTexts(step, errors);
  return new AtTheEnd((text) => {
    const stage = stageOfTexts(step, errors);
    return [...stage.feed([text]), ...(stage.end?.() ?? [])].join("");
  });
}

/** Strips characters from the beginning of a text that comes in parts. */
class StripLeft implements Stage {
  #left: number;

  constructor(readonly step: DecodeStep) {
    this.#left = step.left;
  }

  feed(texts: string[]): string[] {
    let text = texts.join("");
    while (this.#left > 0 && text !== "") {
      const bare = withoutPrefix(text, this.step.content);
      this.#left = bare === text ? 0 : this.#left - 1;
      text = bare;
    }
    return [text];
  }
}

/** A text with another instead of each occurrence of a pattern. The empty one is around each character. */
function replaced(text: string, pattern: string, content: string): string {
  return text.replaceAll(pattern === "" ? /(?:)/gu : pattern, () => content);
}

function withoutPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

function stripped(text: string, { content, left, right }: DecodeStep): string {
  let start = 0;
  let end = text.length;
  // The two sides are counted apart, and may meet.
  for (let n = 0; n < left && text.startsWith(content, start); ++n) start += content.length;
  for (let n = 0; n < right && end > 0 && text.endsWith(content, end); ++n) end -= content.length;
  return text.slice(start, Math.max(start, end));
}

function cleaned(text: string): string {
  return CLEANUP.reduce((now, [old, with_]) => now.replaceAll(old, with_), text);
}

/** The byte that a text spells in byte fallback. */
function byteSpelledBy(text: string): number | undefined {
  return text.length === 6 && BYTE.test(text) ? Number.parseInt(text.slice(3, 5), 16) : undefined;
}

/** A run that is not UTF-8 is replaced as a whole, each byte by a separate text. */
function replacedAsAWhole(bytes: Uint8Array, errors: Errors): string[] {
  const text = textOf(bytes);
  if (text !== undefined) return [text];
  return errors === "strict" ? notUtf8() : Array.from(bytes, () => "\ufffd");
}

/** Each byte that is not part of a character is replaced. */
function replacedOneByOne(bytes: Uint8Array, errors: Errors): string {
  const whole = textOf(bytes);
  if (whole !== undefined) return whole;
  if (errors === "strict") return notUtf8();
  let out = "";
  for (let at = 0; at < bytes.length; ) {
    const size = [1, 2, 3, 4].find((n) => at + n <= bytes.length && textOf(bytes.subarray(at, at + n)) !== undefined);
    out += size === undefined ? "\ufffd" : textOf(bytes.subarray(at, at + size));
    at += size ?? 1;
  }
  return out;
}
