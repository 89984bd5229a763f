"""The decoder of a tokenizer.json."""

from __future__ import annotations

from collections.abc import Callable

from wordsplit.vocab import Decode
from wordsplit.vocabs.formats.tokenizer_json.rules import flat, read_pattern
from wordsplit.vocabs.json_tree import Node, shown

__all__ = ["JOINED_BY_SPACES", "read_decoder"]

JOINED_BY_SPACES = (Decode("join", content=" "),)
"""The decoder of a file without one."""


def read_decoder(node: Node) -> tuple[Decode, ...]:
    """Return the steps of the decoder."""
    if node.value is None:
        return JOINED_BY_SPACES
    return tuple(_step(part) for part in flat(node, "decoders"))


def _step(part: Node) -> Decode:
    kind = part["type"].string()
    if kind not in _KINDS:
        raise part.unsupported(f"decoder {shown(kind)}; wordsplit supports {', '.join(map(repr, _KINDS))}")
    return _KINDS[kind](part)


def _replace(part: Node) -> Decode:
    pattern, literal = read_pattern(part["pattern"])
    return Decode("replace", pattern, part["content"].string(), literal)


def _strip(part: Node) -> Decode:
    content = part["content"].string()
    if len(content) != 1:
        raise part["content"].wrong("one character")
    return Decode("strip", content=content, left=part["start"].count(), right=part["stop"].count())


def _metaspace(part: Node) -> Decode:
    scheme = part["prepend_scheme"].value
    spaced = part["add_prefix_space"].boolean(default=True) if scheme is None else scheme != "never"
    return Decode("metaspace", content=part["replacement"].string(), prepended=spaced)


def _ctc(part: Node) -> Decode:
    cleanup, delimiter = part["cleanup"].boolean(default=True), part["word_delimiter_token"].string()
    return Decode("ctc", content=part["pad_token"].string(), cleanup=cleanup, delimiter=delimiter)


_KINDS: dict[str, Callable[[Node], Decode]] = {
    "ByteLevel": lambda _: Decode("byte_level"),
    "ByteFallback": lambda _: Decode("byte_fallback"),
    "Fuse": lambda _: Decode("fuse"),
    "Replace": _replace,
    "Strip": _strip,
    "Metaspace": _metaspace,
    "WordPiece": lambda part: Decode(
        "word_piece", content=part["prefix"].string(), cleanup=part["cleanup"].boolean(default=True)
    ),
    "BPEDecoder": lambda part: Decode("suffix", content=part["suffix"].string()),
    "CTC": _ctc,
}
