/** Alignment of the ids that several vocabs give for one text. */

/** Ids with their places in a text. */
export interface Placed {
  ids: Uint32Array;
  offsets: Uint32Array;
}

/** The parts of a text between the places where every vocab has the end of a token. */
export interface Blocks {
  /** The end of each block in the text. */
  ends: Uint32Array;
  /** For each vocab, the end of each block in its ids. */
  idEnds: Uint32Array[];
}

/** Returns the blocks of a text of so many UTF-16 code units. */
export function align(encoded: readonly Placed[], length: number): Blocks {
  const vocabsAt = new Uint8Array(length + 1); // how many have the end of a token there
  for (const { ids, offsets } of encoded) {
    let last = 0;
    for (let i = 0; i < ids.length; i++) {
      const end = offsets[2 * i + 1] as number;
      const isCut = i + 1 === ids.length || (offsets[2 * i + 2] as number) >= end; // not within a character
      if (isCut && end > last) vocabsAt[(last = end)]!++;
    }
  }
  const ends: number[] = [];
  for (let place = 1; place < length; place++) if (vocabsAt[place] === encoded.length) ends.push(place);
  if (encoded.some(({ ids }) => ids.length)) ends.push(length);
  return { ends: Uint32Array.from(ends), idEnds: encoded.map((one) => idEndsAt(one, ends)) };
}

/** Returns for each block whether the vocabs divide it in different ways. */
export function differences(
  { ends, idEnds }: Blocks,
  encoded: readonly Placed[],
  isSameToken: (vocab: number, id: number, firstId: number) => boolean,
): Uint8Array {
  const first = encoded[0] as Placed;
  return Uint8Array.from(ends, (_, block) => {
    const [from, to] = idsOfBlock(idEnds[0] as Uint32Array, block);
    for (let vocab = 1; vocab < encoded.length; vocab++) {
      const [start, end] = idsOfBlock(idEnds[vocab] as Uint32Array, block);
      if (end - start !== to - from) return 1;
      const { ids } = encoded[vocab] as Placed;
      for (let i = 0; i < end - start; i++) {
        if (!isSameToken(vocab, ids[start + i] as number, first.ids[from + i] as number)) return 1;
      }
    }
    return 0;
  });
}

/** Returns the first id of a block, and the one behind its last. */
export function idsOfBlock(idEnds: Uint32Array, block: number): [number, number] {
  return [block ? (idEnds[block - 1] as number) : 0, idEnds[block] as number];
}

function idEndsAt({ ids, offsets }: Placed, ends: readonly number[]): Uint32Array {
  let at = 0;
  return Uint32Array.from(ends, (end, block) => {
    while (at < ids.length && (offsets[2 * at + 1] as number) <= end) at++;
    return block === ends.length - 1 ? ids.length : at;
  });
}
