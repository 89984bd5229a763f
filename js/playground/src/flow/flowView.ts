/**
 * A list of items that flow in rows, of which only those in sight are in the page. So a million items cost no more than
 * a hundred. It is a listbox: the arrow keys move through the items, and Enter chooses one.
 */

import { type Items, rowOf, rowsOf } from "./rows.js";

export interface FlowContent extends Items {
  rowHeight: number;
  /** Makes the content of an item. */
  draw(item: number): HTMLElement;
  /** What a screen reader says of an item after its content. */
  describe(item: number): string;
}

export interface FlowEvents {
  /** The item under the pointer or the keyboard's focus has changed; undefined if there is none. */
  onPoint(item: number | undefined, element: HTMLElement | undefined): void;
  /** An item was clicked, or chosen with Enter. */
  onChoose(item: number): void;
}

const GAP = 3;
const MARGIN_ROWS = 4; // drawn above and below what is in sight
const TALLEST = 8_000_000; // pixels; browsers limit the height of elements, some to 17 million

const EMPTY: FlowContent = {
  widths: new Float32Array(),
  breaks: new Uint8Array(),
  rowHeight: 28,
  draw: () => document.createElement("span"),
  describe: () => "",
};

let made = 0;

export class FlowView {
  readonly #element: HTMLElement;
  readonly #events: FlowEvents;
  readonly #canvas = document.createElement("div");
  readonly #id = `flow${made++}`;
  readonly #resizing = new ResizeObserver(() => this.#resized());
  #content = EMPTY;
  #starts = new Uint32Array(1);
  #width = 0;
  #height = 0;
  #active: number | undefined;
  #drawn = { from: 0, to: 0 };
  readonly #elements = new Map<number, HTMLElement>();

