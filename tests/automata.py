"""Automata of patterns: the characters that they tell apart, and their matches against the oracle's."""

import itertools
from bisect import bisect_right

from oracles import pattern_oracle, tiktoken_splitter

from wordsplit.patterns.lookahead import compile_any
from wordsplit.patterns.syntax import parse
from wordsplit.patterns.walk import Walker


def compiled(pattern, dialect="tokenizers"):
    return compile_any(parse(pattern, dialect))


def representatives(automata):
    """One character for each combination of their classes, an ASCII one that is printable where there is one."""
    starts = set(range(33, 127)) | {start for automaton in automata for start in automaton.first}
    found = {}
    for code in sorted(starts, key=lambda code: (not 33 <= code < 127, code)):
        labels = tuple(automaton.label[bisect_right(automaton.first, code) - 1] for automaton in automata)
        if not 0xD800 <= code < 0xE000:
            found.setdefault(labels, chr(code))
    return list(found.values())


def ends_of(spanner, data):
    """The ends of the spans, which the core and the specification agree on."""
    ends = list(spanner.ends(data))
    assert ends == list(spanner.ends_in_python(data)), data
    return ends


def texts_for(automaton, rng, count):
    """Short strings of representatives, every one of up to two, and longer ones in which characters repeat."""
    chars = representatives([automaton])
    yield from map("".join, itertools.chain(chars, itertools.product(chars[:6], repeat=2)))
    for _ in range(count):
        some = rng.choices([*chars, *"ab1' \n"], k=3)
        yield "".join(rng.choice(some) * rng.choice((1, 1, 2)) for _ in range(rng.randint(2, 7)))


def compare(pattern, dialect, texts):
    """Compare the matches of an automaton with the oracle's."""
    walker = Walker(compiled(pattern, dialect))
    if dialect == "tiktoken":
        found = {text: [(a, b) for a, b, is_match in walker.matches(text) if is_match] for text in texts}
        # tiktoken fails for an empty match.
        asked = [text for text, spans in found.items() if all(a < b for a, b in spans)]
        for text, theirs in zip(asked, tiktoken_splitter([pattern])(asked), strict=True):
            assert [text[a:b] for a, b in found[text]] == theirs, (pattern, text)
        return
    oracle = pattern_oracle(pattern, dialect)
    for text in texts:
        pieces = [(text[a:b], (a, b), is_match) for a, b, is_match in walker.matches(text) if a < b]
        ours = [[piece[:2] for piece in pieces if not piece[2]], [piece[:2] for piece in pieces]]
        assert ours == oracle.matches(text), (pattern, ascii(text))
