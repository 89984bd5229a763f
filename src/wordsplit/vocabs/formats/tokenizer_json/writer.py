"""Write tokenizer.json files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordsplit.atomic_file import write_atomically
from wordsplit.errors import UnsupportedVocabError
from wordsplit.model import ByteLevelBPE
from wordsplit.template import TEXTS, TemplatePart, around_each
from wordsplit.vocab import AddedToken, Vocab
from wordsplit.vocabs.formats.tokenizer_json.decoder_writer import written_decoder
from wordsplit.vocabs.formats.tokenizer_json.model_writer import written_model
from wordsplit.vocabs.formats.tokenizer_json.rule_writer import BYTE_LEVEL, normalizer, pre_tokenizers
from wordsplit.vocabs.formats.tokenizer_json.spelled_tokens import SpelledTokens, SpelledVocab
from wordsplit.vocabs.formats.tokenizer_json.text import document_text
from wordsplit.vocabs.lengths import written_padding, written_truncation

__all__ = ["save", "written", "written_post_processor", "written_rules"]


def save(vocab: Vocab, path: str | os.PathLike[str]) -> None:
    """Write a tokenizer.json from which `tokenizers` gives the same ids and decodes them to the same text.

    Raises:
        UnsupportedVocabError: An added token has the id of another token, or one that `tokenizers` would not give it;
            or the format cannot express where a space is prepended, or something else of the model.
    """
    write_atomically(Path(path), document_text(written(vocab, str(path)), 1).encode())


def written(vocab: Vocab, label: str) -> dict[str, Any]:
    """Return the document, with `SpelledVocab` and `SpelledMerges` for its tables. Errors are those of `save`.

    Args:
        vocab: The vocab.
        label: The name of the file, for errors.
    """
    byte_level = isinstance(vocab.model, ByteLevelBPE)
    tokens, doubled = SpelledTokens(vocab.model, label), {}
    if byte_level:
        doubled = _doubled(vocab, tokens, label)
    else:
        _check_beside(vocab, tokens.ids, label)
    return {
        "version": "1.0",
        "truncation": written_truncation(vocab.truncation),
        "padding": written_padding(vocab.padding),
        "added_tokens": [
            {
                "id": token.id,
                "content": token.content,
                "single_word": token.single_word,
                "lstrip": token.lstrip,
                "rstrip": token.rstrip,
                "normalized": token.normalized,
                "special": token.special,
            }
            for token in vocab.added_tokens
        ],
        **written_rules(vocab, label),
        "model": written_model(vocab.model, SpelledVocab(tokens, doubled), label),
    }


def written_rules(vocab: Vocab, label: str) -> dict[str, Any]:
    """Return the fields of the file with the rules of a vocab.

    Raises:
        UnsupportedVocabError: As in `save`.
    """
    byte_level = isinstance(vocab.model, ByteLevelBPE)
    steps = pre_tokenizers(vocab, label, byte_level=byte_level)
    return {
        "normalizer": normalizer(vocab.normalizer),
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps} if steps else None,
        "post_processor": written_post_processor(vocab),
        "decoder": _decoder(vocab, label),
    }


def _decoder(vocab: Vocab, label: str) -> dict[str, Any] | None:
    if vocab.decoder is not None:
        return written_decoder(vocab.decoder, label)
    return BYTE_LEVEL if isinstance(vocab.model, ByteLevelBPE) else {"type": "Fuse"}


def _doubled(vocab: Vocab, tokens: SpelledTokens, label: str) -> dict[str, int]:
    """Return the added tokens that the vocab of byte-level BPE has to list, since their ids would change otherwise.

    `tokenizers` numbers added tokens itself, starting at the size of the base vocab, unless the model's vocab has them,
    too.
    """
    _refuse_shared(vocab, label)
    base, ids = tokens.names, tokens.ids
    for token in vocab.added_tokens:
        if base.get(token.id, token.content) != token.content or ids.get(token.content, token.id) != token.id:
            raise _conflict(token, label)
    if any(token.id != len(base) + at for at, token in enumerate(vocab.added_tokens)):
        return {token.content: token.id for token in vocab.added_tokens}
    return {}


def _check_beside(vocab: Vocab, ids: dict[str, int], label: str) -> None:
    """Check the ids of added tokens. The vocab of another model lists none, since any token could occur in text.

    `tokenizers` gives an added token the id of the base token of that name, or else the next one.
    """
    _refuse_shared(vocab, label)
    last = -1
    for token in vocab.added_tokens:
        if token.id != ids.get(token.content, max(len(ids), last + 1)):
            raise _conflict(token, label)
        last = max(last, token.id)


def _refuse_shared(vocab: Vocab, label: str) -> None:
    first: dict[int, str] = {}
    for token in vocab.added_tokens:
        if first.setdefault(token.id, token.content) != token.content:
            raise UnsupportedVocabError(
                f"{first[token.id]!r} and {token.content!r} share id {token.id}; the format has one for each",
                file=label,
                field="added_tokens",
            )


def _conflict(token: AddedToken, label: str) -> UnsupportedVocabError:
    return UnsupportedVocabError(
        f"added token {token.content!r} (id {token.id}) conflicts with a base token, or would get another id",
        file=label,
        field="added_tokens",
    )


def written_post_processor(vocab: Vocab) -> dict[str, Any] | None:
    """Return the post-processor: the template of a text and of a pair, if `tokenizers` has to be told."""
    pair = vocab.pair_parts
    if not vocab.prefix_ids and not vocab.suffix_ids and pair == around_each((), ()):
        return BYTE_LEVEL if isinstance(vocab.model, ByteLevelBPE) else None
    single = (TemplatePart(vocab.prefix_ids), TemplatePart(text=TEXTS[0]), TemplatePart(vocab.suffix_ids))
    names = {i: vocab.token_bytes(i).decode("utf-8", "replace") for part in (*single, *pair) for i in part.ids}
    return {
        "type": "TemplateProcessing",
        "single": [piece for part in single for piece in _pieces(part, names)],
        "pair": [piece for part in pair for piece in _pieces(part, names)],
        "special_tokens": {name: {"id": name, "ids": [i], "tokens": [name]} for i, name in names.items()},
    }


def _pieces(part: TemplatePart, names: Mapping[int, str]) -> list[dict[str, Any]]:
    if part.text is not None:
        return [{"Sequence": {"id": "AB"[TEXTS.index(part.text)], "type_id": part.type_id}}]
    return [{"SpecialToken": {"id": names[i], "type_id": part.type_id}} for i in part.ids]
