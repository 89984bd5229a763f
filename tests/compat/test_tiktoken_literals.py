"""How the stand-in for tiktoken finds special tokens in text."""

import pytest

from wordsplit.compat.tiktoken._literals import Literals


@pytest.mark.parametrize(
    ("contents", "text", "pieces"),
    [
        (["<|a|>", "<|b|>"], "x<|b|>y<|a|>", [("x", "<|b|>"), ("y", "<|a|>"), ("", None)]),
        (["a|", "a|b"], "a|ba|", [("", "a|b"), ("", "a|"), ("", None)]),  # the longest, where several fit
        (["ab", "ba"], "xaba", [("x", "ab"), ("a", None)]),  # which have no common beginning
        (["ab"], "b a", [("b a", None)]),
        ([], "ab", [("ab", None)]),
    ],
)
def test_leftmost_and_longest(contents, text, pieces):
    found = Literals(frozenset(contents))
    assert list(found.split(text)) == pieces
    assert found.first(text) == next((literal for _, literal in pieces if literal), None)
