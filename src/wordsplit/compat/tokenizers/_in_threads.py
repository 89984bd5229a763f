"""The methods of a tokenizer that do not block an event loop."""

from __future__ import annotations

from asyncio import to_thread
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from wordsplit.compat.tokenizers.encoding import Encoding
    from wordsplit.compat.tokenizers.tokenizer import Tokenizer

__all__ = ["InThreads"]


class InThreads:
    """Each is the method of the same name without ``async_``, in a thread of its own."""

    async def async_encode(self, *args: Any, **kwargs: Any) -> Encoding:
        """`Tokenizer.encode`."""
        return await to_thread(cast("Tokenizer", self).encode, *args, **kwargs)

    async def async_encode_batch(self, *args: Any, **kwargs: Any) -> list[Encoding]:
        """`Tokenizer.encode_batch`."""
        return await to_thread(cast("Tokenizer", self).encode_batch, *args, **kwargs)

    async def async_encode_batch_fast(self, *args: Any, **kwargs: Any) -> list[Encoding]:
        """`Tokenizer.encode_batch_fast`."""
        return await to_thread(cast("Tokenizer", self).encode_batch_fast, *args, **kwargs)

    async def async_decode_batch(self, *args: Any, **kwargs: Any) -> list[str]:
        """`Tokenizer.decode_batch`."""
        return await to_thread(cast("Tokenizer", self).decode_batch, *args, **kwargs)
