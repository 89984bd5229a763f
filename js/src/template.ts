/** The template of a pair of texts: which ids stand around the two, and the type of each token. */

/** A part of a template: the ids of one of the texts, or ids of the template's own. */
export interface TemplatePart {
  /** The ids, if they are the template's own. */
  ids: readonly number[];
  /** Whose ids these are; undefined for ids of the template's own. */
  text?: "first" | "second" | undefined;
  /** The type of the tokens: for BERT, 0 for the first text and 1 for the second. */
  typeId: number;
}

/** Two texts in one row of ids. */
export interface EncodedPair {
  ids: Uint32Array;
  /** The type of each id (`token_type_ids`): for BERT, 0 for the first text and 1 for the second. */
  typeIds: Uint32Array;
}

/** The template of vocabs that have none for pairs: each text as if it were alone, the second of type 1. */
export function aroundEach(prefix: readonly number[], suffix: readonly number[]): TemplatePart[] {
  return (["first", "second"] as const).flatMap((text, typeId) => [
    { ids: prefix, typeId },
    { ids: [], text, typeId },
    { ids: suffix, typeId },
  ]);
}

/** BERT's template: cls, the first text, sep, and of type 1 the second text and another sep. */
export function bertPair(cls: number, sep: number): TemplatePart[] {
  return [
    { ids: [cls], typeId: 0 },
    { ids: [], text: "first", typeId: 0 },
    { ids: [sep], typeId: 0 },
    { ids: [], text: "second", typeId: 1 },
    { ids: [sep], typeId: 1 },
  ];
}

/** A template with the ids of two texts in it. */
export function filled(parts: readonly TemplatePart[], texts: Readonly<Record<"first" | "second", Uint32Array>>): EncodedPair {
  const rows = parts.map(({ ids, text, typeId }) => ({ ids: text ? texts[text] : ids, typeId }));
  const size = rows.reduce((sum, { ids }) => sum + ids.length, 0);
  const pair = { ids: new Uint32Array(size), typeIds: new Uint32Array(size) };
  let at = 0;
  for (const { ids, typeId } of rows) {
    pair.ids.set(ids, at);
    pair.typeIds.fill(typeId, at, at + ids.length);
    at += ids.length;
  }
  return pair;
}
