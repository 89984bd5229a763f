"""The scanners: a spanner for each scheme that has a kernel in ``native/include/wordsplit/scanners``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from wordsplit import hints
from wordsplit.errors import UnsupportedVocabError, WordsplitError
from wordsplit.patterns.schemes import TABLE
from wordsplit.spanners.base import Spanner
from wordsplit.text import is_unicode
from wordsplit.vocab import Split, Vocab

__all__ = ["SCANNERS", "SchemeSpanner", "require_native", "scanner_of"]


class SchemeSpanner(Spanner):
    """A hand-written scanner for exactly one scheme.

    Raises:
        UnsupportedVocabError: The vocab has another pattern.
    """

    scheme: ClassVar[str]

    def __init__(self, vocab: Vocab) -> None:
        super().__init__(vocab)
        require_native()
        if scanner_of(vocab) != self.scheme:
            raise UnsupportedVocabError(
                f"spanner {self.scheme!r} is for another pattern than {vocab.name}'s; use spanner='auto'",
                file=vocab.source,
                field="pre_tokenizer",
            )

    def ends(self, data: bytes) -> Sequence[int]:
        """Return the end offset of every span."""
        return self.finder("best").ends(data)

    def finder(self, simd: str) -> hints.native.SpanFinder:
        """Return the scanner."""
        from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it

        return _native.SpanFinder.of_scheme(self.scheme, simd)


def _scanner(scheme: str, models: str) -> type[SchemeSpanner]:
    doc = f"{models}.\n\nThe kernel and its pattern: ``native/include/wordsplit/scanners/{scheme}.hpp``.\n"
    name = "".join(part.capitalize() for part in scheme.split("_"))
    return type(name, (SchemeSpanner,), {"scheme": scheme, "__doc__": doc, "__module__": __name__})


SCANNERS = {name: _scanner(name, row.models) for name, row in TABLE.items() if row.scanner == name}
"""The spanner of each scheme that has its own scanner."""


def require_native(otherwise: str = "use engine='python' and spanner='regex', which give the same ids slowly") -> None:
    """Raise a clear error if the native module is missing.

    Args:
        otherwise: The alternative without it; empty if there is none.
    """
    try:
        import wordsplit._native  # noqa: F401, PLC0415 - imported here so that there is one message if it is missing
    except ImportError as error:
        # Our own message, or CPython's for interpreters with their own GIL.
        advice = (
            "Use wordsplit in the main interpreter"
            if "subinterpreter" in str(error)
            else "Install wordsplit again, with a C++ compiler (see the README)"
        )
        raise WordsplitError(
            f"wordsplit's native module cannot be imported: {error}. {advice}{otherwise and f', or {otherwise}'}"
        ) from error


def scanner_of(vocab: Vocab) -> str | None:
    """Return the scheme whose scanner splits the vocab's exact pattern; ``None`` if there is none."""
    try:
        from wordsplit import _native  # noqa: PLC0415 - as above
    except ImportError:
        return None
    steps = [step for step in vocab.pre_tokenizer if isinstance(step, Split)]
    if not steps or len(steps) < len(vocab.pre_tokenizer):
        return None
    plain = {"behavior": "isolated", "invert": False, "literal": False, "prefix_space": False, "byte_level": False}
    if any(getattr(step, name) != value for step in steps for name, value in plain.items()):
        return None
    patterns = [step.pattern for step in steps]
    if not all(map(is_unicode, patterns)):  # refused by those that compile it
        return None
    return _native.find_scheme(patterns, any(step.dialect == "tiktoken" for step in steps))
