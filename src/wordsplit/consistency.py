"""Whether the parts of a vocab go together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wordsplit.errors import VocabFormatError
from wordsplit.tables import MAX_ID

if TYPE_CHECKING:
    from wordsplit.vocab import Vocab

__all__ = ["check"]


def check(vocab: Vocab) -> None:
    """Refuse a vocab whose parts contradict each other.

    Raises:
        VocabFormatError: They do; the message names the part.
    """
    for look in (_whole, _added, _roles):
        for field, problem in look(vocab):
            raise VocabFormatError(problem, file=vocab.source, field=field)


def _whole(vocab: Vocab) -> Iterator[tuple[str, str]]:
    """(field, what is wrong with it)."""
    if not len(vocab.tokens):
        yield "tokens", "the vocab has no tokens"
    if vocab.max_id > MAX_ID:
        yield "tokens", f"id {vocab.max_id} is above the limit of {MAX_ID}"
    if isinstance(vocab.normalizer, str) and vocab.normalizer != "nfc":
        yield "normalizer", f"normalizer {vocab.normalizer!r}: use 'nfc', None, or steps"


def _added(vocab: Vocab) -> Iterator[tuple[str, str]]:
    tokens = vocab.added_tokens
    if tokens.order is not None:
        return  # see AddedTokenList
    contents = tokens.contents()
    if all(contents) and len(set(contents)) == len(contents) and _is_text("".join(contents)):
        return
    seen: dict[str, int] = {}
    for token in tokens:
        field = f"added_tokens[{token.content!r:.80}]"
        if not token.content:
            yield field, f"added token {token.id} is empty"
        if not token.content.isascii() and not _is_text(token.content):
            yield field, f"added token {token.id} is no text: it has a lone surrogate"
        if token.content in seen:
            yield field, f"listed twice, as {seen[token.content]} and {token.id}"
        seen[token.content] = token.id


def _roles(vocab: Vocab) -> Iterator[tuple[str, str]]:
    named = {"prefix_ids": vocab.prefix_ids, "suffix_ids": vocab.suffix_ids}
    named |= {f"role_ids[{role!r}]": (i,) for role, i in vocab.role_ids.items()}
    added = vocab.added_tokens
    for field, ids in named.items():
        for i in ids:
            if not added.has_id(i) and i not in vocab.tokens:
                yield field, f"names id {i!r}, which no token has"


def _is_text(content: str) -> bool:
    try:
        content.encode()
    except UnicodeEncodeError:
        return False
    return True
