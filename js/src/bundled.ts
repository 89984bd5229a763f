/** The vocabularies that ship with the package, each in a separate file that is read when it is loaded. */

import { CATALOG } from "./catalog.js";
import { InputTypeError, UnknownNameError } from "./errors.js";
import { kindOf } from "./kindOf.js";
import type { AddedToken } from "./vocabData.js";

/** A row of the catalog, which the build makes from that of the Python package. */
export interface CatalogEntry {
  /** The file in `vocabs/`, in the format of src/wordsplit/vocabs/bundled.py. */
  file: string;
  /** The scanner. */
  scheme: string;
  /** Ids that no token has, ascending. */
  holes: readonly number[];
  aliases: readonly string[];
  /** Beginnings of further aliases. */
  prefixes: readonly string[];
  /** Content, id, whether it is special. */
  added: readonly (readonly [string, number, boolean])[];
  /** Reserved added tokens: their contents with "{}" for the id, the first and the last id. */
  reserved?: { content: string; first: number; last: number };
  nfc: boolean;
  ignoreMerges: boolean;
  eosTokenId?: number;
  bosTokenId?: number;
  padTokenId?: number;
  chatTemplate?: string;
}

/** The names of the bundled vocabularies. */
export function listVocabs(): string[] {
  return Object.keys(CATALOG);
}

/** Returns the entry with exactly this name, if there is one. */
export function findBundled(name: string): CatalogEntry | undefined {
  return Object.entries(CATALOG).find(([known]) => known === name)?.[1];
}

/** Returns the name and entry of a vocab, by name, alias, or name of a model. */
export function findVocab(name: string): [string, CatalogEntry] {
  if (typeof name !== "string") throw new InputTypeError(`the name of a vocab is a string, not ${kindOf(name)}`);
  const wanted = name.toLowerCase();
  const entries = Object.entries(CATALOG);
  const found =
    entries.find(([known]) => known === wanted) ??
    entries.find(([, entry]) => entry.aliases.some((alias) => alias.toLowerCase() === wanted)) ??
    longestPrefix(entries, wanted);
  if (!found) {
    throw new UnknownNameError(
      `no vocab "${name}". Known: ${listVocabs().join(", ")}, and names of their models; loadVocab() takes a file`,
    );
  }
  return found;
}

function longestPrefix(entries: [string, CatalogEntry][], wanted: string): [string, CatalogEntry] | undefined {
  const begun = entries.flatMap((entry) =>
    entry[1].prefixes.filter((prefix) => wanted.startsWith(prefix)).map((prefix) => ({ entry, prefix })),
  );
  return begun.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.entry;
}

/** The added tokens of an entry, in ascending order of ids. */
export function addedTokensOf(entry: CatalogEntry): AddedToken[] {
  const rows = [...entry.added];
  if (entry.reserved) {
    const { content, first, last } = entry.reserved;
    for (let id = first; id <= last; ++id) rows.push([content.replace("{}", String(id)), id, true]);
  }
  return rows
    .map(([content, id, special]) => ({
      content,
      id,
      special,
      lstrip: false,
      rstrip: false,
      singleWord: false,
      normalized: false,
    }))
    .sort((a, b) => a.id - b.id);
}
