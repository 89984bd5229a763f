"""The common part of spanners that follow a vocab's steps: they differ only in how they find the matches of a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from wordsplit.patterns.matches import Matcher
from wordsplit.patterns.steps import Steps
from wordsplit.rules import Split, rewriting_steps
from wordsplit.spanners.base import TextSpanner
from wordsplit.vocab import Vocab

__all__ = ["StepsSpanner"]


class StepsSpanner(TextSpanner):
    """A spanner that runs the steps in order, each within the pieces of the previous one.

    Steps that remove text, or add a space, run before any spanner sees the text; this one runs the steps after them.

    Args:
        vocab: The vocab.
        matcher: Returns the matcher of a step of a source.

    Attributes:
        splits: The steps.
    """

    def __init__(self, vocab: Vocab, matcher: Callable[[Split, str], Matcher]) -> None:
        super().__init__(vocab)
        rest = vocab.pre_tokenizer[rewriting_steps(vocab.pre_tokenizer) :]
        self.splits: list[Split] = [step for step in rest if isinstance(step, Split)]  # all of them
        self._steps = Steps(self.splits, vocab.source, matcher)

    def pieces(self, text: str) -> Iterable[str]:
        """Return the spans of ``text``."""
        return [text[a:b] for a, b in self._steps.bounds(text)]

    def ends(self, data: bytes) -> Sequence[int]:
        """Return the end offset of every span."""
        ends = super().ends(data)
        if not self._steps.on_bytes:
            return ends
        return [end for _, end in self._steps.bounds_of_bytes(data, list(zip([0, *ends], ends, strict=False)))]
