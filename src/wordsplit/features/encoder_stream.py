"""The ids of a text that grows.

What stands before the last cut (`wordsplit.features.cuts`) keeps its ids whatever is appended, so only what stands
behind it, a word for the most part, is encoded again. A text without cuts, as of a vocab about whose pattern nothing
is known, is encoded as a whole each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from wordsplit.errors import InputTypeError
from wordsplit.features.cuts import Cuts
from wordsplit.features.segments import bare
from wordsplit.text import Special

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.engine.inputs import Inputs

__all__ = ["Appended", "EncoderStream", "Stable", "open_stream"]


class Appended(NamedTuple):
    """What an append has changed: the ids are now ``ids[:kept]`` of those before, and these.

    Attributes:
        kept: How many ids, from the first, are as they were.
        ids: Those that follow.
    """

    kept: int
    ids: list[int]


class Stable(NamedTuple):
    """What can never change, whatever is appended.

    Attributes:
        ids: How many ids, from the first.
        chars: How many characters of the text they are for.
    """

    ids: int
    chars: int


class EncoderStream:
    """The ids of a text that grows. Made by `Tokenizer.encoder_stream`; for one thread at a time.

    Example:
        >>> import wordsplit
        >>> stream = wordsplit.load_tokenizer("qwen3").encoder_stream()
        >>> stream.append("Hello, wor")
        Appended(kept=0, ids=[9707, 11, 4099])
        >>> stream.append("ld")
        Appended(kept=2, ids=[1879])
        >>> stream.ids, stream.stable
        ([9707, 11, 1879], Stable(ids=2, chars=6))
    """

    def __init__(
        self, encode: Callable[[str], list[int]], cuts: Cuts, prefix: Sequence[int], suffix: Sequence[int]
    ) -> None:
        self._encode = encode  # of a part of the text, to ids without prefix and suffix
        self._cuts = cuts
        self._suffix = list(suffix)
        self._ids = [*prefix, *suffix]
        self._stable = len(prefix)
        self._tail = ""
        self._chars = 0

    def append(self, text: str) -> Appended:
        """Append to the text.

        Args:
            text: Any part of a text; it may end within what is one character, one word, one special token.

        Raises:
            SpecialTokenError: As `Tokenizer.encode` does; nothing has been appended then.
            InvalidTextError: So too.
            UnknownTokenError: So too.
        """
        if not isinstance(text, str):
            raise InputTypeError(f"append takes str, not {type(text).__name__}: decode bytes as they come")
        tail = self._tail + text
        cut = self._cuts.last(tail)
        head = [] if cut is None else self._encode(tail[:cut])
        ids = head + self._encode(tail if cut is None else tail[cut:]) + self._suffix
        if cut is not None:
            self._chars += cut
            tail = tail[cut:]
        before = self._ids[self._stable :]
        same = next((at for at, (i, k) in enumerate(zip(before, ids, strict=False)) if i != k), None)
        kept = self._stable + (min(len(before), len(ids)) if same is None else same)
        self._ids[self._stable :] = ids
        self._stable += len(head)
        self._tail = tail
        return Appended(kept, self._ids[kept:])

    @property
    def ids(self) -> list[int]:
        """The ids of the whole text, as `Tokenizer.encode` gives them (a new list each time)."""
        return self._ids.copy()

    @property
    def stable(self) -> Stable:
        """What can never change, whatever is appended.

        It is what precedes the last cut: sometimes less than could be known, never more.
        """
        return Stable(self._stable, self._chars)

    def __len__(self) -> int:
        """How many ids the whole text has."""
        return len(self._ids)

    def __repr__(self) -> str:
        return f"<EncoderStream: {len(self._ids)} ids, {self._stable} of them stable>"


def open_stream(engine: Engine, cuts: Cuts, inputs: Inputs, special: Special) -> EncoderStream:
    """See `Tokenizer.encoder_stream`."""
    as_text = inputs.as_text(special)

    def encode(text: str) -> list[int]:
        return bare(engine, engine.encode(inputs.checked(text, special), as_text))

    return EncoderStream(encode, cuts, engine.prefix, engine.suffix)
