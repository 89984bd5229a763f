/** axe-core finds nothing to object to, in any view, light, dark and narrow. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { launch, skip, type, view, withPage } from "./support/browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function violations(page) {
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`).join("\n")}`);
}

describe("accessibility", { skip }, () => {
  let browser;
  before(async () => (browser = await launch()));
  after(() => browser.close());

  const LOOKS = { light: {}, dark: { scheme: "dark" }, narrow: { width: 360, height: 740 } };
  for (const [look, options] of Object.entries(LOOKS)) {
    test(look, () =>
      withPage(
        browser,
        async (page) => {
          await type(page, "It's 2024 🦜 <|im_end|> <|nosuch|>\n\u0000");
          await page.getByRole("combobox", { name: "Show" }).selectOption("text and ids");
          for (const name of ["Tokens", "Differences", "Explain", "Chat", "Speed"]) {
            await view(page, name);
            await page.waitForFunction(() => !document.querySelector(".loading"));
            await page.waitForTimeout(300);
            assert.deepEqual(await violations(page), [], name);
          }
          for (const name of ["Copy", "Help"]) {
            await page.getByRole("button", { name, exact: true }).click();
            await page.waitForTimeout(200);
            assert.deepEqual(await violations(page), [], name);
            await page.keyboard.press("Escape");
          }
        },
        options,
      ),
    );
  }
});
