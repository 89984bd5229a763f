r"""The sets named by ``\p{...}`` and ``[:...:]`` in each dialect."""

from __future__ import annotations

from functools import cache

from wordsplit.patterns.syntax.characters import (
    ANY,
    CharacterSet,
    Named,
    chars,
    complement,
    ranges,
    union,
)

__all__ = ["ASCII_CLASSES", "HEX_DIGITS", "ONIGURUMA_WORD", "oniguruma_bracket", "oniguruma_class", "rust_class"]

HEX_DIGITS = ranges([(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)])
# In Oniguruma, a \w on its own has more members than a \w in a set; \b follows the former.
ONIGURUMA_WORD = union([Named("word"), chars("\u00b2\u00b3\u00b9\u00bc\u00bd\u00be")])

_CATEGORIES = {
    "C": "Other",
    "Cc": "Control",
    "Cf": "Format",
    "Cn": "Unassigned",
    "Co": "Private_Use",
    "L": "Letter",
    "Ll": "Lowercase_Letter",
    "Lm": "Modifier_Letter",
    "Lo": "Other_Letter",
    "Lt": "Titlecase_Letter",
    "Lu": "Uppercase_Letter",
    "M": "Mark Combining_Mark",
    "Mc": "Spacing_Mark",
    "Me": "Enclosing_Mark",
    "Mn": "Nonspacing_Mark",
    "N": "Number",
    "Nd": "Decimal_Number",
    "Nl": "Letter_Number",
    "No": "Other_Number",
    "P": "Punctuation",
    "Pc": "Connector_Punctuation",
    "Pd": "Dash_Punctuation",
    "Pe": "Close_Punctuation",
    "Pf": "Final_Punctuation",
    "Pi": "Initial_Punctuation",
    "Po": "Other_Punctuation",
    "Ps": "Open_Punctuation",
    "S": "Symbol",
    "Sc": "Currency_Symbol",
    "Sk": "Modifier_Symbol",
    "Sm": "Math_Symbol",
    "So": "Other_Symbol",
    "Z": "Separator",
    "Zl": "Line_Separator",
    "Zp": "Paragraph_Separator",
    "Zs": "Space_Separator",
}
_PROPERTIES = {
    "Alphabetic": "Alpha",
    "Emoji": "",
    "Emoji_Presentation": "EPres",
    "Extended_Pictographic": "ExtPict",
    "Ideographic": "Ideo",
    "Lowercase": "Lower",
    "Uppercase": "Upper",
    "s": "White_Space Space",
}
_ASCII = ranges([(0, 0x7F)])
_CONTROL = ranges([(0, 0x1F), (0x7F, 0x9F)])
_CASED_LETTER = union([Named("Lu"), Named("Ll"), Named("Lt")])
ASCII_CLASSES = {
    "alnum": ranges([(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)]),
    "alpha": ranges([(0x41, 0x5A), (0x61, 0x7A)]),
    "ascii": _ASCII,
    "blank": chars("\t "),
    "cntrl": ranges([(0, 0x1F), (0x7F, 0x7F)]),
    "digit": ranges([(0x30, 0x39)]),
    "graph": ranges([(0x21, 0x7E)]),
    "lower": ranges([(0x61, 0x7A)]),
    "print": ranges([(0x20, 0x7E)]),
    "punct": ranges([(0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)]),
    "space": chars("\t\n\v\f\r "),
    "upper": ranges([(0x41, 0x5A)]),
    "word": ranges([(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)]),
    "xdigit": HEX_DIGITS,
}
"""The classes ``[:alpha:]`` and so on of Rust's dialect."""


def _normalized(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")


@cache
def _categories() -> dict[str, CharacterSet]:
    found: dict[str, CharacterSet] = {
        _normalized(name): Named(short) for short, long in _CATEGORIES.items() for name in (short, *long.split())
    }
    any_category = {"any": ANY, "assigned": complement(Named("Cn")), "ascii": _ASCII}
    return found | any_category | dict.fromkeys(["lc", "casedletter"], _CASED_LETTER)


@cache
def _scripts() -> dict[str, CharacterSet]:
    from wordsplit.unicode.properties import SCRIPTS  # noqa: PLC0415 - few patterns name a script

    return {
        name: Named("Han" if script == "han" else script.capitalize())
        for script, others in SCRIPTS.items()
        for name in (script, *others)
    }


@cache
def _properties() -> dict[str, CharacterSet]:
    return {
        _normalized(name): Named(key)
        for key, others in _PROPERTIES.items()
        for name in (*([key] if len(key) > 1 else []), *others.split())
    }


@cache
def _bracket() -> dict[str, CharacterSet]:
    graph = complement(union([Named("s"), _CONTROL, Named("Cn"), Named("Cs")]))
    return {
        "alnum": union([Named("Alphabetic"), Named("Nd")]),
        "alpha": Named("Alphabetic"),
        "ascii": _ASCII,
        "blank": union([Named("Zs"), chars("\t")]),
        "cntrl": _CONTROL,
        "digit": Named("Nd"),
        "graph": graph,
        "lower": Named("Lowercase"),
        "print": union([graph, Named("Zs")]),
        "punct": union([Named("P"), Named("S")]),
        "space": Named("s"),
        "upper": Named("Uppercase"),
        "word": Named("word"),
        "xdigit": HEX_DIGITS,
    }


def oniguruma_bracket(name: str) -> CharacterSet | None:
    """Return the set that ``[:name:]`` stands for in Oniguruma."""
    return _bracket().get(name)


def oniguruma_class(name: str) -> CharacterSet | None:
    r"""Return the set that ``\p{name}`` stands for in Oniguruma."""
    key = _normalized(name)
    if key == "punct":  # without symbols, unlike [:punct:]
        return Named("P")
    for table in (_bracket, _properties, _categories, _scripts):
        if key in table():
            return table()[key]
    return None


def rust_class(name: str) -> CharacterSet | None:
    r"""Return the set that ``\p{name}`` stands for in Rust."""
    kind, separator, value = name.replace(":", "=").partition("=")
    key = _normalized(value if separator else kind)
    key = key.removeprefix("is")
    if separator:
        kind = _normalized(kind)
        table = {"gc": _categories, "generalcategory": _categories, "sc": _scripts, "script": _scripts}.get(kind)
        return table().get(key) if table and "!" not in name else None
    if key in _RUST_ALIASES:
        return _RUST_ALIASES[key]
    for table in (_properties, _categories, _scripts):
        if key in table():
            return table()[key]
    return None


_RUST_ALIASES: dict[str, CharacterSet] = {
    "alnum": union([Named("Alphabetic"), Named("Nd")]),
    "blank": union([Named("Zs"), chars("\t")]),
    "cntrl": _CONTROL,
    "digit": Named("Nd"),
    "graph": complement(union([Named("s"), Named("C")])),
    "print": complement(union([Named("C"), chars("\t\n\v\f\r")])),
    "punct": Named("P"),
    "word": Named("w"),
    "wspace": Named("s"),
}
