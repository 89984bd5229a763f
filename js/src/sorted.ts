/** Numbers in ascending order. */

/** The index of a number; -1 if it is not among them. */
export function indexOf(numbers: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === wanted ? low : -1;
}
