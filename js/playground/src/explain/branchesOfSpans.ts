/** Which branch of the pattern made each span of an explained text. */

import type { SpanSummary } from "../engine/protocol.js";
import type { Branch, Pattern } from "./pattern.js";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns the branch of each span; undefined for added tokens, and where JavaScript's expressions divide otherwise. */
export function branchesOfSpans(spans: readonly SpanSummary[], pattern: Pattern): (Branch | undefined)[] {
  const out: (Branch | undefined)[] = spans.map(() => undefined);
  for (let from = 0; from < spans.length; from++) {
    if (isLiteral(spans[from])) continue;
    let to = from;
    while (to < spans.length && !isLiteral(spans[to])) to++;
    labelRun(spans, from, to, pattern, out); // the text between two added tokens
    from = to;
  }
  return out;
}

function labelRun(
  spans: readonly SpanSummary[],
  from: number,
  to: number,
  pattern: Pattern,
  out: (Branch | undefined)[],
): void {
  const texts = spans.slice(from, to).map((span) => utf8.decode(span.data));
  const byEnd = new Map(pattern.split(texts.join("")).map((part) => [part.end, part]));
  let at = 0;
  texts.forEach((text, i) => {
    const part = byEnd.get(at + text.length);
    if (part?.start === at) out[from + i] = part.branch;
    at += text.length;
  });
}

function isLiteral(span: SpanSummary | undefined): boolean {
  return span?.kind === "added" || span?.kind === "template";
}
