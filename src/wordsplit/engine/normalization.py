"""Normalization: compile the steps of a vocab into one function on text.

Each step does what `tokenizers` does for a step of the same name, with the same Unicode data, and gives each character
the same range of the original.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache

from wordsplit.engine.aligned import AlignedText
from wordsplit.errors import UnsupportedVocabError, VocabFormatError
from wordsplit.rules import Normalize, Split, normalizer_steps
from wordsplit.unicode import members
from wordsplit.unicode.nfc import FORMS, changes_of

__all__ = ["NormalizeText", "content_normalizer", "normalizer_of"]

NormalizeText = Callable[[AlignedText], AlignedText]
_Parts = Callable[[str], Iterator[tuple[str, "str | None"]]]
"""Yields the parts of a text, each with its replacement, or with None if it stays."""

_TABLES = ("lowercase", "strip_accents", "nmt", "byte_level", "bert_clean_text", "bert_chinese_chars")
_CLUSTER_BYTES = 5  # longer clusters are looked up character by character


def normalizer_of(normalizer: str | Sequence[Normalize] | None, source: str) -> NormalizeText:
    """Return the function for a `Vocab.normalizer`.

    Raises:
        UnsupportedVocabError: A step is unknown, or its pattern does not compile.
        VocabFormatError: The character map of a step is damaged.
    """
    functions = [_function(step, source) for step in normalizer_steps(normalizer)]
    if len(functions) == 1:
        return functions[0]

    def normalize(text: AlignedText) -> AlignedText:
        for function in functions:
            text = function(text)
        return text

    return normalize


@lru_cache(16)
def content_normalizer(normalizer: str | tuple[Normalize, ...], source: str) -> Callable[[str], str]:
    """Return what normalizes contents of added tokens.

    Results are cached: each token that a program adds creates a new vocab, and programs add tokens one by one.
    """
    normalize = normalizer_of(normalizer, source)
    return lru_cache(1 << 12)(lambda content: normalize(AlignedText(content)).text)


def _function(step: Normalize, source: str) -> NormalizeText:
    if step.kind in FORMS:
        return _form(step.kind)
    if step.kind in _TABLES:
        return _table(step.kind)
    if step.kind in _WITH_ARGUMENTS:
        return _WITH_ARGUMENTS[step.kind](step, source)
    try:
        return _PLAIN[step.kind]
    except KeyError:
        known = ", ".join([*FORMS, *_TABLES, *_PLAIN, *_WITH_ARGUMENTS])
        raise UnsupportedVocabError(
            f"normalization {step.kind!r} (known: {known})", file=source, field="normalizer"
        ) from None


def _form(name: str) -> NormalizeText:
    form = FORMS[name]

    def normalize(text: AlignedText) -> AlignedText:
        if text.text.isascii():
            return text
        return text.changed(form(text.text), lambda: changes_of(name, text.text))

    return normalize


def _table(kind: str) -> NormalizeText:
    from wordsplit.engine.character_tables import table_of  # noqa: PLC0415 - few vocabs need a table

    table = table_of(kind)
    return lambda text: text.translated(table)


def _strip_accents_as_bert(text: AlignedText) -> AlignedText:
    return _table("bert_strip_accents")(_form("nfd")(text))


def _prepending(step: Normalize, source: str) -> NormalizeText:
    del source
    return lambda text: text.prepended(step.content) if text.text else text


def _replacing(step: Normalize, source: str) -> NormalizeText:
    from wordsplit.patterns.package import finder  # noqa: PLC0415 - few vocabs need the regex package here
    from wordsplit.patterns.substitutes import classes_in, literals_in, with_substitutes  # noqa: PLC0415 - as above

    split = Split(step.pattern, literal=step.literal)
    find = finder(split, source, "normalizer")
    classes, literals = frozenset(classes_in(split)), literals_in(split)

    def replace(text: AlignedText) -> AlignedText:
        if not text.text:  # also of a pattern that matches the empty string
            return text
        if step.literal and step.pattern and text.ranges is None:
            return AlignedText(text.text.replace(step.pattern, step.content))
        return text.replaced(find(with_substitutes(text.text, classes, literals)), step.content)

    return replace


def _precompiled(step: Normalize, source: str) -> NormalizeText:
    """Apply a character map to each cluster, or to its characters."""
    return _by_parts(lambda: _parts_of_clusters(step.content), source)


def _charsmap(step: Normalize, source: str) -> NormalizeText:
    """Apply a character map at each position to its longest key."""
    return _by_parts(lambda: _parts_by_charsmap(step.content, step.pattern), source)


def _by_parts(read: Callable[[], _Parts], source: str) -> NormalizeText:
    """Return what replaces the parts of a text; ``read`` reads the character map."""
    try:
        parts = read()
    except ValueError as error:
        raise VocabFormatError(f"the character map is damaged: {error}", file=source, field="normalizer") from None

    def normalize(text: AlignedText) -> AlignedText:
        found = list(parts(text.text))
        normal = "".join([part if to is None else to for part, to in found])
        return text.changed(normal, lambda: _changes(found))

    return normalize


def _parts_of_clusters(encoded: str) -> _Parts:
    """Return what yields the clusters of a text that a character map has, and the characters of the others."""
    from wordsplit.charsmap import CharacterMap  # noqa: PLC0415 - few vocabs have one
    from wordsplit.unicode.graphemes import graphemes  # noqa: PLC0415 - as above

    charsmap = CharacterMap(encoded)

    @cache
    def replacement(part: str) -> str | None:
        return charsmap.find(part.encode("utf-8", "surrogateescape"))

    def parts(text: str) -> Iterator[tuple[str, str | None]]:
        for start, end in graphemes(text):
            cluster = text[start:end]
            if len(cluster.encode("utf-8", "surrogateescape")) <= _CLUSTER_BYTES:
                whole = replacement(cluster)
                if whole is not None:
                    yield cluster, whole
                    continue
            for char in cluster:
                yield char, replacement(char)

    return parts


@lru_cache(4)
def _parts_by_charsmap(encoded: str, kept: str) -> _Parts:
    """Return what finds the keys of a character map, and the texts between NULs in ``kept``, which do not change.

    Results are cached: hundreds of thousands of keys take half a second, and a tokenizer has several engines.
    """
    from wordsplit.charsmap import CharacterMap  # noqa: PLC0415 - few vocabs have one

    replacements: dict[str, str] = {}
    for key, to in CharacterMap(encoded).items() if encoded else ():
        with suppress(UnicodeDecodeError):  # a key within a character, as no text has it
            replacements[key.decode()] = to
    # Texts that must not change have priority over all keys.
    alone = {text: text for text in kept.split("\0") if text}
    return _longest_keys([table for table in (alone, replacements) if table])


_PLACES = ((False, 0), (True, 0), (True, 1))  # in keys of one character, and of several


def _class(chars: Iterable[str]) -> str:
    """Return a pattern of one of these characters, or of any above U+FFFF: `re` finds these only in ranges quickly."""
    low = "".join(re.escape(char) for char in chars if char <= "\uffff")
    return f"[{low}\U00010000-\U0010ffff]"


def _longest_keys(tables: list[dict[str, str]]) -> _Parts:
    """Return what yields the keys in a text with their replacements, and the texts between them.

    At each position, the longest key of the first table that has one there is found.
    """
    lengths = [_lengths(table) for table in tables]
    keys = [key for table in tables for key in table]
    whole, firsts, seconds = ({key[at] for key in keys if is_long == (len(key) > 1)} for is_long, at in _PLACES)
    first = re.compile(f"{_class(whole)}|{_class(firsts)}(?={_class(seconds)})")  # where a key may begin

    def key_at(text: str, at: int) -> tuple[str, str] | None:
        for table, by_first in zip(tables, lengths, strict=True):
            for length in by_first.get(text[at], ()):
                key = text[at : at + length]
                if key in table:
                    return key, table[key]
        return None

    def parts(text: str) -> Iterator[tuple[str, str | None]]:
        end = 0  # of the last key
        for match in first.finditer(text):
            at = match.start()
            found = key_at(text, at) if at >= end else None
            if found:
                yield text[end:at], None
                yield found
                end = at + len(found[0])
        yield text[end:], None

    return parts


def _lengths(keys: Iterable[str]) -> dict[str, list[int]]:
    """Return the lengths of the keys that begin with each character, the longest first."""
    out: dict[str, set[int]] = {}
    for key in keys:
        out.setdefault(key[0], set()).add(len(key))
    return {first: sorted(lengths, reverse=True) for first, lengths in out.items()}


def _changes(replaced: list[tuple[str, str | None]]) -> list[int]:
    """Return where characters come from (see `AlignedText.changed`), after parts of a text have been replaced.

    A replacement that is shorter than its part takes the rest of it into its last character. If it is empty, this is
    the character before it; at the beginning of the text there is none, and the characters after it move, as in
    `tokenizers`.
    """
    changes: list[int] = []
    for part, to in replaced:
        count = len(part if to is None else to)
        more = count - len(part)
        changes += [0] * (count - max(more, 0)) + [1] * max(more, 0)
        if more < 0 and changes:
            changes[-1] += more
    return changes


def _lstrip(text: AlignedText) -> AlignedText:
    space, at, chars = members("s"), 0, text.text
    while at < len(chars) and space[ord(chars[at])]:
        at += 1
    return text.trimmed(at, len(chars))


def _rstrip(text: AlignedText) -> AlignedText:
    space, chars = members("s"), text.text
    at = len(chars)
    while at and space[ord(chars[at - 1])]:
        at -= 1
    return text.trimmed(0, at)


_PLAIN: dict[str, NormalizeText] = {
    "lstrip": _lstrip,
    "rstrip": _rstrip,
    "bert_strip_accents": _strip_accents_as_bert,
}
_WITH_ARGUMENTS: dict[str, Callable[[Normalize, str], NormalizeText]] = {
    "prepend": _prepending,
    "replace": _replacing,
    "precompiled": _precompiled,
    "charsmap": _charsmap,
}
