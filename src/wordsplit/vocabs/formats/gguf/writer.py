"""Write GGUF files that hold a vocab and no tensors.

The format names the pre-tokenizer, and cannot hold a pattern, a normalizer, or the flags of added tokens. A vocab that
needs these is refused, because it would be read back as a different one.
"""

from __future__ import annotations

import os
import struct
from array import array
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from wordsplit.atomic_file import write_atomically
from wordsplit.byte_level import to_byte_level
from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.spanners import scanner_of
from wordsplit.vocab import Vocab
from wordsplit.vocabs.formats.base import (
    refuse_missing_bytes,
    require_byte_level,
    require_plain_decoder,
)
from wordsplit.vocabs.formats.gguf.fields import (
    ADD,
    MERGES,
    MODEL,
    PRE,
    ROLES,
    TEMPLATE,
    TEMPLATE_NAMES,
    TOKENS,
    TYPES,
)
from wordsplit.vocabs.formats.gguf.pre_tokenizers import PRE_TOKENIZERS
from wordsplit.vocabs.formats.gguf.token_types import (
    CONTROL,
    NORMAL,
    UNUSED,
    USER_DEFINED,
    fill_in_roles,
    types_by_text,
)

__all__ = ["document", "save"]

_UINT32, _INT32, _BOOL, _STRING, _ARRAY = 4, 5, 7, 8, 9

if TYPE_CHECKING:
    Item = str | int | bool | list[bytes] | list[str] | array[int]


def document(items: Iterable[tuple[str, Item]]) -> bytes:
    """Make a little-endian file of version 3 with these keys and values."""
    encoded = [_string(key.encode()) + _value(value) for key, value in items]
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(encoded)) + b"".join(encoded)


def save(vocab: Vocab, path: str | os.PathLike[str]) -> None:
    """Write a GGUF file; see `Vocab.save_gguf`."""
    require_byte_level(vocab, path, "GGUF")
    require_plain_decoder(vocab, path, "GGUF")
    refuse_missing_bytes(vocab, path, "GGUF")
    label = str(path)
    names, types = _tokens(vocab, label)
    roles = _roles(vocab, names, types, label)
    merges = [names[left] + b" " + names[right] for left, right in vocab.merges]
    items: list[tuple[str, Item]] = [
        ("general.architecture", "gpt2"),
        ("general.type", "vocab"),
        ("general.name", vocab.name),
        (MODEL, "gpt2"),
        (PRE, _pre(vocab, label)),
        (TOKENS, names),
        (TYPES, types),
        (MERGES, merges),
        *((ROLES[role], i) for role, i in roles.items()),
        *_sides(vocab, label),
    ]
    templates = vocab.chat_templates
    if "default" in templates:
        items.append((TEMPLATE, templates.pop("default")))
    if templates:
        items.append((TEMPLATE_NAMES, list(templates)))
        items += [(f"{TEMPLATE}.{name}", template) for name, template in templates.items()]
    write_atomically(Path(path), document(items))


def _tokens(vocab: Vocab, label: str) -> tuple[list[bytes], array[int]]:
    """Return names and types by id, with holes filled by unused tokens."""
    names = [b"[UNUSED_%d]" % i for i in range(vocab.n_vocab)]
    types = array("i", [UNUSED]) * len(names)
    for i, data in vocab.tokens.items():
        names[i] = data if i in vocab.unreachable_ids else to_byte_level(data).encode()
        types[i] = NORMAL
    for token in vocab.added_tokens:
        field = f"added_tokens[{token.content!r:.80}]"
        if token.lstrip or token.rstrip or token.single_word:
            _refuse(label, field, "its flags lstrip, rstrip and single_word are not in the format")
        content = token.content.encode()
        if types[token.id] != UNUSED and names[token.id] != content:
            _refuse(label, field, f"id {token.id} is also that of {names[token.id]!r:.80}, and an id has one token")
        names[token.id] = content
        types[token.id] = CONTROL if token.special else USER_DEFINED
    if len(set(names)) < len(names):
        twice, _ = Counter(names).most_common(1)[0]
        _refuse(label, TOKENS, f"two tokens are spelled {twice!r:.80}; the format identifies tokens by their spelling")
    return names, types


