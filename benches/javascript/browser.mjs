/**
 * Measures one library in a page of Chromium. The packages are served as they are, with an import map; those that need a
 * bundler are left out.
 */

import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = fileURLToPath(new URL(".", import.meta.url));
const shared = join(here, "../../../shared");
const TYPES = { ".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
const IMPORTS = {
  wordsplit: "/node_modules/wordsplit/dist/index.js",
  hypertok: "/node_modules/hypertok/src/index.mjs",
  "@hypertok/vocab-cl100k": "/node_modules/@hypertok/vocab-cl100k/index.mjs",
  "@hypertok/vocab-o200k": "/node_modules/@hypertok/vocab-o200k/index.mjs",
  "gpt-tokenizer/encoding/cl100k_base": "/node_modules/gpt-tokenizer/esm/encoding/cl100k_base.js",
  "gpt-tokenizer/encoding/o200k_base": "/node_modules/gpt-tokenizer/esm/encoding/o200k_base.js",
  "ai-tokenizer": "/node_modules/ai-tokenizer/dist/index.js",
  "ai-tokenizer/encoding/cl100k_base": "/node_modules/ai-tokenizer/dist/encoding/cl100k_base.js",
  "ai-tokenizer/encoding/o200k_base": "/node_modules/ai-tokenizer/dist/encoding/o200k_base.js",
  "@huggingface/tokenizers": "/node_modules/@huggingface/tokenizers/dist/tokenizers.mjs",
};
const PAGE = `<!doctype html><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"];

export const IN_BROWSER = ["wordsplit", "hypertok", "gpt-tokenizer", "ai-tokenizer", "@huggingface/tokenizers"];

function serve(texts) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = pathname.startsWith("/shared/") ? join(shared, normalize(pathname.slice(7))) : join(here, normalize(pathname));
    if (pathname === "/") return response.setHeader("Content-Type", "text/html").end(PAGE);
    if (pathname === "/texts.json") return createReadStream(texts).pipe(response);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream").end(readFileSync(file));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

export async function measureInBrowser(task) {
  const server = await serve(task.file);
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ARGUMENTS });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const found = await page.evaluate(async ({ name, vocab }) => {
      const { measureLibrary } = await import("/measure.mjs");
      const texts = await (await fetch("/texts.json")).json();
      const files = {
        read: async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer()),
        json: async () => new Uint8Array(await (await fetch(`/shared/vocabs/${vocab}/tokenizer.json`)).arrayBuffer()),
      };
      return measureLibrary({ name, vocab }, texts, files);
    }, task);
    return found;
  } finally {
    await browser.close();
    server.close();
  }
}
