/** What Firefox and WebKit lack or do in another way, taken away from Chromium. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { drop, launch, skip, type, withPage } from "./support/browser.mjs";
import { tokenizerJson } from "./support/vocabFiles.mjs";

describe("in other browsers", { skip }, () => {
  let browser;
  before(async () => (browser = await launch()));
  after(() => browser.close());
  const on = (name, use, options) => test(name, () => withPage(browser, use, options));

  const NO_BLOBS = `
    for (const read of ["arrayBuffer", "text", "stream", "slice"]) {
      Blob.prototype[read] = () => { throw new DOMException("The I/O read operation failed.", "NotReadableError"); };
    }
  `;
  on(
    "files are opened where workers cannot read blobs, as WebKit's of pages from files",
    async (page) => {
      await type(page, "ab<|end|>ba");
      await drop(page, [["small.json", tokenizerJson()]]);
      await page.locator(".count strong", { hasText: /^4$/ }).waitFor();
      await drop(page, [["cut.json", `{"model": {}}`]]);
      assert.match(await page.getByRole("alert").textContent(), /^cut\.json: /);
    },
    { inWorkers: NO_BLOBS },
  );
});
