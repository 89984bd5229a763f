"""The bytes of a file in blocks, decompressed. However large a file is, only one block is in memory."""

from __future__ import annotations

from collections.abc import Iterator

from wordsplit.corpus.streams import open_raw, open_stream
from wordsplit.errors import CorpusError

__all__ = ["BlockStream", "ByteSource"]


class ByteSource:
    """A file's decompressed bytes.

    Args:
        path: The file.
        compression: ``"gz"``, ``"zst"`` or ``""``.

    Attributes:
        position: How many of the bytes on disk have been read; 0 for a pipe.
    """

    def __init__(self, path: str, compression: str) -> None:
        self._path = path
        self._compression = compression
        self.position: int = 0

    def blocks(self, size: int, *, raw: bool = False) -> Iterator[bytes]:
        """Yield its bytes from the beginning, in blocks of 1 to ``size`` bytes; ``raw``: not decompressed.

        Raises:
            CorpusError: It cannot be read, or is damaged.
        """
        self.position = 0
        compression = "" if raw else self._compression
        try:
            file = open_raw(self._path)
        except OSError as error:
            raise CorpusError(f"cannot be read: {error.strerror or error}", file=self._path) from error
        with file, open_stream(file, compression, self._path) as stream:
            tells = file.seekable()
            buffer = memoryview(bytearray(size))
            while read := stream.readinto(buffer):
                if tells:
                    self.position = file.tell()
                yield bytes(buffer[:read])


class BlockStream:
    """Blocks as a stream that fills a caller's buffer.

    Example:
        >>> stream, buffer = BlockStream(iter([b"abc", b"d"])), bytearray(2)
        >>> [bytes(buffer[: stream.readinto(memoryview(buffer))]) for _ in range(4)]
        [b'ab', b'c', b'd', b'']
    """

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = memoryview(b"")

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the buffer; see `wordsplit.corpus.streams.ByteStream`."""
        if not self._rest:
            self._rest = memoryview(next(self._blocks, b""))
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size
