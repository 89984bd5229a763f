/**
 * Builds the playground into one folder, build/playground/ of the repository: index.html, with everything but the
 * vocabularies in it, and a script for each vocabulary file, which the page loads when it is wanted. It works from the file
 * system, where a page can load classic scripts but no modules, workers or data.
 *
 *     node scripts/build-playground.mjs [FOLDER]
 *
 * Precondition: dist/ is built.
 */

import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const js = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(js);
const playground = join(js, "playground");
const out = process.argv[2] ?? join(root, "build/playground");

const SHARED = { bundle: true, minify: true, write: false, metafile: true, absWorkingDir: js, target: "es2022", charset: "utf8", logLevel: "warning" };

const libraries = new Set(); // whose code is in the page

async function bundled(options) {
  const { outputFiles, metafile } = await build({ ...SHARED, ...options });
  for (const path of Object.keys(metafile.inputs)) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (found) libraries.add(found[1]);
  }
  return outputFiles[0].text;
}

/** Returns a file's content as the source of a string. */
function base64(path) {
  return JSON.stringify(readFileSync(path).toString("base64"));
}

/** Returns the licences of the libraries, which copies of the page must come with. */
function licences() {
  return [...libraries].sort().map((name) => {
    const folder = join(js, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((one) => join(folder, one)).find(existsSync);
    return `${name} ${version} (${license})\n\n${file ? readFileSync(file, "utf8").trim() : ""}\n`;
  });
}

/** Returns a script that can stand in a page. */
function inline(script) {
  return script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

// esbuild drops the types without a look at them.
execFileSync(process.execPath, [join(js, "node_modules/typescript/bin/tsc"), "-p", playground], { stdio: "inherit" });

const catalog = JSON.parse(readFileSync(join(root, "src/wordsplit/vocabs/data/catalog.json"), "utf8"));
const files = Object.fromEntries(Object.entries(catalog).map(([name, { file }]) => [name, file.replace(/\.bin$/, "")]));

// The package finds its own files relative to its address, but the page gives it their content.
const worker = await bundled({
  entryPoints: [join(playground, "src/engine/worker.ts")],
  format: "iife",
  define: { "import.meta.url": '"about:blank"' },
});
const app = await bundled({
  entryPoints: [join(playground, "src/main.tsx")],
  format: "iife",
  jsx: "automatic",
  jsxImportSource: "preact",
  define: {
    WORKER_SOURCE: JSON.stringify(worker),
    WASM_BASE64: base64(join(js, "dist/engine/all-models.wasm")),
    WORD_TABLES_BASE64: base64(join(js, "dist/engine/word_tables.bin")),
    VOCAB_FILES: JSON.stringify(files),
  },
});
const script = inline(app);
const style = await bundled({ entryPoints: [join(playground, "styles/main.css")] });

// The browser is told to connect to nothing, and to run only this script and those of the vocabularies.
const hash = createHash("sha256").update(script).digest("base64");
const policy = [
  "default-src 'none'",
  `script-src 'sha256-${hash}' 'self' file: blob: 'wasm-unsafe-eval'`,
  "worker-src blob:",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const values = { policy, style, script };
const page = readFileSync(join(playground, "index.html"), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]);

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "vocabs"), { recursive: true });
writeFileSync(join(out, "index.html"), page);
writeFileSync(join(out, "LICENSES.txt"), licences().join(`\n${"-".repeat(80)}\n\n`));
for (const file of new Set(Object.values(files))) {
  const content = readFileSync(join(js, `dist/vocabs/${file}.bin`)).toString("base64");
  writeFileSync(join(out, `vocabs/${file}.js`), `wordsplitVocab(${JSON.stringify(file)}, ${JSON.stringify(content)});\n`);
}
console.log(`${out}: index.html has ${page.length} bytes, vocabs/ ${readdirSync(join(out, "vocabs")).length} files`);
