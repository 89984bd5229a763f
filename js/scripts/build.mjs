/**
 * Builds the package into dist/: the TypeScript, the engines, and the files of the vocabularies.
 *
 *     node scripts/build.mjs
 *
 * The engine needs Emscripten (`em++`). If there is none, it is installed from Debian's packages where that is possible.
 */

import { buildSync } from "esbuild";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILER_ENVIRONMENT, installEmscripten, root } from "./emscripten.mjs";

const js = join(root, "js");
const dist = join(js, "dist");
const data = join(root, "src/wordsplit/vocabs/data");

const SIMD = "-msimd128";
const ONLY_BYTES = "-DWORDSPLIT_ONLY_BYTES";
/** The engine for byte-level BPE and the one for all models, each with SIMD and without: flags, and the most MB gzipped. */
const VARIANTS = {
  "wordsplit.wasm": [[SIMD, ONLY_BYTES], 0.1],
  "wordsplit-scalar.wasm": [[ONLY_BYTES], 0.1],
  "all-models.wasm": [[SIMD], 0.2],
  "all-models-scalar.wasm": [[], 0.2],
};

/** Schemes of the catalog whose scanner has another name; see src/wordsplit/patterns/schemes.py. */
const SCANNERS = { r50k: "gpt2" };

function run(command, args, environment = {}) {
  execFileSync(command, args, { cwd: js, stdio: "inherit", env: { ...process.env, ...environment } });
}

/** Whether a file is newer than everything it is made from. */
function isFresh(file, sources) {
  return existsSync(file) && sources.every((source) => statSync(source).mtimeMs < statSync(file).mtimeMs);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** Builds the engines, and writes src/engineBuild.ts: a number for their sources, by which the modules know their own. */
function buildEngine() {
  const source = join(js, "native/module.cpp");
  const sources = [source, fileURLToPath(import.meta.url), ...filesBelow(join(root, "native/include")).sort()];
  const hash = createHash("sha256");
  for (const one of sources) hash.update(readFileSync(one));
  const number = hash.digest().readUInt32LE() >>> 1; // not negative as an i32 either
  writeFileSync(
    join(js, "src/engineBuild.ts"),
    `// Written by scripts/build.mjs: a number for the sources of the engines.\nexport const ENGINE_BUILD = ${number};\n`,
  );
  mkdirSync(join(dist, "engine"), { recursive: true });
  for (const [name, [flags, most]] of Object.entries(VARIANTS)) {
    const file = join(dist, "engine", name);
    if (!isFresh(file, sources)) {
      installEmscripten();
      // -O3 is no faster, and 5 kB larger.
      const options = [
        ...["-std=c++20", "-O2", "-fno-unroll-loops", "-flto", "-DNDEBUG", "-fwasm-exceptions", "-fno-rtti", ...flags],
        `-DWORDSPLIT_ENGINE_BUILD=${number}`,
        ...["-I", join(root, "native/include"), "--no-entry"],
        ...["-sSTANDALONE_WASM=1", "-sALLOW_MEMORY_GROWTH=1", "-sINITIAL_MEMORY=1MB", "-sTOTAL_STACK=256KB"],
        ...["-sMAXIMUM_MEMORY=4GB", "-sMALLOC=emmalloc"],
        // Otherwise a function with one caller is part of it, WORDSPLIT_PART_OF_LOOP or not.
        "-sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=100",
      ];
      run("em++", [source, ...options, "-o", file], COMPILER_ENVIRONMENT);
    }
    const size = execFileSync("gzip", ["-9c", file], { maxBuffer: 1 << 24 }).length;
    console.log(`${name}: ${statSync(file).size} bytes, ${size} gzipped`);
    const budget = Math.floor(most * (1 << 20));
    if (size > budget) throw new Error(`${name} has ${size} bytes gzipped; its budget is ${budget}`);
  }
}

/** Writes src/catalog.ts and the files of the vocabularies, from those of the Python package. */
function buildCatalog() {
  const table = JSON.parse(readFileSync(join(data, "catalog.json"), "utf8"));
  const entries = {};
  mkdirSync(join(dist, "vocabs"), { recursive: true });
  for (const [name, row] of Object.entries(table)) {
    const { normalizer, ignore_merges, eos_token_id, bos_token_id, pad_token_id, chat_template, ...others } = row.vocab;
    const more = Object.keys(others);
    if (more.length || (normalizer && normalizer !== "nfc")) throw new Error(`${name}: what is ${more} ${normalizer}?`);
    cpSync(join(data, row.file), join(dist, "vocabs", row.file));
    entries[name] = {
      file: row.file,
      scheme: SCANNERS[row.scheme] ?? row.scheme,
      holes: row.holes ?? [],
      aliases: row.aliases,
      prefixes: row.prefixes ?? [],
      added: row.added_tokens,
      reserved: row.reserved,
      nfc: normalizer === "nfc",
      ignoreMerges: ignore_merges ?? false,
      eosTokenId: eos_token_id,
      bosTokenId: bos_token_id,
      padTokenId: pad_token_id,
      chatTemplate: chat_template,
    };
  }
  const source = [
    "// Written by scripts/build.mjs from the catalog of the Python package.",
    'import type { CatalogEntry } from "./bundled.js";',
    `export const CATALOG: Readonly<Record<string, CatalogEntry>> = ${JSON.stringify(entries, null, 1)};`,
    "/** The addresses of the files. Bundlers and tracers of files find them by these expressions: see wasm.ts. */",
    "export const VOCAB_FILES: Readonly<Record<string, () => URL>> = {",
    ...[...new Set(Object.values(entries).map(({ file }) => file))].map(
      (file) => `  ${JSON.stringify(file)}: () => { return new URL(${JSON.stringify(`./vocabs/${file}`)}, import.meta.url); },`,
    ),
    "};",
  ];
  writeFileSync(join(js, "src/catalog.ts"), `${source.join("\n")}\n`);
}

/** Puts the code of a library, with its licence, into the module that imports it: the package has no dependencies. */
function include(library, module) {
  const file = join(dist, module);
  const licence = readFileSync(join(js, "node_modules", library, "LICENSE"), "utf8").trim();
  const banner = { js: `/*! The code of ${library} in this module:\n\n${licence}\n*/` };
  buildSync({ entryPoints: [file], outfile: file, allowOverwrite: true, bundle: true, format: "esm", target: "es2022", banner });
}

buildEngine();
cpSync(join(root, "src/wordsplit/engine/word_tables.bin"), join(dist, "engine/word_tables.bin"));
buildCatalog();
run(process.execPath, [join(js, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"]);
include("fflate", "inflate.js");
for (const name of ["LICENSE", "NOTICE"]) cpSync(join(root, name), join(js, name));
