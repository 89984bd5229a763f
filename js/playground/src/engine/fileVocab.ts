/** Vocabs in files that were dropped or chosen. */

import type { VocabSource } from "./protocol.js";

const GGUF_HEAD = 64 << 20; // the metadata come first; the weights, which may be larger than memory, follow

/** Returns the vocab of a file. The page reads it, because WebKit cannot read files in workers of pages from files. */
export async function fileVocab(file: File, pattern: string): Promise<VocabSource> {
  const { name } = file;
  const head = name.toLowerCase().endsWith(".gguf") ? file.slice(0, GGUF_HEAD) : file;
  try {
    return { kind: "file", name, bytes: new Uint8Array(await head.arrayBuffer()), pattern };
  } catch (error) {
    throw new Error(`${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
