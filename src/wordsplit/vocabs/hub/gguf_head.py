"""The metadata of a GGUF file that is far away, without its tensors."""

from __future__ import annotations

from collections.abc import Iterator

from wordsplit.vocabs.formats.gguf.reader import holds_metadata
from wordsplit.vocabs.hub.download import Fetcher, part

__all__ = ["gguf_head"]

_FIRST = 1 << 20


def gguf_head(fetcher: Fetcher, url: str, max_bytes: int) -> Iterator[bytes]:
    """The beginning of a GGUF file: the first MiB, or 4, 16, 64, … of them, until the metadata have ended.

    So a file always gives the same bytes, which can be pinned, and its tensors are hardly touched. What is damaged is
    given as far as the damage, and what is larger than ``max_bytes`` a little farther than that.
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
