"""Explanations: every merge is the one that byte-pair encoding makes, and the ids are those of encode."""

import json
from itertools import pairwise

import pytest
from features.pages import text_of_page
from features.toks import EVERY, TEXT, tokenizer
from hypothesis import given
from hypothesis import strategies as st

import wordsplit
from wordsplit.byte_fallback import BYTE_TOKENS
from wordsplit.model import ByteLevelBPE

TEXTBOOK = """qwen3: 5 bytes, 1 span, 1 id

"hello"
  pass 1   h e l l o   h+e 127   e+l 45 <-   l+l 398   l+o 129
  pass 2   h el l o   h+el 48866   el+l 357   l+o 129 <-
  pass 3   h el lo   h+el 48866   el+lo 4535 <-
  pass 4   h ello   h+ello 14734 <-
  ids      hello 14990"""


@pytest.mark.parametrize("engine", ["native", "python"])
def test_as_in_the_textbook(engine):
    found = tokenizer("qwen3", engine).explain("hello")
    assert str(found) == TEXTBOOK
    steps = [(p.winner, p.candidates[p.winner].rank) for p in found.spans[0].passes[:-1]]
    assert steps == [(1, 45), (2, 129), (1, 4535), (0, 14734)]
    assert found.spans[0].passes[-1].winner is None
    assert found.ids == [14990]


@pytest.mark.parametrize(("name", "engine"), EVERY)
@given(text=TEXT, special=st.sampled_from(["parse", "text"]), max_span=st.sampled_from([0, 3, 256]))
def test_its_ids_are_those_of_encode_and_its_passes_lead_there(name, engine, text, special, max_span):
    tok = tokenizer(name, engine)
    found = tok.explain(text, special, max_span=max_span)
    assert found.ids == tok.encode(text, special)
    assert [s.data for s in found.spans if s.kind != "template"] == tok._engine.spans(
        text, tok._inputs.as_text(special)
    )
    for span in found.spans:
        if span.kind == "merges":
            leads(tok.vocab, span)


def symbols(model, span):
    """The tokens that the merges begin with: bytes; or characters, and the bytes of one that is no token."""
    if isinstance(model, ByteLevelBPE):
        yield from (bytes([byte]) for byte in span)
        return
    for char in map(str.encode, span.decode()):
        yield from [char] if char in model.ids_by_bytes else (BYTE_TOKENS[byte] for byte in char)


def leads(vocab, span):
    """Whether each pass follows from the one before, by the merges of the vocab and nothing else."""
    merges = vocab.merge_tables.merge_of
    assert [vocab.token_bytes(i) for i in span.passes[0].parts] == list(symbols(vocab.model, span.data))
    for step, after in zip(span.passes, [*span.passes[1:], None], strict=True):
        pairs = list(pairwise(step.parts))
        assert [(c.rank, c.merged) for c in step.candidates] == [merges.get(pair, (None, None)) for pair in pairs]
        ranked = sorted((c.rank, at) for at, c in enumerate(step.candidates) if c.rank is not None)
        assert step.winner == (ranked[0][1] if ranked else None)
        assert (after is None) == (not ranked)
        if after is not None:
            at = step.winner
            assert after.parts == (*step.parts[:at], step.candidates[at].merged, *step.parts[at + 2 :])
    assert span.ids == span.passes[-1].parts


def test_what_is_not_merged_is_told():
    kinds = {s.data: s.kind for s in tokenizer("cl100k_base").explain("hello hellozz<|endoftext|>").spans}
    assert kinds == {b"hello": "whole", b" hellozz": "merges", b"<|endoftext|>": "added"}
    text = str(tokenizer("cl100k_base").explain("hello <|endoftext|>"))
    assert "ignore_merges" in text
    assert "added token" in text
    assert [s.kind for s in tokenizer("neighbourly").explain("tea").spans][:2] == ["template", "template"]
    assert 'normalized (NFC): "café"' in str(tokenizer("qwen3").explain("cafe\u0301"))
    assert "a space before it" in str(tokenizer("prefix space").explain("tea"))
    assert "normalized" not in str(tokenizer("qwen3").explain("café"))


def test_long_spans_are_cut_in_print_alone():
    tok = tokenizer("qwen3")
    text = "x" * 100_000 + " " + "abcdefghij" * 20
    found = tok.explain(text)
    assert found.ids == tok.encode(text)
    assert [span.kind for span in found.spans] == ["long", "merges"]
    assert len(str(found)) < 100_000
    assert len(found.html()) < 1_000_000
    assert "more passes" in str(found)
    assert "more" in text_of_page(found.html())
    many = tok.explain("a b " * 1000)
    assert "more spans" in str(many)
    assert "more spans" in text_of_page(many.html())


def test_json():
    found = tokenizer("qwen3").explain("hel\udcff<|im_end|>")
    data = json.loads(json.dumps(found.to_dict()))
    assert data["ids"] == found.ids
    assert data["spans"][0]["passes"][0]["candidates"][1] == {"rank": 45, "merged": 301}
    assert bytes.fromhex(data["tokens"]["301"]) == b"el"
    assert data["spans"][-1] == {"text": "<|im_end|>", "hex": b"<|im_end|>".hex(), "kind": "added", "ids": [151645]}


@pytest.mark.full
@given(text=TEXT)
def test_pages_hold_the_text_and_nothing_of_it_as_markup(text):
    found = tokenizer("qwen3").explain(text + "<script>&amp;</b>")
    assert "How a text is encoded" in text_of_page(found.html())
    assert "<script>" not in found.html()
    text_of_page(found._repr_html_())


def test_nothing_and_wrong_things():
    found = tokenizer("qwen3").explain("")
    assert (found.ids, str(found)) == ([], "qwen3: 0 bytes, 0 spans, 0 ids")
    assert found.spans == tokenizer("qwen3").explain(b"").spans
    with pytest.raises(wordsplit.OptionsError):
        tokenizer("qwen3").explain("a", max_span=-1)
    with pytest.raises(wordsplit.SpecialTokenError):
        tokenizer("qwen3").explain("<|im_end|>", special="error")


@pytest.mark.parametrize("engine", ["native", "python"])
def test_bytes_are_those_of_the_text(engine):
    """Text that is not valid is not thereby normalized: a lone surrogate is U+FFFD, and bytes stay as they are."""
    tok = tokenizer("qwen3", engine)
    for text, size in (("\ud83e", 3), ("\ud83e\udd9c", 4), (b"\xff", 1), (b"a\xe2\x82", 3)):
        found = tok.explain(text)
        assert not found.normalized
        assert len(found.data) == size
        assert str(found).startswith(f"qwen3: {size} byte")
