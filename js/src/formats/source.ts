/** The input of the parsers of vocab files. */

/** A vocab file, and what its caller says about it. */
export interface Source {
  bytes: Uint8Array;
  /** Its path or address, as in messages; undefined for bytes in memory. */
  path?: string | undefined;
  /** The name of the vocab, instead of one made of the path. */
  name?: string | undefined;
  /** A scheme's name or a pattern, if the file holds none or to override it. */
  pattern?: string | undefined;
  /** For a tokenizer.json and a vocab.txt, the bytes of the tokenizer_config.json beside it. */
  config?: Uint8Array | undefined;
  /** For these, the bytes of the chat_template.jinja beside it. */
  template?: Uint8Array | undefined;
  /** For GGUF files, the name of the pre-tokenizer to use; for .tiktoken files, that of a scheme. */
  pre?: string | undefined;
}

/** The name of the file, or the empty string. */
export function fileName(source: Source): string {
  return parts(source).at(-1) ?? "";
}

/** A name for the vocab: the caller's, the file's without its extension, or the folder's if that is generic. */
export function vocabName(source: Source): string {
  if (source.name !== undefined) return source.name;
  const [folder, file] = ["", "", ...parts(source)].slice(-2) as [string, string];
  if (file === "tokenizer.json" || file === "vocab.txt") return folder || "vocab";
  return file.replace(/^(.+)\.[^.]*$/s, "$1") || "vocab";
}

function parts(source: Source): string[] {
  return (source.path ?? "").split(/[\\/]/);
}
