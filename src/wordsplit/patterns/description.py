"""A pattern in plain English, from its tree."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import singledispatch
from itertools import groupby

from wordsplit.patterns.syntax.assertions import LINE_END, line_start, text_end, word_boundary
from wordsplit.patterns.syntax.characters import (
    ANY,
    NOTHING,
    CharacterSet,
    Complement,
    Intersection,
    Named,
    Ranges,
    Union,
    chars,
    folded,
)
from wordsplit.patterns.syntax.names import ONIGURUMA_WORD
from wordsplit.patterns.syntax.tree import (
    EMPTY,
    END,
    START,
    Alternation,
    Anchor,
    Atomic,
    BackReference,
    Characters,
    Concatenation,
    Group,
    Look,
    Node,
    Repeat,
)

__all__ = ["character_name", "described"]

_CONTROLS = {
    "\0": "NUL",
    "\t": "TAB",
    "\n": "LF",
    "\v": "VT",
    "\f": "FF",
    "\r": "CR",
    "\x1b": "ESC",
    "\x7f": "DEL",
    "\x85": "NEL",
}
_NOUNS = {
    "C": "control, format or unassigned character",
    "Cc": "control character",
    "Cf": "format character",
    "Cn": "unassigned code point",
    "Co": "private-use character",
    "Cs": "surrogate",
    "L": "letter",
    "Ll": "lowercase letter",
    "Lm": "modifier letter",
    "Lo": "letter without case",
    "Lt": "titlecase letter",
    "Lu": "uppercase letter",
    "M": "mark",
    "Mc": "spacing mark",
    "Me": "enclosing mark",
    "Mn": "nonspacing mark",
    "N": "number",
    "Nd": "decimal digit",
    "Nl": "letter number",
    "No": "other number",
    "P": "punctuation character",
    "S": "symbol",
    "Sc": "currency symbol",
    "Sk": "modifier symbol",
    "Sm": "math symbol",
    "So": "other symbol",
    "Z": "separator",
    "s": "white-space character",
    "w": "word character",
    "word": "word character",
}
_PLURALS = {"Lo": "letters without case"}
_MOST_RANGES = 12
_LOOKS = {
    (True, False): "followed by",
    (True, True): "not followed by",
    (False, False): "preceded by",
    (False, True): "not preceded by",
}
_PLACES: dict[Node, str] = {
    START: "at the start of the text",
    END: "at the end of the text",
    LINE_END: "at the end of a line",
    line_start(at_end=True): "at the start of a line",
    line_start(at_end=False): "at the start of a line",
    text_end(1): "at the end of the text or before its last line feed",
    text_end(None): "at the end of the text or before its last line feeds",
    **{word_boundary(word, negative=False): "at a word boundary" for word in (Named("w"), ONIGURUMA_WORD)},
    **{word_boundary(word, negative=True): "not at a word boundary" for word in (Named("w"), ONIGURUMA_WORD)},
}


def described(tree: Node) -> str:
    r"""Describe in English what a pattern matches.

    Example:
        >>> from wordsplit.patterns.syntax import parse
        >>> described(parse(r"[^\r\n\p{L}\p{N}]?\p{L}+", "tokenizers"))
        'an optional character other than CR, LF, letters or numbers, then one or more letters'
        >>> described(parse(r"(?i:'re|'ll)", "tokenizers"))
        '"\'re" or "\'ll", in any case'
    """
    if tree == EMPTY:
        return "nothing"
    return _PLACES.get(tree) or _text(tree)


@singledispatch
def _text(node: Node) -> str:
    raise TypeError(f"no node of a tree: {node!r}")


@_text.register
def _(node: Characters) -> str:
    return _literal([node]) or _one(node.members)


@_text.register
def _(node: Concatenation) -> str:
    return _sequence(node.items)


@_text.register
def _(node: Alternation) -> str:
    return _choice(node.branches)


@_text.register
def _(node: Repeat) -> str:
    return _repeat(node)


@_text.register
def _(node: Atomic) -> str:
    kept = "never given back" if isinstance(node.item, Repeat) else "the first match only"
    return f"{_grouped(node.item)} ({kept})"


@_text.register
def _(node: Group) -> str:
    return described(node.item)


@_text.register
def _(node: BackReference) -> str:
    return f"the text of group {node.number} again"


@_text.register
def _(node: Look) -> str:
    if node == Look(EMPTY, ahead=True, negative=True):
        return "what never matches"
    return f"{_LOOKS[node.ahead, node.negative]} {_looked(node.item)}"


def character_name(char: str) -> str:
    r"""Return a printable character itself, and for others their number and name.

    Example:
        >>> [character_name(char) for char in "a \n\u00a0"]
        ['a', 'space', 'U+000A LF', 'U+00A0 NO-BREAK SPACE']
    """
    if char == " ":
        return "space"
    # A mark alone would be drawn over its neighbour.
    if char.isprintable() and not unicodedata.category(char).startswith("M"):
        return char
    return f"U+{ord(char):04X} {_CONTROLS.get(char) or unicodedata.name(char, '')}".rstrip()


def _quoted(text: str) -> str:
    if len(text) == 1 and text in _CONTROLS:
        return _CONTROLS[text]
    if text == " ":
        return "space"
    if all(char == " " or character_name(char) == char for char in text):
        return f'"{text}"' if '"' not in text else f"'{text}'"
    return " ".join(map(_quoted, text)) if len(text) > 1 else character_name(text)


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def _with_article(noun: str) -> str:
    if not noun[0].islower():
        return noun
    return f"{'an' if noun[0] in 'aeiou' and not noun.startswith('u+') else 'a'} {noun}"


def _nouns(members: CharacterSet, *, plural: bool) -> list[str]:
    """Describe the members of a set."""
    character = "characters" if plural else "character"
    if isinstance(members, Named) or members == ONIGURUMA_WORD:
        found = [_named(members.name if isinstance(members, Named) else "word", plural=plural)]
    elif members in (ANY, NOTHING):
        found = [character if members == ANY else f"{character} of an empty set"]
    elif isinstance(members, Ranges):
        found = _ranges(members)
    elif isinstance(members, Union):
        found = [noun for part in _singles_first(members.parts) for noun in _nouns(part, plural=plural)]
    elif isinstance(members, Complement):
        found = [f"{character} other than {_listed(_others(members.part))}"]
    else:
        found = [_intersection(members, plural=plural)]
    return found


def _named(name: str, *, plural: bool) -> str:
    kind = f"{name} character" if len(name) > 2 else f"character of the category {name}"
    noun = _NOUNS.get(name, kind)
    return _PLURALS.get(name) or _plural(noun) if plural else noun


def _singles_first(parts: Sequence[CharacterSet]) -> list[CharacterSet]:
    """Return the parts of a set, those first that list characters: they are what a reader looks for."""
    return sorted(parts, key=lambda part: not isinstance(part, Ranges))


def _plural(noun: str) -> str:
    head, of, rest = noun.partition(" of ")
    return f"{head}s{of}{rest}"


def _others(members: CharacterSet) -> list[str]:
    """Describe the members of a set that is excluded from another."""
    parts = members.parts if isinstance(members, Union) and members != ONIGURUMA_WORD else (members,)
    return [
        noun
        for part in _singles_first(parts)
        for noun in (["white space"] if part == Named("s") else _nouns(part, plural=True))
    ]


def _intersection(members: Intersection, *, plural: bool, article: bool = False) -> str:
    taken = [part for part in members.parts if not isinstance(part, Complement)]
    left_out = [noun for part in members.parts if isinstance(part, Complement) for noun in _others(part.part)]
    nouns = [_nouns(part, plural=plural) for part in taken or [ANY]]
    head = f" that {'are' if plural else 'is'} also ".join(
        _listed(list(map(_with_article, each)) if article or at else each) for at, each in enumerate(nouns)
    )
    return f"{head}, except {_listed(left_out)}" if left_out else head


def _ranges(members: Ranges) -> list[str]:
    if len(members.bounds) > _MOST_RANGES:
        count = sum(last - first + 1 for first, last in members.bounds)
        return [f"{count:,} characters of a list"]
    out: list[str] = []
    # As people write them.
    for first, last in sorted(members.bounds, key=lambda bound: (bound != (13, 13), bound)):
        if last - first < 2:
            out += [_quoted(chr(code)) for code in range(first, last + 1)]
        else:
            out.append(f"{_quoted(chr(first))} to {_quoted(chr(last))}")
    return out


def _one(members: CharacterSet) -> str:
    cased = _in_any_case(members)
    if cased:
        return f"{_listed([_quoted(char) for char in cased])}, in any case"
    nouns = _nouns(members, plural=False)
    if isinstance(members, Intersection):
        return _intersection(members, plural=False, article=True)
    if isinstance(members, Ranges) and any(last - first > 1 for first, last in members.bounds):
        return f"one of {_listed(nouns)}"
    return _listed([_with_article(noun) for noun in nouns])


def _in_any_case(members: CharacterSet) -> str:
    """Return the letters of which a set has every case; an empty text for other sets."""
    if not isinstance(members, Ranges) or sum(last - first + 1 for first, last in members.bounds) > 64:
        return ""
    every = [chr(code) for first, last in members.bounds for code in range(first, last + 1)]
    letters = sorted({char.casefold() for char in every})
    if len(letters) == len(every) or any(len(letter) > 1 for letter in letters):
        return ""
    return "".join(letters) if folded(chars("".join(letters))) == members else ""


def _letter(node: Node) -> tuple[str, bool] | None:
    """Return the character that a node stands for, and whether in any case."""
    if not isinstance(node, Characters) or not isinstance(node.members, Ranges):
        return None
    bounds = node.members.bounds
    if len(bounds) == 1 and bounds[0][0] == bounds[0][1]:
        return chr(bounds[0][0]), False
    cased = _in_any_case(node.members)
    return (cased, True) if len(cased) == 1 else None


def _spelled(nodes: Sequence[Node]) -> tuple[str, bool] | None:
    """Return the text that nodes stand for, and whether in any case; ``None`` if they stand for several."""
    found = [_letter(node) for node in nodes]
    if not found or None in found:
        return None
    letters = [each for each in found if each]
    # A letter of one case among others is not a text in any case.
    kinds = {cased for char, cased in letters if cased or folded(chars(char)) != chars(char)}
    if len(kinds) > 1:
        return None
    return "".join(char for char, _ in letters), True in kinds


def _literal(nodes: Sequence[Node]) -> str | None:
    spelled = _spelled(nodes)
    if spelled is None:
        return None
    text, cased = spelled
    shown = "a space" if text == " " else _quoted(text)
    return f"{shown}, in any case" if cased else shown


def _flat(node: Node) -> Node:
    while isinstance(node, Group):
        node = node.item
    return node


def _items(node: Node) -> tuple[Node, ...]:
    node = _flat(node)
    return node.items if isinstance(node, Concatenation) else (node,)


def _choice(branches: Sequence[Node]) -> str:
    texts = [_texts(branch) for branch in branches]
    spelled = [text for each in texts for text in each]
    if all(texts) and len({cased for _, cased in spelled}) == 1:
        listed = _listed([_quoted(text) for text, _ in spelled])
        return f"{listed}, in any case" if spelled[0][1] else listed
    return "either " + "; or ".join(map(described, branches))


def _texts(branch: Node) -> list[tuple[str, bool]]:
    """Return the texts that a branch stands for, each with whether in any case; none if there are too many."""
    items = [_flat(item) for item in _items(branch)]
    if spelled := _spelled(items):
        return [spelled]
    members = items[0].members if len(items) == 1 and isinstance(items[0], Characters) else None
    if not isinstance(members, Ranges):
        return []
    if cased := _in_any_case(members):
        return [(char, True) for char in cased]
    singles = [chr(first) for first, last in members.bounds if first == last]
    return [(char, False) for char in singles] if len(singles) == len(members.bounds) <= _MOST_RANGES else []


def _sequence(items: Sequence[Node]) -> str:
    """Return the items in order; characters that spell a text are one item."""
    out = ""
    for is_text, found in groupby(items, lambda item: _letter(item) is not None):
        group = list(found)
        whole = _literal(group) if is_text else None
        for item in [None] if whole else group:
            text = whole or _grouped(item) if item is not None else whole or ""
            place = item is not None and (item in _PLACES or isinstance(_flat(item), (Look, Anchor)))
            out += f"{(', ' if place else ', then ') if out else ''}{text}"
    return out


def _grouped(node: Node) -> str:
    """Return an item among others, in parentheses if it consists of several."""
    inner = _flat(node)
    several = isinstance(inner, (Alternation, Concatenation)) and inner not in _PLACES
    text = described(inner)
    return f"({text})" if several and _spelled(_items(inner)) is None else text


def _looked(node: Node) -> str:
    return f"the {node.at} of the text" if isinstance(node, Anchor) else _grouped(node)


def _repeat(node: Repeat) -> str:
    lazy = "" if node.greedy or node.least == node.most else ", as few as possible"
    item = _flat(node.item)
    if isinstance(item, Characters):
        return _repeated_set(item.members, node.least, node.most) + lazy
    inner = f"({described(item)})"
    if (node.least, node.most) == (0, 1):
        return f"optionally {inner}{lazy}"
    return f"{_count(node.least, node.most)} times {inner}{lazy}"


def _repeated_set(members: CharacterSet, least: int, most: int | None) -> str:
    cased = _in_any_case(members)
    if (least, most) == (0, 1):
        nouns = _nouns(members, plural=False)
        return f"an optional {_listed(list(map(_quoted, cased)) if cased else nouns)}{', in any case' * bool(cased)}"
    nouns = list(map(_quoted, cased)) if cased else _nouns(members, plural=most != 1 or least != 1)
    nouns = ["spaces" if noun == "space" and nouns == ["space"] else noun for noun in nouns]
    return f"{_count(least, most)} {_listed(nouns)}{', in any case' * bool(cased)}"


def _count(least: int, most: int | None) -> str:
    if most is None:
        return {0: "any number of", 1: "one or more"}.get(least, f"{least} or more")
    if least == most:
        return f"exactly {least}"
    return f"up to {most}" if least == 0 else f"{least} to {most}"
