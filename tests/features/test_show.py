"""Text by tokens, and vocabs compared."""

import re

import pytest
from features.pages import text_of_page, text_of_picture
from features.toks import BUNDLED, TEXT, tokenizer
from hypothesis import given

import wordsplit
from wordsplit.features.compare import METRICS, compare, plot, table
from wordsplit.palette import visible, width


@pytest.mark.parametrize("name", [*BUNDLED, "neighbourly"])
@given(text=TEXT)
def test_every_view_has_every_token_and_its_id(name, text):
    tok = tokenizer(name)
    shown = tok.show(text)
    ids = tok.encode(text)
    assert [token.id for token in shown.tokens] == ids
    want = [visible(tok.vocab.token_bytes(i)) for i in ids]
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown.ansi(40))
    lines = plain.split("\n")
    assert [int(i) for line in lines[1::2] for i in line.split()] == ids
    assert "".join("".join(want).split()) == "".join("".join(lines[::2]).split())
    both = "".join(f"{text}{i}" for text, i in zip(want, ids, strict=True))
    assert text_of_picture(shown.svg()) == both
    assert text_of_page(shown.html()).rstrip("\n").endswith(both)
    text_of_page(shown._repr_html_())


def test_rows_fit_the_terminal():
    shown = tokenizer("qwen3").show("Some words, 你好, and 🦜 as well\n" * 5)
    for columns in (20, 60, 100):
        rows = shown.text(columns).split("\n")
        assert max(map(width, rows)) <= columns
    assert shown.text(10**6).count("\n\n") == 4  # a row for each line
    assert str(tokenizer("qwen3").show("")) == ""


def test_special_tokens_stand_out():
    shown = tokenizer("qwen3").show("a<|im_end|>")
    assert "\x1b[7m<|im_end|>" in shown.ansi()
    assert [token.special for token in shown.tokens] == [False, True]


def test_measures():
    texts = {"a": "two words", "none": "", "bytes": "é é".encode(), "forged": "<|im_end|>"}
    found = compare(texts, [tokenizer("qwen3"), tokenizer("cl100k_base")])
    assert [(m.text, m.vocab) for m in found][:3] == [("a", "qwen3"), ("a", "cl100k_base"), ("none", "qwen3")]
    assert (found[0].tokens, found[0].bytes, found[0].words, found[0].fertility) == (2, 9, 2, 1.0)
    assert (found[2].tokens, found[2].bytes_per_token, found[2].fertility, found[2].tokens_per_char) == (
        0,
        None,
        None,
        None,
    )
    assert (found[4].bytes, found[4].chars) == (5, 3)
    invalid = compare({"half": "a\ud83e", "pair": "\ud83e\udd9c", "bytes": b"a\xff"}, [tokenizer("qwen3")])
    assert [(m.bytes, m.chars) for m in invalid] == [(4, 2), (4, 1), (2, 2)]  # what is encoded
    assert found[6].tokens == 6
    assert found[2].to_dict()["fertility"] is None
    lines = table(found).split("\n")
    assert len(lines) == 9
    assert lines[3].split() == ["none", "qwen3", "0", "-", "-", "-"]


@pytest.mark.parametrize(
    ("texts", "tokenizers", "says"),
    [
        ("a text", [tokenizer("qwen3")], "give texts by name, .*not str"),
        ([("en", "a text")], [tokenizer("qwen3")], "give texts by name, .*not list"),
        ({"en": "a text"}, ["qwen3"], "give tokenizers, not str: load one"),
        ({"en": "a text"}, tokenizer("qwen3"), "give a list of tokenizers, not Tokenizer"),
    ],
)
def test_what_cannot_be_compared(texts, tokenizers, says):
    with pytest.raises(wordsplit.InputTypeError, match=says):
        compare(texts, tokenizers)


def test_plots_of_names_that_xml_does_not_have():
    found = compare({"a\x00b": "one", "\udcff.txt": "two", "\ufffe🦜": "three"}, [tokenizer("qwen3")])
    picture = plot(found)
    assert all(name in text_of_picture(picture) for name in ("a\ufffdb", "\ufffd.txt", "\ufffd🦜"))
    picture.encode()


@pytest.mark.parametrize("metric", METRICS)
def test_plots(metric):
    found = compare({"<b>&": "one two", "n": "", "long " * 20: "x"}, [tokenizer("qwen3"), tokenizer("o200k_base")])
    text = text_of_picture(plot(found, metric))
    assert METRICS[metric].capitalize() in text
    assert "<b>&" in text
    assert "o200k_base" in text
    text_of_picture(plot([], metric))
    with pytest.raises(wordsplit.OptionsError, match="'fertility'"):
        plot(found, "width")
