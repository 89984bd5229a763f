/** The page as a stranger uses it: open, type, compare, drop a file, explain, chat, share. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { load } from "wordsplit";
import { copiedIds, drop, launch, paste, skip, type, view, withPage } from "./support/browser.mjs";
import { host } from "./support/host.mjs";
import { gguf, tokenizerJson, wordPieceJson } from "./support/vocabFiles.mjs";

describe("the page", { skip }, () => {
  let browser;
  before(async () => (browser = await launch()));
  after(() => browser.close());
  const on = (name, use, options) => test(name, () => withPage(browser, use, options));

  const counts = (page) => page.locator(".count strong").allTextContents();
  const hasCounts = (page, expected) =>
    page.waitForFunction(
      (want) => JSON.stringify([...document.querySelectorAll(".count strong")].map((one) => one.textContent)) === want,
      JSON.stringify(expected),
    );

  on("gives the ids of the package, from a file and offline", async (page) => {
    const text = "Hello, wörld! 🦜 <|im_end|>\r\n\tdone";
    await paste(page, text);
    const expected = await Promise.all(["qwen3", "o200k_base"].map(async (name) => (await load(name)).encode(text)));
    await hasCounts(page, expected.map((ids) => String(ids.length)));
    assert.deepEqual(await copiedIds(page), [...expected[0]]);
  });

  on("opens every bundled vocab", async (page) => {
    const select = page.getByRole("combobox", { name: "Compare with" });
    for (const name of ["cl100k_base", "o200k_harmony", "r50k_base", "p50k_base", "p50k_edit"]) await select.selectOption(name);
    await page.locator(".count strong", { hasText: /\d/ }).nth(6).waitFor();
    assert.equal(await select.count(), 0);
    await page.getByRole("button", { name: "Close p50k_edit" }).click();
    assert.equal((await counts(page)).length, 6);
  });

  on("shows what a token is", async (page) => {
    await type(page, "the cat and the dog 🦜");
    const token = page.getByRole("listbox", { name: "Tokens of qwen3" }).getByRole("option", { name: /␣the.*id 279/ });
    await token.hover();
    const card = page.locator(".card");
    await card.waitFor();
    const said = await card.textContent();
    for (const part of ["␣the", "279", "20 74 68 65 (4)", "token 4 of", "once"]) assert.ok(said.includes(part), said);
    assert.match(said, /\d+ of the merge that makes it/);
    assert.equal(await page.locator(".hovered").textContent(), " the");
    await page.getByRole("option", { name: /not UTF-8/ }).first().waitFor();
    await token.click();
    await page.locator(".cm-selectionBackground").waitFor({ state: "attached" });
  });

  on("treats special tokens as told", async (page) => {
    const text = "<|im_end|>";
    await type(page, text);
    const [qwen, o200k] = [await load("qwen3"), await load("o200k_base")];
    await hasCounts(page, ["1", String(o200k.count(text))]);
    await page.getByRole("combobox", { name: "Special tokens" }).selectOption("as text");
    await hasCounts(page, [qwen, o200k].map((tok) => String(tok.count(text, { special: "text" }))));
    await page.getByRole("combobox", { name: "Special tokens" }).selectOption("refuse");
    await page.getByRole("alert").waitFor();
    assert.match(await page.getByRole("alert").textContent(), /<\|im_end\|>/);
  });

  on("takes a million characters", async (page) => {
    await page.getByRole("combobox", { name: "Sample" }).selectOption("A million characters");
    await page.waitForFunction(() => document.querySelector(".count strong").textContent.length > 6);
    await page.getByRole("textbox", { name: "Text", exact: true }).click();
    const times = [];
    for (let i = 0; i < 12; i++) {
      await page.evaluate(() => {
        const shown = () => document.querySelector(".count strong").textContent;
        window.updated = new Promise((resolve) => {
          document.addEventListener(
            "beforeinput",
            () => {
              const began = performance.now();
              const before = shown();
              const look = () => (shown() === before ? setTimeout(look, 1) : resolve(performance.now() - began));
              look();
            },
            { once: true, capture: true },
          );
        });
      });
      await page.keyboard.insertText(" x;");
      times.push(await page.evaluate(() => window.updated));
    }
    const [median, worst] = [times.toSorted((a, b) => a - b)[6], Math.max(...times)];
    console.log(`from a key to the new count, a million characters, two vocabs: median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`);
    assert.ok(median < 1000, `${median} ms`);
    const drawn = await page.evaluate(() => document.querySelectorAll("*").length);
    assert.ok(drawn < 5000, `${drawn} elements`);
    const list = page.getByRole("listbox", { name: "Tokens of qwen3" });
    await list.focus();
    await page.keyboard.press("End");
    await list.locator("[aria-selected=true]").waitFor();
    assert.ok((await list.locator("[data-item]").count()) < 2000);
  });

  on("aligns differences", async (page) => {
    await type(page, "in 2024 too");
    await view(page, "Differences");
    await page.getByText(/1 of 5 parts are divided/).waitFor();
    assert.equal(await page.locator(".block.differs").textContent(), "202202: different");
    await page.getByRole("button", { name: "Next difference" }).click();
    assert.equal(await page.locator("[aria-selected=true]", { hasText: "202" }).count(), 1);
  });

  on("explains merges, forwards and backwards", async (page) => {
    await type(page, "hello world");
    await view(page, "Explain");
    await page.getByText("4 of 4 merges").waitFor();
    const steps = page.getByRole("group", { name: "Steps" });
    await steps.getByRole("button", { name: "First" }).click();
    assert.match(await page.locator(".pair.win").first().textContent(), /e \+ l 45/);
    await steps.getByRole("button", { name: "Forward" }).click();
    assert.match(await page.locator(".pair.win").first().textContent(), /l \+ o 129/);
    await steps.getByRole("button", { name: "Back" }).click();
    await page.getByText("0 of 4 merges").waitFor();
    assert.equal(await page.getByRole("img", { name: "(h ((e l) (l o)))" }).count(), 1);
    assert.match(await page.locator(".branches .chosen").textContent(), /letters/);
    await page.getByRole("option", { name: /␣world/ }).click();
    await page.getByText("Span 2").waitFor();
  });

  on("says why a special token is not recognized", async (page) => {
    await type(page, "<|im_end|> <|IM_END|> <|endofprompt|>");
    await page.getByLabel("Vocab of this column").nth(1).selectOption("cl100k_base");
    await view(page, "Explain");
    const literals = page.locator(".literals li");
    await literals.nth(2).waitFor();
    assert.match(await literals.nth(0).textContent(), /id 151645: a special token/);
    assert.match(await literals.nth(1).textContent(), /every character counts/);
    await page.waitForFunction(() => document.querySelectorAll(".literals li")[2].textContent.includes("cl100k_base"));
  });

  on("renders chats, where an injected control token is inert", async (page) => {
    await view(page, "Chat");
    const tokens = page.getByRole("listbox", { name: "Tokens of the chat in qwen3" });
    await tokens.waitFor();
    const marked = await tokens.locator(".ts").allTextContents();
    assert.equal(marked.filter((one) => one.startsWith("<|im_end|>")).length, 3);
    assert.equal(await page.getByText("would have 11 control tokens, not 8").count(), 1);
    assert.ok((await tokens.locator(".literal").count()) > 10);
    await page.getByLabel("End with the beginning").check();
    await tokens.locator(".ts").nth(8).waitFor();
    await page.getByLabel("Content of message 2").fill("Hi");
    await page.getByText("Literals in messages are text").waitFor({ state: "detached" });
    await page.getByText("Template", { exact: true }).click();
    await page.getByLabel(/The vocab's own/).fill("{{ nosuch( }}");
    await page.getByRole("alert").waitFor();
  });

  on("times the encoders, and swaps them", async (page) => {
    await view(page, "Speed");
    await page.getByRole("button", { name: "Time every encoder" }).click();
    await page.getByRole("button", { name: "Time every encoder" }).waitFor({ timeout: 60_000 });
    assert.equal(await page.locator("tbody tr", { hasText: "same" }).count(), 6);
    await page.getByRole("radio", { name: "heap_merge" }).check();
    await view(page, "Tokens");
    await hasCounts(page, ["62", "54"]);
  });

  on("opens dropped files", async (page) => {
    const tok = await load("r50k_base");
    const lines = Array.from({ length: 50256 }, (_, id) => `${Buffer.from(tok.tokenBytes(id)).toString("base64")} ${id}\n`);
    await drop(page, [["mine.tiktoken", lines.join("")]]);
    await page.locator(".count strong", { hasText: /\d/ }).nth(2).waitFor();
    await page.getByLabel("Pattern of this file").selectOption("bailingmoe"); // the schemes of the package, all of them
    await page.getByLabel("Pattern of this file").selectOption("gpt2");
    const [text] = [await page.locator(".cm-content").innerText()];
    await page.waitForFunction(() => !document.querySelector(".loading"));
    await hasCounts(page, ["62", "54", String(tok.count(`${text.trimEnd()}\n`))]);
    await drop(page, [["notes.txt", "from a file"]]);
    await hasCounts(page, ["3", "3", "3"]);
    await drop(page, [["broken.json", '{"model": {}}']]);
    await page.getByRole("alert").waitFor();
    await drop(page, [["tokenizer_config.json", JSON.stringify({ chat_template: "{{ messages[0].content }}" })]]);
    await page.getByText("The template of tokenizer_config.json is used for chats.").waitFor({ state: "attached" });
    await page.getByRole("tab", { name: "Chat", selected: true }).waitFor();
  });

  on("opens a tokenizer.json and a GGUF file", async (page) => {
    const text = "ab<|end|>ba";
    await type(page, text);
    await drop(page, [["small.json", tokenizerJson()]]);
    const bundled = await Promise.all(["qwen3", "o200k_base"].map(async (name) => String((await load(name)).count(text))));
    await hasCounts(page, [...bundled, "4"]);
    assert.deepEqual(await page.getByRole("listbox", { name: "Tokens of small.json" }).locator(".tok.ts").count(), 1);
    await drop(page, [["small.gguf", gguf()]]);
    await hasCounts(page, [...bundled, "4", "4"]);
    await view(page, "Chat");
    await page.locator(".segments label", { hasText: "small.gguf" }).click();
    await page.getByText("1 of them control token").waitFor();
  });

  on("opens a tokenizer.json of BERT's kind", async (page) => {
    await type(page, "Un do \u00c9!");
    await view(page, "Speed");
    await page.getByLabel("backtracking").check(); // which BERT's model does not have
    await view(page, "Tokens");
    await drop(page, [["bert.json", wordPieceJson()]]);
    await page.locator(".count strong", { hasText: /\d/ }).nth(2).waitFor();
    const tokens = page.getByRole("listbox", { name: "Tokens of bert.json" }).locator(".tok");
    await tokens.nth(3).waitFor();
    assert.equal(await page.locator(".count strong").nth(2).innerText(), "4");
    await view(page, "Explain");
    await page.locator(".segments label", { hasText: "bert.json" }).click();
    await page.getByText("The longest token at each position").waitFor();
    assert.equal(await page.getByRole("heading", { name: "Pattern" }).count(), 0);
    await page.getByRole("option", { name: /^\s*do/ }).click();
    await page.getByText("Span 2").waitFor();
  });

  on("opens a vocab.txt", async (page) => {
    await type(page, "Un do \u00c9!");
    await drop(page, [["vocab.txt", ["[UNK]", "[CLS]", "[SEP]", "un", "do", "e", "!"].join("\n")]]);
    await page.locator(".count strong", { hasText: /\d/ }).nth(2).waitFor();
    const tokens = page.getByRole("listbox", { name: "Tokens of vocab.txt" }).locator(".tok");
    await tokens.nth(5).waitFor();
    assert.equal(await page.locator(".count strong").nth(2).innerText(), "6");
  });

  test("works from a static host, and asks it for nothing but its files", async () => {
    const { address, asked, close } = await host();
    try {
      await withPage(browser, async (page) => hasCounts(page, ["62", "54"]), { address });
      assert.deepEqual(asked.sort(), ["/", "/vocabs/o200k_base.js", "/vocabs/qwen3.js"]);
    } finally {
      close();
    }
  });

  test("says that the file of a vocab is damaged", async () => {
    const { address, close } = await host();
    try {
      await withPage(
        browser,
        async (page) => {
          await page.route("**/cl100k_base.js", (route) => route.fulfill({ body: "", contentType: "text/javascript" }));
          await page.getByRole("combobox", { name: "Compare with" }).selectOption("cl100k_base");
          await page.getByRole("alert").filter({ hasText: "is the folder complete?" }).waitFor();
        },
        { address },
      );
    } finally {
      close();
    }
  });

  test("a link holds the state", async () => {
    let link;
    await withPage(browser, async (page) => {
      await paste(page, "Ein Ärgernis\r\n🦜");
      await page.getByRole("combobox", { name: "Compare with" }).selectOption("p50k_edit");
      await page.getByRole("combobox", { name: "Show" }).selectOption("ids");
      await view(page, "Differences");
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("region", { name: "Link" }).getByRole("button", { name: "Copy" }).click();
      await page.getByText("Link copied").waitFor();
      link = await page.evaluate(() => navigator.clipboard.readText());
      assert.ok(!page.url().includes("#"), "the address of the page has no text");
    });
    await withPage(
      browser,
      async (page) => {
        await page.getByRole("tab", { name: "Differences", selected: true }).waitFor();
        assert.equal(await page.getByRole("combobox", { name: "Show" }).inputValue(), "ids");
        await view(page, "Tokens");
        const ids = (await load("qwen3")).encode("Ein Ärgernis\r\n🦜");
        await page.locator(".count strong", { hasText: /\d/ }).nth(2).waitFor();
        assert.deepEqual(await copiedIds(page), [...ids]);
      },
      { fragment: `#${link.split("#")[1]}` },
    );
    await withPage(browser, (page) => hasCounts(page, ["62", "54"]), { fragment: "#s=broken" });
  });

  on("copies programs", async (page) => {
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    assert.match(await page.getByRole("region", { name: "Python" }).locator("pre").textContent(), /tok.encode\(text\)/);
    assert.match(await page.getByRole("region", { name: "JavaScript" }).locator("pre").textContent(), /await load\("qwen3"\)/);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  on("copies the ids of the chat, and a program for its vocab", async (page) => {
    await view(page, "Chat");
    await page.locator(".segments label", { hasText: "o200k_base" }).click();
    await page.getByText("o200k_base has no chat template").waitFor();
    const shown = await page.locator(".count strong").innerText();
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    const ids = page.getByRole("region", { name: "Ids of o200k_base" }).locator("pre");
    assert.equal(JSON.parse(await ids.textContent()).length, Number(shown));
    const program = await page.getByRole("region", { name: "Python" }).locator("pre").textContent();
    assert.match(program, /load_tokenizer\("o200k_base"\)[^]*template=".*im_start/);
    await page.keyboard.press("Escape");
    await view(page, "Tokens");
    await view(page, "Chat");
    await page.getByText("o200k_base has no chat template").waitFor(); // it is still chosen
    await page.getByText("Tools and variables").click();
    await page.getByLabel("Tools, as a JSON list").fill("{");
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("region", { name: "Link" }).waitFor();
    assert.equal(await page.getByRole("region", { name: "Python" }).count(), 0);
  });

  on("opens a file again in every view", async (page) => {
    const folder = mkdtempSync(join(tmpdir(), "wordsplit-"));
    const file = join(folder, "small.json");
    writeFileSync(file, tokenizerJson());
    const input = page.locator("input[type=file]");
    try {
      await page.getByRole("button", { name: "Close o200k_base" }).click();
      for (const name of ["Tokens", "Differences", "Explain", "Chat"]) {
        await view(page, name);
        await input.setInputFiles(file);
        const choice = page.locator(".segments label", { hasText: "small.json" });
        if (name === "Explain" || name === "Chat") await choice.click();
        await page.waitForFunction(() => !document.querySelector(".loading"));
        await page.waitForTimeout(300);
      }
      await view(page, "Tokens");
      assert.equal((await counts(page)).length, 2);
    } finally {
      rmSync(folder, { recursive: true });
    }
    await drop(page, [["small.json", wordPieceJson()]]); // another file of this name
    await page.getByRole("button", { name: "Close small.json (2)" }).waitFor();
    await page.locator(".count strong", { hasText: /\d/ }).nth(2).waitFor();
  });

  on("follows a link to other vocabs in the view Differences", async (page) => {
    await view(page, "Differences");
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    const link = await page.getByRole("region", { name: "Link" }).locator("pre").textContent();
    await page.keyboard.press("Escape");
    await view(page, "Tokens");
    for (const [at, name] of ["cl100k_base", "r50k_base"].entries()) {
      await page.getByLabel("Vocab of this column").nth(at).selectOption(name);
    }
    await view(page, "Differences");
    await page.locator(".legend li", { hasText: /r50k_base\s+\d/ }).waitFor();
    await page.evaluate((fragment) => (location.hash = fragment), link.split("#")[1]);
    await page.locator(".legend li", { hasText: /o200k_base\s+54/ }).waitFor();
    await page.evaluate((fragment) => (location.hash = fragment), link.split("#")[1].slice(0, 60));
    await page.getByText("This link is damaged").waitFor();
  });

  on("says in Differences why there are none", async (page) => {
    await type(page, "a<|endoftext|>");
    await view(page, "Differences");
    await page.getByText(/of 2 parts are/).waitFor();
    await page.getByRole("combobox", { name: "Special tokens" }).selectOption("refuse");
    assert.match(await page.getByRole("alert").textContent(), /qwen3: .*endoftext/);
    assert.equal(await page.getByText(/parts are divided/).count(), 0);
  });

  on("times nothing when its view is left", async (page) => {
    await view(page, "Speed");
    await page.getByRole("button", { name: "Time every encoder" }).click();
    await page.getByText(/Timing/).waitFor();
    await view(page, "Tokens");
    let started = 0;
    page.on("worker", () => started++);
    await page.waitForTimeout(1500);
    assert.equal(started, 0);
  });

  on("hides the card of a token that has gone, and on Escape", async (page) => {
    await type(page, "the cat");
    const token = page.getByRole("listbox", { name: "Tokens of qwen3" }).getByRole("option", { name: /cat/ });
    const card = page.locator(".card");
    await token.hover();
    await card.waitFor();
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "hidden" });
    await page.mouse.move(0, 0);
    await token.hover();
    await card.waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await card.waitFor({ state: "hidden" });
  });

  on("explains long spans and long texts within the page", async (page) => {
    await type(page, "x".repeat(3000));
    await view(page, "Explain");
    await page.getByText("3000 bytes").waitFor();
    const fits = await page.locator("#merges-title").evaluate((title) => title.scrollWidth <= title.parentElement.clientWidth);
    assert.ok(fits, "the title of a long span");
    await type(page, `a${"🦜".repeat(33_000)}`);
    await page.getByText("The first 65,536 characters").waitFor();
    await page.getByText("2; tokens never cross").waitFor();
    const spans = page.getByRole("listbox", { name: "Spans" });
    await spans.focus();
    await page.keyboard.press("End"); // without an arrow key before it
    await page.keyboard.press("Enter");
    await page.getByText("Span 2").waitFor();
    await page.getByText(`${4 * 32_767} bytes`).waitFor(); // whole characters
  });

  on("reads dropped texts as the command line does", async (page) => {
    await drop(page, [["mark.txt", "\ufeffabc"]]);
    await page.getByText("4 characters").waitFor();
    await drop(page, [["bytes.txt", Buffer.from([0x61, 0xff])]]);
    await page.getByText("2 characters").waitFor();
    await drop(page, [["tokenizer.json", tokenizerJson().slice(0, 100)]]); // cut short
    await page.getByText("tokenizer.json has a new column.").waitFor();
    await page.getByText(/tokenizer\.json: \$: is not JSON/).waitFor();
    await drop(page, [["picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13])]]);
    await page.getByText("picture.png: neither text in UTF-8").waitFor();
    await page.getByText("2 characters").waitFor();
    const chat_template = [
      { name: "tool_use", template: "no" },
      { name: "default", template: "{{ messages[0].content }}" },
    ];
    await drop(page, [["tokenizer_config.json", JSON.stringify({ chat_template })]]);
    await page.locator(".count strong", { hasText: /^3$/ }).waitFor(); // Be brief.
  });

  on("keeps what its colours tell where the system sets colours", async (page) => {
    await page.emulateMedia({ forcedColors: "active" });
    const styleOf = (selector, name) => page.locator(selector).first().evaluate((one, wanted) => getComputedStyle(one)[wanted], name);
    await type(page, "in 2024 too");
    await view(page, "Differences");
    await page.getByText(/1 of 5 parts are divided/).waitFor();
    assert.notEqual(await styleOf(".block.differs", "borderColor"), await styleOf(".block:not(.differs)", "borderColor"));
    await view(page, "Explain");
    await page.getByText("Span 1").waitFor();
    assert.notEqual(await styleOf(".segments :checked + span", "backgroundColor"), await styleOf(".segments label:not(:has(:checked)) span", "backgroundColor"));
    assert.notEqual(await styleOf(".branches .t1", "backgroundColor"), await styleOf(".branches .t2", "backgroundColor"));
  });

  on(
    "keeps what its colours tell on paper, which is light",
    async (page) => {
      await page.emulateMedia({ media: "print" });
      const styleOf = (selector) => page.locator(selector).first().evaluate((one) => ({ ...getComputedStyle(one) }));
      assert.equal((await styleOf("body")).color, "rgb(26, 28, 32)");
      assert.equal((await styleOf(".tok")).printColorAdjust, "exact"); // or browsers leave backgrounds out
    },
    { scheme: "dark" },
  );

  on("can be used with the keyboard alone", async (page) => {
    await page.keyboard.press("Alt+2");
    await page.getByRole("tab", { name: "Differences", selected: true }).waitFor();
    await page.keyboard.press("Alt+1");
    await page.getByRole("tab", { name: "Tokens", selected: true }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "Differences", selected: true }).waitFor();
    await page.keyboard.press("ArrowLeft");
    const reached = [];
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const { activeElement: element } = document;
        return element === document.body ? "" : element.getAttribute("aria-label") ?? element.textContent.slice(0, 20);
      });
      if (!name) break;
      reached.push(name);
    }
    for (const name of ["Open file", "Copy", "Text", "Tokens of qwen3", "Tokens of o200k_base", "Close qwen3"]) {
      assert.ok(reached.includes(name), `${name} is not among ${reached.join(", ")}`);
    }
    await page.getByRole("listbox", { name: "Tokens of qwen3" }).focus();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
    await page.locator(".card").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".cm-selectionBackground").waitFor({ state: "attached" });
  });

  on("leaves room for the outline of the focus", async (page) => {
    await page.keyboard.press("Tab");
    await page.getByRole("listbox", { name: "Tokens of qwen3" }).focus();
    const room = await page.evaluate(() => {
      const list = document.activeElement;
      const [inner, outer] = [list, list.closest(".columns")].map((one) => one.getBoundingClientRect());
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(list);
      const needed = outlineStyle === "solid" ? parseFloat(outlineWidth) + parseFloat(outlineOffset) : NaN;
      return Math.min(inner.left - outer.left, outer.bottom - inner.bottom) - needed;
    });
    assert.ok(room >= 0, `${room} pixels`);
  });

  on("fits when resized", async (page) => {
    const rows = () => page.getByRole("listbox", { name: "Tokens of qwen3" }).locator(".flow-row").count();
    const wide = await rows();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.waitForTimeout(200);
    assert.ok((await rows()) > wide);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} pixels too wide`);
  });
});
