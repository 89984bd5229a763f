/** The states of several vocabs, for components. */

import { useEffect, useState } from "preact/hooks";
import type { OpenVocab, VocabState } from "./vocabs.js";

/** Returns the states, and renders the component again when one of them changes. */
export function useVocabStates(open: readonly OpenVocab[]): readonly VocabState[] {
  const [states, setStates] = useState<readonly VocabState[]>(() => statesOf(open));
  useEffect(() => {
    const read = (): void => setStates(statesOf(open));
    read();
    const stops = open.map((vocab) => vocab.state.watch(read));
    return () => stops.forEach((stop) => stop());
  }, [open]);
  return states;
}

function statesOf(open: readonly OpenVocab[]): VocabState[] {
  return open.map((vocab) => vocab.state.get());
}
