/** The messages of errors about vocabs that are not supported here. */

/** Advice for a vocab that cannot be read from this file. */
export const COMPILE_IT = "the Python package supports it, and its `wordsplit compile` may make a .ws file that this one reads";
