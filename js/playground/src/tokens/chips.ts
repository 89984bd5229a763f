/** Chips: tokens as coloured elements, and how wide they are. */

import type { Chip } from "../page.js";
import { TextWidth } from "../flow/textWidth.js";
import type { Token, TokenTable } from "./tokenTable.js";

export const FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const PADDING = 5; // as in tokens.css, as are the sizes of the fonts
const COLOURS = 6;

let texts: TextWidth | undefined;
let ids: TextWidth | undefined;

/** Returns the width of a token's chip in pixels. */
export function chipWidth(token: Pick<Token, "label" | "id">, chip: Chip): number {
  texts ??= new TextWidth(`14px ${FONTS}`);
  ids ??= new TextWidth(`11px ${FONTS}`);
  const text = chip === "ids" ? 0 : texts.of(token.label);
  const id = chip === "text" ? 0 : (chip === "ids" ? texts : ids).of(String(token.id));
  return Math.max(text, id) + 2 * PADDING;
}

const known = new WeakMap<TokenTable, Map<Chip, Float32Array>>();

/** Returns the widths of the chips of ids. */
export function chipWidths(ids: Uint32Array, tokens: TokenTable, chip: Chip): Float32Array {
  let tables = known.get(tokens);
  if (!tables) known.set(tokens, (tables = new Map()));
  let table = tables.get(chip);
  if (!table) tables.set(chip, (table = new Float32Array(tokens.size)));
  const out = new Float32Array(ids.length);
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i] as number;
    out[i] = table[id] || (table[id] = chipWidth(tokens.get(id), chip));
  }
  return out;
}

/** The height of a row of chips. */
export const CHIP_HEIGHTS: Readonly<Record<Chip, number>> = { text: 27, both: 42, ids: 27 };

/** Returns a chip; its colour is that of its place. */
export function chipOf(token: Token, place: number, chip: Chip): HTMLElement {
  const element = document.createElement("span");
  element.className = `tok ${token.added ? "ts" : `t${place % COLOURS}`}${token.isText ? "" : " bytes"}`;
  if (chip === "ids") {
    element.textContent = String(token.id);
    return element;
  }
  element.append(token.label);
  if (chip === "both") {
    const id = document.createElement("small");
    id.textContent = String(token.id);
    element.append(id);
  }
  return element;
}
