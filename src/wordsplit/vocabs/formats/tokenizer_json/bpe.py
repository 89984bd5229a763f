"""The model of a tokenizer.json: base tokens and merges of byte-level BPE."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

from wordsplit.byte_fallback import ids_of_bytes
from wordsplit.byte_level import from_byte_level, to_byte_level
from wordsplit.missing_bytes import NEVER_IN_UTF_8, MissingBytes, fallback_ids
from wordsplit.model import ByteLevelBPE
from wordsplit.tables import MAX_ID, MergeList, TokenTable, made_by_merges
from wordsplit.vocabs.json_tree import Node, parse_json, shown

try:
    from wordsplit._native import ids_of_json_pairs, ids_of_pairs, table_of_spellings
except ImportError:  # a pure-Python build
    table_of_spellings = ids_of_pairs = ids_of_json_pairs = None  # type: ignore[assignment]

__all__ = [
    "MergesInJson",
    "read_bpe",
    "read_merges",
    "read_tokens",
    "refuse_dropout",
    "spelled_bytes",
    "vocab_key",
    "without_doubled",
]

_PAIRS = (list, tuple)
"""Types of merges. Programs give tuples; an object of two keys would unpack as well."""


class MergesInJson(NamedTuple):
    """The merges of a model, where a file has them.

    Attributes:
        data: The content of the file.
        begin: Where the list begins.
        end: Where it ends.
    """

    data: bytes
    begin: int
    end: int


def read_bpe(model: Node, added_ids: set[int]) -> ByteLevelBPE:
    """Return a model of byte-level BPE.

    Args:
        model: The node of the model.
        added_ids: The ids of the added tokens.
    """
    refuse_dropout(model)
    vocab = model["vocab"]
    vocab.require_object()
    tokens, unreachable_ids = read_tokens(vocab)
    merges = read_merges(model["merges"], vocab.value)
    missing = _missing_bytes(model, tokens)
    tokens = without_doubled(tokens, merges, added_ids - _used_for_missing(missing, tokens))
    return ByteLevelBPE(
        tokens=tokens,
        explicit_merges=merges,
        ignore_merges=model["ignore_merges"].boolean(),
        unreachable_ids=unreachable_ids,
        missing_bytes=missing,
    )


def refuse_dropout(model: Node) -> None:
    """Refuse merges that are left out at random."""
    value = model["dropout"].value
    if value is not None and (isinstance(value, bool) or value != 0):
        raise model["dropout"].unsupported(f"dropout {shown(value)}")


def _missing_bytes(model: Node, tokens: TokenTable) -> MissingBytes | None:
    """Return the rule for bytes without a token; ``None`` if every byte of UTF-8 has one, or for an error."""
    vocab = model["vocab"].value
    lacking = {byte for byte in range(256) if to_byte_level(bytes([byte])) not in vocab} - NEVER_IN_UTF_8
    if not lacking:
        return None
    fallback = model["byte_fallback"].boolean() and not lacking.isdisjoint(fallback_ids(tokens))
    name = model["unk_token"]
    unk_id = None if name.value is None else vocab.get(name.string())
    if name.value is None or unk_id is not None:
        return MissingBytes(unk_id=unk_id, fuse_unk=model["fuse_unk"].boolean(), byte_fallback=fallback)
    if fallback:
        raise name.unsupported(f"byte_fallback with unk_token {shown(name.value)}, which is not in the vocab")
    return None  # `tokenizers` also raises an error


def _used_for_missing(missing: MissingBytes | None, tokens: TokenTable) -> set[int | None]:
    """Return the ids that missing bytes may get."""
    if missing is None:
        return set()
    return {missing.unk_id, *(ids_of_bytes(tokens) if missing.byte_fallback else ())}


def read_tokens(vocab: Node) -> tuple[TokenTable, set[int]]:
    """Return the tokens, and the ids of those outside the byte-level alphabet."""
    if table_of_spellings is not None:
        found = table_of_spellings(vocab.value, MAX_ID)
        if found is not None:
            return TokenTable.of_bytes(*found), set()
    tokens: dict[int, bytes] = {}
    unreachable_ids: set[int] = set()
    for spelled, i in vocab.value.items():
        if type(i) is not int or not 0 <= i <= MAX_ID:
            vocab[spelled].token_id()
        data = from_byte_level(spelled)
        if data is None:
            data = vocab_key(vocab, spelled).encode()
            unreachable_ids.add(i)
        if i in tokens:
            raise vocab[spelled].format_error(f"id {i} is also that of {shown(tokens[i])}")
        tokens[i] = data
    return TokenTable.pack(tokens), unreachable_ids


def spelled_bytes(spelled: str) -> bytes:
    """Return the bytes of a token as `read_tokens` does."""
    data = from_byte_level(spelled)
    return spelled.encode() if data is None else data


def vocab_key(vocab: Node, spelled: str) -> str:
    """Check that a key of the vocab has no lone surrogate."""
    return Node(spelled, vocab.label, f"{vocab.path} key").string()


def read_merges(node: Node, ids: dict[str, int], skip: int = 0) -> MergeList:
    """Return merges by rank, from ``"a b"`` strings or pairs, which are lists or tuples.

    Args:
        node: The merges, or `MergesInJson`.
        ids: The ids of the vocab.
        skip: The length of the prefix that a merge drops from its right part.
    """
    if not skip and (words := _usual_merges(node.value, ids)) is not None:
        return MergeList(array("I", words))
    if isinstance(node.value, MergesInJson):
        node = Node(parse_json(node.value.data, node.label)["model"]["merges"], node.label, node.path)
    items: Any = node.value
    if not isinstance(items, list):
        raise node.wrong("a list of merges")
    flat = array("I")
    for rank, item in enumerate(items):
        pair = item.split(" ") if isinstance(item, str) else item
        if type(pair) not in _PAIRS:
            raise _merge_error(node, rank, item, ids)
        try:
            left, right = pair
            if skip and (len(right) < skip or not right[:skip].isascii()):  # `tokenizers` panics
                raise _prefix_error(node, rank, item, skip)
            known = left + right[skip:] in ids
            flat.append(ids[left])
            flat.append(ids[right])
        except (TypeError, ValueError, KeyError):
            raise _merge_error(node, rank, item, ids) from None
        if not known:
            raise _merge_error(node, rank, item, ids)
    return MergeList(flat)


def _usual_merges(items: Any, ids: dict[str, int]) -> bytes | None:
    """Return the ids of merges as words; ``None`` if some are not as usual, or in a pure-Python build."""
    if isinstance(items, MergesInJson):
        return ids_of_json_pairs(*items, ids)
    if isinstance(items, list) and ids_of_pairs is not None:
        return ids_of_pairs(items, ids)
    return None


def without_doubled(tokens: TokenTable, merges: MergeList, added_ids: set[int]) -> TokenTable:
    """Leave out base tokens that are also added tokens, unless they are single bytes, or a merge needs or makes them.

    Some files list added tokens among the base tokens. If a merge makes such a token, text can still produce it.
    """
    doubled = {i for i in added_ids if i in tokens and len(tokens[i]) > 1}
    doubled -= merges.parts_among(doubled)
    if not doubled:
        return tokens
    made = made_by_merges({tokens[i] for i in doubled}, tokens, merges)
    doubled = {i for i in doubled if tokens[i] not in made}
    return TokenTable.pack({i: data for i, data in tokens.items() if i not in doubled})


def _prefix_error(node: Node, rank: int, item: Any, skip: int) -> Exception:
    at = Node(item, node.label, f"{node.path}[{rank}]")
    return at.format_error(f"the right part of merge {shown(item)} does not begin with the prefix of {skip} letters")


def _merge_error(node: Node, rank: int, item: Any, ids: dict[str, int]) -> Exception:
    at = Node(item, node.label, f"{node.path}[{rank}]")
    pair = item.split(" ") if isinstance(item, str) else item
    if type(pair) not in _PAIRS or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
        return at.format_error(f"a merge has two parts, found {shown(item)}")
    lacking = next((part for part in pair if part not in ids), "".join(pair))
    return at.format_error(f"merge {shown(item)} names {shown(lacking)}, which is not a token of the vocab")
