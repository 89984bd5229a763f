"""Show the progress of a download."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wordsplit.status_line import StatusLine, bar

__all__ = ["with_progress"]


def with_progress(chunks: Iterable[bytes], label: str, size: int | None) -> Iterator[bytes]:
    """Yield the chunks, and show the progress on a terminal or in a notebook."""
    done = 0
    with StatusLine() as line:
        for chunk in chunks:
            done += len(chunk)
            if line.due():
                share = f"{bar(done / size)} {done / 1e6:.1f} of {size / 1e6:.1f}" if size else f"{done / 1e6:.1f}"
                line.show(f"{share} MB  {label}")
            yield chunk
