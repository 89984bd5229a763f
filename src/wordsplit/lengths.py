"""The lengths of encodings, as a tokenizer.json saves them: truncation and padding.

Plain data. `encode` never truncates or pads; methods that create batches take their defaults from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wordsplit.arguments import whole_number
from wordsplit.errors import OptionsError

__all__ = ["DIRECTIONS", "SIZE_BITS", "STRATEGIES", "Padding", "Truncation", "kept_lengths"]

DIRECTIONS = ("right", "left")
STRATEGIES = ("longest_first", "only_first", "only_second")

SIZE_BITS = 64
"""The most bits of the lengths in a tokenizer.json."""
_ID_BITS = 32


@dataclass(frozen=True)
class Padding:
    """Padding settings.

    Attributes:
        length: The length of a row; ``None`` for the longest of a batch.
        pad_to_multiple_of: Pad the rows further, to a multiple of this number; 0 and ``None`` do not.
        pad_id: The id to pad with. It need not be one of the vocab.
        pad_token: The token of that id.
        pad_type_id: The type id of padding.
        direction: The side to pad: ``"right"`` or ``"left"``.

    Raises:
        OptionsError: There is no such direction, or another value is not of its kind.
    """

    length: int | None = None
    pad_to_multiple_of: int | None = None
    pad_id: int = 0
    pad_token: str = "[PAD]"  # noqa: S105 - a token of text
    pad_type_id: int = 0
    direction: str = "right"

    def __post_init__(self) -> None:
        _one_of("direction", self.direction, DIRECTIONS)
        for name in ("length", "pad_to_multiple_of"):
            if getattr(self, name) is not None:
                _make_int(self, name, SIZE_BITS)
        for name in ("pad_id", "pad_type_id"):
            _make_int(self, name, _ID_BITS)
        if not isinstance(self.pad_token, str):
            raise OptionsError(f"pad_token={self.pad_token!r:.100}: give a str")

    def asdict(self) -> dict[str, Any]:
        """Return the fields."""
        return dict(vars(self))


@dataclass(frozen=True)
class Truncation:
    """Truncation settings.

    Attributes:
        max_length: The largest number of ids, with those that are added to every text.
        stride: How many ids each piece that is cut off shares with the one before.
        strategy: Which text of a pair to cut: ``"longest_first"``, ``"only_first"`` or ``"only_second"``.
        direction: The side to cut off: ``"right"`` or ``"left"``.

    Raises:
        OptionsError: There is no such direction or strategy, or another value is not a number.
    """

    max_length: int
    stride: int = 0
    strategy: str = "longest_first"
    direction: str = "right"

    def __post_init__(self) -> None:
        _one_of("direction", self.direction, DIRECTIONS)
        _one_of("strategy", self.strategy, STRATEGIES)
        for name in ("max_length", "stride"):
            _make_int(self, name, SIZE_BITS)

    def asdict(self) -> dict[str, Any]:
        """Return the fields."""
        return dict(vars(self))


def kept_lengths(sizes: Sequence[int], room: int, strategy: str) -> list[int]:
    """Return the number of tokens that each of one or two texts keeps so that together they have at most ``room``.

    Args:
        sizes: How many tokens each has.
        room: How many they may have together.
        strategy: Which text of a pair to cut, see `Truncation`.

    Raises:
        OptionsError: The text to cut has too few tokens, or there is no second one.
    """
    too_many = sum(sizes) - room
    if room and too_many <= 0:
        return list(sizes)
    if room == 0:
        return [0] * len(sizes)
    if strategy == "longest_first":
        return [room] if len(sizes) == 1 else _shared(sizes[0], sizes[1], room)
    at = 0 if strategy == "only_first" else 1
    if at >= len(sizes):
        raise OptionsError("strategy='only_second' needs a pair of texts")
    if sizes[at] <= too_many:
        raise OptionsError(f"the text to truncate has {sizes[at]} tokens, but {too_many} would be cut off")
    return [size - too_many * (i == at) for i, size in enumerate(sizes)]


def _shared(first: int, second: int, room: int) -> list[int]:
    """Return how many tokens each of two texts keeps: as many as fit, cutting the longer one first."""
    short, long = sorted((first, second))
    long = short if short > room else max(short, room - short)
    if short + long > room:
        short = room // 2
        long = short + room % 2
    return [long, short] if first > second else [short, long]


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise OptionsError(f"{name}={value!r}: use one of {', '.join(map(repr, allowed))}")


def _make_int(settings: Padding | Truncation, name: str, bits: int) -> None:
    """Replace an integer of any type, such as NumPy's, by an ``int``."""
    object.__setattr__(settings, name, whole_number(name, getattr(settings, name), 0, bits))
