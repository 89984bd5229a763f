"""Report on the pattern of a vocab: its branches in English, its automata, and why it has none."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from wordsplit.byte_level import from_byte_level, to_byte_level
from wordsplit.errors import UnsupportedVocabError
from wordsplit.patterns.automaton import LookaheadAutomaton, SpanAutomaton
from wordsplit.patterns.branches import Branch, branches_of
from wordsplit.patterns.compiled import automaton_of, compiled_matcher
from wordsplit.patterns.description import character_name, described
from wordsplit.patterns.limits import NotCompilableError
from wordsplit.patterns.lookahead import compile_any
from wordsplit.patterns.steps import Steps
from wordsplit.patterns.syntax import parse
from wordsplit.patterns.syntax.characters import LIMIT, chars
from wordsplit.patterns.syntax.tree import Characters, concatenation
from wordsplit.patterns.walk import Walker
from wordsplit.rules import Split, rewriting_steps
from wordsplit.spanners import fastest_for
from wordsplit.spanners.compiled import obstacle
from wordsplit.vocab import Vocab

__all__ = ["SAMPLE", "BranchReport", "CharacterClass", "PatternReport", "StepReport", "pattern_report", "spanner_of"]

SAMPLE = (
    "It's 2024 already: I'LL pay $1,234,567.89 (or 12345 €) for HTMLParser & snake_case!\r\n"
    "\tif x == 10:  # TODO\n\n\n        return x / 3;\n"
    "Ça va, naïve Straße? Москва, Ελλάδα, 東京へ行く。 中文字符 한국어 हिन्दी ไทย مرحبا 🦜🎉 ½ x² ...   \n"
)
"""The text from which examples are taken."""

_EXAMPLES = 3
_IN_CLASS = 6


@dataclass(frozen=True)
class CharacterClass:
    """Characters that an automaton does not distinguish.

    Attributes:
        number: The number of the class.
        size: The number of code points in it.
        examples: Some of them: printable ones as they are, others by number and name.
    """

    number: int
    size: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class BranchReport:
    """A branch of a pattern: a top-level alternative.

    Attributes:
        pattern: Its pattern; ``None`` if it cannot be written as one.
        as_written: Whether that is a part of the step's pattern. If not, it was written from the syntax tree.
        description: What it matches, in English.
        examples: Up to three different matches of this branch in the sample.
    """

    pattern: str | None
    as_written: bool
    description: str
    examples: tuple[str, ...]


@dataclass(frozen=True)
class StepReport:
    """A step with a pattern.

    Attributes:
        number: Which step of the vocab's pre-tokenizer it is, from 1.
        pattern: Its pattern.
        literal: Whether that is a plain string.
        behavior: How matches are treated.
        invert: Whether matches and the text between them swap roles.
        dialect: The dialect of the pattern.
        byte_level: Whether it sees the byte-level spelling.
        obstacle: Why it has no automaton; ``None`` if it has one.
        states: The number of states of the automaton, without the one that ends an attempt.
        classes: Its character classes.
        looks_ahead: Whether it looks ahead by several characters, with a walk from the end of the text.
        branches: The branches of the pattern, in the order of preference; none if it is invalid.
        automaton: The automaton.
    """

    number: int
    pattern: str
    literal: bool
    behavior: str
    invert: bool
    dialect: str
    byte_level: bool
    obstacle: str | None
    states: int | None
    classes: tuple[CharacterClass, ...]
    looks_ahead: bool
    branches: tuple[BranchReport, ...]
    automaton: SpanAutomaton | LookaheadAutomaton | None = field(repr=False)

    def dot(self) -> str:
        """Return the automaton as a graph in Graphviz's language; an empty text if there is none.

        Bold edges end a match before the character that they consume. ``$`` is the end of the text.
        """
        return "" if self.automaton is None else _dot(self.automaton, self.classes, f"step {self.number}")


@dataclass(frozen=True)
class PatternReport:
    """A report on the pattern of a vocab.

    Attributes:
        name: The vocab's name.
        spanner: The spanner that ``"auto"`` chooses.
        reason: Why that is ``"regex"``; else ``None``.
        steps: The steps that have a pattern, in order.
    """

    name: str
    spanner: str
    reason: str | None
    steps: tuple[StepReport, ...]


def pattern_report(vocab: Vocab, sample: str = SAMPLE) -> PatternReport:
    """Return a report on the pattern of a vocab.

    Args:
        vocab: The vocab.
        sample: The text from which examples are taken. Each step sees the output of the patterns before
            it; the text is not normalized, and steps without a pattern are omitted.

    Raises:
        UnsupportedVocabError: The vocab has no pattern.

    Example:
        >>> import wordsplit
        >>> report = pattern_report(wordsplit.load_vocab("qwen3"))
        >>> report.spanner, report.steps[0].states, len(report.steps[0].classes)
        ('qwen2', 14, 11)
        >>> branch = report.steps[0].branches[1]
        >>> branch.pattern, branch.examples
        ('[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?\\\\p{L}+', ('It', ' already', ' I'))
    """
    numbered = [(number, step) for number, step in enumerate(vocab.pre_tokenizer, 1) if isinstance(step, Split)]
    if not numbered:
        raise UnsupportedVocabError(
            "the vocab has no pattern: "
            + ("its pre-tokenizer has only other steps" if vocab.pre_tokenizer else "it has no pre-tokenizer"),
            file=vocab.source,
            field="pre_tokenizer",
        )
    spanner, reason = spanner_of(vocab)
    splits = [step for _, step in numbered]
    steps = [
        _step(number, step, vocab.source, _pieces(splits[:at], step, vocab.source, sample))
        for at, (number, step) in enumerate(numbered)
    ]
    return PatternReport(vocab.name, spanner, reason, tuple(steps))


def spanner_of(vocab: Vocab) -> tuple[str, str | None]:
    """Return the spanner that ``"auto"`` chooses for a vocab with a pattern, and why that is ``"regex"``."""
    spanner = fastest_for(vocab)
    if spanner != "regex":
        return spanner, None
    if reason := obstacle(vocab):
        return spanner, reason
    if rewriting_steps(vocab.pre_tokenizer) == len(vocab.pre_tokenizer):
        return spanner, "steps that remove, add or rewrite text run before spanners, and there are no others"
    return spanner, "this build has no native core"


def _step(number: int, split: Split, source: str, pieces: Sequence[str]) -> StepReport:
    try:
        automaton, refusal = automaton_of(split, source), None
    except UnsupportedVocabError as error:
        automaton, refusal = None, str(error)
    spans = automaton.spans if isinstance(automaton, LookaheadAutomaton) else automaton
    return StepReport(
        number=number,
        pattern=split.pattern,
        literal=split.literal,
        behavior=split.behavior,
        invert=split.invert,
        dialect=split.dialect,
        byte_level=split.byte_level,
        obstacle=refusal,
        states=len(spans.next) // (spans.classes + 1) - 1 if spans else None,
        classes=tuple(_classes(automaton)) if automaton else (),
        looks_ahead=isinstance(automaton, LookaheadAutomaton),
        branches=tuple(_branches(split, source, automaton, pieces)),
        automaton=automaton,
    )


def _pieces(before: Sequence[Split], split: Split, source: str, sample: str) -> list[str]:
    """Return the sample as a step sees it; nothing if a step before it has no automaton."""
    try:
        pieces = Steps(before, source, compiled_matcher).rewrite(sample.encode())
    except UnsupportedVocabError:
        return []
    if split.byte_level:
        return [to_byte_level(piece) for piece in pieces]
    texts = [piece.decode("utf-8", "surrogateescape") for piece in pieces]
    return [" " + text if split.prefix_space and not text.startswith(" ") else text for text in texts]


def _branches(
    split: Split, source: str, automaton: SpanAutomaton | LookaheadAutomaton | None, pieces: Sequence[str]
) -> Iterator[BranchReport]:
    if split.literal:
        text = concatenation([Characters(chars(char)) for char in split.pattern])
        found = [Branch(text, split.pattern, as_written=True)]
    else:
        try:
            tree = parse(split.pattern, split.dialect, source=source, field="pre_tokenizer")
        except UnsupportedVocabError:
            return
        found = branches_of(tree, split.pattern, split.dialect)
    examples = _examples(found, automaton, pieces) if automaton else [[] for _ in found]
    for branch, texts in zip(found, examples, strict=True):
        shown = [_spelled(text) if split.byte_level else text for text in texts]
        yield BranchReport(branch.pattern, branch.as_written, described(branch.tree), tuple(shown))


def _spelled(text: str) -> str:
    """Decode bytes as far as they are UTF-8."""
    return (from_byte_level(text) or b"").decode("utf-8", "backslashreplace")


def _examples(
    branches: Sequence[Branch], automaton: SpanAutomaton | LookaheadAutomaton, pieces: Sequence[str]
) -> list[list[str]]:
    """Return for each branch some of its matches: those where it is the first branch that matches."""
    alone = [Walker(automaton)] if len(branches) == 1 else [_walker(branch) for branch in branches]
    whole = Walker(automaton)
    out: list[list[str]] = [[] for _ in branches]
    for piece in pieces:
        ends = [walker.ends(piece) if walker else [] for walker in alone]
        for start, end, is_match in whole.matches(piece):
            if not is_match or start == end:
                continue
            giver = next((at for at, each in enumerate(ends) if each and each[start] == end), None)
            if giver is not None and len(out[giver]) < _EXAMPLES and piece[start:end] not in out[giver]:
                out[giver].append(piece[start:end])
    return out


def _walker(branch: Branch) -> Walker | None:
    try:
        return Walker(compile_any(branch.tree))
    except NotCompilableError:
        return None


def _classes(automaton: SpanAutomaton | LookaheadAutomaton) -> Iterator[CharacterClass]:
    ranges: list[list[range]] = [[] for _ in range(automaton.classes)]
    for start, end, label in zip(automaton.first, [*automaton.first[1:], LIMIT], automaton.label, strict=True):
        ranges[label].append(range(start, end))
    for number, parts in enumerate(ranges):
        yield CharacterClass(number, sum(map(len, parts)), _some(parts))


def _some(parts: Sequence[range]) -> tuple[str, ...]:
    """Return examples from some ranges: a few ASCII characters, then others, beginning with the first of each range."""
    ascii_ = [part[: bisect_left(part, 0x80)] for part in parts]
    rest = [part[bisect_left(part, 0x80) :] for part in parts]
    known, shown = _turns(ascii_), _turns(rest)
    # A name is longer than a character, and less clear.
    printable = [char for char in shown if len(character_name(char)) == 1]
    chosen = known[: _IN_CLASS - min(2, len(shown))]
    chosen += (printable or shown)[: _IN_CLASS - len(chosen)]
    return tuple(map(character_name, chosen))


def _turns(parts: Sequence[range]) -> list[str]:
    """Return the first characters of some ranges, then the second ones, and so on, printable ones first."""
    codes = (part[at] for at in range(_IN_CLASS) for part in parts if at < len(part))
    chars = [chr(code) for code in islice(codes, 400) if not 0xD800 <= code < 0xE000]
    return sorted(chars, key=lambda char: not char.isprintable())


def _dot(automaton: SpanAutomaton | LookaheadAutomaton, classes: Sequence[CharacterClass], name: str) -> str:
    ahead = automaton if isinstance(automaton, LookaheadAutomaton) else None
    spans = automaton.spans if isinstance(automaton, LookaheadAutomaton) else automaton
    labels = [_class_label(each) for each in classes]
    if ahead:
        labels = _symbol_labels(ahead, labels)
    labels.append("$")
    lines = [
        f"digraph {_dot_string(name)} {{",
        "  rankdir=LR;",
        '  node [shape=circle, fontname="sans-serif"];',
        '  edge [fontname="sans-serif"];',
        "  start [shape=point];",
        '  end [shape=doublecircle, label="end"];',
    ]
    starts = _by_target(spans.starts, [*labels[:-1], "the start"])
    for state, texts in starts.items():
        shown = _dot_string("" if len(starts) == 1 else f"after {_merged(texts, spans.classes)}")
        lines.append(f"  start -> {state} [label={shown}];")
    width = spans.classes + 1
    for state in range(1, len(spans.next) // width):
        for entry, texts in _by_target(spans.next[state * width : (state + 1) * width], labels).items():
            bold = ", style=bold, color=darkgreen" if entry & 1 else ""
            lines.append(f"  {state} -> {entry >> 1 or 'end'} [label={_dot_string(_merged(texts, width))}{bold}];")
    return "\n".join([*lines, "}", ""])


def _by_target(targets: Iterable[int], labels: Sequence[str]) -> dict[int, list[str]]:
    """Return the labels that lead to each target except 0, which is the end of an attempt."""
    found: dict[int, list[str]] = {}
    for label, target in zip(labels, targets, strict=True):
        if target:
            found.setdefault(target, []).append(label)
    return found


def _merged(labels: Sequence[str], every: int) -> str:
    return "anything" if len(labels) == every else "\n".join(labels)


def _class_label(each: CharacterClass) -> str:
    return f"{each.number}: {' '.join(each.examples[:3])}{' …' if each.size > min(3, len(each.examples)) else ''}"


def _symbol_labels(automaton: LookaheadAutomaton, labels: Sequence[str]) -> list[str]:
    """Return for each symbol the classes of its characters; those of one class differ by the characters after them."""
    found: list[set[int]] = [set() for _ in range(automaton.spans.classes)]
    for at, symbol in enumerate(automaton.symbol):
        found[symbol].add(at % automaton.classes)
    return [f"symbol {n} ({', '.join(labels[at] for at in sorted(each))})" for n, each in enumerate(found)]


def _dot_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
