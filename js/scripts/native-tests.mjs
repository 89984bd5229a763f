/**
 * Runs the tests of the kernels (native/tests) as WebAssembly, where sizes have 32 bits: `node scripts/native-tests.mjs`.
 * Those that start threads are left out, because the module has none.
 */

import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { COMPILER_ENVIRONMENT, installEmscripten, root } from "./emscripten.mjs";

const run = promisify(execFile);
const tests = join(root, "native/tests");
const out = join(root, "build/native-wasm");
const FLAGS = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-fwasm-exceptions", "-msimd128"];
const SETTINGS = ["-sALLOW_MEMORY_GROWTH=1", "-sTOTAL_STACK=1MB", "-sMAXIMUM_MEMORY=4GB"];

const parsed = join(out, "support.hpp.pch"); // the headers that all tests include, parsed once

const compile = (...options) =>
  run("em++", [...FLAGS, "-I", join(root, "native/include"), ...options], { env: { ...process.env, ...COMPILER_ENVIRONMENT } });

async function runTest(source) {
  const name = basename(source, ".cpp");
  const script = join(out, `${name}.js`);
  const headers = name === "test_growth" ? [] : ["-include-pch", parsed]; // it defines a macro before it includes them
  await compile(...headers, source, ...SETTINGS, "-o", script);
  // Emscripten's loader reads its file with fetch() where there is one, but Node's takes no paths.
  await run(process.execPath, ["--no-experimental-fetch", script], { maxBuffer: 1 << 24 });
  console.log(`${name}: passed`);
}

installEmscripten();
mkdirSync(out, { recursive: true });
const sources = readdirSync(tests)
  .filter((name) => /^test_.*\.cpp$/.test(name))
  .map((name) => join(tests, name))
  .filter((source) => !/std::thread|run_threads/.test(readFileSync(source, "utf8")));
await compile("-x", "c++-header", join(tests, "support.hpp"), "-o", parsed);
const waiting = [...sources];
let failed = 0;
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let source; (source = waiting.pop()); ) {
      try {
        await runTest(source);
      } catch (error) {
        failed += 1;
        console.error(`${basename(source)}: failed\n${error.stdout ?? ""}${error.stderr ?? error}`);
      }
    }
  }),
);
console.log(`${sources.length - failed} of ${sources.length} native tests passed as WebAssembly`);
process.exitCode = failed ? 1 : 0;
