"""What the pattern of a vocab does, in a report."""

import re

import pytest
import regex
import tokenizers

import wordsplit
from wordsplit.errors import UnsupportedVocabError
from wordsplit.features.pattern_report import SAMPLE, pattern_report
from wordsplit.patterns.dialects import to_tokenizers
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.rules import Rewrite, Split

_NODE = r"(?:\d+|start|end)"
_STRING = r'"(?:[^"\\]|\\.)*"'
_LINE = re.compile(
    rf"  (?:rankdir=LR|(?:node|edge|start|end) \[[^\n]+\]|{_NODE} -> {_NODE} \[label={_STRING}"
    r"(?:, style=bold, color=darkgreen)?\]);"
)


def vocab_of(*steps):
    return wordsplit.Vocab(name="v", tokens={byte: bytes([byte]) for byte in range(256)}, pre_tokenizer=list(steps))


def check_dot(step):
    first, *lines, last = step.dot().splitlines()
    assert (first, last) == (f'digraph "step {step.number}" {{', "}")
    assert [line for line in lines if not _LINE.fullmatch(line)] == []
    sources = {line.split()[0] for line in lines if " -> " in line}
    targets = {line.split()[2] for line in lines if " -> " in line}
    states = {str(number) for number in range(1, step.states + 1)}
    assert sources == states | {"start"}
    assert targets <= states | {"end"}


@pytest.mark.parametrize("scheme", ["qwen2", "cl100k", "o200k"])
def test_examples_are_spans_of_the_first_branch_that_matches(scheme):
    (split,) = SCHEMES[scheme]
    (step,) = pattern_report(vocab_of(split)).steps
    pre = tokenizers.pre_tokenizers.Split(tokenizers.Regex(to_tokenizers(split)), "isolated")
    spans = {(start, end) for _, (start, end) in pre.pre_tokenize_str(SAMPLE)}
    branches = [regex.compile(branch.pattern, regex.V1) for branch in step.branches]
    assert all(branch.examples for branch in step.branches if branch.pattern != r"\s")
    for at, branch in enumerate(step.branches):
        for text in branch.examples:
            assert any(
                SAMPLE[start:end] == text
                and (match := branches[at].match(SAMPLE, start))
                and match.end() == end
                and not any(earlier.match(SAMPLE, start) for earlier in branches[:at])
                for start, end in spans
            ), (branch.pattern, text)
    check_dot(step)


def test_classes():
    (step,) = pattern_report(vocab_of(Split(r"[a-c]+|\n|\u00a0|\""))).steps
    assert step.states == 3
    assert sum(each.size for each in step.classes) == 0x110000
    assert {each.examples: each.size for each in step.classes if each.size < 10} == {
        ("a", "b", "c"): 3,
        ('"', "U+000A LF", "U+00A0 NO-BREAK SPACE"): 3,
    }
    check_dot(step)


def test_look_ahead_of_several_characters():
    (step,) = pattern_report(vocab_of(Split(r"\d{1,3}(?=(?:\d{3})*\b)"))).steps
    assert step.looks_ahead
    assert step.branches[0].examples == ("2", "024", "1")
    assert "symbol 0 (" in step.dot()
    check_dot(step)


def test_why_there_is_no_automaton():
    report = pattern_report(vocab_of(Split(r"(a)\1|b")))
    assert report.spanner == "regex"
    assert "back reference" in report.reason
    (step,) = report.steps
    assert (step.obstacle, step.states, step.classes, step.dot()) == (report.reason, None, (), "")
    assert [branch.description for branch in step.branches] == ['"a", then the text of group 1 again', '"b"']
    assert {branch.examples for branch in step.branches} == {()}


def test_steps_see_what_those_before_them_leave():
    steps = pattern_report(
        vocab_of(Rewrite("unicode_scripts"), Split(" ", "removed", literal=True), Split(r"[a-z]+ ?|x"))
    ).steps
    assert [step.number for step in steps] == [2, 3]
    assert steps[0].branches[0].description == "a space"
    assert steps[0].branches[0].examples == (" ",)
    assert steps[1].branches[0].examples == ("t", "s", "already")
    assert steps[1].branches[1].examples == ()


def test_steps_that_see_the_spelling_of_bytes():
    report = pattern_report(vocab_of(Split("[0-9Ġ]{2}", byte_level=True)))
    assert (report.spanner, report.reason) == ("compiled", None)
    assert report.steps[0].branches[0].examples[0] == " 2"


def test_a_vocab_without_a_pattern():
    with pytest.raises(UnsupportedVocabError, match="no pattern: its pre-tokenizer has only other steps"):
        pattern_report(vocab_of(Rewrite("byte_level")))
