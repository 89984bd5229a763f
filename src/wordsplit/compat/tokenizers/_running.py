"""Run single components, by the functions of the engine in Python."""

from __future__ import annotations

from typing import Any

from wordsplit.engine.aligned import AlignedText
from wordsplit.engine.decoding import step_function
from wordsplit.engine.normalization import normalizer_of
from wordsplit.vocabs.formats.tokenizer_json.decoders import read_decoder
from wordsplit.vocabs.formats.tokenizer_json.rules import read_normalizer, read_pre_tokenizer
from wordsplit.vocabs.json_tree import Node

__all__ = ["check", "decoded", "normalized", "pre_tokenized"]


def normalized(node: dict[str, Any], text: str) -> str:
    """Return a text after a normalizer, given as in a tokenizer.json."""
    steps = read_normalizer(Node(node, "normalizer"), byte_level=False)
    return normalizer_of(steps, "normalizer")(AlignedText(text)).text


def pre_tokenized(node: dict[str, Any], text: str) -> list[tuple[str, tuple[int, int]]]:
    """Return the words of a text after a pre-tokenizer, and the characters that they cover."""
    from wordsplit.engine.rewriting import Rewriting  # noqa: PLC0415 - the patterns that it needs take 30 ms

    steps, prefix_space = read_pre_tokenizer(Node(node, "pre_tokenizer"), byte_level=False)
    if not text:
        return []
    whole = AlignedText.of(text)
    if prefix_space and not text.startswith(" "):
        whole = whole.prepended(" ")
    pieces = Rewriting(steps, "pre_tokenizer").pieces(whole)
    return [(piece.text, (piece.ranges[0][0], piece.ranges[-1][1])) for piece in pieces if piece.ranges]


def decoded(node: dict[str, Any], tokens: list[str]) -> str:
    """Return the text of tokens after a decoder."""
    texts = list(tokens)
    for step in read_decoder(Node(node, "decoder")):
        texts = step_function(step, "decoder")(texts, "replace")
    return "".join(texts)


def check(field: str, node: Any) -> None:
    """Raise an error if a rule is not supported, as far as this can be known without the model.

    Raises:
        UnsupportedVocabError: It is not supported.
        VocabFormatError: It is damaged.
    """
    root = Node({field: node}, "the tokenizer")
    if field == "normalizer":
        read_normalizer(root[field], byte_level=False)
    elif field == "pre_tokenizer":
        read_pre_tokenizer(root[field], byte_level=False)
    elif field == "decoder":
        read_decoder(root[field])
