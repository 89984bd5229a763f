/** The card that tells everything about the token under the pointer or the keyboard's focus. */

import type { Token } from "./tokenTable.js";
import { hexOf, shortened } from "./visible.js";

const LONGEST_HEX = 48; // bytes
const DISTANCE = 6; // pixels

let card: HTMLElement | undefined;

/** Shows the card of a token below its element. */
export function showCard(at: HTMLElement, token: Token, count: number, { place, of }: { place: number; of: number }): void {
  card ??= document.body.appendChild(made());
  const rows: [string, string][] = [
    ["id", String(token.id)],
    ["bytes", bytesOf(token.data)],
    ["rank", rankOf(token)],
    ["here", `token ${place.toLocaleString("en")} of ${of.toLocaleString("en")}; ${times(count)} in this text`],
  ];
  const list = document.createElement("dl");
  for (const [name, value] of rows) {
    const term = document.createElement("dt");
    const detail = document.createElement("dd");
    term.textContent = name;
    detail.textContent = value;
    list.append(term, detail);
  }
  const title = document.createElement("strong");
  title.textContent = shortened(token.text);
  card.replaceChildren(title, list);
  card.hidden = false;
  const { left, bottom, top } = at.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = card;
  const isBelow = bottom + DISTANCE + offsetHeight < innerHeight;
  card.style.left = `${Math.max(DISTANCE, Math.min(left, innerWidth - offsetWidth - DISTANCE))}px`;
  card.style.top = `${isBelow ? bottom + DISTANCE : Math.max(DISTANCE, top - DISTANCE - offsetHeight)}px`;
}

export function hideCard(): void {
  if (card) card.hidden = true;
}

function made(): HTMLElement {
  const element = document.createElement("div");
  element.className = "card";
  element.setAttribute("role", "status");
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hideCard());
  return element;
}

function bytesOf(data: Uint8Array): string {
  const more = data.length - LONGEST_HEX;
  return `${hexOf(data.subarray(0, LONGEST_HEX))}${more > 0 ? ` and ${more} more` : ""} (${data.length})`;
}

function rankOf({ added, rank, data }: Token): string {
  if (added) return `none: ${added.special ? "a special" : "an added"} token, found as a literal`;
  if (rank !== undefined) return `${rank.toLocaleString("en")} of the merge that makes it`;
  return data.length === 1 ? "none: a single byte" : "none: no merge makes it";
}

function times(count: number): string {
  return count === 1 ? "once" : `${count.toLocaleString("en")} times`;
}
