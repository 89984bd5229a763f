"""The model of a tokenizer.json: base tokens and merges of byte-level BPE."""

from __future__ import annotations

from array import array
from typing import Any

from wordsplit.byte_level import from_byte_level, to_byte_level
from wordsplit.vocab import MAX_ID, MergeList
from wordsplit.vocabs.json_tree import Node, shown

__all__ = ["drop_doubled", "read_bpe", "read_merges", "read_tokens", "spelled_bytes"]

_NEVER_IN_UTF_8 = frozenset({0xC0, 0xC1, *range(0xF5, 0x100)})


def read_bpe(model: Node) -> tuple[dict[int, bytes], MergeList, set[int], bool]:
    """Return tokens, merges, ids of tokens outside the byte-level alphabet, and ``ignore_merges``."""
    model.require_object()
    kind = model["type"].value
    if kind is None and "merges" in model.value:
        kind = "BPE"  # files written before tokenizers 0.9 do not say
    if kind != "BPE":
        raise model["type"].unsupported(f"model {shown(kind)}; wordsplit supports byte-level BPE")
    for name, none in (("dropout", 0), ("continuing_subword_prefix", ""), ("end_of_word_suffix", "")):
        value = model[name].value
        if value is not None and (isinstance(value, bool) or value != none):
            raise model[name].unsupported(f"{name} {shown(value)}")
    if model["byte_fallback"].boolean():
        raise model["byte_fallback"].unsupported("byte_fallback; it belongs to SentencePiece-style BPE")
    vocab = model["vocab"]
    vocab.require_object()
    tokens, unreachable_ids = read_tokens(vocab)
    if model["unk_token"].value is not None:
        _refuse_unknown_bytes(model["unk_token"], vocab.value)
    merges = read_merges(model["merges"], vocab.value)
    return tokens, merges, unreachable_ids, model["ignore_merges"].boolean()


def _refuse_unknown_bytes(unk_token: Node, vocab: dict[str, int]) -> None:
    """Refuse an unk_token unless the vocab has every byte, in which case it is never used."""
    for byte in range(256):
        if to_byte_level(bytes([byte])) not in vocab and byte not in _NEVER_IN_UTF_8:
            raise unk_token.unsupported(
                f"unk_token {shown(unk_token.value)} in a vocab without a token for byte 0x{byte:02X}"
            )


def read_tokens(vocab: Node) -> tuple[dict[int, bytes], set[int]]:
    """Return id -> bytes, and the ids of tokens outside the byte-level alphabet."""
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
    return tokens, unreachable_ids


def spelled_bytes(spelled: str) -> bytes:
    """Return the bytes of a token as `read_tokens` does."""
    data = from_byte_level(spelled)
    return spelled.encode() if data is None else data


def vocab_key(vocab: Node, spelled: str) -> str:
    """Check that a key of the vocab has no lone surrogate."""
    return Node(spelled, vocab.label, f"{vocab.path} key").string()


def read_merges(node: Node, ids: dict[str, int]) -> MergeList:
    """Return merges by rank, from ``"a b"`` strings or ``["a", "b"]`` pairs."""
    items: Any = node.value
    if not isinstance(items, list):
        raise node.wrong("a list of merges")
    flat = array("I")
    for rank, item in enumerate(items):
        pair = item.split(" ") if isinstance(item, str) else item
        if type(pair) is not list:  # an object of two keys would unpack as well
            raise _merge_error(node, rank, item, ids)
        try:
            left, right = pair
            known = left + right in ids
            flat.append(ids[left])
            flat.append(ids[right])
        except (TypeError, ValueError, KeyError):
            raise _merge_error(node, rank, item, ids) from None
        if not known:
            raise _merge_error(node, rank, item, ids)
    return MergeList(flat)


def drop_doubled(tokens: dict[int, bytes], merges: MergeList, added_ids: set[int]) -> None:
    """Remove base tokens that are also added tokens, unless a merge needs or makes them.

    Some files list added tokens among the base tokens. If a merge makes such a token, text can still produce it.
    """
    doubled = added_ids & tokens.keys()
    if not doubled:
        return
    doubled.difference_update(merges.flat)
    names = {tokens[i]: i for i in doubled}
    for left, right in zip(merges.flat[::2], merges.flat[1::2], strict=True):
        doubled.discard(names.get(tokens[left] + tokens[right], -1))
    for i in doubled:
        del tokens[i]


def _merge_error(node: Node, rank: int, item: Any, ids: dict[str, int]) -> Exception:
    at = Node(item, node.label, f"{node.path}[{rank}]")
    pair = item.split(" ") if isinstance(item, str) else item
    if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
        return at.format_error(f"a merge has two parts, found {shown(item)}")
    lacking = next((part for part in pair if part not in ids), "".join(pair))
    return at.format_error(f"merge {shown(item)} names {shown(lacking)}, which is not a token of the vocab")
