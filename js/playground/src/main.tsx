/** Starts the page. */

import { render } from "preact";
import { App } from "./app.js";
import { followPage } from "./engine/vocabs.js";
import { stateIn } from "./link.js";
import { page } from "./page.js";

async function takeLink(): Promise<void> {
  const state = await stateIn(location.hash);
  if (state) page.set(state);
}

async function start(): Promise<void> {
  await takeLink();
  addEventListener("hashchange", () => void takeLink());
  followPage();
  render(<App />, document.getElementById("app") as HTMLElement);
}

void start();
