"""Read the parts of a tokenizer.json other than its vocab, and write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from wordsplit.compat.tokenizers._outline import TABLES, Outline
from wordsplit.compat.tokenizers._processing import Processing, read_processing
from wordsplit.compat.tokenizers.tokens import AddedToken
from wordsplit.lengths import Padding, Truncation
from wordsplit.vocab import Vocab
from wordsplit.vocabs.formats.tokenizer_json.model_writer import written_model
from wordsplit.vocabs.formats.tokenizer_json.spelled_tokens import SpelledMerges, SpelledTokens, SpelledVocab
from wordsplit.vocabs.formats.tokenizer_json.text import document_text
from wordsplit.vocabs.formats.tokenizer_json.writer import written, written_rules
from wordsplit.vocabs.json_tree import Node
from wordsplit.vocabs.lengths import read_padding, read_truncation, written_padding, written_truncation

__all__ = [
    "Parts",
    "document",
    "document_of_model",
    "parts_of_rules",
    "read_parts",
    "rules",
    "spelled_out",
    "text_of",
    "with_lengths",
]

_RULES = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
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


def read_parts(outline: Outline, vocab: Vocab) -> Parts:
    """Read the parts of a tokenizer.json from which the vocab was loaded.

    Raises:
        NotSupportedError: The post-processor is not supported.
    """
    root = outline.root
    processor, model = root.get("post_processor"), root["model"]
    return Parts(
        read_processing(processor),
        vocab.truncation,
        vocab.padding,
        _doubled(outline, vocab),
        {name: root.get(name) for name in _RULES}
        | {"model": {name: value for name, value in model.items() if name not in TABLES}},
    )


def parts_of_rules(root: dict[str, Any]) -> Parts:
    """Read the parts of a tokenizer.json whose model has no tokens.

    Raises:
        NotSupportedError: The post-processor is not supported.
        VocabFormatError: Truncation or padding is damaged.
    """
    node, processor = Node(root, _LABEL), root["post_processor"]
    return Parts(
        read_processing(processor),
        read_truncation(node["truncation"]),
        read_padding(node["padding"]),
        doubled={},
        spelled={},
    )


def _doubled(outline: Outline, vocab: Vocab) -> dict[str, int]:
    """Return the tokens that are only added tokens, although the model of a file also lists them."""
    return outline.listed(i for i in vocab.added_tokens.ids if i not in vocab.tokens)


def spelled_out(vocab: Vocab, parts: Parts) -> Parts:
    """Return the parts with the spelling of every rule, also if there is no file.

    Raises:
        UnsupportedVocabError: The format cannot express it.
    """
    if parts.spelled:
        return parts
    root = _plain(_written(vocab, parts))
    spelled = {name: root[name] for name in _RULES} | {"model": {}}
    return parts._replace(doubled=_doubled(Outline(root), vocab), spelled=spelled)


def document(vocab: Vocab, parts: Parts) -> dict[str, Any]:
    """Return the tokenizer.json of a vocab and its other parts.

    Raises:
        UnsupportedVocabError: The format cannot express it.
    """
    return _plain(_document(vocab, parts))


def text_of(vocab: Vocab, parts: Parts, *, pretty: bool) -> str:
    """Return the text of `document`."""
    return document_text(_document(vocab, parts), 2 if pretty else None)


def _plain(root: dict[str, Any]) -> dict[str, Any]:
    """Return a document with the tables of its model as `json` reads them."""
    tables = {name: root["model"].get(name) for name in TABLES}
    plain = {name: table.plain() for name, table in tables.items() if isinstance(table, (SpelledVocab, SpelledMerges))}
    return root | {"model": root["model"] | plain}


def _document(vocab: Vocab, parts: Parts) -> dict[str, Any]:
    if not parts.spelled:
        return _written(vocab, parts)
    tokens = SpelledTokens(vocab.model, _LABEL)
    model = written_model(vocab.model, SpelledVocab(tokens, parts.doubled), _LABEL)
    added = sorted(vocab.added_tokens, key=lambda token: token.id)
    tables = {name: model[name] for name in TABLES if name in model}
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
    return written_rules(vocab, _LABEL) | {"post_processor": parts.processing and parts.processing.node}


def document_of_model(model: dict[str, Any]) -> dict[str, Any]:
    """Return the tokenizer.json of a model alone."""
    rules = dict.fromkeys(_RULES)
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], **rules, "model": model}


def with_lengths(root: dict[str, Any], parts: Parts) -> dict[str, Any]:
    """Return a tokenizer.json with the truncation and padding of parts."""
    lengths = {"truncation": written_truncation(parts.truncation), "padding": written_padding(parts.padding)}
    return root | lengths


def _written(vocab: Vocab, parts: Parts) -> dict[str, Any]:
    out = written(vocab.replace(truncation=parts.truncation, padding=parts.padding), "tokenizer.json")
    out["post_processor"] = parts.processing and parts.processing.node
    if parts.doubled:
        listed: SpelledVocab = out["model"]["vocab"]
        out["model"]["vocab"] = listed._replace(more=listed.more | parts.doubled)
    return out
