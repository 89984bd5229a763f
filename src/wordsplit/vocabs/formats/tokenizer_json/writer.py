"""Write tokenizer.json files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from wordsplit.byte_level import to_byte_level
from wordsplit.errors import UnsupportedVocabError
from wordsplit.vocab import Vocab
from wordsplit.vocabs.formats.base import write_whole
from wordsplit.vocabs.formats.tokenizer_json.rule_writer import BYTE_LEVEL, normalizer, pre_tokenizers

__all__ = ["save"]


def save(vocab: Vocab, path: str | os.PathLike[str]) -> None:
    """Write a tokenizer.json with which `tokenizers` gives the same ids.

    Raises:
        UnsupportedVocabError: An added token has the id of another token, which the format cannot express, or it cannot
            express where a space is prepended.
    """
    base = {
        i: token.decode() if i in vocab.unreachable_ids else to_byte_level(token) for i, token in vocab.tokens.items()
    }
    label = str(path)
    spelled = _with_added(vocab, base, label)
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
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
        "normalizer": normalizer(vocab.normalizer),
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": pre_tokenizers(vocab, label)},
        "post_processor": _template(vocab) or BYTE_LEVEL,
        "decoder": BYTE_LEVEL,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": vocab.ignore_merges,
            "vocab": spelled,
            "merges": [[base[left], base[right]] for left, right in vocab.merges],
        },
    }
    write_whole(Path(path), json.dumps(document, ensure_ascii=False, indent=1).encode())


def _with_added(vocab: Vocab, base: dict[int, str], label: str) -> dict[str, int]:
    """Return the model's vocab: the base tokens, and those added tokens whose ids would change otherwise.

    `tokenizers` numbers added tokens itself, starting at the size of the base vocab, unless the model's vocab has them,
    too.
    """
    out = {token: i for i, token in base.items()}
    following = len(base)
    first: dict[int, str] = {}
    for token in vocab.added_tokens:
        if first.setdefault(token.id, token.content) != token.content:
            raise UnsupportedVocabError(
                f"{first[token.id]!r} and {token.content!r} share id {token.id}; the format has one for each",
                file=label,
                field="added_tokens",
            )
    for token in vocab.added_tokens:
        if token.id in base or out.get(token.content, token.id) != token.id:
            raise UnsupportedVocabError(
                f"added token {token.content!r} (id {token.id}) conflicts with a base token",
                file=label,
                field="added_tokens",
            )
    if any(token.id != following + at for at, token in enumerate(vocab.added_tokens)):
        out |= {token.content: token.id for token in vocab.added_tokens}
    return out


def _template(vocab: Vocab) -> dict[str, Any] | None:
    """Return a post-processor for the vocab's prefix and suffix; ``None`` if it has neither."""
    if not vocab.prefix_ids and not vocab.suffix_ids:
        return None
    names = {i: vocab.token_bytes(i).decode("utf-8", "replace") for i in (*vocab.prefix_ids, *vocab.suffix_ids)}

    def items(sequences: str) -> list[dict[str, Any]]:
        def special(i: int) -> dict[str, Any]:
            return {"SpecialToken": {"id": names[i], "type_id": 0}}

        out: list[dict[str, Any]] = []
        for name in sequences:
            out += map(special, vocab.prefix_ids)
            out.append({"Sequence": {"id": name, "type_id": 0}})
            out += map(special, vocab.suffix_ids)
        return out

    return {
        "type": "TemplateProcessing",
        "single": items("A"),
        "pair": items("AB"),
        "special_tokens": {name: {"id": name, "ids": [i], "tokens": [name]} for i, name in names.items()},
    }
