/** Starts the page. */

import { render } from "preact";
import { App } from "./app.js";
import { followPage } from "./engine/vocabs.js";
import { news } from "./files/drop.js";
import { isLink, stateIn } from "./link.js";
import { page } from "./page.js";

async function takeLink(): Promise<void> {
  const { hash } = location;
  const state = await stateIn(hash);
  if (location.hash !== hash) return; // another has followed
  if (state) page.set(state);
  news.set(isLink(hash) && !state ? "This link is damaged or was cut, so its text and settings are lost." : "");
}

async function start(): Promise<void> {
  await takeLink();
  addEventListener("hashchange", () => void takeLink());
  followPage();
  render(<App />, document.getElementById("app") as HTMLElement);
}

void start();
