/** Modules of the page, as Node can import them. */

import { build } from "esbuild";
import { fileURLToPath } from "node:url";

/** Imports a TypeScript module of playground/src. */
export async function pageModule(path) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../src/${path}`, import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    define: { VOCAB_FILES: "{}", WASM_BASE64: '""', WORKER_SOURCE: '""' },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