  constructor(element: HTMLElement, label: string, events: FlowEvents) {
    this.#element = element;
    this.#events = events;
    element.setAttribute("role", "listbox");
    element.setAttribute("aria-label", label);
    element.tabIndex = 0;
    this.#canvas.className = "flow-canvas";
    this.#canvas.setAttribute("role", "presentation");
    element.replaceChildren(this.#canvas);
    element.addEventListener("scroll", () => this.#draw(), { passive: true });
    element.addEventListener("keydown", (event) => this.#keyPressed(event));
    element.addEventListener("focus", () => this.#pointTo(this.#active));
    element.addEventListener("blur", () => events.onPoint(undefined, undefined));
    element.addEventListener("pointermove", (event) => this.#pointerMoved(event));
    element.addEventListener("pointerleave", () => events.onPoint(undefined, undefined));
    element.addEventListener("click", (event) => this.#clicked(event));
    this.#resizing.observe(element);
    this.#measure();
  }

  /** Shows other items. */
  show(content: FlowContent): void {
    this.#content = content;
    if (this.#active !== undefined && this.#active >= content.widths.length) this.#active = undefined;
    this.#layOut();
  }

  /** Calls a function with each item that is in the page. */
  forEachDrawn(visit: (item: number, element: HTMLElement) => void): void {
    this.#elements.forEach((element, item) => visit(item, element));
  }

  /** Scrolls to an item, and makes it the one that the arrow keys begin at. */
  reveal(item: number): void {
    this.#active = item;
    const { rowHeight } = this.#content;
    const top = rowOf(this.#starts, item) * rowHeight * this.#scale();
    const { scrollTop } = this.#element;
    if (top < scrollTop || top + rowHeight > scrollTop + this.#height) this.#element.scrollTop = top - this.#height / 3;
    this.#draw();
    this.#markActive();
  }

  /** The element of an item, if it is in the page. */
  elementOf(item: number): HTMLElement | undefined {
    return this.#elements.get(item);
  }

  remove(): void {
    this.#resizing.disconnect();
  }

  get #rows(): number {
    return this.#starts.length - 1;
  }

  /** Pixels of scrolling for each pixel of content: below 1 if the content is taller than elements can be. */
  #scale(): number {
    const whole = this.#rows * this.#content.rowHeight;
    return whole <= TALLEST ? 1 : (TALLEST - this.#height) / (whole - this.#height);
  }

  #measure(): void {
    this.#width = this.#element.clientWidth;
    this.#height = this.#element.clientHeight;
  }

  #resized(): void {
    const width = this.#width;
    this.#measure();
    if (this.#width === width) this.#draw();
    else this.#layOut();
  }

  #layOut(): void {
    const style = getComputedStyle(this.#element);
    const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
    this.#starts = rowsOf(this.#content, GAP, Math.max(this.#width - padding, 60)) as Uint32Array<ArrayBuffer>;
    this.#canvas.style.height = `${Math.min(this.#rows * this.#content.rowHeight, TALLEST)}px`;
    this.#drawn = { from: 0, to: 0 };
    this.#draw();
  }

  #draw(): void {
    const { rowHeight } = this.#content;
    const { scrollTop } = this.#element;
    const top = scrollTop / this.#scale();
    const from = Math.max(0, Math.floor(top / rowHeight) - MARGIN_ROWS);
    const to = Math.min(this.#rows, Math.ceil((top + this.#height) / rowHeight) + MARGIN_ROWS);
    const shift = scrollTop - top;
    this.#canvas.style.setProperty("--shift", `${shift}px`);
    if (from === this.#drawn.from && to === this.#drawn.to && to > from) return;
    this.#drawn = { from, to };
    this.#elements.clear();
    const rows: HTMLElement[] = [];
    for (let row = from; row < to; row++) rows.push(this.#row(row));
    this.#canvas.replaceChildren(...rows);
    this.#markActive();
  }

  #row(row: number): HTMLElement {
    const element = document.createElement("div");
    element.className = "flow-row";
    element.setAttribute("role", "presentation");
    element.style.setProperty("--top", `${row * this.#content.rowHeight}px`);
    element.style.height = `${this.#content.rowHeight}px`;
    const count = String(this.#content.widths.length);
    for (let item = this.#starts[row] as number; item < (this.#starts[row + 1] as number); item++) {
      const drawn = this.#content.draw(item);
      drawn.id = `${this.#id}-${item}`;
      drawn.dataset.item = String(item);
      drawn.setAttribute("role", "option");
      drawn.append(hiddenText(this.#content.describe(item)));
      drawn.setAttribute("aria-selected", "false");
      drawn.setAttribute("aria-setsize", count);
      drawn.setAttribute("aria-posinset", String(item + 1));
      this.#elements.set(item, drawn);
      element.append(drawn);
    }
    return element;
  }

  #markActive(): void {
    const active = this.#active === undefined ? undefined : this.#elements.get(this.#active);
    for (const element of this.#elements.values()) {
      if (element.ariaSelected === "true" && element !== active) element.setAttribute("aria-selected", "false");
    }
    active?.setAttribute("aria-selected", "true");
    if (active) this.#element.setAttribute("aria-activedescendant", active.id);
    else this.#element.removeAttribute("aria-activedescendant");
  }

  #pointTo(item: number | undefined): void {
    this.#events.onPoint(item, item === undefined ? undefined : this.#elements.get(item));
  }

  #itemAt(event: Event): number | undefined {
    const item = (event.target as HTMLElement).closest<HTMLElement>("[data-item]")?.dataset.item;
    return item === undefined ? undefined : Number(item);
  }

  #pointerMoved(event: PointerEvent): void {
    this.#pointTo(this.#itemAt(event));
  }

  #clicked(event: MouseEvent): void {
    const item = this.#itemAt(event);
    if (item === undefined) return;
    this.#active = item;
    this.#markActive();
    this.#events.onChoose(item);
  }

  #keyPressed(event: KeyboardEvent): void {
    const count = this.#content.widths.length;
    if (!count || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (this.#active !== undefined) this.#events.onChoose(this.#active);
      return;
    }
    const isFirst = this.#active === undefined && event.key !== "End";
    const target = isFirst ? 0 : this.#target(event.key, this.#active ?? 0);
    if (target === undefined || !KEYS.has(event.key)) return;
    event.preventDefault();
    this.reveal(Math.min(Math.max(target, 0), count - 1));
    this.#pointTo(this.#active);
  }

  /** The item to which a key moves. */
  #target(key: string, from: number): number | undefined {
    const page = Math.max(1, Math.floor(this.#height / this.#content.rowHeight) - 1);
    switch (key) {
      case "ArrowRight":
        return from + 1;
      case "ArrowLeft":
        return from - 1;
      case "ArrowDown":
        return this.#below(from, 1);
      case "ArrowUp":
        return this.#below(from, -1);
      case "PageDown":
        return this.#below(from, page);
      case "PageUp":
        return this.#below(from, -page);
      case "Home":
        return 0;
      case "End":
        return this.#content.widths.length - 1;
      default:
        return undefined;
    }
  }

  /** The item at about the same place of another row. */
  #below(item: number, rows: number): number {
    const row = rowOf(this.#starts, item);
    const other = Math.min(Math.max(row + rows, 0), this.#rows - 1);
    const place = item - (this.#starts[row] as number);
    return Math.min((this.#starts[other] as number) + place, (this.#starts[other + 1] as number) - 1);
  }
}

function hiddenText(text: string): HTMLElement {
  const element = document.createElement("span");
  element.className = "hidden";
  element.textContent = text;
  return element;
}

const KEYS = new Set(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"]);
