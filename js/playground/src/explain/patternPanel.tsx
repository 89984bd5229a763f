/** The pattern, branch by branch, with how many spans each has made. */

import { noteOn } from "./branchNotes.js";
import type { Branch, Pattern } from "./pattern.js";

const COLOURS = 7; // one more than for tokens, since most patterns have seven branches

/** Returns the class with the colour of a branch. */
export function branchClass(pattern: Pattern | undefined, branch: Branch | undefined): string {
  return pattern && branch ? `t${pattern.branches.indexOf(branch) % COLOURS}` : "unknown";
}

interface Props {
  pattern: Pattern | undefined;
  patterns: readonly string[];
  branches: readonly (Branch | undefined)[];
  chosen: Branch | undefined;
}

export function PatternPanel({ pattern, patterns, branches, chosen }: Props) {
  return (
    <section aria-labelledby="pattern-title">
      <h2 id="pattern-title">
        Pattern <span class="dim">{pattern ? "the first branch that matches makes the span" : ""}</span>
      </h2>
      {pattern ? (
        <ol class="branches">
          {pattern.branches.map((branch, i) => (
            <li key={i} class={branch === chosen ? "chosen" : ""} aria-current={branch === chosen ? "true" : undefined}>
              <span class={`swatch tok ${branchClass(pattern, branch)}`}>{i + 1}</span>
              <span>
                <code>{branch.source.replaceAll("\n", "\\n").replaceAll("\r", "\\r")}</code>
                <span class="dim note">
                  {[patterns.length > 1 ? `step ${branch.step + 1}` : "", noteOn(branch.source)].filter(Boolean).join(", ")}
                </span>
              </span>
              <span class="dim uses">{uses(branches.filter((one) => one === branch).length)}</span>
            </li>
          ))}
        </ol>
      ) : (
        <>
          <p class="notice">This pattern cannot be translated to JavaScript, so its branches are not shown.</p>
          {patterns.map((one) => (
            <pre key={one}>{one}</pre>
          ))}
        </>
      )}
    </section>
  );
}

function uses(count: number): string {
  return count ? `${count.toLocaleString("en")} span${count === 1 ? "" : "s"}` : "–";
}
