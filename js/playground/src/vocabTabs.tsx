/** A choice among the open vocabs. */

import type { OpenVocab } from "./engine/vocabs.js";

interface Props {
  label: string;
  open: readonly OpenVocab[];
  chosen: OpenVocab | undefined;
  onChoose(vocab: OpenVocab): void;
}

export function VocabTabs({ label, open, chosen, onChoose }: Props) {
  if (open.length < 2) return null;
  return (
    <fieldset class="segments">
      <legend class="hidden">{label}</legend>
      {open.map((vocab) => (
        <label key={vocab.key}>
          <input type="radio" name={label} checked={vocab === chosen} onChange={() => onChoose(vocab)} />
          <span>{vocab.title}</span>
        </label>
      ))}
    </fieldset>
  );
}
