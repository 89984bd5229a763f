"""Merge characters, with a binary heap over a linked list.

A span begins as its characters, each the token of its text. A character that is not a token is spelled in byte tokens,
or is unknown, or is left out: see `wordsplit.CharacterBPE`. Then pairs merge as in byte-level BPE.

Cost: O(n log n) time and O(n) memory for a span of n characters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from wordsplit.encoders._characters import CharacterEncoder, bytes_known, encoded, text_of
from wordsplit.encoders.base import TracedToken
from wordsplit.merges import Symbol, merged, symbols
from wordsplit.model import CharacterBPE
from wordsplit.vocab import Vocab

__all__ = ["CharacterMerge"]


class CharacterMerge(CharacterEncoder):
    """Byte-pair encoding of characters, O(n log n) per span."""

    models: ClassVar[tuple[type, ...]] = (CharacterBPE,)

    def __init__(self, vocab: Vocab) -> None:
        super().__init__(vocab)
        self._model: CharacterBPE = vocab.model  # type: ignore[assignment]  # CharacterEncoder has checked it

    def trace_span(self, span: bytes) -> list[TracedToken]:
        """Return each id of ``span`` with the bytes that it stands for.

        As in `tokenizers`, these follow each other without gaps: characters that give no id are not counted.
        """
        last = len(span)  # bytes of affixes would be beyond it
        found = merged(self.symbols(span), self._model.merge_of.get)
        return [TracedToken(i, min(start, last), min(end, last)) for i, start, end in found]

    def symbols(self, span: bytes) -> list[tuple[int, int]]:
        """Return the tokens before any merge, and the number of bytes of each."""
        model, ids = self._model, self._model.ids_by_bytes
        found = (
            Symbol(size, ids.get(spelled), bytes_known(spelled, model.byte_ids) if model.byte_fallback else None)
            for size, spelled in self._spelled(text_of(span))
        )
        return symbols(found, model.unk_id, fuse_unk=model.fuse_unk)

    def _spelled(self, text: str) -> Iterator[tuple[int, bytes]]:
        """Yield the size of each character, and how a token of it is spelled."""
        prefix, suffix = self._model.continuing_subword_prefix.encode(), self._model.end_of_word_suffix.encode()
        for at, char in enumerate(text, 1):
            data = encoded(char)
            yield len(data), (prefix if at > 1 else b"") + data + (suffix if at == len(text) else b"")


plugin = CharacterMerge
