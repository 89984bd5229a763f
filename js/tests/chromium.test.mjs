/** The package in a page of Chromium: the same ids, in the page and in a worker. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { listVocabs } from "wordsplit";
import { folder, skip as notWritten } from "./expected.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const skip = notWritten || (existsSync(CHROMIUM) ? false : `${CHROMIUM} is not installed; CHROMIUM may name another`);
const dist = fileURLToPath(new URL("../dist", import.meta.url));
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json", ".html": "text/html" };
const PAGE = '<!doctype html><title>test</title><link rel="icon" href="data:,">';
const SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"];

/** Serves the package below /dist/, and what the Python package gives below /expected/. */
function serve() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const [, root, ...rest] = normalize(pathname).split("/");
    const path = join(root === "dist" ? dist : folder, ...rest);
    if (pathname === "/") return response.setHeader("Content-Type", "text/html").end(PAGE);
    if (!existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
    response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream").end(readFileSync(path));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** Runs in the page: the number of texts, and the first whose ids differ. */
async function compare({ name, special, inWorker }) {
  const texts = await (await fetch("/expected/texts.json")).json();
  const words = new Uint32Array(await (await fetch(`/expected/${name}-${special}.ids`)).arrayBuffer());
  const encoded = inWorker
    ? await new Promise((resolve, reject) => {
        const source = `
          import { load } from "${location.origin}/dist/index.js";
          onmessage = async ({ data }) => postMessage((await load(data.name)).encodeBatch(data.texts, { special: data.special }));`;
        const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
        const worker = new Worker(url, { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (error) => reject(new Error(error.message));
        worker.postMessage({ name, special, texts });
      })
    : (await (await import("/dist/index.js")).load(name)).encodeBatch(texts, { special });
  let at = texts.length;
  const wrong = texts.findIndex((_, i) => {
    const ids = words.subarray(at, (at += words[i]));
    return ids.length !== encoded[i].length || ids.some((id, k) => id !== encoded[i][k]);
  });
  return { count: texts.length, wrong: wrong < 0 ? null : [texts[wrong].slice(0, 200), [...encoded[wrong]].slice(0, 50)] };
}

describe("in Chromium", { skip }, () => {
  let server, browser, page;
  const problems = [];

  before(async () => {
    server = await serve();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: SWITCHES });
    page = await browser.newPage();
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
  });
  after(async () => {
    await browser.close();
    server.close();
    assert.deepEqual(problems, []);
  });

  for (const name of listVocabs()) {
    for (const special of ["parse", "no_added"]) {
      test(`the ids of ${name}, special: ${special}`, async () => {
        const { count, wrong } = await page.evaluate(compare, { name, special });
        assert.ok(count > 1000);
        assert.equal(wrong, null);
      });
    }
  }

  test("in a worker", async () => {
    assert.equal((await page.evaluate(compare, { name: "qwen3", special: "parse", inWorker: true })).wrong, null);
  });

  test("files and texts in memory that can be resized", async () => {
    const found = await page.evaluate(async () => {
      const { load } = await import("/dist/index.js");
      const resizable = (bytes) => {
        const array = new Uint8Array(new ArrayBuffer(bytes.byteLength, { maxByteLength: 2 * bytes.byteLength }));
        array.set(new Uint8Array(bytes));
        return array;
      };
      const file = async (path) => resizable(await (await fetch(`/dist/${path}`)).arrayBuffer());
      const tok = await load("qwen3", { wasm: await file("engine/wordsplit.wasm"), vocab: await file("vocabs/qwen3.bin") });
      const text = (string) => resizable(new TextEncoder().encode(string));
      return [tok.explain(text("hello")).text, tok.tokenId(text("<|im_end|>")), [...tok.encode(text("hello"))]];
    });
    assert.deepEqual(found, ["hello", 151645, [14990]]); // browsers, unlike Node, refuse to decode such memory
  });

  test("a file that is no engine, and a policy that forbids WebAssembly, are errors of the package", async () => {
    const refused = await browser.newPage();
    const problem = () =>
      import("/dist/index.js").then(({ load }) => load("qwen3")).catch(({ name, message }) => ({ name, message }));
    for (const [policy, engine, message] of [
      ["script-src 'self'", undefined, /wordsplit\.wasm cannot be compiled: .*Content Security Policy/i],
      ["script-src 'self' 'wasm-unsafe-eval'", "<!doctype html>", /wordsplit\.wasm cannot be compiled: /],
    ]) {
      await refused.route("**/*", async (route) => {
        const response = await route.fetch();
        const headers = { ...response.headers(), "content-security-policy": policy };
        const body = engine && route.request().url().endsWith(".wasm") ? engine : undefined;
        await route.fulfill({ response, headers, ...(body && { body }) });
      });
      await refused.goto(page.url());
      const found = await refused.evaluate(problem);
      assert.equal(found.name, "WordsplitError");
      assert.match(found.message, message);
      await refused.unrouteAll({ behavior: "ignoreErrors" }); // the request of the vocab may still be on its way
    }
    await refused.close();
  });

  test("errors are typed", async () => {
    const name = await page.evaluate(async () => {
      const { load } = await import("/dist/index.js");
      return load("nope").then(() => "", (error) => error.name);
    });
    assert.equal(name, "UnknownNameError");
  });
});
