"""The rules of a tokenizer.json that change texts and split them: normalizer and pre-tokenizer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain

from wordsplit.charsmap import CharacterMap
from wordsplit.patterns.components import digits, fixed_length, punctuation, whitespace, whitespace_split
from wordsplit.patterns.dialects import from_tokenizers
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.rules import Normalize, Rewrite, Split, Step
from wordsplit.vocabs.json_tree import Node, shown

__all__ = ["NOWHERE", "flat", "read_normalizer", "read_pattern", "read_pre_tokenizer"]

_MAX_DEPTH = 16  # of nested sequences; known files have one level
NOWHERE = Split("(?!)")
"""A pattern that never splits."""

_WITHOUT_ARGUMENTS = {
    "NFC": "nfc",
    "NFD": "nfd",
    "NFKC": "nfkc",
    "NFKD": "nfkd",
    "Lowercase": "lowercase",
    "StripAccents": "strip_accents",
    "Nmt": "nmt",
    "ByteLevel": "byte_level",
}
_PREPENDS = ("always", "first", "never")
_MOST_REPEATS = 100_000  # of a pattern in Oniguruma
_BEHAVIORS = {
    "Removed": "removed",
    "Isolated": "isolated",
    "MergedWithPrevious": "merged_with_previous",
    "MergedWithNext": "merged_with_next",
    "Contiguous": "contiguous",
}


def read_normalizer(node: Node, *, byte_level: bool = True) -> tuple[Normalize, ...]:
    """Return the steps of the normalizer.

    Args:
        node: The normalizer.
        byte_level: Whether a pre-tokenizer writes the bytes of the text in the byte-level alphabet.
    """
    parts = flat(node, "normalizers")
    steps = [_normalize(part) for part in parts]
    for at, (part, own) in enumerate(zip(parts, steps, strict=True)):
        later = {step.kind for step in chain.from_iterable(steps[at + 1 :])}
        if own and own[0].kind == "replace" and (byte_level or not later <= {"replace", "prepend"}):
            _refuse_empty_match_at_start(part["pattern"], own[0])
    return tuple(chain.from_iterable(steps))


def _normalize(part: Node) -> list[Normalize]:
    kind = part["type"].string()
    if kind in _WITHOUT_ARGUMENTS:
        return [Normalize(_WITHOUT_ARGUMENTS[kind])]
    if kind in _NORMALIZERS:
        return _NORMALIZERS[kind](part)
    known = ", ".join(map(repr, (*_WITHOUT_ARGUMENTS, *_NORMALIZERS, "Sequence")))
    raise part.unsupported(f"normalizer {shown(kind)}; wordsplit supports {known}")


def _replacement(part: Node) -> list[Normalize]:
    pattern, literal = read_pattern(part["pattern"])
    return [Normalize("replace", pattern, part["content"].string(), literal)]


def _strip(part: Node) -> list[Normalize]:
    sides = {"lstrip": part["strip_left"], "rstrip": part["strip_right"]}
    return [Normalize(name) for name, wanted in sides.items() if wanted.boolean(default=True)]


def _bert(part: Node) -> list[Normalize]:
    lowercase = _flag(part["lowercase"])
    wanted = {
        "bert_clean_text": _flag(part["clean_text"]),
        "bert_chinese_chars": _flag(part["handle_chinese_chars"]),
        "bert_strip_accents": part["strip_accents"].boolean(default=lowercase),
        "lowercase": lowercase,
    }
    return [Normalize(kind) for kind, on in wanted.items() if on]


def _precompiled(part: Node) -> list[Normalize]:
    charsmap = part["precompiled_charsmap"]
    try:
        CharacterMap(charsmap.string())
    except ValueError as error:
        raise charsmap.format_error(f"is damaged: {error}") from None
    return [Normalize("precompiled", content=charsmap.string())]


def _prepend(part: Node) -> list[Normalize]:
    content = part["prepend"].string()
    if not content:  # it moves the first character to no character of the original, and later steps panic
        raise part["prepend"].unsupported("a Prepend of nothing, after which `tokenizers` panics")
    return [Normalize("prepend", content=content)]


_NORMALIZERS: dict[str, Callable[[Node], list[Normalize]]] = {
    "Prepend": _prepend,
    "Replace": _replacement,
    "Strip": _strip,
    "BertNormalizer": _bert,
    "Bert": _bert,
    "Precompiled": _precompiled,
}


def _refuse_empty_match_at_start(node: Node, step: Normalize) -> None:
    """Refuse a pattern that inserts something at the beginning of a text.

    In `tokenizers` that comes from no character of the text, and the steps after it panic, or duplicate text.
    """
    from wordsplit.patterns.package import finder  # noqa: PLC0415 - few files need the regex package here

    find = finder(Split(step.pattern, literal=step.literal), node.label, node.path)
    probes = [chr(cp) + end for cp in (*range(0x20, 0x7F), 0x0A, 0xE9, 0x0301, 0x4E00) for end in ("", "a", " ", "1")]
    if step.content and any(find(text)[0][1:] == (0, True) for text in probes):
        raise node.unsupported(
            f"a Replace whose pattern {shown(step.pattern)} matches the empty string at the beginning of a text, where "
            "`tokenizers` panics"
        )


def read_pre_tokenizer(node: Node, *, byte_level: bool = True) -> tuple[tuple[Step, ...], bool]:
    """Return the steps, and whether a space is prepended to the text.

    Args:
        node: The pre-tokenizer.
        byte_level: Whether the model's tokens are bytes. Then the pre-tokenizer has a ``ByteLevel``, and what comes
            after it sees bytes. Otherwise the tokens are text, and a ``ByteLevel`` is a step like any other, which
            rewrites the text.
    """
    steps: list[Step] = []
    on_bytes = prefix_space = False
    for at, part in enumerate(flat(node, "pretokenizers")):
        kind = part["type"].string()
        if kind == "ByteLevel":
            if on_bytes:  # it would encode the alphabet again
                raise part.unsupported("pre-tokenizer 'ByteLevel' after another one")
            spaced = part["add_prefix_space"].boolean(default=True)
            prefix_space |= spaced and at == 0
            steps += _own_splits(part, prefix_space=spaced and at > 0)
            on_bytes = byte_level
            if not byte_level:
                steps.append(Rewrite("byte_level"))
        elif kind in _SPLITS:
            steps += [replace(step, byte_level=on_bytes) for step in _SPLITS[kind](part)]
        elif kind in _REWRITES and not on_bytes:
            steps += _REWRITES[kind](part)
        else:
            known = ", ".join(map(repr, (*_SPLITS, *_REWRITES, "ByteLevel", "Sequence")))
            where = " after 'ByteLevel'" if on_bytes and kind in _REWRITES else ""
            raise part.unsupported(f"pre-tokenizer {shown(kind)}{where}; wordsplit supports {known}")
    if byte_level and not on_bytes:
        raise node.unsupported("a pre-tokenizer without 'ByteLevel'; wordsplit supports byte-level BPE")
    return tuple(steps), prefix_space


def _own_splits(part: Node, *, prefix_space: bool) -> list[Split]:
    """Return the splits of a ByteLevel."""
    own = SCHEMES["gpt2"] if part["use_regex"].boolean(default=True) else ()
    if not prefix_space:
        return list(own)
    return [replace(step, prefix_space=True) for step in own or (NOWHERE,)]


def _metaspace(part: Node) -> list[Step]:
    replacement = _character(part["replacement"])
    scheme = part["prepend_scheme"]
    prepend = "always" if scheme.value is None else scheme.string()
    if prepend not in _PREPENDS:
        raise scheme.wrong(f"one of {', '.join(_PREPENDS)}")
    if not part["add_prefix_space"].boolean(default=True) and prepend != "never":
        raise part["add_prefix_space"].format_error(f"contradicts the prepend_scheme {prepend!r}")
    steps: list[Step] = [Rewrite("metaspace", replacement, prepend)]
    if part["split"].boolean(default=True):
        steps.append(Split(replacement, behavior="merged_with_next", literal=True))
    return steps


_REWRITES: dict[str, Callable[[Node], list[Step]]] = {
    "Metaspace": _metaspace,
    "UnicodeScripts": lambda _: [Rewrite("unicode_scripts")],
}


def _split(part: Node) -> Split:
    pattern, literal = read_pattern(part["pattern"])
    return from_tokenizers(Split(pattern, behavior=_behavior(part), invert=part["invert"].boolean(), literal=literal))


def read_pattern(node: Node) -> tuple[str, bool]:
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


def _fixed_length(part: Node) -> Split:
    length = part["length"].value
    if length is None:
        length = 5
    if not isinstance(length, int) or isinstance(length, bool) or length < 0:
        raise part["length"].wrong("a number of characters")
    if not 0 < length <= _MOST_REPEATS:
        raise part["length"].unsupported(f"a length of {shown(length)}; it must be from 1 to {_MOST_REPEATS}")
    return fixed_length(length)


def _flag(node: Node) -> bool:
    """Return a flag that must not be missing."""
    if node.value is None:
        raise node.wrong("true or false")
    return node.boolean()


def _character(node: Node) -> str:
    char = node.string()
    if len(char) != 1:
        raise node.wrong("a single character")
    return char


_SPLITS: dict[str, Callable[[Node], list[Split]]] = {
    "Split": lambda part: [_split(part)],
    "Digits": lambda part: [digits(part["individual_digits"].boolean())],
    "Punctuation": lambda part: [punctuation(_behavior(part, default="isolated"))],
    "BertPreTokenizer": lambda _: [whitespace_split(), punctuation("isolated")],
    "Whitespace": lambda _: [whitespace()],
    "WhitespaceSplit": lambda _: [whitespace_split()],
    "CharDelimiterSplit": lambda part: [Split(_character(part["delimiter"]), behavior="removed", literal=True)],
    "FixedLength": lambda part: [_fixed_length(part)],
}


def flat(node: Node, inside: str, kind: Callable[[Node], str] = lambda part: part["type"].string()) -> list[Node]:
    """Return the parts of a component, with nested sequences flattened; none for ``null``.

    Args:
        node: The component.
        inside: The field that has the parts of a sequence.
        kind: Returns the kind of a part.
    """
    if node.value is None:
        return []
    out: list[Node] = []
    pending = [(node, 0)]
    while pending:
        part, depth = pending.pop()
        part.require_object()
        if kind(part) == "Sequence":
            if depth == _MAX_DEPTH:
                raise part.unsupported(f"sequences more than {_MAX_DEPTH} deep")
            pending += [(item, depth + 1) for item in reversed(list(part[inside].items()))]
        else:
            out.append(part)
    return out
