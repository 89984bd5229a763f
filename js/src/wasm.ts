/** Compiles each engine's module once: the one with SIMD, or the one without where SIMD is not supported. */

import { type Bytes, isA, ownBytes } from "./bytes.js";
import { OptionsError } from "./errors.js";
import { notLoaded, readOwn } from "./files.js";

/** The smallest module that needs SIMD: a function that returns i8x16.splat(0). */
const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/**
 * Which engine: `"wordsplit"`, for byte-level BPE with the pattern of a scanner, or `"all-models"`, which is half as large
 * again.
 */
export type EngineName = "wordsplit" | "all-models";

/** `WebAssembly.Module`, in projects whose type library has it; those for Node alone have none. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } } ? M : object;

const compiled = new Map<EngineName, Promise<WasmModule>>();

/** Returns the compiled module. */
export async function engineModule(
  name: EngineName,
  given?: Bytes | WasmModule,
): Promise<WasmModule> {
  if (given instanceof WebAssembly.Module || isA(given, "WebAssembly.Module")) return given as WasmModule;
  if (given) return compiledOf(ownBytes("wasm", given) ?? given);
  const found = compiled.get(name) ?? compile(name);
  compiled.set(name, found);
  try {
    return await found;
  } catch (error) {
    compiled.delete(name); // the next call tries again
    throw error;
  }
}

async function compiledOf(given: unknown): Promise<WasmModule> {
  try {
    return await WebAssembly.compile(given as BufferSource);
  } catch (error) {
    const wayOut = "give engine/wordsplit.wasm or engine/all-models.wasm: its bytes, or where those may not be compiled, its module";
    throw new OptionsError(`wasm: ${(error as Error).message}; ${wayOut}`, { cause: error });
  }
}

// Bundlers find the files by these expressions, and tracers of files, such as Next.js', only behind `return`.
const FILES = {
  wordsplit: () => {
    return new URL("./engine/wordsplit.wasm", import.meta.url);
  },
  "wordsplit-scalar": () => {
    return new URL("./engine/wordsplit-scalar.wasm", import.meta.url);
  },
  "all-models": () => {
    return new URL("./engine/all-models.wasm", import.meta.url);
  },
  "all-models-scalar": () => {
    return new URL("./engine/all-models-scalar.wasm", import.meta.url);
  },
};

async function compile(name: EngineName): Promise<WasmModule> {
  const variant = WebAssembly.validate(SIMD_PROBE) ? name : (`${name}-scalar` as const);
  const file = `engine/${variant}.wasm`;
  const bytes = await readOwn(file, FILES[variant], "wasm");
  try {
    return await WebAssembly.compile(bytes as BufferSource);
  } catch (error) {
    // A server may answer with a page for an address that it does not have, and a policy may forbid WebAssembly.
    throw notLoaded(`${file} cannot be compiled: ${(error as Error).message}`, "wasm", error);
  }
}
