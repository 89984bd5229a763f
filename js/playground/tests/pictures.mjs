/**
 * Takes the pictures of docs/playground.md. They are reduced by pngquant, a program of most systems' packages.
 *
 *     node playground/tests/pictures.mjs
 */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { launch, type, view, withPage } from "./support/browser.mjs";

const FOLDER = fileURLToPath(new URL("../../../docs/images/", import.meta.url));
const browser = await launch();

async function picture(name, use, options) {
  await withPage(
    browser,
    async (page) => {
      await use(page);
      await page.waitForTimeout(400);
      const path = `${FOLDER}playground-${name}.png`;
      await page.screenshot({ path });
      execFileSync("pngquant", ["--force", "--ext", ".png", "--speed", "1", "64", path]);
    },
    { width: 1120, height: 640, ...options },
  );
}

const TEXT = `It's 2024, and a parrot is 🦜.
def antidisestablishmentarianism(x):
    return x * 3.14159  # naïve
<|im_end|>`;

await picture("tokens", async (page) => {
  await type(page, TEXT);
  await page.getByRole("listbox", { name: "Tokens of qwen3" }).getByRole("option", { name: /establish/ }).hover();
});
await picture(
  "differences",
  async (page) => {
    await type(page, TEXT);
    await page.getByRole("combobox", { name: "Compare with" }).selectOption("r50k_base");
    await page.getByRole("combobox", { name: "Show" }).selectOption("text and ids");
    await view(page, "Differences");
  },
  { scheme: "dark" },
);
await picture(
  "explain",
  async (page) => {
    await type(page, TEXT);
    await view(page, "Explain");
    await page.getByRole("option", { name: /antidisestablish/ }).click();
    const steps = page.getByRole("group", { name: "Steps" });
    await steps.getByRole("slider").fill("9");
  },
  { height: 820 },
);
await picture("chat", (page) => view(page, "Chat"));
await picture("narrow", (page) => type(page, TEXT), { width: 360, height: 740, scheme: "dark" });
await browser.close();
