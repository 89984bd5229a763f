"""Read the parts of a tokenizer.json other than its vocab, and write it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from wordsplit.compat.tokenizers._processing import Processing, read_processing
from wordsplit.compat.tokenizers.tokens import AddedToken
from wordsplit.lengths import Padding, Truncation
from wordsplit.vocab import Vocab
from wordsplit.vocabs.formats.tokenizer_json.model_writer import spelled_tokens, written_model
from wordsplit.vocabs.formats.tokenizer_json.writer import written_rules
from wordsplit.vocabs.lengths import written_padding, written_truncation

__all__ = ["Parts", "document", "document_of_model", "read_parts", "rules", "with_lengths"]

_RULES = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
_TABLES = ("vocab", "merges")
_LABEL = "tokenizer.json"  # in errors


class Parts(NamedTuple):
    """The parts of a tokenizer.json that are not in a `Vocab`.

    Attributes:
        processing: The post-processor, if there is one.
        truncation: The truncation settings.
        padding: The padding settings.
        doubled: Added tokens that the file also lists among the base tokens, while the vocab does not.
        spelled: The rules as the file spells them, by field, and the model without its tables; empty if there is no
            file. A vocab has an equivalent form of them.
    """

    processing: Processing | None
    truncation: Truncation | None
    padding: Padding | None
    doubled: dict[str, int]
    spelled: Mapping[str, Any]


def read_parts(root: dict[str, Any], vocab: Vocab) -> Parts:
    """Read the parts of a tokenizer.json from which the vocab was loaded.

    Raises:
        NotSupportedError: The post-processor is not supported.
    """
    processor, model = root.get("post_processor"), root["model"]
    tokens, base = vocab.tokens, model["vocab"]
    return Parts(
        None if processor is None else read_processing(processor),
        vocab.truncation,
        vocab.padding,
        {name: i for name, i in base.items() if i not in tokens} if isinstance(base, dict) else {},
        {name: root.get(name) for name in _RULES}
        | {"model": {name: value for name, value in model.items() if name not in _TABLES}},
    )


def document(vocab: Vocab, parts: Parts) -> dict[str, Any]:
    """Return the tokenizer.json of a vocab and its other parts.

    Raises:
        UnsupportedVocabError: The format cannot express it.
    """
    if not parts.spelled:
        return _written(vocab, parts)
    base = spelled_tokens(vocab.model, _LABEL)
    model = written_model(vocab.model, base, {name: i for i, name in base.items()} | parts.doubled, _LABEL)
    added = sorted(vocab.added_tokens, key=lambda token: token.id)
    tables = {name: model[name] for name in _TABLES if name in model}
    root = document_of_model({**model, **parts.spelled["model"], **tables})
    root["added_tokens"] = [{"id": token.id} | AddedToken.of(token).__getstate__() for token in added]
    return with_lengths(root | {name: parts.spelled[name] for name in _RULES}, parts)


def rules(vocab: Vocab, parts: Parts) -> Mapping[str, Any]:
    """Return the fields of the tokenizer.json with the rules of a vocab and its other parts.

    Raises:
        UnsupportedVocabError: The format cannot express one.
    """
    if parts.spelled:
        return parts.spelled
    return written_rules(vocab, _LABEL) | {"post_processor": parts.processing and parts.processing.to_json()}


def document_of_model(model: dict[str, Any]) -> dict[str, Any]:
    """Return the tokenizer.json of a model alone."""
    rules = dict.fromkeys(_RULES)
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], **rules, "model": model}


def with_lengths(root: dict[str, Any], parts: Parts) -> dict[str, Any]:
    """Return a tokenizer.json with the truncation and padding of parts."""
    lengths = {"truncation": written_truncation(parts.truncation), "padding": written_padding(parts.padding)}
    return root | lengths


def _written(vocab: Vocab, parts: Parts) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.json"
        vocab.replace(truncation=parts.truncation, padding=parts.padding).save_tokenizer_json(path)
        out: dict[str, Any] = json.loads(path.read_bytes())
    out["post_processor"] = parts.processing and parts.processing.to_json()
    if parts.doubled:
        out["model"]["vocab"] |= parts.doubled
    return out
