"""Characters that automata tell apart."""

from bisect import bisect_right

from wordsplit.patterns.lookahead import compile_any
from wordsplit.patterns.syntax import parse


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
