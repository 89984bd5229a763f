"""Encoding that does not keep an event loop waiting.

Long texts and batches are encoded in a thread. The native engine does them without the GIL (texts of 32 KB and more,
and batches of any size), so the loop runs on meanwhile; the Python engine holds it, and the loop has its turns in
between. A short text is encoded at once: it takes less time than to hand it to a thread and back (0.1 ms).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from wordsplit.engine import Engine

__all__ = ["in_thread", "soon"]

T = TypeVar("T")

_SHORT = 4096  # characters; the native engine encodes them in less than 0.1 ms


async def in_thread(call: Callable[[], T]) -> T:
    """The result of a call that is made in another thread."""
    import asyncio  # noqa: PLC0415 - 40 ms that only those pay who have imported it anyway

    return await asyncio.to_thread(call)


async def soon(engine: Engine, call: Callable[[], T], text: object) -> T:
    """The result of a call of an engine about a text: made here if that is quicker, else in a thread."""
    if engine.options.engine == "native" and isinstance(text, (str, bytes)) and len(text) <= _SHORT:
        return call()
    return await in_thread(call)
