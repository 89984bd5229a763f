/** The types of the package in strict projects, for Node and for bundlers, that check the types of their libraries, too. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const [compiler, project, source] = ["node_modules/typescript/bin/tsc", "", "tests/consumer.ts"].map((path) =>
  fileURLToPath(new URL(`../${path}`, import.meta.url)),
);
const STRICT = ["--ignoreConfig", "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--skipLibCheck", "false"];
const KINDS = {
  "Node, without the types of browsers": ["--module", "node16", "--lib", "es2022", "--types", "node"],
  "a bundler": ["--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2022,dom", "--types", ""],
};

for (const [kind, options] of Object.entries(KINDS)) {
  test(kind, () => {
    const command = [compiler, ...STRICT, "--target", "es2022", ...options, source];
    const { status, stdout } = spawnSync(process.execPath, command, { cwd: project, encoding: "utf8" });
    assert.equal(status, 0, stdout);
  });
}

test("TypeScript before 5.7, where typed arrays have no type arguments", () => {
  const dist = new URL("../dist/", import.meta.url);
  const declarations = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith(".d.ts"));
  assert.ok(declarations.length > 50);
  const read = (name) => readFileSync(new URL(name, dist), "utf8");
  assert.deepEqual(declarations.filter((name) => /\b(Uint|Int|Float)\d+Array</.test(read(name))), []);
});
