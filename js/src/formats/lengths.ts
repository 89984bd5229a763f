/** Reads the truncation and padding of a vocab, which tokenizer.json and compiled files have in one form. */

import type { Padding, Truncation } from "../lengths.js";
import type { AddedToken, VocabData } from "../vocabData.js";
import { type JsonNode, shown } from "./jsonNode.js";

const DIRECTIONS = { Right: "right", Left: "left" } as const;
const STRATEGIES = { LongestFirst: "longest_first", OnlyFirst: "only_first", OnlySecond: "only_second" } as const;
const LONGEST = "BatchLongest";
const MOST = 2 ** 64; // of lengths: what 2^64 - 1 is rounded to
const MOST_ID = 2 ** 32 - 1;

/** The fields of a vocab that an object with `truncation` and `padding` has. */
export function readLengths(node: JsonNode): Pick<VocabData, "truncation" | "padding"> {
  return { padding: readPadding(node.get("padding")), truncation: readTruncation(node.get("truncation")) };
}

/** The padding token, if the saved padding names an added token. */
export function padTokenOf(padding: Padding | undefined, added: readonly AddedToken[]): number | undefined {
  return added.find(({ content, id }) => content === padding?.padToken && id === padding.padId)?.id;
}

function readTruncation(node: JsonNode): Truncation | undefined {
  if (node.isMissing()) return undefined;
  const hasDirection = Object.hasOwn(node.object(), "direction"); // files before it was added lack it
  return {
    maxLength: count(node.get("max_length"), MOST),
    stride: count(node.get("stride"), MOST),
    strategy: named(node.get("strategy"), STRATEGIES),
    direction: hasDirection ? named(node.get("direction"), DIRECTIONS) : "right",
  };
}

function readPadding(node: JsonNode): Padding | undefined {
  if (node.isMissing()) return undefined;
  node.object();
  const multiple = node.get("pad_to_multiple_of");
  return {
    length: readLength(node.get("strategy")),
    padToMultipleOf: multiple.isMissing() ? undefined : count(multiple, MOST),
    padId: count(node.get("pad_id"), MOST_ID),
    padToken: node.get("pad_token").string(),
    padTypeId: count(node.get("pad_type_id"), MOST_ID),
    direction: named(node.get("direction"), DIRECTIONS),
  };
}

function readLength(node: JsonNode): number | undefined {
  if (node.value === LONGEST) return undefined;
  const fields = typeof node.value === "object" && node.value !== null ? Object.keys(node.value) : [];
  if (fields.join() !== "Fixed") throw node.wrong(`"${LONGEST}" or {"Fixed": a length}`);
  return count(node.get("Fixed"), MOST);
}

function count(node: JsonNode, most: number): number {
  const { value } = node;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > most) {
    throw node.wrong("a whole number of 0 or more");
  }
  return value;
}

function named<T>(node: JsonNode, names: Readonly<Record<string, T>>): T {
  const found = node.string();
  if (Object.hasOwn(names, found)) return names[found] as T;
  throw node.error(`should be one of ${Object.keys(names).join(", ")}, found ${shown(found)}`);
}
