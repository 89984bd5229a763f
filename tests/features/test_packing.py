"""A packed prompt fits, exactly, and with one piece more it would not."""

import pytest
from features.toks import TEXT, tokenizer
from hypothesis import given
from hypothesis import strategies as st

import wordsplit

PIECES = st.lists(st.tuples(TEXT, st.booleans()), max_size=8)


@pytest.mark.parametrize("drop", ["first", "last"])
@pytest.mark.parametrize("name", ["qwen3", "neighbourly", "neighbourly nfc", "prefix space"])
@given(pieces=PIECES, most=st.integers(0, 60))
def test_what_is_kept_fits_and_no_more_would(name, drop, pieces, most):
    tok = tokenizer(name)
    required = [at for at, (_, needed) in enumerate(pieces) if needed]
    order = [at for at, (_, needed) in enumerate(pieces) if not needed]
    order = order if drop == "first" else order[::-1]

    def joined(kept):
        return "".join(pieces[at][0] for at in kept)

    try:
        found = tok.pack(pieces, most, drop=drop)
    except wordsplit.BudgetError:
        assert len(tok.encode(joined(required))) > most
        return
    assert found.text == joined(found.kept)
    assert found.ids == tok.encode(found.text)
    assert len(found.ids) <= most
    gone = [at for at in order if at not in found.kept]
    assert gone == order[: len(gone)]
    assert sorted([*found.kept, *gone]) == list(range(len(pieces)))
    if gone:
        assert len(tok.encode(joined(sorted([*found.kept, gone[-1]])))) > most


def test_counts_do_not_add_up():
    tok = tokenizer("qwen3")
    pieces = [("token", False), ("ization", False), (" is", True)]
    assert [tok.count(text) for text, _ in pieces] == [1, 1, 1]
    longer = [("Alph", False), ("abet", False), ("ical", True)]
    whole = tok.count("Alphabetical")
    assert whole < sum(tok.count(text) for text, _ in longer)
    assert tok.pack(longer, whole).kept == [0, 1, 2]


def test_specials_are_as_asked():
    tok = tokenizer("qwen3")
    pieces = [("a<|im_end|>", True)]
    assert tok.pack(pieces, 9).ids == tok.encode("a<|im_end|>")
    assert tok.pack(pieces, 9, special="no_added").ids == tok.encode("a<|im_end|>", special="no_added")
    with pytest.raises(wordsplit.SpecialTokenError):
        tok.pack(pieces, 9, special="error")


@pytest.mark.parametrize("wrong", ["text", ("a", 1), ("a",), (b"a", True), None])
def test_what_is_not_a_piece(wrong):
    with pytest.raises(wordsplit.InputTypeError):
        tokenizer("qwen3").pack([wrong], 9)
    with pytest.raises(wordsplit.OptionsError, match="drop"):
        tokenizer("qwen3").pack([], 9, drop="middle")
    with pytest.raises(wordsplit.BudgetError, match="required pieces have 2 tokens"):
        tokenizer("qwen3").pack([("a", True), (" b", True), (" c", False)], 1)
