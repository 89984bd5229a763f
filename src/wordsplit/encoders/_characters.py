"""Common parts of the encoders that see characters."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from wordsplit.encoders.base import SpanEncoder, TracedToken
from wordsplit.errors import UnknownTokenError
from wordsplit.vocab import Vocab

__all__ = ["CharacterEncoder", "bytes_known", "encoded", "text_of"]


class CharacterEncoder(SpanEncoder):
    """An encoder whose one method is `trace_span`."""

    def __init__(self, vocab: Vocab) -> None:
        self.require_model(type(self).__name__, vocab)
        super().__init__(vocab)

    def encode_span(self, span: bytes, out: list[int]) -> None:
        """Append the ids of ``span`` to ``out``."""
        out.extend(token_id for token_id, _, _ in self.trace_span(span))

    @abstractmethod
    def trace_span(self, span: bytes) -> list[TracedToken]:
        """Return each id of ``span`` with the bytes that it stands for."""

    def unknown(self, unk_id: int | None, text: str) -> int:
        """Return ``unk_id``.

        Raises:
            UnknownTokenError: It is ``None``.
        """
        if unk_id is None:
            raise UnknownTokenError(f"{self.vocab.name} has no token for {text[:40]!r}, and none for the unknown")
        return unk_id


def text_of(span: bytes) -> str:
    """Decode a span. Bytes that are not UTF-8 become characters that are in no vocab."""
    return span.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    """Encode what `text_of` has decoded."""
    return text.encode("utf-8", "surrogateescape")


def bytes_known(data: bytes, byte_ids: Sequence[int | None]) -> list[int] | None:
    """Return the ids that spell bytes in byte fallback; ``None`` if one of them has no token."""
    found = [byte_ids[byte] for byte in data]
    return None if None in found else [i for i in found if i is not None]
