"""Mistral's tekken.json: byte-level BPE with the pattern in the file.

The special tokens have the first ids. All others follow in order of rank, as many as the vocab has room for. The ids
are those of `mistral-common`. The files name neither a normalizer nor ids to add to a text.
"""

from __future__ import annotations

import base64
import binascii
from typing import ClassVar

from wordsplit.model import ByteLevelBPE
from wordsplit.patterns.schemes import pattern_steps
from wordsplit.vocab import MAX_ID, AddedToken, Vocab
from wordsplit.vocabs.formats.base import Loader, Overrides, Source
from wordsplit.vocabs.formats.tiktoken import steps_of
from wordsplit.vocabs.json_tree import Node, parse_json, shown

__all__ = ["TekkenLoader"]

# Of files without a list, in order of ids.
_SPECIAL = [
    "<unk>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CALLS]",
    "[IMG]",
    "<pad>",
    "[IMG_BREAK]",
    "[IMG_END]",
    "[PREFIX]",
    "[MIDDLE]",
    "[SUFFIX]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]",
]
_ROLES = {"<unk>": "unk", "<s>": "bos", "</s>": "eos", "<pad>": "pad"}


class TekkenLoader(Loader):
    """Reader of tekken.json."""

    models: ClassVar[tuple[type, ...]] = (ByteLevelBPE,)

    def recognizes(self, source: Source) -> bool:
        """Check the name of the file, or for a key that only these files have near the beginning."""
        return source.name == "tekken.json" or b'"default_num_special_tokens"' in source.head(4096)

    def load(self, source: Source, overrides: Overrides) -> Vocab:
        """Read the file; see `Loader.load`."""
        root = Node(parse_json(source.read(), source.label), source.label)
        root.require_object()
        config = root["config"]
        n_vocab = config["default_vocab_size"].count()
        n_special = config["default_num_special_tokens"].count()
        if not n_special < n_vocab <= MAX_ID:
            raise config["default_vocab_size"].format_error(f"is {n_vocab}, and there are {n_special} special tokens")
        special = _special_tokens(root["special_tokens"], n_special)
        pattern = config["pattern"].string()
        roles = {role: i for content, role in _ROLES.items() if (i := special.get(content)) is not None}
        return Vocab(
            name=overrides.name or source.stem,
            tokens=_tokens(root["vocab"], n_special, n_vocab),
            merges=None,
            ignore_merges=True,
            pre_tokenizer=(
                steps_of(pattern, source.label) if overrides.pattern is None else pattern_steps(overrides.pattern)
            ),
            added_tokens=[AddedToken(content, i) for content, i in (special | dict(overrides.special_tokens)).items()],
            eos_token_id=roles.pop("eos", None),
            bos_token_id=roles.pop("bos", None),
            pad_token_id=roles.pop("pad", None),
            role_ids=roles,
            source=source.label,
        )


def _special_tokens(listed: Node, n_special: int) -> dict[str, int]:
    """Return the special tokens by their literals. Those that are not listed get default names."""
    if listed.value is None:
        given = dict(zip(_SPECIAL, range(n_special), strict=False))
    else:
        given = {}
        for item in listed.items():
            content, i = item["token_str"].string(), item["rank"].token_id()
            if i >= n_special or given.setdefault(content, i) != i:
                raise item.format_error(f"{shown(content)} has id {i}; the {n_special} special tokens have one id each")
    taken = set(given.values())
    if len(taken) < len(given):
        raise listed.format_error("two special tokens have the same id")
    return given | {f"<SPECIAL_{i}>": i for i in range(n_special) if i not in taken}


def _tokens(listed: Node, n_special: int, n_vocab: int) -> dict[int, bytes]:
    tokens: dict[int, bytes] = {}
    items = listed.value if isinstance(listed.value, list) else [item.value for item in listed.items()]
    wanted = n_vocab - n_special
    if len(items) < wanted:
        raise listed.format_error(f"has {len(items):,} tokens, and the vocab has {wanted:,}")
    for rank, item in enumerate(items[:wanted]):
        try:
            found, data = item["rank"], base64.b64decode(item["token_bytes"], validate=True)
        except (TypeError, KeyError, ValueError, binascii.Error):
            found, data = None, b""
        if found != rank or not data:
            node = Node(item, listed.label, f"{listed.path}[{rank}]")
            raise node.format_error(f"should be a token of rank {rank} in base64, found {shown(item)}")
        tokens[rank + n_special] = data
    if len(set(tokens.values())) < len(tokens):
        raise listed.format_error("two tokens have the same bytes")
    return tokens


plugin = TekkenLoader
