"""The results of a vocab's rules for each character of raw text, for rules that treat characters one by one.

Many normalizers and pre-tokenizers do: BERT's lowercase, strip accents, remove white space and split at punctuation,
and none of that depends on the surrounding characters. Such rules are one table from code point to text, in which 0xFF
marks the end of a word and 0xFE a space. The native core reads it (``word_map.hpp``). The table is built by running the
rules themselves, as in `wordsplit.engine.pieces` and the spanner, on all characters. The tables of BERT's rules are
precomputed (`wordsplit.engine.word_tables`).

Characters that depend on their neighbours are not in the table. A text with one of them is encoded as with any other
vocab.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import compress, takewhile
from typing import TYPE_CHECKING, NamedTuple

from wordsplit.byte_level import to_byte_level
from wordsplit.charsmap import CharacterMap
from wordsplit.engine.aligned import AlignedText
from wordsplit.engine.character_tables import CHARACTER_KINDS, CHINESE, changed_by
from wordsplit.engine.normalization import content_normalizer, normalizer_of
from wordsplit.engine.word_tables import BREAK, SIGN, WordRules, WordTable, made_in_advance, tables
from wordsplit.first_steps import is_first_step, trims_of
from wordsplit.model import ByteLevelBPE, CharacterBPE, Unigram
from wordsplit.patterns.components import (
    signs_and_classes,
    splits_at_one,
    splits_by_character,
    splits_contractions,
    splits_signs,
    whitespace_split,
)
from wordsplit.patterns.schemes import scheme_steps
from wordsplit.rules import Normalize, Rewrite, Split, Step, finds_as_spelled, normalizer_steps
from wordsplit.space_mark import USUAL_MARK
from wordsplit.unicode import members
from wordsplit.unicode.graphemes import marks
from wordsplit.unicode.nfc import FORMS, combining_class

if TYPE_CHECKING:
    from wordsplit import _native
    from wordsplit.vocab import Vocab

__all__ = [
    "EVERY_PAGE",
    "can_end_words",
    "every_normalized_literal",
    "letters_of_bytes",
    "map_of_characters",
    "map_of_charsmap",
    "more_words_of",
    "normalized_literals",
    "replacements",
    "spelled_literals",
    "word_map_of",
]

_SPACE = b"\xfe"
_BY_CHARACTER = CHARACTER_KINDS | {"nfd"}
_SEPARATOR = "\u16a0"  # a letter that no rule changes
_END = "\U0010ffff"  # of a word; not among the characters that are tried
_SIGN = "\U0010fffe"  # before a sign; likewise
_END_BYTES, _SIGN_BYTES, _ENDS = _END.encode(), _SIGN.encode(), re.compile(f"{_END}+")
_DECOMPOSING = ("bert_strip_accents", "nfd")
# With the ideographs, whole pages of 256 code points. The rare ones, those in between that have characters, take longer
# to try.
_USUAL_PAGES = (
    (0, 0x3400),
    (0x4DC0, 0x4E00),
    (0xA000, 0xD800),
    (0xF900, 0x10000),
    (0x1D400, 0x1D800),
    (0x1F000, 0x1FB00),
)
_RARE_PAGES = ((0x10000, 0x1D400), (0x1D800, 0x1F000), (0x1FB00, 0x32400), (0xE0000, 0xE0200))
EVERY_PAGE = ((0, 0x3400), (0x4DC0, 0x4E00), (0xA000, 0xD800), (0xE000, 0x10FF00))
"""All others but the last, which has characters that stand for something else here. There are no surrogates in text."""
_IDEOGRAPHS = (range(0x3400, 0x4DC0), range(0x4E00, 0xA000))  # all of which are treated alike
_LAST = 0x110000
_JOINING = Normalize("replace", r"\s+", " ")
_CLUSTER_BYTES = 5
_MOST_MARKS = 16
# What follows the map in a file of SentencePiece with `remove_extra_whitespaces` and `add_dummy_prefix`.
_USUAL = (
    Normalize("replace", r"\A +", ""),
    Normalize("replace", " {2,}", " "),
    Normalize("replace", " ", USUAL_MARK, literal=True),
    Normalize("replace", rf"{USUAL_MARK}+\z", ""),
    Normalize("prepend", content=USUAL_MARK),
)


def word_map_of(vocab: Vocab) -> _native.WordMap | None:
    """Return the table of a vocab; ``None`` if its rules look at more than one character."""
    if isinstance(vocab.model, ByteLevelBPE) or not vocab.has_native_model or vocab.add_prefix_space:
        return None
    if normalized_literals(vocab) is None:
        return None
    normalizer, steps = normalizer_steps(vocab.normalizer), vocab.pre_tokenizer
    if normalizer and normalizer[0].kind == "charsmap":
        return _by_longest_keys(vocab, normalizer)
    if rules := _rules_of(vocab):
        return _by_character(*rules, rare=False, ended=vocab.model.ends_words)
    by_map = None if vocab.model.ends_words else _by_map(normalizer, steps)
    return by_map or _by_character_behind_steps(vocab, rare=False)


@cache
def letters_of_bytes(*, rare: bool) -> _native.WordMap:
    """Return the table of the letters that stand for the bytes of each character, for spans that a scanner finds."""
    from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it

    pages = (*_USUAL_PAGES, *((points[0], points[-1] + 1) for points in _IDEOGRAPHS), *(_RARE_PAGES if rare else ()))
    found = {point: to_byte_level(chr(point).encode()).encode() for first, end in pages for point in range(first, end)}
    return _native.WordMap(_rules(tables([found], outside=True)[0]))


def map_of_characters(becomes: Mapping[int, str]) -> _native.WordMap:
    """Return the table of what becomes of some characters, by which a text is normalized as a whole."""
    from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it

    rules = _rules(tables([{point: text.encode() for point, text in becomes.items()}])[0])
    rules.normalizes = True
    return _native.WordMap(rules)


def map_of_charsmap(content: str) -> _native.WordMap | None:
    """Return the table of a SentencePiece map, by which a text is normalized as a whole; ``None`` if there is none."""
    return _of_charsmap(content, (("normalizes", True),))


def spelled_literals(vocab: Vocab) -> dict[int, str]:
    """Return what the core looks for in text with its spaces, by the numbers of added tokens.

    They are those in normalized text of a vocab that spells spaces otherwise, after other steps or alone.
    """
    if vocab.space_mark is None:
        return {}
    normalizer = () if finds_as_spelled(vocab.normalizer) else vocab.normalizer or ()
    literals = _normalized_by(normalizer, vocab)
    return _firsts({at: literal.replace(vocab.space_mark.mark, " ") for at, literal in literals.items()})


def can_end_words(vocab: Vocab) -> bool:
    """Return whether a vocab that `ends_words` has a table, without making it."""
    has_rules = _rules_of(vocab) is not None or _rules_behind_steps(vocab) is not None
    return not vocab.add_prefix_space and has_rules and normalized_literals(vocab) is not None


def normalized_literals(vocab: Vocab) -> dict[int, str] | None:
    """Return what the core looks for in normalized text, by the numbers of added tokens; ``None`` if it cannot.

    The core has one kind of white space, and does not know which spaces a SentencePiece map's rules join. Of tokens
    that are equal when normalized, the first is found: the others have empty literals.
    """
    added = vocab.added_tokens
    numbers = added.numbers_of("normalized")
    if not numbers:
        return {}
    if isinstance(vocab.normalizer, str) or finds_as_spelled(vocab.normalizer):
        return None
    by_character = _rules_of(vocab) is not None
    if not by_character and not set(numbers).isdisjoint(added.numbers_of("lstrip", "rstrip")):
        return None
    literals = _normalized_by(vocab.normalizer or (), vocab)
    joins_spaces = _JOINING in (vocab.normalizer or ())
    has_spaces = by_character and not joins_spaces and Normalize("bert_clean_text") in (vocab.normalizer or ())
    for literal in literals.values():
        if not literal or (not has_spaces and any(char.isspace() or char == USUAL_MARK for char in literal)):
            return None
    return _firsts(literals)


def every_normalized_literal(vocab: Vocab) -> dict[int, str]:
    """Return what is looked for in normalized text, by the numbers of added tokens, where all of it is in the core."""
    return _firsts(_normalized_by(() if finds_as_spelled(vocab.normalizer) else vocab.normalizer or (), vocab))


def _normalized_by(normalizer: str | tuple[Normalize, ...], vocab: Vocab) -> dict[int, str]:
    """Return what tokens that are found in normalized text are there, by their numbers."""
    numbers = vocab.added_tokens.numbers_of("normalized")
    if not numbers:
        return {}  # a normalizer may take long to make
    normalize, contents = content_normalizer(normalizer, vocab.source), vocab.added_tokens.contents()
    return {at: normalize(contents[at]) for at in numbers}


def _firsts(literals: dict[int, str]) -> dict[int, str]:
    """Return the literals with empty ones for those that are equal to one before."""
    first = {literal: at for at, literal in reversed(literals.items())}
    return {at: literal if first[literal] == at else "" for at, literal in literals.items()}


def more_words_of(vocab: Vocab) -> _native.WordMap | None:
    """Return a table with rare characters, such as historic scripts; ``None`` if the table of the vocab has them.

    Tables that are made in advance do.
    """
    normalizer = normalizer_steps(vocab.normalizer)
    if normalizer and normalizer[0].kind == "charsmap":
        return _of_longest_keys(normalizer[0].content, normalizer[0].pattern, joined=True, summed=False)
    rules = _rules_of(vocab)
    if rules:
        return None if made_in_advance(*rules) else _by_character(*rules, rare=True, ended=vocab.model.ends_words)
    return _by_character_behind_steps(vocab, rare=True)


def _rules_of(vocab: Vocab) -> WordRules | None:
    """Return the rules of a vocab that are a table from code point to text; ``None`` if it has others.

    Before a model that `ends_words`, some are left out: NFC, which the core does before it looks characters up,
    and those that change nothing in words. A model that sees the letters that `Rewrite` makes of bytes has the bytes in
    its tables.
    """
    normalizer, steps = normalizer_steps(vocab.normalizer), vocab.pre_tokenizer
    if vocab.model.ends_words:
        if normalizer[:1] == (Normalize("nfc"),):
            normalizer = normalizer[1:]
        normalizer = _without_joining(normalizer)
        if steps[-1:] == (Rewrite("byte_level"),):
            steps = steps[:-1]
        if splits_contractions(steps) and steps[1:] == scheme_steps("gpt2"):
            steps = steps[:1]
    kinds = {step.kind for step in normalizer}
    return (normalizer, steps) if kinds <= _BY_CHARACTER and splits_by_character(steps) else None


def _without_joining(normalizer: tuple[Normalize, ...]) -> tuple[Normalize, ...]:
    """Return the steps without the one that joins white space, unless steps after it remove some."""
    at = next((at for at, step in enumerate(normalizer) if step == _JOINING), len(normalizer))
    rest = tuple(step for step in normalizer[at:] if step != _JOINING)
    removes = any(step.kind in ("bert_clean_text", "nmt") for step in rest)
    return normalizer if removes else normalizer[:at] + rest


@cache
def _by_character(
    normalizer: tuple[Normalize, ...],
    steps: tuple[Step, ...],
    *,
    rare: bool,
    ended: bool = False,
    flags: frozenset[str] = frozenset(),
) -> _native.WordMap:
    """Return the table of rules that treat characters one by one. The flag ``spaced``: words begin with a space."""
    from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it

    rules = _rules(_table(normalizer, steps, rare=rare, spaced="spaced" in flags))
    rules.has_signs, rules.contractions, rules.ended = splits_signs(steps), splits_contractions(steps), ended
    for flag in flags:
        setattr(rules, flag, True)
    if Normalize("bert_chinese_chars") in normalizer:
        rules.apart = [(first, end - 1) for first, end in zip(CHINESE[::2], CHINESE[1::2], strict=True)]
    return _native.WordMap(rules)


@cache
def _table(normalizer: tuple[Normalize, ...], steps: tuple[Step, ...], *, rare: bool, spaced: bool) -> WordTable:
    ready = None if spaced else made_in_advance(normalizer, steps)
    if ready:
        return ready
    found = replacements(normalizer, steps, _USUAL_PAGES + (_RARE_PAGES if rare else ()))
    if spaced:
        found = {point: None if data is None else _spaced(data) for point, data in found.items()}
    return tables([found], outside=True)[0]


def replacements(
    normalizer: tuple[Normalize, ...], steps: tuple[Step, ...], pages: Iterable[tuple[int, int]]
) -> dict[int, bytes | None]:
    """Return what becomes of each character by rules that treat characters one by one, by running them.

    Args:
        normalizer: The steps of the normalizer.
        steps: Those of the pre-tokenizer.
        pages: The first of the code points to run them on, and what follows the last, in several ranges. The ideographs
            are tried in any case.

    Returns:
        The text of each code point; ``None`` for one that depends on those around it.
    """
    sign, others = signs_and_classes(steps)
    signs = _members(sign)[0] if sign else b""
    normalize = normalizer_of(normalizer, "")
    classes = list(map(_members, others))

    def tried(points: Iterable[int]) -> tuple[Iterator[tuple[int, str]], set[str]]:
        points = [point for point in points if chr(point) != _SEPARATOR]
        text = normalize(AlignedText(_SEPARATOR + "".join(chr(point) + _SEPARATOR for point in points))).text
        found = set(text)
        ends = {
            ord(char): _END if removed else f"{_END}{char}{_END}"
            for inside, removed in classes
            for char in found
            if inside[ord(char)]
        }
        if signs:
            ends |= {ord(char): f"{_SIGN}{char}" for char in found if signs[ord(char)] and ord(char) not in ends}
        marked = _ENDS.sub(_END, text.translate(ends))
        return zip(points, marked.split(_SEPARATOR)[1:-1], strict=True), found

    decomposes = any(step.kind in _DECOMPOSING for step in normalizer)
    out: dict[int, bytes | None] = {ord(_SEPARATOR): None}
    for first, end in pages:
        each, found = tried(range(first, end))
        # A mark that remains could change places with another one.
        moving = set(filter(combining_class, found)) if decomposes else ()
        for point, text in each:
            moves = moving and not moving.isdisjoint(text)
            out[point] = None if moves else _spelled(text)
    for points in _IDEOGRAPHS:
        first = points[0]
        ((_, text),), _ = tried((first,))
        before, after = map(_spelled, text.split(chr(first)))
        out |= {point: before + chr(point).encode() + after for point in points}
    return out


def _spelled(text: str) -> bytes:
    return text.encode().replace(_END_BYTES, BREAK).replace(_SIGN_BYTES, SIGN)


def _members(step: Step) -> tuple[bytes, bool]:
    """Return where a step of `splits_by_character` splits, and whether it removes the characters.

    Returns:
        One byte per code point, 1 for the characters at which it splits; and whether they are removed.
    """
    from wordsplit.patterns.syntax import parse  # noqa: PLC0415 - most tables are made in advance
    from wordsplit.patterns.syntax.characters import flags  # noqa: PLC0415 - as above
    from wordsplit.patterns.syntax.tree import Characters  # noqa: PLC0415 - as above

    if not isinstance(step, Split) or not isinstance(node := parse(step.pattern, step.dialect), Characters):
        raise TypeError(f"{step} does not split at single characters")
    return flags(node.members), step.behavior == "removed"


def _by_map(normalizer: Sequence[Normalize], steps: Sequence[Step]) -> _native.WordMap | None:
    """Return the table of a SentencePiece map, if there is one, and of words that begin with a space.

    Before the map there may be steps of other kinds (``normalizer_steps.hpp``), and first of all white space at the
    ends of a text may be removed.
    """
    words = _of_words(steps)
    if words is None:
        return None
    trims, rest = trims_of(normalizer)
    flags = {"spaced": True, **words, **dict.fromkeys(trims, True)}
    before = tuple(takewhile(_can_be_before, rest))
    del rest[: len(before)]
    charsmap = rest.pop(0).content if rest and rest[0].kind == "precompiled" else ""
    has_marks = False  # which are no white space for the steps behind
    for step in rest:
        if step.kind == "rstrip" and not has_marks:
            flags["strip_right"] = True
        elif step == Normalize("replace", " {2,}", " "):
            flags["collapse_spaces"] = True
        elif step == Normalize("replace", " {2,}", USUAL_MARK) and not words["drop_spaces"]:
            flags["collapse_spaces"] = has_marks = True
        else:
            return None
    behind = _of_charsmap(charsmap, tuple(sorted(flags.items())))
    return behind and _behind_steps(before, behind)


class _BehindSteps(NamedTuple):
    """Rules that treat characters one by one, after steps that do not.

    Attributes:
        before: The steps.
        normalizer: The steps of the normalizer that treat characters one by one.
        splits: The steps of the pre-tokenizer that do.
        flags: The flags of the table that are set (``word_map.hpp``).
    """

    before: tuple[Normalize, ...]
    normalizer: tuple[Normalize, ...]
    splits: tuple[Step, ...]
    flags: frozenset[str]


def _rules_behind_steps(vocab: Vocab) -> _BehindSteps | None:
    """Return the rules of a vocab with steps before those that treat characters one by one, if it has such."""
    trims, rest = trims_of(normalizer_steps(vocab.normalizer))
    after = len(rest)
    while after and rest[after - 1].kind in _BY_CHARACTER:
        after -= 1
    before, normalizer = tuple(rest[:after]), tuple(rest[after:])
    splits, flags = _splits_of(vocab.pre_tokenizer)
    if splits is None or (vocab.model.ends_words and flags) or not all(map(_can_be_before, before)):
        return None
    if Normalize("bert_chinese_chars") in normalizer and normalized_literals(vocab):
        return None
    return _BehindSteps(before, normalizer, splits, trims | flags)


def _splits_of(steps: tuple[Step, ...]) -> tuple[tuple[Step, ...] | None, frozenset[str]]:
    """Return the steps of a pre-tokenizer that split at single characters, and the flags for its spaces.

    Besides those of words, they may stand before or after ``Metaspace``.
    """
    if splits_by_character(steps):
        return steps, frozenset()
    at = next((at for at, step in enumerate(steps) if isinstance(step, Rewrite)), len(steps))
    rules = _of_words(steps[at : at + 2])
    before, after = steps[:at], steps[at + 2 :]
    if rules is None or not all(map(splits_at_one, before + after)):
        return None, frozenset()
    flags = {"spaced"}
    if rules["prepend"]:
        if before and after:
            return None, frozenset()
        flags.add("prepend_each" if before else "prepend")
    return before + after, frozenset(flags)


def _by_character_behind_steps(vocab: Vocab, *, rare: bool) -> _native.WordMap | None:
    """Return the table of rules that treat characters one by one after steps that do not."""
    rules = _rules_behind_steps(vocab)
    if rules is None:
        return None
    ended = vocab.model.ends_words
    return _behind_steps(
        rules.before, _by_character(rules.normalizer, rules.splits, rare=rare, ended=ended, flags=rules.flags)
    )


def _of_words(steps: Sequence[Step]) -> dict[str, bool] | None:
    """Return the rules for spaces of words that begin with one; ``None`` if the words are others."""
    drops_spaces = steps[:1] == (whitespace_split(),)
    first, *after = (steps[1:] if drops_spaces else steps) or (None,)
    if not isinstance(first, Rewrite) or (first.kind, first.replacement) != ("metaspace", USUAL_MARK):
        return None
    if after != [Split(USUAL_MARK, behavior="merged_with_next", literal=True)]:
        return None
    if first.prepend == "first" or (first.prepend == "never" and drops_spaces):
        return None
    return {"drop_spaces": drops_spaces, "prepend": first.prepend == "always"}


def _can_be_before(step: Normalize) -> bool:
    """Return whether a step can run before a map, within words."""
    return is_first_step(step) and not any(char.isspace() or char == USUAL_MARK for char in step.pattern + step.content)


@cache
def _behind_steps(before: tuple[Normalize, ...], words: _native.WordMap) -> _native.WordMap:
    from wordsplit import _native  # noqa: PLC0415 - as above

    if not before:
        return words
    make = _native.NormalizerStep
    steps = []
    for step in before:
        if step.kind == "replace":
            steps.append(make.literal(step.pattern, step.content))
        elif step.kind in FORMS:
            steps.append(make.form(step.kind))
        else:
            steps.append(make.characters(changed_by(step.kind)))
    return _native.WordMap.behind_steps(steps, words)


@cache
def _of_charsmap(encoded: str, flags: tuple[tuple[str, bool], ...]) -> _native.WordMap | None:
    from wordsplit import _native  # noqa: PLC0415 - as above

    drops, normalizes = (dict(flags).get(name, False) for name in ("drop_spaces", "normalizes"))
    spaces = list(map(chr, compress(range(_LAST), members("s")))) if drops else [" "]
    becomes: dict[int, bytes | None] = {}
    if not normalizes:
        becomes |= dict.fromkeys(map(ord, spaces), _SPACE)
        becomes[ord(USUAL_MARK)] = None  # it is not a space yet where these are dropped
    charsmap = CharacterMap(encoded) if encoded else None
    marked = [] if normalizes else spaces
    if charsmap is not None:
        keys = charsmap.keys(marked, most_bytes=_CLUSTER_BYTES, marks_are_text=normalizes)
        if keys.has_mark or keys.ends_within:  # a key that ends within a character replaces all that begin so
            return None
        becomes |= keys.characters
    joins, alone, before = marks()
    if encoded or not normalizes:
        becomes |= dict.fromkeys(before, None)  # they join what follows them
    rules = _rules(tables([becomes])[0])
    for name, value in flags:
        setattr(rules, name, value)
    if charsmap is not None:
        charsmap.put_in(rules, marked)
    if encoded or not normalizes:
        rules.set_marks(_bits(joins), _bits(alone))
    return _native.WordMap(rules)


def _by_longest_keys(vocab: Vocab, normalizer: Sequence[Normalize]) -> _native.WordMap | None:
    """Return the table of a file of SentencePiece with its usual rules: each word begins with the mark of spaces.

    The text is one span, or each word is one: if no token has the mark but at its beginning, since then no merge and no
    token of a path goes beyond words, and if the mark is a token, since then no run of unknown characters does.
    """
    charsmap, *rest = normalizer
    if tuple(rest) != _USUAL or vocab.pre_tokenizer:
        return None
    model, mark = vocab.model, USUAL_MARK.encode()
    summed = isinstance(model, Unigram) and model.unk_id is not None
    has_words = summed or isinstance(model, CharacterBPE)
    words = has_words and model.id_of(mark) is not None and not model.token_table.has_inside(mark)
    return _of_longest_keys(charsmap.content, charsmap.pattern, joined=not words, summed=words and summed)


@cache
def _of_longest_keys(encoded: str, left_alone: str, *, joined: bool, summed: bool) -> _native.WordMap | None:
    from wordsplit import _native  # noqa: PLC0415 - as above

    alone = set(filter(None, left_alone.split("\0")))
    becomes: dict[int, bytes | None] = {ord(" "): _SPACE}
    firsts, marks = set[int](), set[int]()
    charsmap = CharacterMap(encoded) if encoded else None
    if charsmap is not None:
        keys = charsmap.keys([" "])
        becomes |= keys.characters
        firsts, marks = keys.firsts, keys.others
        if keys.has_mark or keys.most > _MOST_MARKS or ord(" ") in marks or ord(USUAL_MARK) in marks | firsts:
            return None
    for text in alone:  # it has priority over all keys
        if len(text) > 1 or ord(text) in firsts or text in (" ", USUAL_MARK):
            return None
        becomes[ord(text)] = text.encode()
    if not joined:
        becomes[ord(USUAL_MARK)] = None  # words do not end at it
    rules = _rules(tables([becomes])[0])
    rules.spaced = rules.drop_spaces = rules.prepend = rules.longest_keys = True
    rules.joined, rules.summed = joined, summed
    if charsmap is not None and marks:
        charsmap.put_in(rules, [" "])
        rules.set_marks(_bits(marks), _bits(()))
    return _native.WordMap(rules)


def _spaced(data: bytes) -> bytes | None:
    """Return a replacement with its spaces marked; ``None`` if it holds the mark of spaces."""
    return None if USUAL_MARK.encode() in data else data.replace(b" ", _SPACE)


def _bits(points: Iterable[int]) -> bytes:
    out = bytearray(_LAST // 8)
    for point in points:
        out[point >> 3] |= 1 << (point & 7)
    return bytes(out)


def _rules(table: WordTable) -> _native.WordRules:
    from wordsplit import _native  # noqa: PLC0415 - pure-Python builds lack it

    return _native.WordRules(table.pages.tobytes(), table.entries.tobytes(), table.blob)
