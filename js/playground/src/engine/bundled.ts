/** The engine and the bundled vocabs, which come with the page. */

import type { EngineFiles, VocabSource } from "./protocol.js";

/** The engine and the tables of BERT's rules in base64, and the file of each vocab, which the build puts in. */
declare const WASM_BASE64: string;
declare const WORD_TABLES_BASE64: string;
declare const VOCAB_FILES: Readonly<Record<string, string>>;

declare global {
  /** Called by each script in `vocabs/` with the file's content in base64. */
  var wordsplitVocab: (file: string, base64: string) => void;
}

const files = new Map<string, Promise<Uint8Array>>();
const arrived = new Map<string, (bytes: Uint8Array) => void>();
let engine: EngineFiles | undefined;

globalThis.wordsplitVocab = (file, base64) => arrived.get(file)?.(bytesOf(base64));

export const BUNDLED: readonly string[] = Object.keys(VOCAB_FILES);

/** Returns the files of the engine. */
export function engineFiles(): EngineFiles {
  engine ??= { wasm: bytesOf(WASM_BASE64), wordTables: bytesOf(WORD_TABLES_BASE64) };
  return engine;
}

/** Returns a bundled vocab. A script tag loads its file, because a page from the file system may not fetch. */
export async function bundledVocab(name: string): Promise<VocabSource> {
  const file = VOCAB_FILES[name];
  if (file === undefined) throw new Error(`no bundled vocab has the name ${name}`);
  if (!files.has(file)) files.set(file, loaded(file));
  try {
    return { kind: "bundled", name, bytes: (await files.get(file)) as Uint8Array };
  } catch (error) {
    files.delete(file); // the next call tries again
    throw error;
  }
}

function loaded(file: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `vocabs/${file}.js`;
    arrived.set(file, resolve);
    const refuse = (): void => reject(new Error(`${script.src} cannot be read: is the folder complete?`));
    script.onerror = refuse;
    script.onload = refuse; // it has run: without effect if the vocab has arrived
    document.head.append(script);
  });
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
