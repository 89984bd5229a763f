/** A static host of the built page. */

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { INDEX } from "./browser.mjs";

const TYPES = { html: "text/html", js: "text/javascript" };

/** Returns its address, what it was asked for, and a function that closes it. */
export async function host() {
  const asked = [];
  const server = createServer(({ url }, answer) => {
    asked.push(url);
    const file = url === "/" ? "index.html" : url.slice(1);
    answer.setHeader("Content-Type", TYPES[file.split(".").at(-1)] ?? "text/plain");
    answer.end(readFileSync(new URL(file, INDEX)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, asked, close: () => server.close() };
}
