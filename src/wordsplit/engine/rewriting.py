"""The pre-tokenization steps that rewrite text, up to the last such step of a vocab."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

from wordsplit.engine.aligned import AlignedText
from wordsplit.engine.character_tables import CharacterTable, table_of
from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.package import quick_matcher
from wordsplit.patterns.steps import Steps
from wordsplit.rules import Rewrite, Split, Step
from wordsplit.unicode.runs import RunTable
from wordsplit.unicode.segmentation import SCRIPT_RUNS

__all__ = ["Rewriting"]

RewritePiece = Callable[[AlignedText], Iterable[AlignedText]]


class Rewriting:
    """Compiled steps.

    Args:
        steps: The steps.
        source: The name of the vocab's source, for errors.

    Attributes:
        needs_ranges: Whether the result depends on where in the original a piece begins.
        spells_bytes: Whether the last steps work on bytes, so that pieces are in the byte-level alphabet.

    Raises:
        UnsupportedVocabError: A step is unknown, or its pattern does not compile.
    """

    def __init__(self, steps: Sequence[Step], source: str) -> None:
        on_bytes = [isinstance(step, Split) and step.byte_level for step in steps]
        self.spells_bytes: bool = any(on_bytes)
        if on_bytes != sorted(on_bytes):
            raise UnsupportedVocabError(
                "a step that sees text after one that sees bytes", file=source, field="pre_tokenizer"
            )
        self.needs_ranges: bool = any(isinstance(step, Rewrite) and step.prepend == "first" for step in steps)
        self._functions = [_function(step, source) for step in steps]
        if self.spells_bytes:
            self._functions.insert(on_bytes.index(True), _spelled)

    def pieces(self, text: AlignedText) -> list[AlignedText]:
        """Return the pieces of a text that is not empty."""
        pieces = [text]
        for function in self._functions:
            pieces = [new for piece in pieces for new in function(piece)]
        return pieces


def _function(step: Step, source: str) -> RewritePiece:
    if isinstance(step, Split):
        return _splitting(step, source)
    if step.kind == "metaspace":
        return _metaspace(step)
    try:
        return _PLAIN[step.kind]
    except KeyError:
        known = ", ".join(["metaspace", *_PLAIN])
        raise UnsupportedVocabError(
            f"pre-tokenization {step.kind!r} (known: {known})", file=source, field="pre_tokenizer"
        ) from None


def _splitting(step: Split, source: str) -> RewritePiece:
    bounds = Steps([replace(step, byte_level=False)], source, quick_matcher).bounds

    def split(piece: AlignedText) -> list[AlignedText]:
        if step.prefix_space and not piece.text.startswith(" "):
            piece = piece.prepended(" ")
        return [piece.part(start, end) for start, end in bounds(piece.text)]

    return split


def _metaspace(step: Rewrite) -> RewritePiece:
    table = CharacterTable(lambda char: step.replacement if char == " " else char)

    def write(piece: AlignedText) -> list[AlignedText]:
        piece = piece.translated(table)
        prepends = step.prepend == "always" or (step.prepend == "first" and piece.start == 0)
        if prepends and not piece.text.startswith(step.replacement):
            piece = piece.prepended(step.replacement)
        return [piece]

    return write


def _spelled(piece: AlignedText) -> list[AlignedText]:
    return [piece.translated(table_of("byte_level"))]


@cache
def _scripts() -> RunTable:
    return RunTable(SCRIPT_RUNS)


def _by_script(piece: AlignedText) -> list[AlignedText]:
    script_of, last = _scripts(), 0
    starts: list[int] = []
    for at, char in enumerate(piece.text):
        script = script_of[char]
        if script and script != last:
            starts.append(at)
            last = script
    ends = [*starts[1:], len(piece.text)]
    return [piece.part(start, end) for start, end in zip(starts, ends, strict=False)]


_PLAIN: dict[str, RewritePiece] = {"byte_level": _spelled, "unicode_scripts": _by_script}
