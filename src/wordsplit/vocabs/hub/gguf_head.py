"""Download the metadata of a GGUF file without its tensors."""

from __future__ import annotations

from collections.abc import Iterator

from wordsplit.vocabs.formats.gguf.reader import holds_metadata
from wordsplit.vocabs.hub.download import part
from wordsplit.vocabs.hub.fetcher import Fetcher

__all__ = ["gguf_head"]

_FIRST = 1 << 20


def gguf_head(fetcher: Fetcher, url: str, max_bytes: int) -> Iterator[bytes]:
    """Yield the beginning of a GGUF file: the first 1, 4, 16, 64, … MiB, until the metadata end.

    A file always gives the same bytes, which can be pinned, and its tensors are hardly read. The result for a damaged
    file ends at the damage; if the metadata are larger than ``max_bytes``, it ends a little after that size.
    """
    data = b""
    want = _FIRST
    while len(data) <= max_bytes:
        before = len(data)
        for chunk in part(fetcher(url, start=before, size=want), 0, want):
            data += chunk
            yield chunk
        if len(data) < before + want or holds_metadata(data):
            return
        want = 3 * len(data)
