/** Rows of items of different widths, as text flows. */

export interface Items {
  /** The width of each item, in pixels. */
  widths: Float32Array;
  /** For each item, whether a row ends behind it. */
  breaks: Uint8Array;
}

/** Returns the first item of each row, and behind the last row the number of items. */
export function rowsOf({ widths, breaks }: Items, gap: number, available: number): Uint32Array {
  const count = widths.length;
  let starts = new Uint32Array(1024);
  let rows = 1;
  let used = 0;
  let mustBreak = false;
  for (let i = 0; i < count; i++) {
    const width = widths[i] as number;
    if (mustBreak || (used > 0 && used + width > available)) {
      if (rows + 1 >= starts.length) starts = grown(starts);
      starts[rows++] = i;
      used = 0;
    }
    used += width + gap;
    mustBreak = breaks[i] === 1;
  }
  starts[rows] = count;
  return starts.slice(0, count ? rows + 1 : 1);
}

/** Returns the row of an item. */
export function rowOf(starts: Uint32Array, item: number): number {
  let low = 0;
  let high = starts.length - 1; // the row is in [low, high)
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= item) low = middle;
    else high = middle;
  }
  return low;
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array(2 * array.length);
  out.set(array);
  return out;
}
