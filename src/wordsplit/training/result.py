"""Build a vocab from trained merges."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wordsplit.arguments import check_integers
from wordsplit.byte_level import to_byte_level
from wordsplit.errors import OptionsError, UnsupportedVocabError
from wordsplit.training.settings import Settings
from wordsplit.vocab import AddedToken, MergeList, Vocab, require_vocab

__all__ = ["Merge", "base_bytes", "in_bytes", "require_all_bytes", "require_room", "vocab_of", "with_merges"]

END_OF_TEXT = "<|endoftext|>"


class Merge(NamedTuple):
    """A merge made in training.

    Attributes:
        left: The bytes of the left token.
        right: The bytes of the right one.
        frequency: How often the pair occurred in the counted texts at that time.
    """

    left: bytes
    right: bytes
    frequency: int


def in_bytes(tokens: Sequence[bytes], merges: Iterable[tuple[int, int, int]]) -> list[Merge]:
    """Convert merges of symbols to bytes. The first symbols are these tokens."""
    every, out = list(tokens), []
    for left, right, frequency in merges:
        out.append(Merge(every[left], every[right], frequency))
        every.append(every[left] + every[right])
    return out


def base_bytes(settings: Settings) -> list[bytes]:
    """Return the single bytes in order of their ids: by value, or by their characters as in `tokenizers`."""
    order = sorted(range(256), key=lambda byte: to_byte_level(bytes([byte]))) if settings.compat else range(256)
    return [bytes([byte]) for byte in order]


def vocab_of(settings: Settings, merges: Sequence[tuple[int, int, int]]) -> Vocab:
    """Build the trained vocab.

    Args:
        settings: The settings of the training.
        merges: (left symbol, right symbol, frequency) of each: 0 to 255 are the bytes, 256 is the result of the first.
    """
    tokens = base_bytes(settings)
    for left, right, _ in merges:
        tokens.append(tokens[left] + tokens[right])
    first = len(settings.special_tokens) if settings.compat else 0
    flat = array("I", [symbol + first for left, right, _ in merges for symbol in (left, right)])
    added = [
        AddedToken(literal, at if settings.compat else len(tokens) + at)
        for at, literal in enumerate(settings.special_tokens)
    ]
    return Vocab(
        name=settings.name,
        tokens=dict(enumerate(tokens, first)),
        merges=MergeList(flat),
        pre_tokenizer=settings.steps,
        normalizer=settings.normalizer,
        added_tokens=added,
        eos_token_id=next((token.id for token in added if token.content == END_OF_TEXT), None),
        source="trained",
        merges_are_live=True,
    )


def with_merges(vocab: Vocab, merges: Sequence[tuple[int, int, int]], name: str) -> Vocab:
    """Return a vocab with more merges, whose tokens get the ids after its last.

    Args:
        vocab: The vocab.
        merges: As in `vocab_of`: first the vocab's base tokens, in order of ids, then the results of the merges.
        name: The name of the new vocab.
    """
    ids = list(vocab.tokens)
    tokens = dict(vocab.tokens)
    flat = array("I")
    for new, (left, right, _) in enumerate(merges, vocab.n_vocab):
        tokens[new] = tokens[ids[left]] + tokens[ids[right]]
        flat.extend((ids[left], ids[right]))
        ids.append(new)
    listed = MergeList(array("I", vocab.merges.flat) + flat) if vocab.has_explicit_merges else None
    return vocab.replace(name=name, source="trained", tokens=tokens, merges=listed)


def require_all_bytes(vocab: Vocab) -> None:
    """Raise an error unless a vocab has a token for every byte.

    Raises:
        InputTypeError: It is not a vocab.
        UnsupportedVocabError: A byte has no token.
    """
    require_vocab(vocab)
    lacking = [byte for byte in range(256) if bytes([byte]) not in vocab.ids_by_bytes]
    if lacking:
        raise UnsupportedVocabError(
            f"has no token for byte 0x{lacking[0]:02X}: merges can only be added to a vocab that has all bytes",
            file=vocab.source,
            field="tokens",
        )


def require_room(vocab: Vocab, vocab_size: int) -> None:
    """Raise an error if a vocab is already larger than the requested size.

    Raises:
        InputTypeError: It is not a vocab.
        OptionsError: It is larger, or ``vocab_size`` is not a number.
    """
    require_vocab(vocab)
    check_integers(vocab_size=vocab_size)
    if vocab_size < vocab.n_vocab:
        raise OptionsError(
            f"vocab_size={vocab_size!r}: {vocab.name} already has {vocab.n_vocab}; give more, or prune it"
        )
