"""Strings that record which of their characters the template itself wrote.

A chat template joins its own text, in which ``<|im_end|>`` is a control token, with messages, in which the same
characters are text. A `Written` string behaves as plain text in tests, comparisons and look-ups. When it is printed or
joined to other text, its control tokens are framed with a nonce: sixteen random bytes, new for each rendering. No
message can contain the nonce, and no filter can derive it from a message. So in the output a framed literal is the
template's, and any other literal is text. A frame that was split is an error; a frame whose content is no longer
the literal is text.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from itertools import pairwise
from typing import Any, NamedTuple, SupportsIndex, cast

from wordsplit.errors import ChatTemplateError

__all__ = [
    "BEGIN",
    "END",
    "LEFT",
    "NONCE",
    "RIGHT",
    "ROLE",
    "TEXT",
    "TOKEN",
    "Segment",
    "Written",
    "framed_end",
    "new_nonce",
    "segments_of",
    "whole",
    "written",
]

NONCE: ContextVar[str] = ContextVar("wordsplit_chat_nonce")
# The kinds of segments: digits, because changes of case do not affect them.
TEXT = ""
TOKEN = "1"  # noqa: S105 - the literal of an added token that the template wrote
ROLE = "2"  # a role, from which a template may build a token
LEFT, RIGHT = "3", "4"  # the text next to a role, where the three together may be a literal
BEGIN, END = "5", "6"  # the ends of a {% generation %} block


class Segment(NamedTuple):
    """A part of a template's output.

    Attributes:
        kind: The kind: `TEXT`, `TOKEN`, and so on.
        text: Its text.
    """

    kind: str
    text: str


def new_nonce() -> str:
    """Return eight private-use characters that cannot be guessed."""
    data = secrets.token_bytes(16)
    return "".join(chr(0x100000 | data[at] << 8 | data[at + 1]) for at in range(0, 16, 2))


def segments_of(text: str) -> list[Segment]:
    """Split a text with frames into segments.

    Raises:
        ChatTemplateError: A frame was split.
    """
    parts = text.split(NONCE.get())
    out = [Segment(TEXT, parts[0])] if parts[0] else []
    if len(parts) % 2 == 0:
        raise _cut_apart()
    for inner, outer in zip(parts[1::2], parts[2::2], strict=True):
        if not TOKEN <= inner[:1] <= END or outer[:1] != ".":
            raise _cut_apart()
        out.append(Segment(inner[0], inner[1:]))
        if len(outer) > 1:
            out.append(Segment(TEXT, outer[1:]))
    return out


def whole(segments: list[Segment]) -> list[Segment]:
    """Return the segments, after checking that they contain no part of a frame.

    Raises:
        ChatTemplateError: They contain one.
    """
    nonce = NONCE.get()
    for _, text in segments:
        if not text.isascii() and any(a + b in text for a, b in pairwise(nonce)):
            raise _cut_apart()
    return segments


def framed_end(text: str, at: int) -> int:
    """Return the end of the control token that begins at ``at`` in a text with frames; ``at`` if there is none."""
    nonce = NONCE.get()
    if not text.startswith(nonce + TOKEN, at):
        return at
    return text.index(nonce, at + len(nonce)) + len(nonce) + 1


def written(text: str) -> str:
    """Return a text with frames as a `Written`, any other text unchanged."""
    return Written(segments_of(text)) if NONCE.get() in text else text


class Written(str):
    """A string with parts that the template wrote. Its value is the plain text; `str` of it has frames.

    Args:
        segments: Its parts.
    """

    __slots__ = ("segments",)
    segments: tuple[Segment, ...]

    def __new__(cls, segments: Iterable[Segment]) -> Written:  # noqa: PYI034 - typing.Self is Python 3.11's
        """Create the string of these segments."""
        segments = tuple(segments)
        self = super().__new__(cls, "".join([segment.text for segment in segments]))
        self.segments = segments
        return self

    @property
    def plain(self) -> str:
        """The text without frames."""
        return "".join([segment.text for segment in self.segments])

    def __str__(self) -> str:
        nonce = NONCE.get()
        return "".join([f"{nonce}{kind}{text}{nonce}." if kind else text for kind, text in self.segments])

    def __format__(self, spec: str) -> str:
        return str(self._within(format("\x00" * len(self), spec)))

    def __add__(self, other: str) -> str:
        return Written((*self.segments, *_segments(other)))

    def __radd__(self, other: str) -> str:
        return Written((*_segments(other), *self.segments))

    def __mul__(self, times: SupportsIndex) -> str:
        return Written(self.segments * times.__index__())

    __rmul__ = __mul__

    def __mod__(self, values: Any) -> str:
        return str.__mod__(str(self), values)

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        if not isinstance(key, slice):
            return self.plain[key]
        start, stop, step = key.indices(len(self))
        return self.part(start, max(start, stop)) if step == 1 else self.plain[key]

    def changed(self, text: str) -> str:
        """Return a text of the same length with these segments; of another length, as plain text."""
        if len(text) != len(self):
            return text
        out: list[Segment] = []
        at = 0
        for kind, part in self.segments:
            out.append(Segment(kind, text[at : at + len(part)]))
            at += len(part)
        return Written(out)

    # Padding.

    def _within(self, padded: str) -> str:
        """Pad, or cut, as was done to a string of NULs of the same length."""
        right = padded.rfind("\x00") + 1 or len(padded)
        left = right - padded.count("\x00")
        return padded[:left] + self.part(0, right - left) + padded[right:]

    def center(self, width: SupportsIndex, fill: str = " ", /) -> str:
        """See `str.center`."""
        return self._within(("\x00" * len(self)).center(width, fill))

    def ljust(self, width: SupportsIndex, fill: str = " ", /) -> str:
        """See `str.ljust`."""
        return self._within(("\x00" * len(self)).ljust(width, fill))

    def rjust(self, width: SupportsIndex, fill: str = " ", /) -> str:
        """See `str.rjust`."""
        return self._within(("\x00" * len(self)).rjust(width, fill))

    def zfill(self, width: SupportsIndex, /) -> str:
        """See `str.zfill`."""
        sign = 1 if self.plain[:1] in {"+", "-"} else 0
        return self.part(0, sign) + "0" * (width.__index__() - len(self)) + self.part(sign, len(self))

    # Parts keep their frames, except frames that are split.

    def part(self, start: int, stop: int) -> Written:
        """Return the characters from ``start`` to ``stop``."""
        out: list[Segment] = []
        at = 0
        for kind, text in self.segments:
            end = at + len(text)
            if start <= at and end <= stop:
                out.append(Segment(kind, text))
            elif at < stop and start < end:
                out.append(Segment(TEXT, text[max(start - at, 0) : stop - at]))
            at = end
        return Written(out)

    def _parts(self, parts: Sequence[str], between: int | None) -> list[str]:
        """Return parts of the plain text in order: ``between`` characters apart, or each at its next occurrence."""
        out: list[str] = []
        at = 0
        for part in parts:
            start = self.plain.index(part, at) if between is None else at
            at = start + len(part) + (between or 0)
            out.append(self.part(start, start + len(part)))
        return out

    def _last(self, count: int) -> str:
        return self.part(len(self) - count, len(self))

    def strip(self, chars: str | None = None, /) -> str:
        """See `str.strip`."""
        start = len(self) - len(self.plain.lstrip(chars))
        return self.part(start, start + len(self.plain.strip(chars)))

    def lstrip(self, chars: str | None = None, /) -> str:
        """See `str.lstrip`."""
        return self._last(len(self.plain.lstrip(chars)))

    def rstrip(self, chars: str | None = None, /) -> str:
        """See `str.rstrip`."""
        return self.part(0, len(self.plain.rstrip(chars)))

    def removeprefix(self, prefix: str, /) -> str:
        """See `str.removeprefix`."""
        return self._last(len(self.plain.removeprefix(prefix)))

    def removesuffix(self, suffix: str, /) -> str:
        """See `str.removesuffix`."""
        return self.part(0, len(self.plain.removesuffix(suffix)))

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """See `str.split`."""
        return self._parts(self.plain.split(sep, maxsplit), None if sep is None else len(sep))

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """See `str.rsplit`."""
        return self._parts(self.plain.rsplit(sep, maxsplit), None if sep is None else len(sep))

    def splitlines(self, keepends: bool = False) -> list[str]:
        """See `str.splitlines`."""
        return self._parts(self.plain.splitlines(keepends), None)

    def partition(self, sep: str, /) -> tuple[str, str, str]:
        """See `str.partition`."""
        return cast("tuple[str, str, str]", tuple(self._parts(self.plain.partition(sep), 0)))

    def rpartition(self, sep: str, /) -> tuple[str, str, str]:
        """See `str.rpartition`."""
        return cast("tuple[str, str, str]", tuple(self._parts(self.plain.rpartition(sep), 0)))

    def replace(self, old: str, new: str, count: SupportsIndex = -1, /) -> str:
        """See `str.replace`. The replacement of a literal, or of part of one, is text."""
        plain = _plain(old)
        if not plain:
            return self.plain.replace(plain, str(new), count)
        return _framed(new).join(self.split(plain, count))

    def join(self, parts: Iterable[str], /) -> str:
        """See `str.join`."""
        return written(str(self).join(map(str, parts)))


def _changing(name: str) -> Any:
    """Wrap a method of `str` that changes characters. A changed literal is text."""

    def method(self: Written, *args: Any) -> str:
        return self.changed(getattr(self.plain, name)(*args))

    method.__name__ = name
    return method


for _name in ("upper", "lower", "title", "capitalize", "swapcase", "casefold", "expandtabs", "translate"):
    setattr(Written, _name, _changing(_name))


def _segments(text: str) -> Iterator[Segment]:
    if isinstance(text, Written):
        yield from text.segments
    elif isinstance(text, str):
        yield from segments_of(text)
    else:
        raise TypeError(f"can only concatenate str (not {type(text).__name__!r}) to str")


def _plain(text: str) -> str:
    return text.plain if isinstance(text, Written) else text


def _framed(text: str) -> Written:
    return text if isinstance(text, Written) else Written(segments_of(text))


def _cut_apart() -> ChatTemplateError:
    return ChatTemplateError(
        "the chat template cuts one of its own control tokens apart: which ids it means is unclear"
    )
