/** Finds Emscripten, the C++ compiler for WebAssembly, or installs it from Debian's packages. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Debian's Emscripten finds its own Node packages only with this. */
export const COMPILER_ENVIRONMENT = { NODE_PATH: "/usr/share/nodejs" };

function has(command) {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, command)));
}

/** Makes sure that `em++` is there. */
export function installEmscripten() {
  if (has("em++")) return;
  if (!has("apt-get")) {
    throw new Error("em++ was not found: install Emscripten (https://emscripten.org, or the package of your system)");
  }
  const root = process.getuid() === 0 ? [] : ["sudo"];
  const [command, ...rest] = [...root, "apt-get", "install", "-yq", "--no-install-recommends", "emscripten"];
  execFileSync(command, rest, { stdio: "inherit" });
}