def _roles(vocab: Vocab, names: list[bytes], types: array[int], label: str) -> dict[str, int]:
    """Return the ids of special tokens, those of fill-in-the-middle too if llama.cpp would guess them by their text."""
    ids = dict(zip(names, range(len(names)), strict=True))
    guessed = {role: i for role, i in fill_in_roles(ids).items() if types[i] != CONTROL}
    roles = guessed | vocab.role_ids
    for i, (type_, found) in enumerate(zip(types, types_by_text(ids, types, roles), strict=True)):
        if type_ != found:
            _refuse(
                label,
                f"{TOKENS}[{i}]",
                f"llama.cpp treats {names[i].decode()!r} as {_KINDS[found]} by its text, whatever the file says; "
                "use save_tokenizer_json",
            )
    return roles


_KINDS = {NORMAL: "text", CONTROL: "a control token", USER_DEFINED: "a token that is found in text"}


def _pre(vocab: Vocab, label: str) -> str:
    if vocab.normalizer is not None:
        _refuse(label, "normalizer", f"{vocab.normalizer!r:.80} is not in the format; use save_tokenizer_json")
    if vocab.add_prefix_space:
        _refuse(label, "add_prefix_space", "is not in the format; use save_tokenizer_json")
    rows = {name: row for name, row in PRE_TOKENIZERS.items() if not row.mask_lstrip}
    # Other spellings of a scheme's pattern count as that scheme, for example OpenAI's spelling of gpt2's.
    same = {name: row for name, row in rows.items() if vocab.pre_tokenizer == SCHEMES[row.scheme]} or {
        name: row for name, row in rows.items() if row.scheme == scanner_of(vocab)
    }
    fitting = [name for name, row in same.items() if row.ignore_merges == vocab.ignore_merges]
    if not fitting and same and _every_token_is_made(vocab):
        fitting = list(same)
    if not fitting:
        known = sorted({row.scheme for row in rows.values() if row.ignore_merges == vocab.ignore_merges})
        _refuse(
            label,
            PRE,
            f"llama.cpp has no name for this pattern with ignore_merges={vocab.ignore_merges}; it has names for the "
            f"schemes {', '.join(known)}. save_tokenizer_json holds any pattern",
        )
    return fitting[0]


def _every_token_is_made(vocab: Vocab) -> bool:
    """Return whether merging makes each token from its own bytes, so that looking up whole spans changes no id."""
    return len(vocab.merge_tables.live_merges(vocab.ids_by_bytes)) == sum(
        len(token) > 1 for token in vocab.ids_by_bytes
    )


def _sides(vocab: Vocab, label: str) -> list[tuple[str, Item]]:
    sides = (("bos", vocab.prefix_ids, vocab.bos_token_id), ("eos", vocab.suffix_ids, vocab.eos_token_id))
    for role, ids, own in sides:
        if ids not in ((), (own,)):
            _refuse(label, ADD[role], f"a text gets the ids {ids}, but the format can add only the {role} token")
    if vocab.pair_template is not None:
        _refuse(
            label,
            "pair_template",
            "the format has no template for pairs of texts; use save_tokenizer_json, or write "
            "vocab.replace(pair_template=None), with which each of the two has what a text alone has",
        )
    return [(ADD[role], bool(ids)) for role, ids, _ in sides]


def _refuse(label: str, field: str, found: str) -> NoReturn:
    raise UnsupportedVocabError(found, file=label, field=field)


def _string(data: bytes) -> bytes:
    return struct.pack("<Q", len(data)) + data


def _value(value: Item) -> bytes:
    if isinstance(value, bool):
        return struct.pack("<I?", _BOOL, value)
    if isinstance(value, int):
        return struct.pack("<II", _UINT32, value)
    if isinstance(value, str):
        return struct.pack("<I", _STRING) + _string(value.encode())
    if isinstance(value, array):
        return struct.pack("<IIQ", _ARRAY, _INT32, len(value)) + struct.pack(f"<{len(value)}i", *value)
    strings = [item.encode() if isinstance(item, str) else item for item in value]
    return struct.pack("<IIQ", _ARRAY, _STRING, len(strings)) + b"".join(map(_string, strings))
