/** The tokens of a model other than byte-level BPE, as its file has them. The tables of the engine have others. */

import { indexOf } from "./sorted.js";
import type { AddedToken, TokenTable } from "./vocabData.js";

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export class ModelTokens {
  readonly #table: TokenTable;
  readonly #added: ReadonlyMap<number, string>;
  /** One more than the largest id. */
  readonly end: number;
  #ids: ReadonlyMap<string, number> | undefined;

  /** @param added - in ascending order of ids. */
  constructor(table: TokenTable, added: readonly AddedToken[]) {
    this.#table = table;
    this.#added = new Map(added.map(({ content, id }) => [id, content]));
    this.end = Math.max(table.ids.at(-1) ?? -1, added.at(-1)?.id ?? -1) + 1;
  }

  /** The bytes of a token; undefined if none has the id. */
  bytesOf(id: number): Uint8Array | undefined {
    const added = this.#added.get(id);
    if (added !== undefined) return utf8.encode(added);
    const { blob, ends, ids } = this.#table;
    const at = indexOf(ids, id);
    return at < 0 ? undefined : blob.slice(at > 0 ? ends[at - 1] : 0, ends[at]);
  }

  /** The text of a token; undefined if none has the id. */
  textOf(id: number): string | undefined {
    return this.#added.get(id) ?? decodedIfAny(this.bytesOf(id));
  }

  /** The id of a token of the model. */
  find(text: string): number | undefined {
    this.#ids ??= new Map(Array.from(this.#table.ids, (id) => [decodedIfAny(this.bytesOf(id)) ?? "", id]));
    return this.#ids.get(text);
  }
}

function decodedIfAny(bytes: Uint8Array | undefined): string | undefined {
  return bytes && decoder.decode(bytes);
}
