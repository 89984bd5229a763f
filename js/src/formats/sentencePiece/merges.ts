/**
 * The merges of a BPE model whose file has only pieces and scores: all ways to divide a piece into two others. Python's
 * `wordsplit.vocabs.formats.sentencepiece.merges` says why their order does what the scores do.
 */

import type { Merges } from "../baseTokens.js";

/** The pieces that merge or are made by merges. */
export class Parts {
  readonly #ids: ReadonlyMap<string, number>;
  /** So that a long piece is looked up only where it can be divided. */
  readonly #lengths: ReadonlySet<number>;

  /** @param ids - their ids, in the order of the file. */
  constructor(ids: ReadonlyMap<string, number>) {
    this.#ids = ids;
    this.#lengths = new Set(Array.from(ids.keys(), (piece) => piece.length));
  }

  entries(): Iterable<[string, number]> {
    return this.#ids;
  }

  /** The ids of all pairs that make a piece, those with the longest left part first. */
  divisions(piece: string): [number, number][] {
    const out: [number, number][] = [];
    for (let cut = piece.length - 1; cut > 0; --cut) {
      const left = this.#find(piece, 0, cut);
      const right = left === undefined ? undefined : this.#find(piece, cut, piece.length);
      if (left !== undefined && right !== undefined) out.push([left, right]);
    }
    return out;
  }

  /** A piece that a merge with a character makes which is not a piece itself; undefined if there is none. */
  ofUnknownCharacter(): string | undefined {
    for (const piece of this.#ids.keys()) {
      if (Array.from(piece).every((char) => this.#ids.has(char))) continue;
      for (let cut = sizeAt(piece, 0); cut < piece.length; cut += sizeAt(piece, cut)) {
        if (this.#isPart(piece, 0, cut) && this.#isPart(piece, cut, piece.length)) return piece;
      }
    }
    return undefined;
  }

  #find(piece: string, start: number, end: number): number | undefined {
    return this.#lengths.has(end - start) ? this.#ids.get(piece.slice(start, end)) : undefined;
  }

  #isPart(piece: string, start: number, end: number): boolean {
    return sizeAt(piece, start) === end - start || this.#find(piece, start, end) !== undefined;
  }
}

/**
 * Returns the merges in order of rank; undefined if different pieces share a score, so that their merges share a rank, which
 * the engine does not have.
 *
 * @param scores - the score of each id.
 */
export function mergesOfScores(parts: Parts, scores: ArrayLike<number>): Merges | undefined {
  const pieces = Array.from(parts.entries(), ([piece, id]) => {
    return { piece, id, score: scores[id] as number, size: Array.from(piece).length };
  }).filter(({ size }) => size > 1);
  pieces.sort((a, b) => b.score - a.score || b.size - a.size);
  const pairs: number[] = [];
  const made: number[] = [];
  let score: number | undefined;
  let sharing = 0; // of the pieces with a score, those that merges make
  let isTied = false; // whether one of these is more than a run of one character
  for (const next of pieces) {
    if (next.score !== score) [score, sharing, isTied] = [next.score, 0, false];
    const divisions = parts.divisions(next.piece);
    if (divisions.length === 0) continue;
    isTied ||= new Set(next.piece).size > 1;
    if (++sharing > 1 && isTied) return undefined;
    pairs.push(...divisions.flat());
    made.push(...divisions.map(() => next.id));
  }
  return { pairs: Uint32Array.from(pairs), made: Uint32Array.from(made) };
}

/** The number of code units of the character that begins at a place. */
function sizeAt(text: string, at: number): number {
  return (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
}
