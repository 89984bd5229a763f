/** The packed package in other runtimes and tools, which `make js-runtimes-test` installs. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { assertSameIds, idsOf, readJson, skip as notWritten } from "./expected.mjs";

const project = resolve(process.env.WORDSPLIT_RUNTIMES ?? "none");
const skip = existsSync(project) ? notWritten : "run `make js-runtimes-test`, which installs the runtimes";
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const { resolve: pathOf } = createRequire(join(project, "package.json"));
const importFrom = (name) => import(pathToFileURL(pathOf(name)));
const inPackage = (file) => join(project, "node_modules/wordsplit/dist", file);

describe("the packed package", { skip }, () => {
  const texts = skip ? [] : readJson("texts.json");

  for (const command of [["node"], ["deno", "run", "--allow-read", "--allow-env", "--no-prompt"], ["bun"]]) {
    test(`the ids in ${command[0]}`, () => {
      const path = [join(project, "node_modules/.bin"), process.env.PATH].join(":");
      const [program, ...args] = [...command, "ids.mjs"];
      const options = { cwd: project, env: { ...process.env, PATH: path }, encoding: "utf8" };
      const { stdout, stderr } = spawnSync(program, args, options);
      assert.equal(stdout.trim(), String(texts.length), stderr);
    });
  }

  test("the ids in a worker of Cloudflare's, with imported files; without, the error names the option", async () => {
    process.env.WRANGLER_SEND_METRICS = "false";
    const { unstable_dev: start } = await importFrom("wrangler");
    const experimental = { disableExperimentalWarning: true };
    const options = { local: true, logLevel: "error", compatibilityDate: "2026-04-01", experimental };
    const worker = await start(join(project, "worker.js"), options);
    try {
      const response = await worker.fetch("http://localhost/", { method: "POST", body: JSON.stringify(texts) });
      const found = (await response.json()).map((ids) => Uint32Array.from(ids));
      assertSameIds(texts, found, idsOf("qwen3-parse.ids", texts.length));
      const { name, message } = await (await worker.fetch("http://localhost/")).json();
      assert.equal(name, "WordsplitError");
      assert.match(message, /^engine\/wordsplit\.wasm cannot be found: .* the option wasm$/);
    } finally {
      await worker.stop();
    }
  });

  test("the ids in Vercel's edge runtime, which cannot decompress", async () => {
    const { EdgeRuntime } = await importFrom("edge-runtime");
    const stdin = { contents: 'import { load } from "wordsplit"; globalThis.load = load;', resolveDir: project };
    const bundle = await build({ stdin, bundle: true, format: "iife", write: false, logLevel: "error" });
    const wasm = new WebAssembly.Module(readFileSync(inPackage("engine/wordsplit.wasm")));
    const given = { wasm, vocab: readFileSync(inPackage("vocabs/qwen3.bin")), texts };
    const initialCode = bundle.outputFiles[0].text;
    const runtime = new EdgeRuntime({ initialCode, extend: (context) => Object.assign(context, given) });
    assert.equal(runtime.evaluate("typeof DecompressionStream"), "undefined");
    const found = await runtime.evaluate('load("qwen3", { wasm, vocab }).then((tok) => tok.encodeBatch(texts))');
    assertSameIds(texts, found, idsOf("qwen3-parse.ids", texts.length));
  });

  const noPage = existsSync(CHROMIUM) ? false : `${CHROMIUM} is not installed; CHROMIUM may name another`;
  test("a page and its worker while developing with Vite 5", { skip: noPage }, async () => {
    const { createServer } = await import(pathToFileURL(join(project, "node_modules/vite/dist/node/index.js")));
    const address = { host: "127.0.0.1", port: 0 };
    const config = { configFile: false, logLevel: "error", optimizeDeps: { force: true } }; // never an older package
    const server = await createServer({ root: project, server: address, ...config });
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      await server.listen();
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${server.httpServer.address().port}/`);
      await page.waitForFunction("globalThis.found");
      assert.deepEqual(await page.evaluate("found"), [[14990, 1879], [15339, 1917]]);
    } finally {
      await browser.close();
      await server.close();
    }
  });

  test("tracers of files find all that are not modules", async () => {
    const { nodeFileTrace } = await importFrom("@vercel/nft");
    const { fileList } = await nodeFileTrace([join(project, "ids.mjs")], { base: project });
    for (const folder of ["engine", "vocabs"]) {
      for (const file of readdirSync(inPackage(folder))) {
        assert.ok(fileList.has(`node_modules/wordsplit/dist/${folder}/${file}`), file);
      }
    }
  });

  test("the types in TypeScript 4.7", () => {
    const checks = ["--noEmit", "--strict", "--skipLibCheck", "false"];
    const target = ["--target", "es2022", "--module", "node16", "--lib", "es2022,dom"];
    const command = [pathOf("typescript/lib/tsc.js"), ...checks, ...target, "consumer.ts"];
    const { status, stdout } = spawnSync(process.execPath, command, { cwd: project, encoding: "utf8" });
    assert.equal(status, 0, stdout);
  });
});
