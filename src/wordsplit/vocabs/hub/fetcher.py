"""The contract of a fetcher, a function that downloads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

__all__ = ["Fetcher"]


class Fetcher(Protocol):
    """The type of ``fetcher=``: a function that returns the bytes of a URL."""

    def __call__(self, url: str, *, start: int = 0, size: int | None = None) -> Iterable[bytes]:
        """Yield the content in pieces, without any content encoding.

        wordsplit counts, hashes and checks the content, and reads no more than it needs.

        Args:
            url: An address of the hub (files and the JSON that lists them), or of the mirror.
            start: The offset of the first byte.
            size: The number of bytes; fewer only if the content ends.

        Raises:
            MissingFileError: The file does not exist.
            TransientError: The download may be retried. The same holds for any `OSError` that is not a `DownloadError`.
            DownloadError: The download must not be retried.
        """
