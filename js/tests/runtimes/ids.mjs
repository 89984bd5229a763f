/** Compares the ids of every bundled vocab in the runtime that runs this; prints how many texts it has compared. */

import { listVocabs, load, UnknownNameError } from "wordsplit";
import { assertSameIds, idsOf, readJson } from "./expected.mjs";

const texts = readJson("texts.json");
for (const name of listVocabs()) {
  const tok = await load(name);
  const ids = tok.encodeBatch(texts);
  assertSameIds(texts, ids, idsOf(`${name}-parse.ids`, texts.length));
  const stream = tok.decodeStream();
  const text = ids.map((each) => stream.push(each)).join("") + stream.finish();
  if (text !== ids.map((each) => tok.decode(each)).join("")) throw new Error(`${name}: the stream's text differs`);
}
const refusal = await load("nope").catch((error) => error);
if (!(refusal instanceof UnknownNameError)) throw new Error(`not refused: ${refusal}`);
console.log(texts.length);
