"""Normalization: compile the steps of a vocab into one function on text.

Each step does what `tokenizers` does for a step of the same name, with the same Unicode data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wordsplit.errors import UnsupportedVocabError
from wordsplit.rules import Normalize, Split
from wordsplit.unicode import members
from wordsplit.unicode.nfc import nfc, nfd, nfkc, nfkd

__all__ = ["normalizer_of"]

# Capital letters added in Unicode 14 to 17, which the installed Python may lack: first, last, distance to the
# small letter, step.
_NEWER_CAPITALS = (
    (0x2C2F, 0x2C2F, 0x30, 1),
    (0xA7C0, 0xA7C0, 1, 1),
    (0xA7CB, 0xA7CB, 0x264 - 0xA7CB, 1),
    (0xA7CC, 0xA7DA, 1, 2),
    (0xA7DC, 0xA7DC, 0x19B - 0xA7DC, 1),
    (0x1C89, 0x1C89, 1, 1),
    (0x10570, 0x1057A, 39, 1),
    (0x1057C, 0x1058A, 39, 1),
    (0x1058C, 0x10592, 39, 1),
    (0x10594, 0x10595, 39, 1),
    (0x10D50, 0x10D65, 0x20, 1),
    (0x16EA0, 0x16EB8, 0x1B, 1),
)
_LOWER = {
    chr(cp): chr(cp + distance)
    for first, last, distance, step in _NEWER_CAPITALS
    for cp in range(first, last + 1, step)
}


def normalizer_of(normalizer: str | Sequence[Normalize] | None, source: str) -> Callable[[str], str]:
    """Return the function for a `Vocab.normalizer`.

    Raises:
        UnsupportedVocabError: A step is unknown, or its pattern does not compile.
    """
    if normalizer is None:
        return str
    steps = (Normalize(normalizer),) if isinstance(normalizer, str) else normalizer
    functions = [_function(step, source) for step in steps]
    if len(functions) == 1:
        return functions[0]

    def normalize(text: str) -> str:
        for function in functions:
            text = function(text)
        return text

    return normalize


def _function(step: Normalize, source: str) -> Callable[[str], str]:
    if step.kind == "prepend":
        return lambda text: step.content + text if text else text
    if step.kind == "replace":
        return _replacing(step, source)
    try:
        return _PLAIN[step.kind]
    except KeyError:
        known = ", ".join([*_PLAIN, "prepend", "replace"])
        raise UnsupportedVocabError(
            f"normalization {step.kind!r} (known: {known})", file=source, field="normalizer"
        ) from None


def _replacing(step: Normalize, source: str) -> Callable[[str], str]:
    from wordsplit.patterns.steps import finder  # noqa: PLC0415 - few vocabs need the regex package here
    from wordsplit.patterns.substitutes import classes_in, literals_in, with_substitutes  # noqa: PLC0415 - as above

    split = Split(step.pattern, literal=step.literal)
    find = finder(split, source, "normalizer")
    classes, literals = frozenset(classes_in(split)), literals_in(split)

    def replace(text: str) -> str:
        found = find(with_substitutes(text, classes, literals))
        return "".join([step.content if is_match else text[start:end] for start, end, is_match in found])

    return replace


def _lowercase(text: str) -> str:
    """Lowercase character by character, so that a final sigma is not treated differently."""
    return "".join([_LOWER.get(char) or char.lower() for char in text]) if not text.isascii() else text.lower()


def _lstrip(text: str) -> str:
    space, at = members("s"), 0
    while at < len(text) and space[ord(text[at])]:
        at += 1
    return text[at:]


def _rstrip(text: str) -> str:
    space, at = members("s"), len(text)
    while at and space[ord(text[at - 1])]:
        at -= 1
    return text[:at]


_PLAIN: dict[str, Callable[[str], str]] = {
    "nfc": nfc,
    "nfd": nfd,
    "nfkc": nfkc,
    "nfkd": nfkd,
    "lowercase": _lowercase,
    "lstrip": _lstrip,
    "rstrip": _rstrip,
}
