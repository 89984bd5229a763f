"""What notebooks display: every object as HTML of its own, escaped, and bounded in size."""

import re

import pytest
from depth import by_depth
from features.pages import text_of_page

import wordsplit
from wordsplit.compat.tokenizers import Tokenizer as CompatTokenizer
from wordsplit.palette import NOTEBOOK_TOKENS

ATTACK = "<script>alert(1)</script></style></div>\"'><img src=x onerror=alert(1)>&amp;"
LARGEST = 300_000


def attacked():
    """A vocab with HTML wherever it has text."""
    vocab = wordsplit.load_vocab("r50k_base")
    added = [wordsplit.AddedToken(ATTACK, 60000), *vocab.added_tokens]
    return vocab.replace(
        name=ATTACK, source=ATTACK, added_tokens=added, pad_token_id=60000, pre_tokenizer=[wordsplit.Split(ATTACK)]
    )


def views(tok, text):
    """Each object that notebooks display."""
    compat = CompatTokenizer.from_pretrained("r50k_base").encode(text)
    return [tok, tok.vocab, tok.encode_with_offsets(text), tok.show(text), compat]


@pytest.mark.parametrize("at", range(5))
def test_escaped(at):
    tok = wordsplit.TokenizerOptions(spanner="regex").build(attacked())
    page = views(tok, f"hello {ATTACK} {ATTACK[:9]}\x00\n")[at]._repr_html_()
    text_of_page(page)  # which refuses tags of scripts and images
    assert page.count("<style>") == page.count("</style>") == 1
    assert "<script" not in page


@pytest.mark.parametrize("at", range(0, 5, by_depth(2, 1, 1)))
def test_bounded(at):
    tok = wordsplit.load_tokenizer("r50k_base")
    text = "word \n" * 50_000 + "x" * 10_000
    page = views(tok, text)[at]._repr_html_()
    assert len(page) < LARGEST
    if at >= 2:
        assert page.count('class="tok ') == NOTEBOOK_TOKENS
        assert re.search(r"… and [\d,]+ more", text_of_page(page))


@pytest.mark.parametrize("at", range(5))
def test_empty(at):
    text_of_page(views(wordsplit.load_tokenizer("r50k_base"), "")[at]._repr_html_())


def test_a_large_vocab_is_short():
    names = [wordsplit.AddedToken(f"<{'x' * 1000}{i}>", 60000 + i) for i in range(1000)]
    vocab = wordsplit.load_vocab("r50k_base")
    vocab = vocab.replace(added_tokens=[*vocab.added_tokens, *names], chat_template="x" * 10**6)
    assert len(vocab._repr_html_()) < 10_000


def test_facts():
    tok = wordsplit.load_tokenizer("qwen3")
    shown = text_of_page(tok._repr_html_())
    for part in ("qwen3", "priority_merge", "151,669", "nfc", "<|im_end|> (151645)"):
        assert part in shown
    assert "151,387" in text_of_page(tok.vocab._repr_html_())


def test_ids_with_their_places():
    found = wordsplit.load_tokenizer("qwen3").encode_with_offsets("Hi 🦜")
    page = found._repr_html_()
    assert text_of_page(page) == "130480:2111622:4993:42503:4"
    assert re.findall(r'"tok t(\d)"', page) == ["0", "1", "1", "1"]  # one colour for each span


def test_tokens_of_the_compatible_encoding():
    page = CompatTokenizer.from_pretrained("qwen3").encode("Hi there")._repr_html_()
    assert text_of_page(page) == "Hi13048Ġthere1052"
