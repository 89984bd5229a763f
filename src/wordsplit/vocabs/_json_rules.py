"""The rules of a tokenizer.json: normalizer, pre-tokenizer, post-processor."""

from __future__ import annotations

from wordsplit.vocab import Split
from wordsplit.vocabs._json import Node
from wordsplit.vocabs._oniguruma import from_tokenizers
from wordsplit.vocabs.schemes import SCHEMES

__all__ = ["read_normalizer", "read_pre_tokenizer", "read_template"]

_MAX_DEPTH = 16  # of sequences within sequences; known files have one
_BEHAVIORS = {
    "Isolated": "isolated",
    "MergedWithPrevious": "merged_with_previous",
    "MergedWithNext": "merged_with_next",
    "Contiguous": "contiguous",
}


def read_normalizer(node: Node) -> str | None:
    """``"nfc"`` or ``None``."""
    found = None
    for part in _flat(node, "normalizers"):
        kind = part["type"].string()
        if kind != "NFC":
            raise part.unsupported(f"normalizer {kind!r}; wordsplit does 'NFC' or none")
        found = "nfc"
    return found


def read_pre_tokenizer(node: Node) -> tuple[tuple[Split, ...], bool]:
    """The split steps, and whether a space is put before the text."""
    steps: list[Split] = []
    byte_level = prefix_space = False
    for at, part in enumerate(_flat(node, "pretokenizers")):
        kind = part["type"].string()
        if byte_level:  # it would see the byte-level alphabet in place of the text
            raise part.unsupported(f"pre-tokenizer {kind!r} after 'ByteLevel'")
        if kind == "Split":
            steps.append(_split(part))
        elif kind == "ByteLevel":
            byte_level = True
            if part["add_prefix_space"].boolean(default=True):
                if at > 0:
                    raise part["add_prefix_space"].unsupported("add_prefix_space after another step")
                prefix_space = True
            if part["use_regex"].boolean(default=True):
                steps.extend(SCHEMES["gpt2"])
        else:
            raise part.unsupported(f"pre-tokenizer {kind!r}; wordsplit does 'Split', 'ByteLevel' and 'Sequence'")
    if not byte_level:
        raise node.unsupported("a pre-tokenizer without 'ByteLevel'; wordsplit does byte-level BPE")
    return tuple(steps), prefix_space


def _split(part: Node) -> Split:
    pattern = part["pattern"]
    pattern.require_object()
    behavior = part["behavior"].string()
    if behavior not in _BEHAVIORS:
        raise part["behavior"].unsupported(f"behavior {behavior!r}, which would drop text")
    literal = pattern["Regex"].value is None
    return from_tokenizers(
        Split(
            pattern["String" if literal else "Regex"].string(),
            behavior=_BEHAVIORS[behavior],
            invert=part["invert"].boolean(),
            literal=literal,
        )
    )


def read_template(node: Node) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The ids that the post-processor puts before and after a single text."""
    prefix: tuple[int, ...] = ()
    suffix: tuple[int, ...] = ()
    for part in _flat(node, "processors"):
        kind = part["type"].string()
        if kind == "ByteLevel":
            continue  # it trims offsets, and leaves ids alone
        if kind == "TemplateProcessing":
            before, after = _template(part)
        elif kind in ("RobertaProcessing", "BertProcessing"):
            before, after = (_named(part["cls"]),), (_named(part["sep"]),)
        else:
            raise part.unsupported(f"post-processor {kind!r}")
        prefix, suffix = before + prefix, suffix + after
    return prefix, suffix


def _template(part: Node) -> tuple[tuple[int, ...], tuple[int, ...]]:
    sides: tuple[list[int], list[int]] = ([], [])
    seen = 0
    for item in part["single"].items_or_empty():
        item.require_object()
        if "Sequence" in item.value:
            seen += 1
        else:
            name = item["SpecialToken"]["id"].string()
            for token in part["special_tokens"][name]["ids"].items():
                sides[min(seen, 1)].append(token.token_id())
    if seen != 1:
        raise part["single"].unsupported(f"a template with the text in it {seen} times")
    return tuple(sides[0]), tuple(sides[1])


def _named(node: Node) -> int:
    pair = list(node.items_or_empty())
    if len(pair) != 2:
        raise node.wrong("a token and its id")
    return pair[1].token_id()


def _flat(node: Node, inside: str) -> list[Node]:
    """The parts of a component, its sequences opened; none for ``null``."""
    if node.value is None:
        return []
    out: list[Node] = []
    pending = [(node, 0)]
    while pending:
        part, depth = pending.pop()
        part.require_object()
        if part["type"].string() == "Sequence":
            if depth == _MAX_DEPTH:
                raise part.unsupported(f"sequences more than {_MAX_DEPTH} deep")
            pending += [(item, depth + 1) for item in reversed(list(part[inside].items()))]
        else:
            out.append(part)
    return out
