"""Byte-pair encoding by hand, and the ids everybody knows."""

import pytest

import wordsplit

QWEN3 = {
    "hello world": [14990, 1879],
    " hello world": [23811, 1879],
    "Hello, world!": [9707, 11, 1879, 0],
    "123": [16, 17, 18],
    "<|im_start|>": [151644],
    "": [],
}


def test_hello_merges_as_in_the_textbook():
    vocab = wordsplit.load_vocab("qwen3")
    parts = [bytes([b]) for b in b"hello"]
    ranks = {(vocab.tokens[left], vocab.tokens[right]): rank for rank, (left, right) in enumerate(vocab.merges)}
    steps = []
    while len(parts) > 1:
        rank, at = min((ranks.get(pair, len(ranks)), i) for i, pair in enumerate(zip(parts, parts[1:], strict=False)))
        steps.append((parts[at].decode(), parts[at + 1].decode(), rank))
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    assert steps == [("e", "l", 45), ("l", "o", 129), ("el", "lo", 4535), ("h", "ello", 14734)]
    assert vocab.token_id(parts[0]) == 14990


@pytest.mark.parametrize("text", QWEN3)
def test_qwen3(text):
    tok = wordsplit.load_tokenizer("qwen3")
    assert tok.encode(text) == QWEN3[text]
    assert tok.decode(QWEN3[text]) == text


@pytest.mark.parametrize(
    ("name", "ids"),
    [("cl100k_base", [15339, 1917]), ("o200k_base", [24912, 2375]), ("r50k_base", [31373, 995])],
)
def test_openai(name, ids):
    assert wordsplit.load_tokenizer(name).encode("hello world") == ids


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("gpt-4o", "o200k_base"),
        ("gpt-4o-2024-05-13", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-5", "o200k_base"),
        ("o1", "o200k_base"),
        ("text-davinci-003", "p50k_base"),
        ("gpt2", "r50k_base"),
        ("openai:cl100k_base", "cl100k_base"),
        ("openai::r50k_base", "r50k_base"),
        ("Qwen/Qwen3-0.6B", "qwen3"),
        ("qwen/qwen3-32b", "qwen3"),
        ("gpt-oss-120b", "o200k_harmony"),
    ],
)
def test_aliases(alias, name):
    assert wordsplit.load_vocab(alias).name == name


def test_sizes_are_told_apart():
    vocab = wordsplit.load_vocab("cl100k_base")
    assert (vocab.n_vocab, vocab.max_id, vocab.n_base, len(vocab)) == (100277, 100276, 100256, 100261)
    vocab = wordsplit.load_vocab("o200k_harmony")
    assert (vocab.n_vocab, len(vocab.special_tokens)) == (201088, 1091)
    tok = wordsplit.load_tokenizer("o200k_harmony")
    assert tok.encode("<|reserved_200018|><|endofprompt|>") == [200018, 200018]
    assert tok.decode([200018]) == "<|endofprompt|>"


def test_qwen3_facts():
    vocab = wordsplit.load_vocab("qwen3")
    assert vocab.eos_token_id == vocab.token_id("<|im_end|>") == 151645
    assert len(vocab.added_tokens) == 26
    assert vocab.normalizer == "nfc"
    assert "<|im_start|>" in vocab.chat_template
    assert vocab.special_tokens["<|im_start|>"] == 151644
    assert "<think>" not in vocab.special_tokens  # an added token that is not special
