/** The built page in Chromium. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const INDEX = new URL("../../../../build/playground/index.html", import.meta.url);
const SWITCHES = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync"],
];

/** Why the tests cannot run, or false. */
export const skip = !existsSync(CHROMIUM)
  ? `${CHROMIUM} is not installed; CHROMIUM may name another`
  : !existsSync(fileURLToPath(INDEX))
    ? "the page is not built: run `make playground`"
    : false;

export function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: SWITCHES });
}

/** Runs in the page before everything else: each of its workers begins with a program. */
function beginWorkersWith(program) {
  const addressOf = URL.createObjectURL;
  URL.createObjectURL = (blob) => addressOf(new Blob([program, blob], { type: blob.type }));
}

/**
 * Opens the page for the length of a test, from the file system and with the network switched off, or at an address.
 * The test fails if the page reports an error or asks for anything but its own files.
 *
 * @param inPage - a function that runs in the page first, to take away what other browsers lack.
 * @param inWorkers - likewise, the source of a program for its workers.
 */
export async function withPage(browser, test, options = {}) {
  const { width = 1280, height = 800, scheme = "light", fragment = "", address = INDEX.href } = options;
  const { inPage, inWorkers } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await context.setOffline(address === INDEX.href);
  if (inPage) await context.addInitScript(inPage);
  if (inWorkers) await context.addInitScript(beginWorkersWith, inWorkers);
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(error.stack ?? error.message));
  const folder = new URL(".", address).href;
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(folder) && !/^(?:data|blob):/.test(url)) problems.push(`a request of ${url}`);
  });
  try {
    await page.goto(`${address}${fragment}`);
    await page.locator(".count strong, .legend span").first().filter({ hasText: /\d/ }).waitFor();
    await test(page);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
}

export const view = (page, name) => page.getByRole("tab", { name }).click();

/** Types a text in place of the editor's. Typing loses carriage returns now and then: paste() keeps them. */
export async function type(page, text) {
  assert.ok(!text.includes("\r"), "paste() texts with carriage returns");
  await page.getByRole("textbox", { name: "Text", exact: true }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

/** Pastes a text in place of the editor's. */
export async function paste(page, text) {
  const editor = page.getByRole("textbox", { name: "Text", exact: true });
  await editor.click();
  await page.keyboard.press("Control+a");
  await editor.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** The ids in the first column, as the dialog copies them. */
export async function copiedIds(page) {
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  const shown = await page.locator("dialog section", { hasText: "Ids of" }).locator("pre").textContent();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  return JSON.parse(shown);
}

/** Drops files, each a name and its bytes, on the page. */
export async function drop(page, files) {
  const encoded = files.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
  await page.evaluate((given) => {
    const transfer = new DataTransfer();
    for (const [name, base64] of given) {
      transfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name));
    }
    const target = document.querySelector(".cm-content") ?? document.body;
    for (const event of ["dragover", "drop"]) {
      target.dispatchEvent(new DragEvent(event, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
  }, encoded);
}
