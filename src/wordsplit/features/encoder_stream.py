"""Keep the ids of a text that grows.

The ids of the text before the last cut (`wordsplit.features.cuts`) never change, so an append encodes only the text
after it, which is usually one word. A text without cuts, such as with a vocab of an unknown pattern, is encoded as a
whole each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wordsplit.errors import InputTypeError
from wordsplit.features.cuts import Cuts
from wordsplit.features.segments import bare
from wordsplit.text import Special

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.engine.inputs import Inputs

__all__ = ["Appended", "EncoderStream", "Stable", "open_stream"]


class Appended(NamedTuple):
    """The change made by an append: the new ids are ``old_ids[:kept] + ids``.

    Attributes:
        kept: The number of leading ids that did not change.
        ids: The ids after those.
    """

    kept: int
    ids: list[int]


class Stable(NamedTuple):
    """The part of the ids and the text that no append can change.

    Attributes:
        ids: The number of ids, from the first.
        chars: The number of characters that they cover.
    """

    ids: int
    chars: int


class EncoderStream:
    """The ids of a text that grows, from `Tokenizer.encoder_stream`; use it in one thread at a time.

    `copy.copy` returns an independent stream in the same state, for texts that continue in several ways. A stream
    cannot be pickled.

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
        self._encode = encode  # encodes a part of the text, without prefix and suffix
        self._cuts = cuts
        self._suffix = list(suffix)
        self._ids = [*prefix, *suffix]
        self._stable = len(prefix)
        self._tail = ""
        self._begin = 0  # of the tail
        self._chars = 0

    def append(self, text: str) -> Appended:
        """Append to the text.

        Args:
            text: Any part of a text. It may end within a combined character, a word or a special token.

        Raises:
            SpecialTokenError: As for `Tokenizer.encode`. The text is not appended then.
            InvalidTextError: Likewise.
            UnknownTokenError: Likewise.
        """
        if not isinstance(text, str):
            raise InputTypeError(f"append takes str, not {type(text).__name__}: decode bytes as they arrive")
        tail = self._tail + text
        cut = self._cuts.last(tail) or 0
        begin = self._cuts.begin(cut)
        head = self._encode(tail[:cut]) if cut else []
        ids = head + self._encode(tail[begin:]) + self._suffix
        if cut:
            self._chars = self._begin + cut
            self._begin += begin
            tail = tail[begin:]
        before = self._ids[self._stable :]
        same = next((at for at, (i, k) in enumerate(zip(before, ids, strict=False)) if i != k), None)
        kept = self._stable + (min(len(before), len(ids)) if same is None else same)
        self._ids[self._stable :] = ids
        self._stable += len(head)
        self._tail = tail
        return Appended(kept, self._ids[kept:])

    @property
    def ids(self) -> list[int]:
        """The ids of the whole text, as from `Tokenizer.encode` (a new list each time)."""
        return self._ids.copy()

    @property
    def stable(self) -> Stable:
        """The part that no append can change.

        It is everything before the last cut. More may in fact be stable, but never less.
        """
        return Stable(self._stable, self._chars)

    def __copy__(self) -> EncoderStream:
        twin = object.__new__(EncoderStream)
        twin.__dict__.update(self.__dict__, _ids=self._ids.copy())
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> EncoderStream:
        return self.__copy__()  # the rest is immutable

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("an EncoderStream cannot be pickled: pickle the text, and append it to a new encoder_stream()")

    def __len__(self) -> int:
        """Return the number of ids of the whole text."""
        return len(self._ids)

    def __repr__(self) -> str:
        return f"<EncoderStream: {len(self._ids)} ids, {self._stable} of them stable>"


def open_stream(engine: Engine, cuts: Cuts, inputs: Inputs, special: Special) -> EncoderStream:
    """See `Tokenizer.encoder_stream`."""
    as_text = inputs.as_text(special)

    def encode(text: str) -> list[int]:
        return bare(engine, engine.encode(inputs.checked(text, special), as_text))

    return EncoderStream(encode, cuts, engine.prefix, engine.suffix)
