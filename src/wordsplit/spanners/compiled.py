"""Any pattern that an automaton expresses. The native core runs the automata; the Python is the specification.

The pattern of each step is compiled to a `wordsplit.patterns.automaton.SpanAutomaton`, which takes one step for each
character of a text, whatever the pattern; or two, if it looks ahead by several characters.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from wordsplit import hints
from wordsplit.byte_level import to_byte_level
from wordsplit.errors import UnsupportedVocabError
from wordsplit.model import ByteLevelBPE
from wordsplit.patterns.automaton import LookaheadAutomaton
from wordsplit.patterns.compiled import automaton_of, compiled_matcher, runs_of
from wordsplit.rules import Split
from wordsplit.spanners.steps import StepsSpanner
from wordsplit.vocab import Vocab

__all__ = ["CompiledSpanner", "can_compile", "native_step", "obstacle"]

_NONE = Split("(?!)")  # matches nothing


class CompiledSpanner(StepsSpanner):
    """A spanner for any pattern that an automaton expresses.

    Raises:
        UnsupportedVocabError: A pattern is invalid, or there is no automaton for it, or only one that is too large. The
            message names the construct.

    Example:
        >>> import wordsplit
        >>> wordsplit.load_tokenizer("cl100k_base", spanner="compiled").spans("It's 2024 already")
        ['It', "'s", ' ', '202', '4', ' already']
    """

    def __init__(self, vocab: Vocab) -> None:
        super().__init__(vocab, compiled_matcher)

    def finder(self, simd: str) -> hints.native.SpanFinder | None:
        """Return the automata; ``None`` in pure-Python builds, and for character models without steps.

        The core has cuts for these. For others without steps, the whole text is a span.
        """
        splits = tuple(self.splits) or ((_NONE,) if isinstance(self.vocab.model, ByteLevelBPE) else ())
        return _finder(splits, self.vocab.source, simd)

    def ends(self, data: bytes) -> Sequence[int]:
        """Return the end offset of every span."""
        finder = self.finder("best")
        return self.ends_in_python(data) if finder is None else finder.ends(data)

    def ends_in_python(self, data: bytes) -> Sequence[int]:
        """Return the same, by the specification."""
        return super().ends(data)


def can_compile(vocab: Vocab) -> bool:
    """Return whether the core finds a vocab's spans with automata."""
    try:
        return CompiledSpanner(vocab).finder("best") is not None
    except UnsupportedVocabError:
        return False


def obstacle(vocab: Vocab) -> str | None:
    """Return why a vocab's patterns are not compiled; ``None`` if they are."""
    try:
        CompiledSpanner(vocab)
    except UnsupportedVocabError as error:
        return str(error)
    return None


@lru_cache(maxsize=64)
def _finder(splits: tuple[Split, ...], source: str, simd: str) -> hints.native.SpanFinder | None:
    try:
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it
    except ImportError:
        return None
    if not splits:
        return None
    return _native.SpanFinder.of_steps([native_step(split, source, simd) for split in splits])


def native_step(split: Split, source: str, simd: str) -> hints.native.SplitStep:
    """Return the automaton of a step for the core.

    Args:
        split: The step, which removes nothing.
        source: The name of the vocab's source, for errors.
        simd: The SIMD instructions to use.

    Raises:
        UnsupportedVocabError: See `wordsplit.patterns.compiled.automaton_of`.
    """
    from wordsplit import _native  # noqa: PLC0415 - as above

    # Isolated runs of matches are what joined matches are, and the core is faster with them.
    runs = runs_of(split, source) if split.behavior == "contiguous" else None
    made = automaton_of(split, source) if runs is None else runs
    spans = made.spans if isinstance(made, LookaheadAutomaton) else made
    ahead = (made.classes, made.back.tobytes(), made.symbol) if isinstance(made, LookaheadAutomaton) else ()
    first, label = _of_bytes(made.first, made.label) if split.byte_level else (made.first, made.label)
    return _native.SplitStep(
        first.tobytes(),
        label,
        spans.classes,
        spans.starts.tobytes(),
        spans.next.tobytes(),
        split.behavior if runs is None else "isolated",
        split.invert,
        split.byte_level,
        simd,
        *ahead,
    )


def _of_bytes(first: array[int], label: bytes) -> tuple[array[int], bytes]:
    """Return the classes of the 256 bytes, as code points of the same numbers: those of the letters that spell them."""
    letters = to_byte_level(bytes(range(256)))
    return array(first.typecode, range(256)), bytes(label[bisect_right(first, ord(each)) - 1] for each in letters)


plugin = CompiledSpanner
