/** What Firefox and WebKit lack or do in another way, taken away from Chromium. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { drop, launch, skip, type, view, withPage } from "./support/browser.mjs";
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

  function emptyListsOfFiles() {
    const { files, value } = Object.getOwnPropertyDescriptors(HTMLInputElement.prototype);
    const lists = [];
    const listOf = (input) => lists[lists.push([...files.get.call(input)]) - 1];
    const forget = (input, given) => {
      value.set.call(input, given);
      for (const list of lists) list.length = 0;
    };
    Object.defineProperties(HTMLInputElement.prototype, {
      files: { ...files, get() { return listOf(this); } },
      value: { ...value, set(given) { forget(this, given); } },
    });
  }
  on(
    "several files are chosen where the list of them is emptied with the input, as in WebKit",
    async (page) => {
      const file = (name, text) => ({ name, mimeType: "", buffer: Buffer.from(text) });
      const files = [file("a.jinja", "{{ bos_token }}"), file("b.txt", "in 2024")];
      await page.locator("input[type=file]").setInputFiles(files);
      await page.getByText("The template of a.jinja is used for chats. b.txt is the text.").waitFor();
    },
    { inPage: emptyListsOfFiles },
  );

  const COARSE_CLOCK = `{
    const { now } = performance;
    performance.now = () => 10 * Math.floor(now.call(performance) / 10);
  }`;
  on(
    "encoders are timed with a clock as coarse as Firefox's and WebKit's, and coarser",
    async (page) => {
      await view(page, "Speed");
      await page.getByRole("button", { name: "Time every encoder" }).click();
      await page.getByRole("button", { name: "Time every encoder" }).waitFor({ timeout: 60_000 });
      const timed = await page.locator("tbody tr", { hasText: "same" }).allInnerTexts();
      assert.equal(timed.length, 6);
      for (const row of timed) assert.doesNotMatch(row, /∞|Infinity|NaN/);
    },
    { inWorkers: COARSE_CLOCK },
  );

  on(
    "the dialog says that nothing is copied where pages have no clipboard, as those without encryption",
    async (page) => {
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("region", { name: "Link" }).getByRole("button", { name: "Copy" }).click();
      await page.getByText("The browser does not allow copying here").waitFor();
    },
    { inPage: () => delete Navigator.prototype.clipboard },
  );

  on("the page has an icon, or Firefox would ask the host for one", async (page) => {
    const size = await page.evaluate(async () => {
      const icon = Object.assign(new Image(), { src: document.querySelector("link[rel=icon]").href });
      await icon.decode();
      return [icon.naturalWidth, icon.naturalHeight];
    });
    assert.equal(size[0], size[1]);
  });
});
