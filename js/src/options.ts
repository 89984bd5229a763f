/** Names of options. */

import { OptionsError } from "./errors.js";

/** Throws for an option that a function does not have: as a misspelt one, it would have no effect. */
export function checkOptions(options: object | null | undefined, known: ReadonlySet<string>): void {
  if (typeof options !== "object") return options === undefined ? undefined : noObject(options);
  for (const name in options) if (!known.has(name)) refuse(options as object, name, known);
}

function refuse(options: object, name: string, known: ReadonlySet<string>): void {
  if (!Object.hasOwn(options, name)) return; // of a prototype, which may be everyone's
  throw new OptionsError(`options: no option ${JSON.stringify(name)}; there are ${[...known].join(", ")}`);
}

function noObject(options: unknown): never {
  throw new OptionsError(`options: give an object, found ${typeof options}`);
}
