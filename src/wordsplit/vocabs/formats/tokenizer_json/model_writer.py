"""Write the model of a tokenizer.json; the inverse of `bpe` and `models`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn

from wordsplit.byte_level import spell_all
from wordsplit.errors import UnsupportedVocabError
from wordsplit.missing_bytes import NEVER_IN_UTF_8, MissingBytes
from wordsplit.model import ByteLevelBPE, CharacterBPE, Model, Unigram, WordLevel, WordPiece
from wordsplit.tables import Words

__all__ = ["SpelledMerges", "spelled_tokens", "token_names", "written_model"]


def spelled_tokens(model: Model, label: str) -> tuple[dict[int, str], dict[str, int]]:
    """Return how the format spells each base token, and the id of each spelling.

    Raises:
        UnsupportedVocabError: A token is not text, or two are spelled the same.
    """
    base = token_names(model, label)
    ids = dict(zip(base.values(), base, strict=True))
    if len(ids) < len(base):
        i, name = next((i, name) for i, name in base.items() if ids[name] != i)
        _refuse(label, f"vocab[{ids[name]}]", f"token {name!r:.60} has id {i}, too")
    return base, ids


def token_names(model: Model, label: str) -> dict[int, str]:
    """Return how the format spells each base token.

    Raises:
        UnsupportedVocabError: A token is not text.
    """
    table = model.token_table
    out: dict[int, str] = {}
    text_ids: Iterable[int] = table.ids
    if isinstance(model, ByteLevelBPE):
        out = dict(zip(table.ids, spell_all(table), strict=True))
        text_ids = [i for i in model.unreachable_ids if i in table]
    else:
        with suppress(UnicodeDecodeError):  # below is said of which token
            return dict(zip(table.ids, map(bytes.decode, table.each()), strict=True))
    for i in text_ids:
        try:
            out[i] = table[i].decode()
        except UnicodeDecodeError:
            _refuse(label, f"vocab[{i}]", f"token {table[i]!r:.60} is not UTF-8")
    return out


class SpelledMerges(NamedTuple):
    """The merges of a model as the format spells them.

    Attributes:
        base: How its tokens are spelled.
        flat: The ids of each pair, one after another.
    """

    base: dict[int, str]
    flat: Words

    def pairs(self) -> list[list[str]]:
        """Return the pairs."""
        return list(map(list, self.spelled_by(self.base)))

    def spelled_by(self, names: dict[int, str]) -> Iterator[tuple[str, str]]:
        """Yield the pairs with other names of the tokens, by id."""
        flat, name = self.flat, names.__getitem__
        return zip(map(name, flat[0::2]), map(name, flat[1::2]), strict=True)


def written_model(model: Model, base: dict[int, str], ids: dict[str, int], label: str) -> dict[str, Any]:
    """Return the model, with `SpelledMerges` for merges.

    Args:
        model: The model.
        base: How its tokens are spelled.
        ids: The ids of the model's vocab in the file, which may have added tokens, too.
        label: The name of the file, for errors.

    Raises:
        UnsupportedVocabError: The format cannot express it.
    """
    return _WRITERS[type(model)](model, base, ids, label)


def _byte_level(model: ByteLevelBPE, base: dict[int, str], ids: dict[str, int], _: str) -> dict[str, Any]:
    missing = model.missing_bytes or MissingBytes()
    unk_token = None if missing.unk_id is None else base[missing.unk_id]
    if model.missing_bytes is None and not model.lacking_bytes <= NEVER_IN_UTF_8:
        unk_token = _no_token(ids, "<unk>")  # for which `tokenizers` raises an error
    return _bpe(
        base,
        ids,
        model,
        unk_token=unk_token,
        fuse_unk=missing.fuse_unk,
        byte_fallback=missing.byte_fallback,
        ignore_merges=model.ignore_merges,
    )


def _character(model: CharacterBPE, base: dict[int, str], ids: dict[str, int], _: str) -> dict[str, Any]:
    return _bpe(
        base,
        ids,
        model,
        unk_token=None if model.unk_id is None else base[model.unk_id],
        continuing_subword_prefix=model.continuing_subword_prefix or None,
        end_of_word_suffix=model.end_of_word_suffix or None,
        fuse_unk=model.fuse_unk,
        byte_fallback=model.byte_fallback,
        ignore_merges=model.ignore_merges,
    )


def _bpe(base: dict[int, str], ids: dict[str, int], model: Model, **options: Any) -> dict[str, Any]:
    defaults = {
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
    }
    return {"type": "BPE", **defaults, **options, "vocab": ids, "merges": SpelledMerges(base, model.merges.flat)}


def _unigram(model: Unigram, base: dict[int, str], _: dict[str, int], label: str) -> dict[str, Any]:
    if model.user_defined_ids or model.unreachable_ids or model.single_precision:
        _refuse(label, "model", "user-defined or unreachable tokens, or sums of 32 bits, are not in the format")
    if list(base) != list(range(len(base))):
        _refuse(label, "model", "ids of Unigram have no holes in the format")
    vocab = [[base[i], model.score_of[i]] for i in base]
    return {"type": "Unigram", "unk_id": model.unk_id, "vocab": vocab, "byte_fallback": model.byte_fallback}


def _word_piece(model: WordPiece, base: dict[int, str], ids: dict[str, int], _: str) -> dict[str, Any]:
    return {
        "type": "WordPiece",
        "unk_token": _unk_token(model.unk_id, base, "[UNK]"),
        "continuing_subword_prefix": model.continuing_subword_prefix,
        "max_input_chars_per_word": model.max_input_chars_per_word,
        "vocab": ids,
    }


def _word_level(model: WordLevel, base: dict[int, str], ids: dict[str, int], _: str) -> dict[str, Any]:
    return {"type": "WordLevel", "vocab": ids, "unk_token": _unk_token(model.unk_id, base, "<unk>")}


def _unk_token(unk_id: int | None, base: dict[int, str], default: str) -> str:
    """Return the name of the unknown token, which the format demands; one of no token if there is none."""
    if unk_id is not None:
        return base[unk_id]
    return _no_token(set(base.values()), default)


def _no_token(taken: Container[str], default: str) -> str:
    """Return a name that no token has."""
    return next(name for name in (default + "_" * n for n in itertools.count()) if name not in taken)


def _refuse(label: str, field: str, problem: str) -> NoReturn:
    raise UnsupportedVocabError(problem, file=label, field=field)


_WRITERS: dict[type, Callable[[Any, dict[int, str], dict[str, int], str], dict[str, Any]]] = {
    ByteLevelBPE: _byte_level,
    CharacterBPE: _character,
    Unigram: _unigram,
    WordPiece: _word_piece,
    WordLevel: _word_level,
}
