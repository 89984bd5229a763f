/**
 * The post-processor of a tokenizer.json: the ids around a text and around a pair of texts.
 *
 * `tokenizers` passes one encoding for each text from processor to processor. A template takes the first two apart from
 * each other and makes one encoding of each of its pieces; those of BERT and RoBERTa put their tokens around each
 * encoding that they find. So the order counts, and the same is done here with parts of a template instead of encodings.
 */

import type { TemplatePart } from "../../template.js";
import { type JsonNode, shown } from "../jsonNode.js";
import { flat } from "./rules.js";

type Encoding = TemplatePart[];

/** The ids around a text and around a pair of texts. */
export interface Around {
  prefix: number[];
  suffix: number[];
  /** Undefined if the file says nothing of pairs. */
  pair: TemplatePart[] | undefined;
}

const TEXTS = ["first", "second"] as const;
const ENDS = ["sep", "cls"];
const OFFSETS = ["trim_offsets", "add_prefix_space"];
const TEMPLATE = ["single", "pair", "special_tokens"];

/** Reads what stands around texts. */
export function readPostProcessor(node: JsonNode): Around {
  const processors = flat(node, "processors", kindOf);
  const single = processed(processors, TEXTS.slice(0, 1));
  const at = single.findIndex(({ text }) => text);
  const idsOf = (parts: Encoding): number[] => parts.flatMap(({ ids }) => ids);
  const saysNothing = processors.some((part) => kindOf(part) === "TemplateProcessing" && part.get("pair").isMissing());
  return {
    prefix: idsOf(single.slice(0, at)),
    suffix: idsOf(single.slice(at)),
    pair: saysNothing ? undefined : processed(processors, TEXTS),
  };
}

/** The kind of a post-processor: `tokenizers` goes by the fields, and asks for the type only of a ByteLevel and a Sequence. */
function kindOf(part: JsonNode): string {
  const trims = OFFSETS.every((name) => typeof part.get(name).value === "boolean");
  const has = (names: readonly string[]): boolean => names.every((name) => !part.get(name).isMissing());
  if (has(ENDS)) return trims ? "RobertaProcessing" : "BertProcessing";
  const isTemplate = has(TEMPLATE) && !(trims && part.get("type").value === "ByteLevel");
  return isTemplate ? "TemplateProcessing" : part.get("type").string();
}

function processed(processors: readonly JsonNode[], texts: readonly ("first" | "second")[]): Encoding {
  let encodings = texts.map((text, typeId): Encoding => [{ ids: [], text, typeId }]);
  for (const part of processors) {
    const kind = kindOf(part);
    if (kind === "ByteLevel") continue; // it trims offsets, and does not change ids
    if (kind === "TemplateProcessing") {
      encodings = inTemplate(part, encodings);
      const seen = encodings.flat().filter(({ text }) => text).length;
      if (texts.length === 1 && seen !== 1) throw part.get("single").unsupported(`a template with the text in it ${seen} times`);
    } else if (kind === "BertProcessing") {
      const [first, end] = [named(part.get("cls")), named(part.get("sep"))];
      encodings = encodings.map((encoding, at) => [...(at ? [] : [first]), ...encoding, { ...end, typeId: at ? 1 : 0 }]);
    } else if (kind === "RobertaProcessing") {
      const [first, end] = [named(part.get("cls")), named(part.get("sep"))];
      encodings = encodings.map((encoding, at) => [at ? end : first, ...ofType(encoding, 0), end]);
    } else {
      throw part.unsupported(`post-processor ${shown(kind)}`);
    }
  }
  return encodings.flat();
}

/** The pieces of a template, with one or two encodings instead of its texts. */
function inTemplate(part: JsonNode, encodings: readonly Encoding[]): Encoding[] {
  if (encodings.length > 2) throw part.unsupported(`a template around ${encodings.length} parts of another one`);
  return part
    .get(encodings.length === 1 ? "single" : "pair")
    .itemsOrEmpty()
    .map((item) => {
      if (Object.hasOwn(item.object(), "Sequence")) {
        const piece = item.get("Sequence");
        const text = encodings[["A", "B"].indexOf(piece.get("id").string())];
        if (!text) throw piece.get("id").unsupported(`text ${shown(piece.get("id").value)} in a template of ${encodings.length}`);
        return ofType(text, typeIdOf(piece));
      }
      const piece = item.get("SpecialToken");
      const ids = part.get("special_tokens").get(piece.get("id").string()).get("ids").items();
      return [{ ids: ids.map((id) => id.tokenId()), typeId: typeIdOf(piece) }];
    });
}

function ofType(parts: Encoding, typeId: number): Encoding {
  return parts.map((part) => ({ ...part, typeId }));
}

function typeIdOf(piece: JsonNode): number {
  return piece.get("type_id").isMissing() ? 0 : piece.get("type_id").count();
}

function named(node: JsonNode): TemplatePart {
  const pair = node.itemsOrEmpty();
  if (pair.length !== 2) throw node.wrong("a token and its id");
  return { ids: [(pair[1] as JsonNode).tokenId()], typeId: 0 };
}
