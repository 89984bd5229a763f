/** The states of several vocabs, for components. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { OpenVocab, VocabState } from "./vocabs.js";

/**
 * Returns the states, and renders the component again when one of them changes. They are always those of the given
 * vocabs, and the same array as long as none has changed.
 */
export function useVocabStates(open: readonly OpenVocab[]): readonly VocabState[] {
  const [, render] = useState({});
  const drawn = useRef<readonly VocabState[]>([]);
  if (!areStatesOf(open, drawn.current)) drawn.current = open.map((vocab) => vocab.state.get());
  useEffect(() => {
    if (!areStatesOf(open, drawn.current)) render({}); // one changed before anything watched it
    const stops = open.map((vocab) => vocab.state.watch(() => render({})));
    return () => stops.forEach((stop) => stop());
  }, [open]);
  return drawn.current;
}

function areStatesOf(open: readonly OpenVocab[], states: readonly VocabState[]): boolean {
  return open.length === states.length && open.every((vocab, i) => vocab.state.get() === states[i]);
}
