/** The lists of a tokenizer.json: tokens, merges, added tokens. */

import { type AddedToken, MAX_ID, type VocabData } from "../../vocabData.js";
import type { Merges } from "../baseTokens.js";
import { isText, type JsonNode, shown } from "../jsonNode.js";
import { indexOf } from "../../sorted.js";
import type { Tokens } from "../namedTokens.js";
import { type Around, readPostProcessor } from "./postProcessor.js";

const FLAGS = {
  special: "special",
  lstrip: "lstrip",
  rstrip: "rstrip",
  singleWord: "single_word",
  normalized: "normalized",
};

/** Reads the `vocab` of a model that names its tokens. */
export function readTokens(vocab: JsonNode): Tokens {
  const object = vocab.object() as Record<string, number>;
  // Object.entries() takes almost three times as long for hundreds of thousands.
  const entries = Object.keys(object).map((name): [string, number] => [name, object[name] as number]);
  for (const [name, id] of entries) {
    if (!Number.isInteger(id) || id < 0 || id > MAX_ID) vocab.get(name).tokenId();
  }
  entries.sort((a, b) => a[1] - b[1]);
  const names = entries.map((entry) => entry[0]);
  if (!isText(names.join(" "))) {
    const name = names.find((each) => !isText(each)) as string;
    throw vocab.get(name).error("its name holds a lone surrogate");
  }
  for (let i = 1; i < entries.length; ++i) {
    const [[other, id], [name, same]] = [entries[i - 1], entries[i]] as [[string, number], [string, number]];
    if (id === same) throw vocab.get(name).error(`id ${id} is also that of ${shown(other)}`);
  }
  return { names, ids: entries.map((entry) => entry[1]), idOf: new Map(entries) };
}

/** Refuses merges that are left out at random. */
export function refuseDropout(model: JsonNode): void {
  const node = model.get("dropout");
  if (!node.isMissing() && node.value !== 0) throw node.unsupported(`dropout ${shown(node.value)}`);
}

/** Reads merges, `"a b"` strings or `["a", "b"]` pairs. */
export function readMerges(node: JsonNode, idOf: ReadonlyMap<string, number>): Merges {
  const items = node.list("a list of merges");
  const pairs = new Uint32Array(2 * items.length);
  const made = new Uint32Array(items.length);
  for (let rank = 0; rank < items.length; ++rank) {
    const item = items[rank];
    const parts: unknown = typeof item === "string" ? item.split(" ") : item;
    if (!Array.isArray(parts) || parts.length !== 2 || typeof parts[0] !== "string" || typeof parts[1] !== "string") {
      throw node.item(item, rank).error(`a merge has two parts, found ${shown(item)}`);
    }
    const [left, right] = parts as [string, string];
    const [leftId, rightId, merged] = [idOf.get(left), idOf.get(right), idOf.get(left + right)];
    if (leftId === undefined || rightId === undefined || merged === undefined) {
      const name = [left, right, left + right].find((part) => !idOf.has(part));
      throw node.item(item, rank).error(`merge ${shown(item)} names ${shown(name)}, which is not a token of the vocab`);
    }
    pairs[2 * rank] = leftId;
    pairs[2 * rank + 1] = rightId;
    made[rank] = merged;
  }
  return { pairs, made };
}

/**
 * Reads the added tokens.
 *
 * @param bytesOf - the bytes that a token's name stands for.
 */
export function readAdded(node: JsonNode, tokens: Tokens, bytesOf: (name: string) => Uint8Array): AddedToken[] {
  const items = node.itemsOrEmpty();
  const contentOf = new Map<number, string>();
  const listed = items.map((item) => {
    item.object();
    const content = item.get("content").string();
    const id = item.get("id").tokenId();
    const flags = Object.entries(FLAGS).map(([flag, name]) => [flag, item.get(name).boolean()]);
    const other = contentOf.get(id);
    if (other !== undefined && other !== content) {
      throw node.error(`id ${id} is both ${shown(other)} and ${shown(content)}`);
    }
    contentOf.set(id, content);
    refuseTaken(item.get("id"), content, id, tokens, bytesOf);
    return { content, id, ...Object.fromEntries(flags) } as AddedToken;
  });
  return numbered(listed, tokens.idOf);
}

/**
 * Returns added tokens with the ids that they get in `tokenizers`: those that are not in the model's vocab are numbered in
 * the order of the file, from the size of the vocab on, whatever the file says. A token without text is left out.
 */
function numbered(listed: AddedToken[], idOf: ReadonlyMap<string, number>): AddedToken[] {
  const ids = new Map<string, number>();
  let next = idOf.size;
  for (const { content } of listed) {
    if (content !== "" && !ids.has(content)) ids.set(content, idOf.get(content) ?? next++);
  }
  return listed.flatMap((token) => (token.content === "" ? [] : [{ ...token, id: ids.get(token.content) as number }]));
}

/** Refuses an added token whose content has another id in the model's vocab, or whose id is another token's there. */
function refuseTaken(
  node: JsonNode,
  content: string,
  id: number,
  { names, ids, idOf }: Tokens,
  bytesOf: (name: string) => Uint8Array,
): void {
  const other = idOf.get(content) ?? id;
  const name = names[indexOf(ids, id)] ?? content;
  if (other !== id) {
    throw node.error(`contradicts $.model.vocab: ${shown(content)} has id ${other} there, and ${id} here`);
  }
  if (name !== "" && name !== content && String(bytesOf(name)) !== String(bytesOf(content))) {
    throw node.error(`contradicts $.model.vocab: the id is another token's there, and ${id} here`);
  }
}


/** The ids that the post-processor puts around a text and around a pair. */
export function readAround(
  node: JsonNode,
  tokens: Tokens,
  added: readonly AddedToken[],
): Around {
  const around = readPostProcessor(node);
  const { prefix, suffix, pair = [] } = around;
  const isKnown = (id: number): boolean => indexOf(tokens.ids, id) >= 0 || added.some((token) => token.id === id);
  const unknown = [...prefix, ...suffix, ...pair.flatMap(({ ids }) => ids)].find((id) => !isKnown(id));
  if (unknown !== undefined) throw node.error(`names id ${unknown}, which no token has`);
  return around;
}
