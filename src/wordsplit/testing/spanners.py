"""Check a spanner against its pattern, on all short strings that the pattern can distinguish."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product

from wordsplit import spanners
from wordsplit.patterns.schemes import SCHEMES, scheme_steps
from wordsplit.rules import Split
from wordsplit.spanners import Spanner
from wordsplit.testing.cells import representatives
from wordsplit.testing.shortest import shortest
from wordsplit.vocab import Vocab

__all__ = ["check_spanner", "steps_of"]

_INVALID = "\udcff"  # stands for a byte that is not UTF-8
# Characters that Python functions and programmers distinguish, even if a pattern does not.
_SPECIAL_CHARACTERS = (
    "\0\t\n\v\f\r\x1c\x1f\x85\xa0\u2028\u200b\ufeff aAsSzZ019_-.'/\u00e9\u017f\u0301\u0663\u4e2d\U0001f600"
)
_LONGER = 2000


def steps_of(pattern: str | Iterable[Split]) -> tuple[Split, ...]:
    r"""Return the steps of a scheme's name or a pattern; steps are returned unchanged.

    Raises:
        UnknownNameError: The pattern looks like a scheme's name, but is not one.

    Example:
        >>> [(step.pattern, step.behavior) for step in steps_of(r"\w+|\W+")]
        [('\\w+|\\W+', 'isolated')]
    """
    if not isinstance(pattern, str):
        return tuple(pattern)
    return scheme_steps(pattern) if pattern in SCHEMES or pattern.isidentifier() else (Split(pattern),)


def check_spanner(
    spanner: str | type[Spanner] | Spanner,
    pattern: str | Iterable[Split],
    *,
    length: int = 4,
    alphabet: Iterable[str] | None = None,
) -> int:
    r"""Compare a spanner with the ``regex`` spanner for a pattern.

    Compares all strings of up to ``length`` characters of the alphabet, then random longer ones.

    Args:
        spanner: A registered name, a class, or an instance.
        pattern: A pattern, a scheme's name, or the steps of a vocab: ``vocab.pre_tokenizer``.
        length: The length up to which all strings are tried.
        alphabet: Their characters. If ``None``: one of each cell of the pattern (see `cells`) for strings of that
            length, three of each for shorter ones, a byte that is not UTF-8, and, for the shortest and the random
            strings, characters that programs often treat as special.

    Returns:
        The number of strings compared.

    Raises:
        AssertionError: The spanner differs; the message has the shortest string found on which it does.
        UnknownNameError: There is no spanner or scheme of that name.
        UnsupportedVocabError: The spanner, if given by name or class, refuses the pattern.

    Example:
        >>> from wordsplit.spanners import TextSpanner
        >>> class Lines(TextSpanner):
        ...     def pieces(self, text):
        ...         return text.splitlines(keepends=True)
        >>> check_spanner(Lines, r"[^\n]*\n|[^\n]+")
        Traceback (most recent call last):
        AssertionError: Lines splits '\x0b\x00' into ['\x0b', '\x00'], and the pattern into ['\x0b\x00']
    """
    steps = steps_of(pattern)
    vocab = Vocab(name="bytes", tokens={b: bytes([b]) for b in range(256)}, pre_tokenizer=steps)
    checked = _built(spanner, vocab)
    reference = spanners.get("regex")(vocab)

    def differs(text: str) -> bool:
        data = _bytes(text)
        return _ends(checked, data) != list(reference.ends(data))

    count = 0
    for text in _texts(steps, length, alphabet):
        count += 1
        if differs(text):
            least = shortest(text, differs)
            ours, theirs = (_shown(part, least) for part in (checked, reference))
            raise AssertionError(
                f"{type(checked).__name__} splits {least!a} into {ours}, and the pattern into {theirs}"
            )
    return count


def _built(spanner: str | type[Spanner] | Spanner, vocab: Vocab) -> Spanner:
    if isinstance(spanner, Spanner):
        return spanner
    return (spanners.get(spanner) if isinstance(spanner, str) else spanner)(vocab)


def _texts(steps: Sequence[Split], length: int, alphabet: Iterable[str] | None) -> Iterator[str]:
    if alphabet is None:
        short, deep = ([*representatives(steps, per_cell), _INVALID] for per_cell in (3, 1))
        wide = [*short, *_SPECIAL_CHARACTERS]
    else:
        wide = short = deep = list(alphabet)
    for size in range(1, length + 1):
        chars = deep if size == length else short if size > 2 else wide
        yield from map("".join, product(chars, repeat=size))
    rng = random.Random(length)  # noqa: S311 - random texts
    for _ in range(
        _LONGER
    ):  # of few characters each, some in runs, to find errors in code that handles blocks of bytes
        some = rng.choices(wide, k=rng.randint(1, 9))
        yield "".join(rng.choice(some) * rng.choice((1, 1, 1, 2, 40)) for _ in range(rng.randint(1, 60)))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _ends(spanner: Spanner, data: bytes) -> list[int] | str:
    try:
        return list(spanner.ends(data))
    except Exception as error:  # noqa: BLE001 - any error is a difference
        return f"{type(error).__name__}: {error}"


def _shown(spanner: Spanner, text: str) -> str:
    data = _bytes(text)
    ends = _ends(spanner, data)
    if isinstance(ends, str):
        return ends
    if ends != sorted(set(ends)) or ends[-1:] != [len(data)]:
        return f"ends {ends} that do not tile it"
    return ascii([data[start:end].decode("utf-8", "surrogateescape") for start, end in pairwise([0, *ends])])
