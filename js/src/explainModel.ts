/** Explanations of how models other than byte-level BPE divide the spans of a text. */

import { type Engine, type Traced, TracedKind } from "./engine.js";
import { type Choice, type ExplainedSpan, mergedSpan, plainSpan } from "./explain.js";
import { toByteLevel } from "./formats/byteLevel.js";
import type { ModelTokens } from "./modelTokens.js";
import type { AddedToken } from "./vocabData.js";

/** Facts about the model. */
export interface ModelFacts {
  model: string;
  added: readonly AddedToken[];
  spaceMark: string;
  continuingPrefix: string;
}

/** A span as the engine has it. */
interface TracedSpan {
  kind: TracedKind;
  ids: Uint32Array;
  /** With a space for the mark of the vocab, and perhaps `WORD_END` last. */
  data: Uint8Array;
  /** Where in `data` each id ends. */
  ends: number[];
}

/** The byte after a word whose end tokens spell, in the engine. No text has it. */
const WORD_END = 0xff;
const SPACE = 0x20;

const CHOOSING: Readonly<Record<string, ExplainedSpan["kind"]>> = { Unigram: "path", WordPiece: "matches", WordLevel: "word" };

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export class ModelExplainer {
  readonly #engine: Engine;
  readonly #facts: ModelFacts;
  readonly #tokens: ModelTokens;
  readonly #mark: Uint8Array;
  readonly #normalized: ReadonlySet<number>;

  constructor(engine: Engine, facts: ModelFacts, tokens: ModelTokens) {
    this.#engine = engine;
    this.#facts = facts;
    this.#tokens = tokens;
    this.#mark = encoder.encode(facts.spaceMark);
    this.#normalized = new Set(facts.added.filter((token) => token.normalized).map((token) => token.id));
  }

  /** The spans of a text, as the rules of the vocab spell them. */
  spans(text: string | Uint8Array, asText: number): { data: Uint8Array }[] {
    return this.#traced(text, asText).map((span) => ({ data: this.#spelled(span) }));
  }

  /** Explains the ids of each span. */
  explain(text: string | Uint8Array, asText: number, maxSpan: number): ExplainedSpan[] {
    return this.#traced(text, asText).map((span) => this.#explained(span, maxSpan));
  }

  /** The spans of a text, without what is put around every text. */
  #traced(text: string | Uint8Array, asText: number): TracedSpan[] {
    const traced = this.#engine.trace(text, asText);
    return spansOf(traced).filter(({ kind }) => kind !== TracedKind.Template);
  }

  #explained(span: TracedSpan, maxSpan: number): ExplainedSpan {
    const data = this.#spelled(span);
    if (span.kind === TracedKind.Added) return plainSpan("added", data, span.ids);
    if (data.length > maxSpan) return plainSpan("long", data, span.ids);
    const chosen = CHOOSING[this.#facts.model];
    if (chosen) return { ...plainSpan(chosen, data, span.ids), choices: this.#choices(span) };
    return mergedSpan(this.#engine, data, this.#engine.symbols(span.data));
  }

  /** What a span is in tokens. */
  #spelled({ kind, ids, data }: TracedSpan): Uint8Array {
    if (kind === TracedKind.Added && !this.#normalized.has(ids[0] as number)) return data;
    const text = data.at(-1) === WORD_END ? data.subarray(0, -1) : data;
    const hasLetters = kind === TracedKind.Text && this.#engine.hasLetters();
    return hasLetters ? encoder.encode(toByteLevel(text)) : this.#withMarks(text);
  }

  #withMarks(data: Uint8Array): Uint8Array {
    const mark = this.#mark;
    return mark.length === 0 ? data : Uint8Array.from([...data].flatMap((byte) => (byte === SPACE ? [...mark] : byte)));
  }

  #choices({ ids, data, ends }: TracedSpan): Choice[] {
    const { model, continuingPrefix } = this.#facts;
    let last: [number, number] | undefined; // what has its score
    return Array.from(ids, (id, i): Choice => {
      const end = ends[i] as number;
      const isShared = i > 0 && ends[i - 1] === end;
      const start = isShared ? (last as [number, number])[0] : (ends[i - 1] ?? 0);
      last = [start, end];
      const text = this.#withMarks(data.subarray(start, end));
      const shown = decoder.decode(text);
      const known = this.#tokens.find(start > 0 ? continuingPrefix + shown : shown) === id;
      const hasScore = model === "Unigram" && (known || !isShared);
      const score = known ? this.#engine.score(id) : this.#engine.unknownScore() * [...shown].length;
      return { id, data: text, score: hasScore ? score : null, known };
    });
  }
}

function spansOf({ ids, bytes, ends, spans }: Traced): TracedSpan[] {
  return Array.from({ length: spans.length / 2 }, (_, i) => {
    const from = spans[2 * i] as number;
    const to = spans[2 * i + 2] ?? ids.length;
    const start = ends[from - 1] ?? 0;
    return {
      kind: spans[2 * i + 1] as TracedKind,
      ids: ids.subarray(from, to),
      data: bytes.subarray(start, ends[to - 1]),
      ends: Array.from(ends.subarray(from, to), (end) => end - start),
    };
  });
}
