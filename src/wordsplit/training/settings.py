"""The checked settings of a training run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from wordsplit.arguments import whole_number
from wordsplit.cores import cores
from wordsplit.errors import OptionsError
from wordsplit.patterns.schemes import SCHEMES, pattern_steps
from wordsplit.text import each, is_unicode
from wordsplit.vocab import AddedToken, Normalize, Rewrite, Split, Vocab

__all__ = ["Settings", "literals_of", "steps_of"]

_TIE_BREAKS = ("ids", "lexicographic")
_COUNTS = ("occurrences", "spans")
_COMPATS = (None, "tokenizers")
_LEAST_MEMORY = 16 << 20


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The checked arguments of `BpeTrainer`; see there.

    Raises:
        OptionsError: An argument has an invalid value.
    """

    vocab_size: int
    steps: tuple[Split | Rewrite, ...]
    special_tokens: tuple[str, ...]
    min_frequency: int
    max_token_bytes: int | None
    tie_break: str
    count: str
    compat: str | None
    normalizer: str | tuple[Normalize, ...] | None
    threads: int
    memory_limit: int
    name: str

    def __post_init__(self) -> None:
        _one_of("tie_break", self.tie_break, _TIE_BREAKS)
        _one_of("count", self.count, _COUNTS)
        _one_of("compat", self.compat, _COMPATS)
        if self.compat and (self.tie_break, self.count) != ("ids", "occurrences"):
            raise OptionsError(f"compat={self.compat!r} goes with tie_break='ids' and count='occurrences'")
        self._at_least("vocab_size", 256 + len(self.special_tokens), "256 bytes and the special tokens")
        self._at_least("min_frequency", 0)
        if self.max_token_bytes is not None:
            self._at_least("max_token_bytes", 1)
        self._at_least("threads", 1)
        self._at_least("memory_limit", _LEAST_MEMORY, f"{_LEAST_MEMORY >> 20} MiB, in bytes")
        if not isinstance(self.name, str):
            raise OptionsError(f"name={self.name!r:.100}: give a string")

    def _at_least(self, field: str, least: int, why: str = "") -> None:
        """Check a number, and keep it as an integer of Python, which JSON and the native module take."""
        number = whole_number(field, getattr(self, field), least, 63, why=why)
        object.__setattr__(self, field, number)  # the dataclass is frozen

    @property
    def n_merges(self) -> int:
        """The number of merges that fit into the vocab size."""
        return self.vocab_size - 256 - len(self.special_tokens)

    @property
    def cutting(self) -> tuple[str, ...]:
        """The special tokens at which training texts are split; they are not counted themselves."""
        return () if self.compat else self.special_tokens

    def byte_vocab(self) -> Vocab:
        """Return a vocab of single bytes that splits texts as the trained one will."""
        return Vocab(
            name=self.name,
            tokens={byte: bytes([byte]) for byte in range(256)},
            merges=(),
            pre_tokenizer=self.steps,
            normalizer=self.normalizer,
            added_tokens=[AddedToken(literal, 256 + at) for at, literal in enumerate(self.cutting)],
        )


def steps_of(pattern: str | Split | Sequence[Split]) -> tuple[Split, ...]:
    """Return the steps for ``pattern``: a scheme's name, a regular expression, or steps.

    Raises:
        OptionsError: It is none of these.
    """
    if isinstance(pattern, str):
        return pattern_steps(pattern) if pattern else ()
    steps: tuple[Any, ...] = tuple(pattern) if isinstance(pattern, Sequence) else (pattern,)
    if not all(isinstance(step, Split) for step in steps):
        raise OptionsError(
            f"pattern={pattern!r}: give a scheme's name ({', '.join(SCHEMES)}), a regular expression, or Split steps"
        )
    return steps


def normalizer_of(normalizer: str | Normalize | Sequence[Normalize] | None) -> str | tuple[Normalize, ...] | None:
    """Return ``normalizer`` with its steps in a tuple.

    Raises:
        OptionsError: It is neither a name nor steps.
    """
    if normalizer is None or isinstance(normalizer, str):
        return normalizer
    steps: tuple[Any, ...] = tuple(normalizer) if isinstance(normalizer, Sequence) else (normalizer,)
    if not all(isinstance(step, Normalize) for step in steps):
        raise OptionsError(f"normalizer={normalizer!r:.100}: give 'nfc', None, or Normalize steps")
    return steps


def literals_of(special_tokens: Iterable[str]) -> tuple[str, ...]:
    """Return special tokens as a tuple.

    Raises:
        OptionsError: One is empty, is not text, or occurs twice; or the argument is a single string.
        InputTypeError: The argument is not iterable.
    """
    if isinstance(special_tokens, (str, bytes)):
        raise OptionsError(f"special_tokens={special_tokens!r}: give a list of literals, such as [{special_tokens!r}]")
    literals: tuple[Any, ...] = tuple(each(special_tokens, "literals"))
    for literal in literals:
        if not isinstance(literal, str) or not literal or not is_unicode(literal):
            raise OptionsError(
                f"special_tokens: {literal!r} is not a literal; give text that is not empty, in valid Unicode"
            )
    if len(set(literals)) < len(literals):
        twice = next(literal for at, literal in enumerate(literals) if literal in literals[:at])
        raise OptionsError(f"special_tokens: {twice!r} occurs twice")
    return literals


def threads_of(threads: int | None) -> int:
    """Return the number of threads; by default one per core."""
    return threads if threads is not None else cores()


def _one_of(name: str, value: object, known: Sequence[object]) -> None:
    if value not in known:
        raise OptionsError(f"{name}={value!r}: give one of {', '.join(map(repr, known))}")
