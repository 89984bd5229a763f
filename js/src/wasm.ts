/** Compiles the engine's module once: the one with SIMD, or the one without where SIMD is not supported. */

import { readFile } from "./files.js";

/** The smallest module that needs SIMD: a function that returns i8x16.splat(0). */
const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

let compiled: Promise<WebAssembly.Module> | undefined;

/** Returns the compiled module. */
export async function engineModule(given?: BufferSource | WebAssembly.Module): Promise<WebAssembly.Module> {
  if (given instanceof WebAssembly.Module) return given;
  if (given) return WebAssembly.compile(given);
  compiled ??= compile();
  try {
    return await compiled;
  } catch (error) {
    compiled = undefined; // the next call tries again
    throw error;
  }
}

async function compile(): Promise<WebAssembly.Module> {
  const url = WebAssembly.validate(SIMD_PROBE)
    ? new URL("./engine/wordsplit.wasm", import.meta.url)
    : new URL("./engine/wordsplit-scalar.wasm", import.meta.url);
  return WebAssembly.compile((await readFile(url)) as BufferSource);
}
