"""How long encodings shall be, as a tokenizer.json saves it: truncation and padding.

Plain data. `encode` never truncates or pads; methods that make batches take what a call leaves out from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wordsplit.errors import OptionsError

__all__ = ["DIRECTIONS", "STRATEGIES", "Padding", "Truncation"]

DIRECTIONS = ("right", "left")
STRATEGIES = ("longest_first", "only_first", "only_second")


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
        OptionsError: The direction is none.
    """

    length: int | None = None
    pad_to_multiple_of: int | None = None
    pad_id: int = 0
    pad_token: str = "[PAD]"  # noqa: S105 - a token of text
    pad_type_id: int = 0
    direction: str = "right"

    def __post_init__(self) -> None:
        _one_of("direction", self.direction, DIRECTIONS)

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
        OptionsError: There is no such direction or strategy.
    """

    max_length: int
    stride: int = 0
    strategy: str = "longest_first"
    direction: str = "right"

    def __post_init__(self) -> None:
        _one_of("direction", self.direction, DIRECTIONS)
        _one_of("strategy", self.strategy, STRATEGIES)

    def asdict(self) -> dict[str, Any]:
        """Return the fields."""
        return dict(vars(self))


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise OptionsError(f"{name}={value!r}: use one of {', '.join(map(repr, allowed))}")
