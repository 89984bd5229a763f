/** The open vocabs: each has a worker, and the ids of the newest text. */

import { page, update } from "../page.js";
import { Store } from "../store.js";
import { type Token, TokenTable } from "../tokens/tokenTable.js";
import { BUNDLED, bundledVocab, engineFiles } from "./bundled.js";
import { EngineWorker } from "./client.js";
import { fileVocab } from "./fileVocab.js";
import type { ChatPiece, Encoded, ExplainedText, SpecialMode, TokenFacts, VocabInfo, VocabSource } from "./protocol.js";
import type { Pass } from "wordsplit";

/** The ids of a text. */
export interface Result extends Omit<Encoded, "fresh"> {
  text: string;
}

/** A vocab as components see it. Each change makes a new one. */
export interface VocabState {
  info: VocabInfo | undefined;
  result: Result | undefined;
  error: string | undefined;
}

interface Job {
  text: string;
  special: SpecialMode;
}

/** A .tiktoken file holds no pattern. Those of OpenAI are known by their names; most others have this one. */
const TIKTOKEN_PATTERN = "cl100k";

export class OpenVocab {
  readonly state: Store<VocabState>;
  #worker = new EngineWorker();
  #tokens = new TokenTable(0, []);
  #encoder = "";
  /** The newest text, which a busy worker gets next. Texts in between are skipped. */
  #next: Job | undefined;
  #isBusy = false;

  constructor(
    readonly key: string,
    readonly file: File | undefined,
    readonly pattern: string = "",
  ) {
    this.state = new Store<VocabState>({ info: undefined, result: undefined, error: undefined });
  }

  get title(): string {
    return titleOf(this.key);
  }

  async open(encoder: string): Promise<void> {
    this.#encoder = encoder;
    try {
      const info = await this.#worker.call("open", await this.source(), encoder, engineFiles());
      this.#tokens = new TokenTable(info.nVocab, info.added);
      this.#change({ info, error: undefined });
    } catch (error) {
      this.#change({ info: undefined, result: undefined, error: (error as Error).message });
    }
  }

  get encoder(): string {
    return this.#encoder;
  }

  async source(): Promise<VocabSource> {
    return this.file ? fileVocab(this.file, this.pattern) : bundledVocab(this.key);
  }

  /** Encodes a text as soon as the worker is free. */
  encode(text: string, special: SpecialMode): void {
    this.#next = { text, special };
    void this.#work();
  }

  /** The tokens that have occurred. */
  get tokens(): TokenTable {
    return this.#tokens;
  }

  token(id: number): Token {
    return this.#tokens.get(id);
  }

  async explain(text: string, special: SpecialMode): Promise<Omit<ExplainedText, "fresh">> {
    const { fresh, ...explained } = await this.#worker.call("explain", text, special);
    this.#tokens.add(fresh);
    return explained;
  }

  async passes(span: number): Promise<Pass[]> {
    const { passes, fresh } = await this.#worker.call("passes", span);
    this.#tokens.add(fresh);
    return passes;
  }

  async encodeChat(pieces: ChatPiece[]): Promise<Result> {
    const { fresh, ...encoded } = await this.#worker.call("encodeChat", pieces);
    this.#tokens.add(fresh);
    return { ...encoded, text: pieces.map((piece) => piece.text).join("") };
  }

  close(): void {
    this.#worker.stop();
  }

  #change(change: Partial<VocabState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }

  async #work(): Promise<void> {
    if (this.#isBusy || !this.state.get().info) return;
    this.#isBusy = true;
    try {
      for (let job = this.#next; job; job = this.#next) {
        this.#next = undefined;
        await this.#encode(job);
      }
    } finally {
      this.#isBusy = false;
    }
  }

  async #encode({ text, special }: Job): Promise<void> {
    try {
      const { fresh, ...encoded } = await this.#worker.call("encode", text, special);
      this.#tokens.add(fresh as TokenFacts);
      this.#change({ result: { ...encoded, text }, error: undefined });
    } catch (error) {
      this.#change({ result: undefined, error: (error as Error).message });
    }
  }
}

/** Files that were dropped, by key. They are kept after their column is closed. */
export const files = new Store<ReadonlyMap<string, { file: File; pattern: string }>>(new Map());

/** The open vocabs, from the left. */
export const vocabs = new Store<readonly OpenVocab[]>([]);

/** Returns the keys of all vocabs that a column can show. */
export function knownVocabs(): string[] {
  return [...BUNDLED, ...files.get().keys()];
}

const FILE = "file:"; // before the names of files, in keys

/** Returns the name of a vocab as the page shows it. */
export function titleOf(key: string): string {
  return key.startsWith(FILE) ? key.slice(FILE.length) : key;
}

/** Returns the key of a file: that of the same file, or one that no other file has. */
function keyOf(file: File): string {
  for (let number = 1; ; number++) {
    const key = `${FILE}${file.name}${number > 1 ? ` (${number})` : ""}`;
    const known = files.get().get(key)?.file;
    if (!known || (known.size === file.size && known.lastModified === file.lastModified)) return key;
  }
}

/** Opens a file in a new column. */
export function openFile(file: File): void {
  const key = keyOf(file);
  const tiktoken = /^(.*)\.tiktoken$/.exec(file.name)?.[1];
  const pattern = tiktoken === undefined || BUNDLED.includes(tiktoken) ? "" : TIKTOKEN_PATTERN;
  files.set(new Map([...files.get(), [key, { file, pattern }]]));
  const open = page.get().vocabs.filter((other) => other !== key);
  update({ vocabs: open }); // closes the older column of this file
  update({ vocabs: [...open, key] });
}

/** Chooses the pattern of a file: the name of a scheme, or nothing for its own. */
export function choosePattern(key: string, pattern: string): void {
  const known = files.get().get(key);
  if (!known) return;
  files.set(new Map([...files.get(), [key, { ...known, pattern }]]));
  const open = page.get().vocabs;
  update({ vocabs: open.filter((other) => other !== key) });
  update({ vocabs: open });
}

/** Keeps the open vocabs, and their ids, as the page says. */
export function followPage(): void {
  let { text, special } = page.get();
  const follow = (): void => {
    const now = page.get();
    const before = vocabs.get();
    const kept = before.filter((vocab) => now.vocabs.includes(vocab.key) && vocab.encoder === now.encoder);
    for (const vocab of before) if (!kept.includes(vocab)) vocab.close();
    const opened = now.vocabs.map((key) => kept.find((vocab) => vocab.key === key) ?? opening(key));
    if (opened.length !== before.length || opened.some((vocab, i) => vocab !== before[i])) vocabs.set(opened);
    if (now.text !== text || now.special !== special) for (const vocab of kept) vocab.encode(now.text, now.special);
    ({ text, special } = now);
  };
  page.watch(follow);
  follow();
}

function opening(key: string): OpenVocab {
  const known = files.get().get(key);
  const vocab = new OpenVocab(key, known?.file, known?.pattern);
  const { encoder } = page.get();
  void vocab.open(encoder).then(() => vocab.encode(page.get().text, page.get().special));
  return vocab;
}
