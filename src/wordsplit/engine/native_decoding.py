"""Decoding by steps in the native core.

The core stores the decoded text of each token, and joins these texts. Tokens that it does not know yet are decoded in
Python by `Decoder`, which is the specification, and then stored in the core. Steps for which joining would give another
result are always run in Python: steps after ``byte_fallback`` that change texts one by one, and steps on the whole text
other than those here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from wordsplit import _native
from wordsplit.engine.decoding import Decoder, byte_of
from wordsplit.rules import Decode
from wordsplit.text import is_unicode

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab

__all__ = ["NativeDecoder"]


class NativeDecoder(Decoder):
    """Decode by the steps of a vocab, and store the decoded text of each token in the core.

    Args:
        vocab: A vocab with a decoder.
        special_ids: The ids of special tokens.

    Attributes:
        core: The same in the core; ``None`` if it cannot do it.
    """

    def __init__(self, vocab: Vocab, special_ids: Collection[int]) -> None:
        super().__init__(vocab)
        self._special_ids = special_ids
        self._told: tuple[set[int], set[int]] = (set(), set())  # the ids at the beginning, and after others
        # A step after that of the bytes, or another such step, would see what bytes spell.
        kinds = [step.kind for step, _ in self.each]
        self._takes_bytes = "byte_fallback" not in kinds[:-1]
        self.core: _native.StepDecoder | None = None
        changes = [_change(step) for step in self.whole]
        is_dense = vocab.n_vocab <= 4 * len(vocab) + (1 << 16)  # the core has room for every id
        if self.has_tables and is_dense and None not in changes:
            self.core = _native.StepDecoder(vocab.n_vocab)
            for change in filter(None, changes):
                change(self.core)

    def decode(self, ids: list[int], errors: str) -> str:
        """Decode ids; ``errors`` says what to do with bytes that are not UTF-8."""
        text = super().decode(ids, errors)
        if self.core is not None:
            self._tell(self.core, ids[:1], first=True)
            self._tell(self.core, ids[1:], first=False)
        return text

    def _tell(self, core: _native.StepDecoder, ids: list[int], *, first: bool) -> None:
        told = self._told[not first]
        texts = self.first if first else self.later
        for i in {*ids} - told:
            text, special = texts[i], i in self._special_ids
            if text is not None:
                if is_unicode(text):
                    core.put_text(first, i, special, text.encode())
            elif self._takes_bytes:
                core.put_byte(first, i, special, self._byte(i, first=first))
            told.add(i)

    def _byte(self, token_id: int, *, first: bool) -> int:
        """Return the byte that a token becomes."""
        texts = [self.spelled[token_id]] if first else ["", self.spelled[token_id]]
        for _, function in self.each[:-1]:
            texts = function(texts, "strict")
        return byte_of(texts[-1])[0]


def _change(step: Decode) -> Callable[[_native.StepDecoder], None] | None:
    """Return the instruction for the core to do a step on the whole text; ``None`` if it cannot."""
    if not is_unicode(step.pattern + step.content):
        return None
    if step.kind == "strip" and len(step.content) == 1:
        return lambda core: core.then_strip(step.content, step.left, step.right)
    if step.kind == "replace" and step.literal and step.pattern:
        return lambda core: core.then_replace(step.pattern, step.content)
    if step.kind == "metaspace" and step.content:
        return lambda core: core.then_replace(step.content, "" if step.prepended else " ")
    return None
