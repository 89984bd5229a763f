"""The rules of a tokenizer.json: normalizer, pre-tokenizer, post-processor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wordsplit.patterns.components import digits, punctuation, whitespace, whitespace_split
from wordsplit.patterns.dialects import from_tokenizers
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.vocab import Normalize, Split
from wordsplit.vocabs.json_tree import Node, shown

__all__ = ["NOWHERE", "read_normalizer", "read_pre_tokenizer", "read_template"]

_MAX_DEPTH = 16  # of nested sequences; known files have one level
NOWHERE = Split("(?!)")
"""A pattern that never splits."""

_FORMS = ("NFC", "NFD", "NFKC", "NFKD", "Lowercase")
_BEHAVIORS = {
    "Removed": "removed",
    "Isolated": "isolated",
    "MergedWithPrevious": "merged_with_previous",
    "MergedWithNext": "merged_with_next",
    "Contiguous": "contiguous",
}


def read_normalizer(node: Node) -> tuple[Normalize, ...]:
    """Return the steps of the normalizer."""
    return tuple(step for part in _flat(node, "normalizers") for step in _normalize(part))


def _normalize(part: Node) -> list[Normalize]:
    kind = part["type"].string()
    if kind in _FORMS:
        return [Normalize(kind.lower())]
    if kind == "Prepend":
        return [Normalize("prepend", content=part["prepend"].string())]
    if kind == "Replace":
        pattern, literal = _pattern(part["pattern"])
        _refuse_empty_matches(part["pattern"], Split(pattern, literal=literal))
        return [Normalize("replace", pattern, part["content"].string(), literal)]
    if kind == "Strip":
        sides = {"lstrip": part["strip_left"], "rstrip": part["strip_right"]}
        return [Normalize(name) for name, wanted in sides.items() if wanted.boolean(default=True)]
    known = ", ".join(map(repr, (*_FORMS, "Prepend", "Replace", "Strip", "Sequence")))
    raise part.unsupported(f"normalizer {shown(kind)}; wordsplit supports {known}")


def _refuse_empty_matches(node: Node, split: Split) -> None:
    """Refuse empty matches, because `tokenizers` replaces some of them twice and panics at others."""
    from wordsplit.patterns.steps import finder  # noqa: PLC0415 - few files need the regex package here

    find = finder(split, node.label, node.path)
    if any(is_match and start == end for text in ("", "aA1 .\n_\u00e9\u4e00") for start, end, is_match in find(text)):
        raise node.unsupported(f"a Replace whose pattern {shown(split.pattern)} matches the empty string")


def read_pre_tokenizer(node: Node) -> tuple[tuple[Split, ...], bool]:
    """Return the split steps, and whether a space is prepended to the text."""
    steps: list[Split] = []
    byte_level = prefix_space = False
    for at, part in enumerate(_flat(node, "pretokenizers")):
        kind = part["type"].string()
        if kind == "ByteLevel":
            if byte_level:  # it would encode the alphabet again
                raise part.unsupported("pre-tokenizer 'ByteLevel' after another one")
            byte_level = True
            spaced = part["add_prefix_space"].boolean(default=True)
            own = SCHEMES["gpt2"] if part["use_regex"].boolean(default=True) else ()
            if at == 0:
                prefix_space = spaced
                steps.extend(own)
            elif spaced:
                steps += [replace(step, prefix_space=True) for step in own or (NOWHERE,)]
            else:
                steps.extend(own)
        elif kind in _SPLITS:
            steps.append(replace(_SPLITS[kind](part), byte_level=byte_level))
        else:
            known = ", ".join(map(repr, (*_SPLITS, "ByteLevel", "Sequence")))
            raise part.unsupported(f"pre-tokenizer {shown(kind)}; wordsplit supports {known}")
    if not byte_level:
        raise node.unsupported("a pre-tokenizer without 'ByteLevel'; wordsplit supports byte-level BPE")
    return tuple(steps), prefix_space


def _split(part: Node) -> Split:
    pattern, literal = _pattern(part["pattern"])
    return from_tokenizers(Split(pattern, behavior=_behavior(part), invert=part["invert"].boolean(), literal=literal))


def _pattern(node: Node) -> tuple[str, bool]:
    """Return a pattern, and whether it is a plain string."""
    node.require_object()
    literal = node["Regex"].value is None
    return node["String" if literal else "Regex"].string(), literal


def _behavior(part: Node, default: str | None = None) -> str:
    behavior = part["behavior"].value
    if behavior is None and default is not None:
        return default
    found = _BEHAVIORS.get(part["behavior"].string())
    if found is None:
        raise part["behavior"].unsupported(f"behavior {shown(behavior)}; known are {', '.join(map(repr, _BEHAVIORS))}")
    return found


_SPLITS: dict[str, Callable[[Node], Split]] = {
    "Split": _split,
    "Digits": lambda part: digits(part["individual_digits"].boolean()),
    "Punctuation": lambda part: punctuation(_behavior(part, default="isolated")),
    "Whitespace": lambda _: whitespace(),
    "WhitespaceSplit": lambda _: whitespace_split(),
    "CharDelimiterSplit": lambda part: Split(part["delimiter"].string(), behavior="removed", literal=True),
}


def read_template(node: Node) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ids that the post-processor puts before and after a single text."""
    prefix: tuple[int, ...] = ()
    suffix: tuple[int, ...] = ()
    for part in _flat(node, "processors"):
        kind = part["type"].string()
        if kind == "ByteLevel":
            continue  # it trims offsets, and does not change ids
        if kind == "TemplateProcessing":
            before, after = _template(part)
        elif kind in ("RobertaProcessing", "BertProcessing"):
            before, after = (_named(part["cls"]),), (_named(part["sep"]),)
        else:
            raise part.unsupported(f"post-processor {shown(kind)}")
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
    """Return the parts of a component, with nested sequences flattened; none for ``null``."""
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
