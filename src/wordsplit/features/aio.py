"""Encode without blocking an event loop.

Long texts and batches are encoded in a thread. The native engine releases the GIL (for texts of 32 KB and more, and for
batches of any size), so the loop continues to run. The Python engine holds the GIL, but the loop still gets time
slices. A short text is encoded immediately, because a thread switch takes longer (0.1 ms).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from wordsplit.engine import Engine

__all__ = ["in_thread", "soon"]

T = TypeVar("T")

_SHORT = 4096  # characters; the native engine encodes them in less than 0.1 ms


async def in_thread(call: Callable[[], T]) -> T:
    """Call a function in another thread and return the result. The event loop is asyncio's or Trio's."""
    if _in_trio():
        import trio  # noqa: PLC0415 - the program has imported it

        return await trio.to_thread.run_sync(call)
    import asyncio  # noqa: PLC0415 - takes 40 ms, and callers have imported it already

    return await asyncio.to_thread(call)


async def soon(engine: Engine, call: Callable[[], T], text: object) -> T:
    """Call a function immediately if the text is short, else in a thread, and return the result."""
    if engine.options.engine == "native" and isinstance(text, (str, bytes)) and len(text) <= _SHORT:
        return call()
    return await in_thread(call)


def _in_trio() -> bool:
    """Return whether the running event loop is Trio's."""
    trio = sys.modules.get("trio")
    if trio is None:
        return False
    try:
        trio.lowlevel.current_trio_token()
    except RuntimeError:
        return False
    return True
