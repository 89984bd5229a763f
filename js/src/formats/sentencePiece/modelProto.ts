/**
 * The message in a SentencePiece file: its pieces, and the settings of the trainer and of the normalizers. Fields that do
 * not matter for encoding and decoding are skipped.
 */

import { MAX_ID } from "../../vocabData.js";
import type { Source } from "../source.js";
import { type Field, Message } from "./protobuf.js";

/** The types of pieces. */
export const enum PieceType {
  Normal = 1,
  Unknown,
  Control,
  UserDefined,
  Unused,
  Byte,
}

const enum Part {
  Pieces = 1,
  Trainer = 2,
  Normalizer = 3,
  Denormalizer = 5,
}

/** The content of a file. */
export interface ModelProto {
  pieces: string[];
  scores: number[];
  types: PieceType[];
  trainer: typeof TRAINER;
  normalizer: typeof NORMALIZER;
  denormalizer: typeof NORMALIZER;
}

/** The defaults of missing settings. */
const TRAINER = {
  model_type: 1,
  treat_whitespace_as_suffix: 0,
  byte_fallback: 0,
  unk_surface: " \u2047 ",
  bos_piece: "<s>",
  eos_piece: "</s>",
  pad_piece: "<pad>",
};
const TRAINER_FIELDS: Readonly<Record<number, keyof typeof TRAINER>> = {
  3: "model_type",
  24: "treat_whitespace_as_suffix",
  35: "byte_fallback",
  44: "unk_surface",
  46: "bos_piece",
  47: "eos_piece",
  48: "pad_piece",
};
const NORMALIZER = {
  precompiled_charsmap: new Uint8Array() as Uint8Array,
  add_dummy_prefix: 1,
  remove_extra_whitespaces: 1,
  escape_whitespaces: 1,
};
const NORMALIZER_FIELDS: Readonly<Record<number, keyof typeof NORMALIZER>> = {
  2: "precompiled_charsmap",
  3: "add_dummy_prefix",
  4: "remove_extra_whitespaces",
  5: "escape_whitespaces",
};

/**
 * Reads the content of a file. A message that occurs twice counts as one with the fields of both.
 *
 * @throws VocabFormatError - it is damaged.
 */
export function readModelProto({ bytes, path }: Source): ModelProto {
  const root = new Message(bytes, path);
  const out: ModelProto = {
    pieces: [],
    scores: [],
    types: [],
    trainer: { ...TRAINER },
    normalizer: { ...NORMALIZER },
    denormalizer: { ...NORMALIZER },
  };
  for (const field of root.fields()) {
    if (field.number === Part.Pieces) readPiece(root.message(field, `pieces[${out.pieces.length}]`), out);
    else if (field.number === Part.Trainer) readSettings(root.message(field, "trainer_spec"), TRAINER_FIELDS, out.trainer);
    else if (field.number === Part.Normalizer) readSettings(root.message(field, "normalizer_spec"), NORMALIZER_FIELDS, out.normalizer);
    else if (field.number === Part.Denormalizer) {
      readSettings(root.message(field, "denormalizer_spec"), NORMALIZER_FIELDS, out.denormalizer);
    }
  }
  return out;
}

function readPiece(message: Message, out: ModelProto): void {
  let [text, score, type] = ["", 0, PieceType.Normal as number];
  for (const field of message.fields()) {
    if (field.number === 1) text = message.text(field, "piece");
    else if (field.number === 2) score = message.float(field, "score");
    else if (field.number === 3) type = message.number(field, "type");
  }
  if (type < PieceType.Normal || type > PieceType.Byte) {
    throw message.error(`is ${type}, which is not one of ${PieceType.Normal} to ${PieceType.Byte}`, "type");
  }
  if (!Number.isFinite(score)) throw message.error(`is not finite: ${score}`, "score");
  if (out.pieces.length > MAX_ID) throw message.error(`is one of more than ${MAX_ID + 1} pieces`);
  out.pieces.push(text);
  out.scores.push(score);
  out.types.push(type);
}

function readSettings<T extends Record<string, number | string | Uint8Array>>(
  message: Message,
  names: Readonly<Record<number, keyof T & string>>,
  out: T,
): void {
  for (const field of message.fields()) {
    const name = names[field.number];
    if (name !== undefined) out[name] = setting(message, field, name, out[name] as T[typeof name]) as T[typeof name];
  }
}

/** The value of a setting, of the type of another one. */
function setting(message: Message, field: Field, name: string, like: number | string | Uint8Array): number | string | Uint8Array {
  if (typeof like === "number") return message.number(field, name);
  return typeof like === "string" ? message.text(field, name) : message.bytes(field, name);
}
