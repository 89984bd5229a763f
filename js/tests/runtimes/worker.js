/** A worker of Cloudflare's: the ids of the texts in a request, or what happens to one that has no files. */

import { load } from "wordsplit";
import wasm from "wordsplit/engine/wordsplit.wasm";
import vocab from "wordsplit/vocabs/qwen3.bin";

export default {
  async fetch(request) {
    if (request.method === "GET") {
      return Response.json(await load("qwen3").catch(({ name, message }) => ({ name, message })));
    }
    const tok = await load("qwen3", { wasm, vocab });
    const texts = await request.json();
    return Response.json(tok.encodeBatch(texts).map((ids) => Array.from(ids)));
  },
};
