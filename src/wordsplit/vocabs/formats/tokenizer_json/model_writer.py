"""Write the model of a tokenizer.json; the inverse of `bpe` and `models`."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NoReturn

from wordsplit.errors import UnsupportedVocabError
from wordsplit.missing_bytes import NEVER_IN_UTF_8, MissingBytes
from wordsplit.model import ByteLevelBPE, CharacterBPE, Model, Unigram, WordLevel, WordPiece
from wordsplit.vocabs.formats.tokenizer_json.spelled_tokens import SpelledMerges, SpelledVocab

__all__ = ["written_model"]


def written_model(model: Model, vocab: SpelledVocab, label: str) -> dict[str, Any]:
    """Return the model, with `SpelledMerges` for merges, and the vocab as given unless the format has a list.

    Args:
        model: The model.
        vocab: Its vocab in the file.
        label: The name of the file, for errors.

    Raises:
        UnsupportedVocabError: The format cannot express it.
    """
    return _WRITERS[type(model)](model, vocab, label)


def _byte_level(model: ByteLevelBPE, vocab: SpelledVocab, _: str) -> dict[str, Any]:
    missing = model.missing_bytes or MissingBytes()
    unk_token = None if missing.unk_id is None else vocab.tokens.name_of(missing.unk_id)
    if model.missing_bytes is None and not model.lacking_bytes <= NEVER_IN_UTF_8:
        unk_token = _no_token(vocab, "<unk>")  # for which `tokenizers` raises an error
    return _bpe(
        vocab,
        model,
        unk_token=unk_token,
        fuse_unk=missing.fuse_unk,
        byte_fallback=missing.byte_fallback,
        ignore_merges=model.ignore_merges,
    )


def _character(model: CharacterBPE, vocab: SpelledVocab, _: str) -> dict[str, Any]:
    return _bpe(
        vocab,
        model,
        unk_token=None if model.unk_id is None else vocab.tokens.name_of(model.unk_id),
        continuing_subword_prefix=model.continuing_subword_prefix or None,
        end_of_word_suffix=model.end_of_word_suffix or None,
        fuse_unk=model.fuse_unk,
        byte_fallback=model.byte_fallback,
        ignore_merges=model.ignore_merges,
    )


def _bpe(vocab: SpelledVocab, model: Model, **options: Any) -> dict[str, Any]:
    defaults = {
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
    }
    merges = SpelledMerges(vocab.tokens, model.merges.flat)
    return {"type": "BPE", **defaults, **options, "vocab": vocab, "merges": merges}


def _unigram(model: Unigram, vocab: SpelledVocab, label: str) -> dict[str, Any]:
    if model.user_defined_ids or model.unreachable_ids or model.single_precision:
        _refuse(label, "model", "user-defined or unreachable tokens, or sums of 32 bits, are not in the format")
    names = vocab.tokens.names
    if list(names) != list(range(len(names))):
        _refuse(label, "model", "ids of Unigram have no holes in the format")
    listed = [[name, model.score_of[i]] for i, name in names.items()]
    return {"type": "Unigram", "unk_id": model.unk_id, "vocab": listed, "byte_fallback": model.byte_fallback}


def _word_piece(model: WordPiece, vocab: SpelledVocab, _: str) -> dict[str, Any]:
    return {
        "type": "WordPiece",
        "unk_token": _unk_token(model.unk_id, vocab, "[UNK]"),
        "continuing_subword_prefix": model.continuing_subword_prefix,
        "max_input_chars_per_word": model.max_input_chars_per_word,
        "vocab": vocab,
    }


def _word_level(model: WordLevel, vocab: SpelledVocab, label: str) -> dict[str, Any]:
    if model.word_start or model.byte_fallback or model.unreachable_ids:
        _refuse(
            label,
            "model",
            "several words in a span, byte fallback of words, or unreachable ones, are not in the format",
        )
    return {"type": "WordLevel", "vocab": vocab, "unk_token": _unk_token(model.unk_id, vocab, "<unk>")}


def _unk_token(unk_id: int | None, vocab: SpelledVocab, default: str) -> str:
    """Return the name of the unknown token, which the format demands; one of no token if there is none."""
    if unk_id is not None:
        return vocab.tokens.name_of(unk_id)
    return _no_token(vocab, default)


def _no_token(vocab: SpelledVocab, default: str) -> str:
    """Return a name that no token has."""
    return next(name for name in (default + "_" * n for n in itertools.count()) if not vocab.has(name))


def _refuse(label: str, field: str, problem: str) -> NoReturn:
    raise UnsupportedVocabError(problem, file=label, field=field)


_WRITERS: dict[type, Callable[[Any, SpelledVocab, str], dict[str, Any]]] = {
    ByteLevelBPE: _byte_level,
    CharacterBPE: _character,
    Unigram: _unigram,
    WordPiece: _word_piece,
    WordLevel: _word_level,
}
