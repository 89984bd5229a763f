"""Byte-pair encoding and training in a few lines of Python that print each step, as `tiktoken._educational` does."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import regex

from wordsplit.compat.missing_names import explain_missing_names
from wordsplit.compat.tiktoken.registry import get_encoding
from wordsplit.errors import OptionsError

if TYPE_CHECKING:
    from wordsplit.compat.tiktoken.core import Encoding

__all__ = ["SimpleBytePairEncoding", "bpe_encode", "bpe_train", "train_simple_encoding", "visualise_tokens"]

explain_missing_names(__name__)

_COLOURS = (167, 179, 185, 77, 80, 68, 134)  # of the terminal's 256
_IN_COLOUR = ("colour", "color")

Pair = tuple[bytes, bytes]


class SimpleBytePairEncoding:
    """Encode and decode by the definition of byte-pair encoding.

    Args:
        pat_str: The regular expression that finds the spans.
        mergeable_ranks: The tokens and their ranks, which are their ids.

    Example:
        >>> from wordsplit.compat.tiktoken._educational import SimpleBytePairEncoding
        >>> enc = SimpleBytePairEncoding.from_tiktoken("gpt2")
        >>> enc.encode("hello world", visualise=None)
        [31373, 995]
        >>> enc.decode([31373, 995])
        'hello world'
    """

    def __init__(self, *, pat_str: str, mergeable_ranks: dict[bytes, int]) -> None:
        self.pat_str = pat_str
        self.mergeable_ranks = mergeable_ranks
        self._decoder = {rank: token for token, rank in mergeable_ranks.items()}
        self._pat = regex.compile(pat_str)

    def encode(self, text: str, visualise: str | None = "colour") -> list[int]:
        """Encode a text; ``visualise`` is as for `bpe_encode`."""
        return [
            token
            for span in self._pat.findall(text)
            for token in bpe_encode(self.mergeable_ranks, span.encode(), visualise=visualise)
        ]

    def decode_bytes(self, tokens: Sequence[int]) -> bytes:
        """Decode ids to bytes."""
        return b"".join(self.decode_tokens_bytes(tokens))

    def decode(self, tokens: Sequence[int]) -> str:
        """Decode ids to text, with U+FFFD for invalid UTF-8."""
        return self.decode_bytes(tokens).decode("utf-8", "replace")

    def decode_tokens_bytes(self, tokens: Sequence[int]) -> list[bytes]:
        """Return the bytes of each id."""
        return [self._decoder[token] for token in tokens]

    @staticmethod
    def train(training_data: str, vocab_size: int, pat_str: str) -> SimpleBytePairEncoding:
        """Train an encoding on a text, and print each step; see `bpe_train`."""
        ranks = bpe_train(data=training_data, vocab_size=vocab_size, pat_str=pat_str)
        return SimpleBytePairEncoding(pat_str=pat_str, mergeable_ranks=ranks)

    @staticmethod
    def from_tiktoken(encoding: str | Encoding) -> SimpleBytePairEncoding:
        """Make one of an encoding, or of its name."""
        found = get_encoding(encoding) if isinstance(encoding, str) else encoding
        return SimpleBytePairEncoding(pat_str=found._pat_str, mergeable_ranks=dict(found._mergeable_ranks))  # noqa: SLF001 - programs read them


def bpe_encode(
    mergeable_ranks: Mapping[bytes, int],
    input: bytes,  # noqa: A002 - as in tiktoken
    visualise: str | None = "colour",
) -> list[int]:
    """Encode a span: merge the adjacent pair that forms the token of the lowest rank, until none forms one.

    Args:
        mergeable_ranks: The ranks of the tokens.
        input: The bytes of the span.
        visualise: How to print the parts before each merge: ``"colour"``, ``"simple"`` or ``None``.

    Raises:
        KeyError: A byte has no token.

    Example:
        >>> from wordsplit.compat.tiktoken._educational import bpe_encode
        >>> bpe_encode({b"a": 0, b"b": 1, b"ab": 2, b"abb": 3}, b"abb", visualise="simple")
        [b'a', b'b', b'b']
        [b'ab', b'b']
        [b'abb']
        <BLANKLINE>
        [3]
    """
    parts = [bytes([byte]) for byte in input]
    while True:
        if visualise in _IN_COLOUR:
            visualise_tokens(parts)
        elif visualise == "simple":
            print(parts)  # noqa: T201 - requested
        found = [
            (mergeable_ranks[left + right], at)
            for at, (left, right) in enumerate(pairwise(parts))
            if left + right in mergeable_ranks
        ]
        if not found:
            break
        _, at = min(found)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    if visualise:
        print()  # noqa: T201 - as above
    return [mergeable_ranks[part] for part in parts]


def bpe_train(data: str, vocab_size: int, pat_str: str, visualise: str | None = "colour") -> dict[bytes, int]:
    """Train on a text: make the most frequent pair a token, the first in the text on a tie, and again.

    Args:
        data: The text.
        vocab_size: The number of tokens, at least the 256 bytes.
        pat_str: The regular expression that finds the spans.
        visualise: How to print each merge and the beginning of the text: ``"colour"``, ``"simple"`` or ``None``.

    Raises:
        OptionsError: ``vocab_size`` is below 256, or the text has too few pairs. (A `ValueError`.)

    Example:
        >>> from wordsplit.compat.tiktoken._educational import bpe_train
        >>> ranks = bpe_train("the cat sat on the mat", 258, r" ?\\w+", visualise=None)
        >>> list(ranks)[256:]
        [b'at', b'th']
    """
    if vocab_size < 256:
        raise OptionsError(f"vocab_size must be at least 256, one for each byte, not {vocab_size}")
    ranks = {bytes([byte]): byte for byte in range(256)}
    spans = regex.findall(pat_str, data)
    words = _Words(spans)
    while len(ranks) < vocab_size:
        pair = words.most_frequent()
        if pair is None:
            raise OptionsError(f"vocab_size={vocab_size}: the text has pairs for {len(ranks)} tokens only")
        token = b"".join(pair)
        ranks[token] = len(ranks)
        words.merge(pair)
        if visualise:
            print(f"Token {ranks[token]} is {token!r}, of {pair[0]!r} and {pair[1]!r}")  # noqa: T201 - requested
            _show(visualise, map(words.parts, spans[:50]))
    return ranks


class _Words:
    """The distinct spans of a text in order, each with its parts, and the spans of each pair."""

    def __init__(self, spans: Iterable[str]) -> None:
        self._counts = Counter(spans)
        self._numbers = {span: number for number, span in enumerate(self._counts)}
        self._times = list(self._counts.values())
        self._parts = [[bytes([byte]) for byte in span.encode()] for span in self._counts]
        self._frequency: Counter[Pair] = Counter()
        self._having: defaultdict[Pair, set[int]] = defaultdict(set)
        for number in range(len(self._parts)):
            self._count(number, 1)

    def parts(self, span: str) -> list[bytes]:
        """Return the parts of a span."""
        return self._parts[self._numbers[span]]

    def most_frequent(self) -> Pair | None:
        """Return the most frequent pair, the first in the text on a tie."""
        most = max(self._frequency.values(), default=0)
        tied = [pair for pair, frequency in self._frequency.items() if frequency == most > 0]
        return min(tied, key=self._place, default=None)

    def merge(self, pair: Pair) -> None:
        """Merge a pair wherever it is."""
        for number in list(self._having[pair]):
            self._count(number, -1)
            self._parts[number] = list(_merged(self._parts[number], pair))
            self._count(number, 1)

    def _place(self, pair: Pair) -> tuple[int, int]:
        number = min(self._having[pair])
        return number, list(pairwise(self._parts[number])).index(pair)

    def _count(self, number: int, sign: int) -> None:
        for pair in pairwise(self._parts[number]):
            self._frequency[pair] += sign * self._times[number]
            (self._having[pair].add if sign > 0 else self._having[pair].discard)(number)


def _merged(parts: Sequence[bytes], pair: Pair) -> Iterator[bytes]:
    at = 0
    while at < len(parts):
        if tuple(parts[at : at + 2]) == pair:
            yield b"".join(pair)
            at += 2
        else:
            yield parts[at]
            at += 1


def _show(how: str, words: Iterable[list[bytes]]) -> None:
    """Print the first spans of a text."""
    if how in _IN_COLOUR:
        print("The first 50 spans of the text:")  # noqa: T201 - requested
        visualise_tokens([token for word in words for token in word])
    elif how == "simple":
        print("The first 20 spans of the text:")  # noqa: T201 - as above
        for word in list(words)[:20]:
            print(word)  # noqa: T201 - as above
    print("\n")  # noqa: T201 - as above


def visualise_tokens(token_values: Iterable[bytes]) -> None:
    """Print tokens on coloured backgrounds, no two neighbours on the same."""
    at, last = 0, None
    for token in token_values:
        text = token.decode("utf-8", "replace")
        number = at % len(_COLOURS)
        if number == last:
            number = (number + 1) % len(_COLOURS)
        print(f"\x1b[48;5;{_COLOURS[number]}m{text}", end="")  # noqa: T201 - what it is for
        last, at = number, at + len(text)
    print("\x1b[0m")  # noqa: T201 - as above


def train_simple_encoding() -> SimpleBytePairEncoding:
    """Train an encoding of 600 tokens on the source of this module, and print how it encodes ``hello world``."""
    pattern = get_encoding("gpt2")._pat_str  # noqa: SLF001 - as above
    enc = SimpleBytePairEncoding.train(Path(__file__).read_text(encoding="utf-8"), vocab_size=600, pat_str=pattern)
    print("The merges that encode 'hello world', in order:")  # noqa: T201 - requested
    enc.encode("hello world")
    return enc
