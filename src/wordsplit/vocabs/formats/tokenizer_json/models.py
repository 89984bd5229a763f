"""The model of a tokenizer.json that works on characters."""

from __future__ import annotations

from contextlib import suppress
from math import isfinite
from typing import Any

from wordsplit.model import CharacterBPE, Model, Unigram, WordLevel, WordPiece
from wordsplit.vocab import MAX_ID
from wordsplit.vocabs.formats.tokenizer_json.bpe import read_merges, refuse_dropout, vocab_key
from wordsplit.vocabs.json_tree import Node, shown

__all__ = ["kind_of", "read_model"]


def kind_of(model: Node) -> str:
    """Return the kind of a model, which old files do not name."""
    model.require_object()
    if model["type"].value is not None:
        return model["type"].string()
    if "merges" in model.value:
        return "BPE"
    if isinstance(model["vocab"].value, list):
        return "Unigram"
    return "WordPiece" if "max_input_chars_per_word" in model.value else "WordLevel"


def read_model(model: Node) -> Model:
    """Return a model that works on characters."""
    kind = kind_of(model)
    try:
        read = _KINDS[kind]
    except KeyError:
        raise model["type"].unsupported(f"model {shown(kind)}; wordsplit supports {', '.join(_KINDS)}") from None
    found: Model = read(model)
    return found


def _bpe(model: Node) -> CharacterBPE:
    refuse_dropout(model)
    ids = _ids(model["vocab"])
    prefix = model["continuing_subword_prefix"].string_or("")
    if not prefix.isascii():  # `tokenizers` counts it in characters, and cuts as many bytes
        raise model["continuing_subword_prefix"].unsupported(f"a prefix that is not ASCII, {shown(prefix)}")
    return CharacterBPE(
        tokens=_tokens(ids),
        explicit_merges=read_merges(model["merges"], ids, len(prefix)),
        unk_id=_unk_id(model["unk_token"], ids),
        fuse_unk=model["fuse_unk"].boolean(),
        byte_fallback=model["byte_fallback"].boolean(),
        continuing_subword_prefix=prefix,
        end_of_word_suffix=model["end_of_word_suffix"].string_or(""),
        ignore_merges=model["ignore_merges"].boolean(),
    )


def _unigram(model: Node) -> Unigram:
    tokens, scores = _tokens_and_scores(model["vocab"])
    unk_id = None if model["unk_id"].value is None else model["unk_id"].token_id()
    if unk_id is not None and unk_id not in tokens:
        raise model["unk_id"].format_error(f"id {unk_id} is outside the vocab of {len(tokens):,} tokens")
    return Unigram(tokens=tokens, scores=scores, unk_id=unk_id, byte_fallback=model["byte_fallback"].boolean())


def _tokens_and_scores(vocab: Node) -> tuple[dict[int, bytes], list[float]]:
    if isinstance(vocab.value, list):
        with suppress(TypeError, ValueError, OverflowError):  # of what is not as usual: below is said of which
            names, scores = zip(*vocab.value, strict=True)
            encoded = map(str.encode, names)  # UnicodeEncodeError is a ValueError
            if (
                set(map(type, vocab.value)) == {list}
                and set(map(type, scores)) <= {float, int}
                and isfinite(sum(scores))
            ):
                return dict(enumerate(encoded)), list(map(float, scores))
    tokens: dict[int, bytes] = {}
    numbers: list[float] = []
    for i, item in enumerate(vocab.items()):
        pair = list(item.items())
        if len(pair) != 2:
            raise item.wrong("a token and its score")
        tokens[i] = pair[0].string().encode()
        numbers.append(pair[1].number())
    return tokens, numbers


def _word_piece(model: Node) -> WordPiece:
    ids = _ids(model["vocab"])
    most = model["max_input_chars_per_word"]
    return WordPiece(
        tokens=_tokens(ids),
        unk_id=_unk_id(model["unk_token"], ids, "[UNK]"),
        continuing_subword_prefix=model["continuing_subword_prefix"].string_or("##"),
        max_input_chars_per_word=100 if most.value is None else most.count(),
    )


def _word_level(model: Node) -> WordLevel:
    ids = _ids(model["vocab"])
    return WordLevel(tokens=_tokens(ids), unk_id=_unk_id(model["unk_token"], ids, "<unk>"))


def _ids(vocab: Node) -> dict[str, int]:
    """Return token -> id, checked."""
    vocab.require_object()
    out: dict[str, int] = vocab.value
    if _are_usual(out):
        return out
    seen: dict[int, str] = {}
    for token, i in out.items():
        if type(i) is not int or not 0 <= i <= MAX_ID:
            vocab[token].token_id()
        vocab_key(vocab, token)
        if seen.setdefault(i, token) != token:
            raise vocab[token].format_error(f"id {i} is also that of {shown(seen[i])}")
    return out


def _are_usual(ids: dict[str, int]) -> bool:
    """Return whether everything is valid; `_ids` reports errors."""
    values = ids.values()
    if set(map(type, values)) != {int} or not 0 <= min(values) <= max(values) <= MAX_ID:
        return False
    try:
        "".join(ids).encode()
    except UnicodeEncodeError:
        return False
    return len(set(values)) == len(ids)


def _tokens(ids: dict[str, int]) -> dict[int, bytes]:
    return {i: token.encode() for token, i in ids.items()}


def _unk_id(node: Node, ids: dict[str, int], default: str | None = None) -> int | None:
    token = default if node.value is None else node.string()
    return None if token is None else ids.get(token)


_KINDS: dict[str, Any] = {"BPE": _bpe, "Unigram": _unigram, "WordPiece": _word_piece, "WordLevel": _word_level}
