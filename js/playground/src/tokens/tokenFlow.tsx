/** The tokens of one vocab: chips that flow like text. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Result } from "../engine/vocabs.js";
import { Flow } from "../flow/flow.js";
import type { FlowContent, FlowView } from "../flow/flowView.js";
import { type Chip, hovered, type Range, selected } from "../page.js";
import { hideCard, showCard } from "./card.js";
import { CHIP_HEIGHTS, chipOf, chipWidths } from "./chips.js";
import { selectInEditor } from "../editor.js";
import type { Token, TokenTable } from "./tokenTable.js";

interface Props {
  label: string;
  result: Result | undefined;
  tokens: TokenTable;
  chip: Chip;
  /** Whether the text is the editor's, where a token's text can be selected. */
  isOfEditor?: boolean;
  /** Parts of the text to be marked. */
  marked?: readonly Range[];
}

export function TokenFlow({ label, result, tokens, chip, isOfEditor = true, marked }: Props) {
  const [view, setView] = useState<FlowView>();
  const shown = useMemo(() => result && contentOf(result, tokens, chip, marked ?? []), [result, tokens, chip, marked]);
  const pointed = useRef<number>(undefined);

  const mark = (): void => {
    if (!view || !result) return;
    const hover = hovered.get();
    const caret = selected.get();
    const id = pointed.current === undefined ? undefined : result.ids[pointed.current];
    view.forEachDrawn((place, element) => {
      const range = rangeOf(result, place);
      element.classList.toggle("linked", hover !== undefined && overlap(range, hover));
      element.classList.toggle("same", id !== undefined && result.ids[place] === id);
      element.classList.toggle("caret", isOfEditor && touches(range, caret));
    });
  };
  const point = (place: number | undefined, element?: HTMLElement): void => {
    pointed.current = place;
    if (place === undefined || !element || !result || place >= result.ids.length) {
      hovered.set(undefined);
      hideCard();
    } else {
      if (isOfEditor) hovered.set(rangeOf(result, place));
      showCard(element, tokens.get(result.ids[place] as number), countOf(result, place), {
        place: place + 1,
        of: result.ids.length,
      });
    }
    mark();
  };
  useEffect(() => {
    if (pointed.current !== undefined) point(undefined); // the token under the pointer is gone
  }, [shown]);
  useEffect(() => {
    mark();
    const stops = [hovered.watch(mark), selected.watch(mark)];
    return () => stops.forEach((stop) => stop());
  }, [view, result, shown]);

  return (
    <Flow
      label={label}
      content={shown}
      onView={setView}
      onPoint={point}
      onChoose={(place) => {
        if (result && isOfEditor) selectInEditor(rangeOf(result, place));
      }}
    />
  );
}

function contentOf(result: Result, tokens: TokenTable, chip: Chip, marked: readonly Range[]): FlowContent {
  const { ids } = result;
  const breaks = new Uint8Array(ids.length);
  if (chip !== "ids") for (let i = 0; i < ids.length; i++) breaks[i] = tokens.endsLine[ids[i] as number] as number;
  return {
    widths: chipWidths(ids, tokens, chip),
    breaks,
    rowHeight: CHIP_HEIGHTS[chip],
    draw(place) {
      const element = chipOf(tokens.get(ids[place] as number), place, chip);
      element.classList.toggle("literal", marked.some((range) => overlap(range, rangeOf(result, place))));
      return element;
    },
    describe: (place) => description(tokens.get(ids[place] as number), chip),
  };
}

function description({ id, added, isText }: Token, chip: Chip): string {
  return `${chip === "text" ? `, id ${id}` : ""}${added ? ", added token" : isText ? "" : ", not UTF-8 on its own"}`;
}

const counts = new WeakMap<Result, Map<number, number>>();

/** How often the id at a place occurs. */
function countOf(result: Result, place: number): number {
  const id = result.ids[place] as number;
  let known = counts.get(result);
  if (!known) counts.set(result, (known = new Map()));
  let count = known.get(id);
  if (count === undefined) {
    count = 0;
    for (const other of result.ids) if (other === id) count++;
    known.set(id, count);
  }
  return count;
}

export function rangeOf({ offsets }: Pick<Result, "offsets">, place: number): Range {
  return { start: offsets[2 * place] as number, end: offsets[2 * place + 1] as number };
}

function overlap(a: Range, b: Range): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Whether a selection is on a token. A caret is on the token before it. */
function touches(range: Range, selection: Range): boolean {
  if (selection.start === selection.end) return range.start < selection.start && selection.start <= range.end;
  return overlap(range, selection);
}
