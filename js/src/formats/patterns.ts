/** Names of patterns and patterns of callers, as the steps of a pre-tokenizer. */

import { UnknownNameError } from "../errors.js";
import { SCHEMES, type Scheme } from "./schemes.js";

/** The names of the schemes, for messages. */
export const SCHEME_NAMES = Object.keys(SCHEMES).join(", ");

/** The scheme of a name. */
export function findScheme(name: string): Scheme | undefined {
  return Object.hasOwn(SCHEMES, name) ? SCHEMES[name] : undefined;
}

/**
 * Returns the steps of a caller's pattern: those of a scheme, or one step with a regular expression.
 *
 * @throws UnknownNameError - it looks like a name (only letters, digits and underscores), but is not a scheme.
 */
export function patternSteps(pattern: string, dialect: Scheme["dialect"]): Scheme {
  const found = findScheme(pattern);
  if (!found && /^[\p{ID_Start}_]\p{ID_Continue}*$/u.test(pattern)) {
    throw new UnknownNameError(`no scheme named "${pattern}" has a scanner. Known: ${SCHEME_NAMES}`);
  }
  return found ?? { patterns: [pattern], dialect };
}
