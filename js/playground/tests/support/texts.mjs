/** Texts for tests: samples, and random ones from a fixed seed. */

import { pageModule } from "./modules.mjs";

const { SAMPLES } = await pageModule("samples.ts");

const PARTS = [
  ..."aZéßſKİ's'T're've'LL  \t\n\r\n\u00a0\u0085\u2028\u3000\ufeff012٣½.,!?;:'\"()/\\-_<|>",
  ..."中文かなカナ한글हिन्दीعربıΣ\u0301\u200d🦜👩🏽𝔸ǅʰªº",
  ...["don't", "IT'S", "It'ſ", "Hello", "camelCase", "HTTPServer", "1234567", "\r\n\r\n", "   ", "\n \n", " \t x", "::", "/* */"],
];

/** Returns a generator of numbers below 2^32. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

function randomTexts(count) {
  const next = random(7);
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + (next() % 24) }, () => PARTS[next() % PARTS.length]).join(""),
  );
}

export const TEXTS = [...SAMPLES.map(({ text }) => text), ...randomTexts(3000)];
