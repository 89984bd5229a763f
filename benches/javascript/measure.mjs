/** Measures one library: the time to load it, of a first pass, and of the fastest warm pass, in milliseconds. */

import { LIBRARIES } from "./libraries.mjs";

const WARM_SECONDS = 1.5;
const FEWEST_PASSES = 3;

export async function measureLibrary({ name, vocab }, texts, files) {
  const began = performance.now();
  const encode = await LIBRARIES[name].load(vocab, files);
  encode("hello world");
  const load = performance.now() - began;
  const pass = () => {
    const start = performance.now();
    for (const text of texts) encode(text);
    return performance.now() - start;
  };
  const first = pass();
  let warm = Infinity;
  const end = performance.now() + 1000 * WARM_SECONDS;
  for (let passes = 0; passes < FEWEST_PASSES || performance.now() < end; ++passes) warm = Math.min(warm, pass());
  let ids = 2166136261; // a digest of all ids
  for (const text of texts) for (const id of encode(text)) ids = Math.imul(ids ^ Number(id), 16777619) >>> 0;
  return { load, first, warm, ids };
}
