r"""Read a byte range of a text as blocks of whole documents.

Documents are separated by a terminator, such as a line feed. The documents of a range ``[begin, end)`` are those that
begin in it, so that adjacent ranges partition the documents of a file, wherever their boundaries are. The last document
of a range is read to its end, beyond ``end``.

For this, a terminator must not overlap itself: in ``a\n\n\nb`` with the terminator ``\n\n`` the end of the first
document depends on where reading begins. A text with such a terminator is a single range, and terminators are searched
from its beginning.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from wordsplit import hints
from wordsplit.corpus.inputs import FatalError
from wordsplit.corpus.streams import ByteStream

__all__ = ["Block", "Window", "blocks_of", "can_be_ranged", "start_of"]


class Block:
    """Whole documents in a buffer that is used again for the block after the next one.

    Attributes:
        buffer: The buffer.
        start: Where the documents begin in it.
        stop: Where they end, with their terminators; only the last document of a text may lack it.
        offset: The offset of ``start`` in the text.
    """

    __slots__ = ("buffer", "offset", "start", "stop")

    def __init__(self, buffer: bytearray, start: int, stop: int, offset: int) -> None:
        self.buffer: bytearray = buffer
        self.start: int = start
        self.stop: int = stop
        self.offset: int = offset

    def view(self) -> memoryview:
        """Return the documents."""
        return memoryview(self.buffer)[self.start : self.stop]


def start_of(block: Block) -> int:
    """Return where the text of a block begins, after a byte order mark at the beginning of a file."""
    marked = block.offset == 0 and block.buffer.startswith(codecs.BOM_UTF8, block.start, block.stop)
    return block.start + (len(codecs.BOM_UTF8) if marked else 0)


def can_be_ranged(terminator: bytes) -> bool:
    r"""Return whether a terminator does not overlap itself.

    Example:
        >>> can_be_ranged(b"\n"), can_be_ranged(b"\n\n"), can_be_ranged(b"<|endoftext|>\n")
        (True, False, True)
    """
    return not any(terminator.startswith(terminator[k:]) for k in range(1, len(terminator)))


def blocks_of(
    stream: ByteStream,
    terminator: bytes,
    begin: int,
    end: int | None,
    *,
    size: int,
    most: int,
    path: str,
    spare: list[bytearray] | None = None,
) -> Iterator[Block]:
    """Yield the documents that begin in a range, in blocks of about ``size`` bytes, or of one longer document.

    Args:
        stream: The text, at the offset ``max(begin - len(terminator), 0)``.
        terminator: The terminator of a document.
        begin: The beginning of the range.
        end: Its end; ``None`` for the end of the text.
        size: The size of a block.
        most: The maximum size of a single document.
        path: The file's path, for errors.
        spare: Buffers to use; see `Window`.

    Raises:
        FatalError: A document is larger than ``most`` bytes.
    """
    length = len(terminator)
    with Window(stream, size + length, path, most=most, spare=spare) as window:
        window.offset = max(begin - length, 0)
        yield from _blocks(window, terminator, begin, end)


def _blocks(window: Window, terminator: bytes, begin: int, end: int | None) -> Iterator[Block]:
    """Yield the blocks of a window; see `blocks_of`."""
    length = len(terminator)
    if begin and not _skip_to_document(window, terminator, end):
        return
    searched = 0  # no document ends before this place
    while end is None or window.offset < end:
        read = window.fill()
        stop = window.end_of_last(terminator, searched)
        is_last = False
        if end is not None and window.offset + window.filled >= end:
            # The last document of the range is the one whose terminator ends at `end` or beyond.
            at = window.buffer.find(terminator, max(end - length - window.offset, 0), window.filled)
            is_last = at >= 0
            stop = at + length if is_last else stop
        if not read and not is_last:
            stop = window.filled
            is_last = True
        if stop or is_last:
            if stop:
                yield Block(window.buffer, 0, stop, window.offset)
            if is_last:
                return
            window.drop(stop)
            searched = 0
        else:
            searched = max(window.filled - length + 1, 0)


def _skip_to_document(window: Window, terminator: bytes, end: int | None) -> bool:
    """Drop the text up to and including the first terminator. Return whether one ends before ``end``."""
    while (end is None or window.offset + len(terminator) <= end) and window.fill():
        at = window.buffer.find(terminator, 0, window.filled)
        if at >= 0:
            window.drop(at + len(terminator))
            return True
        window.drop(max(window.filled - len(terminator) + 1, 0))
    return False


class Window:
    """A buffer over a part of a stream; two buffers in turn, so that one may be in use while the other is filled.

    Args:
        stream: The stream.
        size: The size of the buffer at first.
        path: The file's path, for errors.
        most: The maximum size of the buffer.
        spare: Buffers that are not in use, the most recently used one last. Those of the right size are used
            again, and a ``with`` block puts the last one back.

    Attributes:
        buffer: The buffer; a new object when it grows, because the old one may still be viewed.
        filled: The bytes in use.
        offset: The offset of the first one in the text.
    """

    def __init__(
        self, stream: ByteStream, size: int, path: str, *, most: int, spare: list[bytearray] | None = None
    ) -> None:
        self._stream, self._size, self._most, self._path = stream, size, most, path
        self._spare = [] if spare is None else spare
        self.buffer: bytearray = self._taken(size)
        self.filled: int = 0
        self.offset: int = 0

    def __enter__(self) -> hints.Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._give_back()

    def fill(self) -> int:
        """Read into the free part of the buffer, which grows if there is none. Returns the bytes read.

        Raises:
            FatalError: The buffer would exceed the limit.
        """
        if self.filled == len(self.buffer):
            if self.filled >= self._most:
                found = f"a document of more than {self._most >> 20:,} MiB; give more memory"
                raise FatalError(found, file=self._path, field=f"byte {self.offset:,}")
            larger = bytearray(min(2 * self.filled, self._most))
            larger[: self.filled] = self.buffer
            self.buffer = larger
        with memoryview(self.buffer) as view:
            read = self._stream.readinto(view[self.filled :]) or 0
        self.filled += read
        return read

    def end_of_last(self, terminator: bytes, start: int) -> int:
        """Return where the last of the terminators ends that are found from left to right; 0 if there is none."""
        length = len(terminator)
        at = self.buffer.rfind(terminator, start, self.filled)
        if at < 0:
            return 0
        while (before := self.buffer.rfind(terminator, max(at - length + 1, start), at + length - 1)) >= 0:
            at = before  # the first of the overlapping ones
        while (found := self.buffer.find(terminator, at, self.filled)) >= 0:
            at = found + length
        return at

    def drop(self, size: int) -> None:
        """Drop the first bytes, and copy the rest to a second buffer: the first one may still be in use."""
        rest = self.filled - size
        size_of_other = max(self._size, rest)  # shrinks again after a large document
        other = self._taken(size_of_other)
        with memoryview(self.buffer) as view:
            other[:rest] = view[size : self.filled]
        self._give_back()
        self.buffer = other
        self.filled = rest
        self.offset += size

    def _give_back(self) -> None:
        """Make the buffer spare, except for one that has grown for a large document."""
        if len(self.buffer) == self._size:
            self._spare.append(self.buffer)

    def _taken(self, size: int) -> bytearray:
        """Return the buffer that has been spare the longest, or a new one."""
        found = self._spare.pop(0) if self._spare else bytearray()
        return found if len(found) == size else bytearray(size)
