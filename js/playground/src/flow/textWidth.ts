/** Widths of texts in the font of the chips. */

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

export class TextWidth {
  readonly #context = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
  readonly #known = new Map<string, number>();
  readonly #ofOne: number;

  /** @param font - as in the CSS property `font`, of fixed width. */
  constructor(font: string) {
    this.#context.font = font;
    this.#ofOne = this.#context.measureText("0").width;
  }

  /** Returns the width of a text in pixels. */
  of(text: string): number {
    if (PRINTABLE_ASCII.test(text)) return text.length * this.#ofOne;
    let width = this.#known.get(text);
    if (width === undefined) {
      width = this.#context.measureText(text).width;
      this.#known.set(text, width);
    }
    return width;
  }
}
