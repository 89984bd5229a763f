/** A worker that holds the tokenizer of one vocab. */

import { listEncoders, load, loadVocab, type Pass, type Tokenizer } from "wordsplit";
import type { Calls, Encoded, EngineFiles, Reply, Request, TokenFacts, VocabInfo, VocabSource } from "./protocol.js";

const LONGEST_EXPLAINED = 256; // bytes of a span
const ROUND = 0.02; // seconds: many ticks of the clocks of Firefox and WebKit, which are 1 ms

interface Port {
  postMessage(message: Reply, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
}

interface Opened {
  source: VocabSource;
  engine: EngineFiles;
  tok: Tokenizer;
  /** Puts no tokens around a text. */
  bare: Tokenizer;
}

let opened: Opened | undefined;
let passes: Pass[][] = [];
/** By id, whether the page knows the token. */
let known: Uint8Array<ArrayBuffer> = new Uint8Array();

const calls: Calls = {
  async open(source, wanted, engine): Promise<VocabInfo> {
    const encoder = await suitable(wanted, source, engine);
    const tok = await tokenizer(source, engine, { encoder });
    const bare = tok.encode("").length ? await tokenizer(source, engine, { encoder, addBos: false, addEos: false }) : tok;
    opened = { source, engine, tok, bare };
    passes = [];
    known = new Uint8Array(tok.nVocab);
    const { name, nVocab, model, scheme, patterns, chatTemplate, addedTokens } = tok;
    return {
      ...{ name, nVocab, model, scheme, patterns, chatTemplate, added: addedTokens },
      encoder: tok.encoder,
      encoders: await listEncoders({ wasm: engine.wasm as BufferSource }),
      named: namedTokens(tok),
    };
  },

  encode(text, special): Encoded {
    const { tok } = current();
    const started = performance.now();
    const found = tok.encodeWithOffsets(text, { special });
    return { ...found, milliseconds: performance.now() - started, fresh: freshTokens(tok, found.ids) };
  },

  explain(text, special) {
    const { tok } = current();
    const { spans } = tok.explain(text, { special, maxSpan: LONGEST_EXPLAINED });
    passes = spans.map((span) => span.passes);
    return {
      spans: spans.map(({ data, kind, ids, choices }) => ({ data, kind, ids, choices })),
      offsets: tok.encodeWithOffsets(text, { special }).offsets,
      fresh: freshTokens(tok, spans.flatMap((span) => span.ids)),
    };
  },

  passes(span) {
    const found = passes[span] ?? [];
    const made = found.flatMap((pass) => pass.candidates.flatMap(({ merged }) => merged ?? []));
    return { passes: found, fresh: freshTokens(current().tok, [...found.flatMap((pass) => pass.parts), ...made]) };
  },

  encodeChat(pieces): Encoded {
    const { tok, bare } = current();
    const started = performance.now();
    const ids: number[] = [];
    const offsets: number[] = [];
    const spanStarts: number[] = [];
    let at = 0;
    for (const { text, id } of pieces) {
      if (id === undefined) {
        const found = bare.encodeWithOffsets(text, { special: "no_added" });
        for (const start of found.spanStarts) spanStarts.push(ids.length + start);
        for (const each of found.ids) ids.push(each);
        for (const each of found.offsets) offsets.push(at + each);
      } else {
        spanStarts.push(ids.length);
        ids.push(id);
        offsets.push(at, at + text.length);
      }
      at += text.length;
    }
    return {
      ids: Uint32Array.from(ids),
      offsets: Uint32Array.from(offsets),
      spanStarts: Uint32Array.from(spanStarts),
      milliseconds: performance.now() - started,
      fresh: freshTokens(tok, ids),
    };
  },

  async time(encoder, text, special, seconds) {
    const { source, engine, tok } = current();
    const want = tok.encode(text, { special });
    const timed = await tokenizer(source, engine, { encoder });
    let ids = want;
    const secondsOf = (passes: number): number => {
      const started = performance.now();
      for (let i = 0; i < passes; i++) ids = timed.encode(text, { special });
      return (performance.now() - started) / 1000;
    };
    const firstSeconds = secondsOf(1);
    let warmSeconds = Infinity;
    const began = performance.now();
    for (let passes = 1; warmSeconds === Infinity || performance.now() - began < 1000 * seconds; ) {
      const round = secondsOf(passes);
      if (round < ROUND) passes *= 2;
      else warmSeconds = Math.min(warmSeconds, round / passes);
    }
    return {
      bytes: new TextEncoder().encode(text).length,
      tokens: ids.length,
      firstSeconds,
      warmSeconds,
      sameIds: ids.length === want.length && ids.every((id, i) => id === want[i]),
    };
  },
};

function current(): Opened {
  if (!opened) throw new Error("no vocab is open");
  return opened;
}

/** The encoder that is chosen for all columns; `"auto"` if it is not for models of this kind. */
async function suitable(encoder: string, source: VocabSource, engine: EngineFiles): Promise<string> {
  if (encoder === "auto") return encoder;
  return tokenizer(source, engine, { encoder }).then(
    () => encoder,
    () => "auto", // a file that cannot be read says so then
  );
}

async function tokenizer(
  source: VocabSource,
  { wasm, wordTables }: EngineFiles,
  options: { encoder: string; addBos?: boolean; addEos?: boolean },
): Promise<Tokenizer> {
  const engine = { ...options, wasm: wasm as BufferSource };
  // The base is not used, but the default one is relative to this script, which has no address.
  if (source.kind === "bundled") return load(source.name, { ...engine, vocab: source.bytes, baseUrl: "about:blank" });
  const { name, bytes, pattern } = source;
  const file = Object.assign(new File([], name), { arrayBuffer: async () => bytes }); // a name with bytes
  return loadVocab(file, { ...engine, wordTables, ...(pattern && { pattern }) });
}

function namedTokens(tok: Tokenizer): Record<string, string> {
  const ids = { bos_token: tok.bosTokenId, eos_token: tok.eosTokenId, pad_token: tok.padTokenId, unk_token: tok.unkTokenId };
  const out: Record<string, string> = {};
  for (const [name, id] of Object.entries(ids)) if (id !== undefined) out[name] = tok.decode([id]);
  return out;
}

function freshTokens(tok: Tokenizer, ids: Iterable<number>): TokenFacts {
  const fresh: number[] = [];
  for (const id of ids) {
    if (known[id]) continue;
    known[id] = 1;
    fresh.push(id);
  }
  const ends: number[] = [];
  let size = 0;
  const parts = fresh.map((id) => {
    const data = tok.tokenBytes(id);
    ends.push((size += data.length));
    return data;
  });
  const blob = new Uint8Array(size);
  parts.forEach((data, i) => blob.set(data, (ends[i] as number) - data.length));
  const ranks = Int32Array.from(fresh, (id) => tok.rank(id) ?? -1);
  return { ids: Uint32Array.from(fresh), blob, ends: Uint32Array.from(ends), ranks };
}

/** The arrays of ids are large, so they are moved and not copied. */
function transferable(value: unknown): Transferable[] {
  if (typeof value !== "object" || value === null || !("spanStarts" in value)) return [];
  const { ids, offsets, spanStarts } = value as Encoded;
  return [...new Set([ids.buffer, offsets.buffer, spanStarts.buffer])] as Transferable[];
}

async function answer({ call, args }: Request): Promise<void> {
  try {
    const value = await (calls[call] as (...args: unknown[]) => unknown)(...args);
    port.postMessage({ value }, transferable(value));
  } catch (error) {
    port.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
}

const port = self as unknown as Port;
let last = Promise.resolve();
port.onmessage = ({ data }) => {
  last = last.then(() => answer(data)); // one after the other, so that answers come in the order of the calls
};
