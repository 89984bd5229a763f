"""Texts that come in blocks: what is made of them is what would be made of the whole."""

import gzip
import json
import random

import pytest
from depth import by_depth
from features.toks import tokenizer

import wordsplit
from wordsplit.cli._lists import ids_of, written_ids, written_json_strings
from wordsplit.cli._stream import Counter, Cutter, cuts_of, encoded, parts, spans_as_json
from wordsplit.errors import InvalidTokenIdError, SpecialTokenError

BUNDLED = ["qwen3", "r50k_base", "p50k_edit", "cl100k_base", "o200k_base", "o200k_harmony"]
PIECES = [
    *(
        "word",
        " words",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "12345",
        "x'",
        "'s",
        "DON'T",
        "!",
        "?!",
        "...",
        "/",
        "\x85",
    ),
    *(
        "é",
        "e\u0301",
        "\u0301",
        "\u1df6",
        "ſ",
        "你好",
        "、",
        "。",
        "東京タワー",
        "안녕",
        "ไทย",
        "क्षत्रिय",
        "🦜",
        "👩‍👩‍👧",
        "\u3000",
        "\xa0",
    ),
    *("<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|endofprompt|>", "<think>", "<|im_", "|>", "<|fim_prefix|>"),
]
NOT_UTF8 = [b"\xff", b"\xe4\xbd", b"\x80", b"\xf0\x9f", b"\xed\xa0\x80"]


def random_text(rng, n):
    text = "".join(rng.choices(PIECES, k=n)).encode()
    if rng.random() < 0.3:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(NOT_UTF8) + text[at:]
    return text


def blocks(rng, text, most):
    at = 0
    while at < len(text):
        size = rng.randint(1, most)
        yield text[at : at + size]
        at += size


@pytest.fixture(scope="module", params=BUNDLED[:: by_depth(3, 1, 1)])
def tok(request):
    return wordsplit.load_tokenizer(request.param)


@pytest.mark.parametrize("special", ["parse", "text"])
def test_ids_counts_and_spans(tok, special):
    rng = random.Random(1)
    cut = 0
    for most in (1, 2, 3, 7, 30, 200):
        for _ in range(60):
            text = random_text(rng, rng.randint(1, 60))
            in_blocks = list(blocks(rng, text, most))
            want = tok.encode(text, special)
            assert [i for ids in encoded(tok, in_blocks, special) for i in ids] == want
            counter = Counter(tok, special)
            for block in in_blocks:
                counter.push(block)
            assert counter.finish() == len(want)
            spans = b"".join(spans_as_json(tok, in_blocks, special, b", "))
            assert json.loads(b"[" + spans + b"]") == tok.spans(text, special)
            cut += len(list(parts(in_blocks, cuts_of(tok)))) > 1
    assert cut > 100  # it is not that all were held as a whole


def trained(**settings):
    from wordsplit.training import BpeTrainer

    trainer = BpeTrainer(320, special_tokens=["<|s|>"], **settings)
    return trainer.update(["some words, and more: don't 12345\n\n 你好 e\u0301" * 5]).train()


@pytest.mark.parametrize("settings", [{"pattern": r"\w+|\W+"}, {"pattern": "deepseek_v3"}, {"normalizer": "nfc"}])
def test_other_vocabs(settings):
    tok = wordsplit.TokenizerOptions().build(trained(**settings))
    rng = random.Random(2)
    for _ in range(100):
        text = random_text(rng, 40)
        in_blocks = list(blocks(rng, text, 20))
        assert [i for ids in encoded(tok, in_blocks, "parse") for i in ids] == tok.encode(text)
        spans = b"".join(spans_as_json(tok, in_blocks, "parse", b", "))
        assert json.loads(b"[" + spans + b"]") == tok.spans(text)


def test_spans_of_a_model_without_a_pattern():
    tok = tokenizer("like llama2")
    spans = b"".join(spans_as_json(tok, [b"at te", b"at <l> atat"], "parse", b", "))
    assert json.loads(b"[" + spans + b"]") == tok.spans("at teat <l> atat") == ["▁at▁teat▁", "<l>", "▁▁atat"]


@pytest.mark.parametrize("name", ["llama2", "gemma3"])
def test_published_models_without_a_pattern(name, shared):
    """Their texts can be cut within spans; Llama 2's lose a space there."""
    data = gzip.decompress((shared / f"vocabs/models/{name}.tokenizer.json.gz").read_bytes())
    tok = wordsplit.load_tokenizer(wordsplit.load_vocab_bytes(data))
    rng = random.Random(3)
    words = ["some", " words", " and", " more", " 12", "  x", "\n", "<s>", "</s>", "<bos>", " é", "\u2581", " ab cd"]
    cut = 0
    for _ in range(200):
        text = "".join(rng.choices(words, k=rng.randint(1, 60))).encode()
        in_blocks = list(blocks(rng, text, 20))
        assert [i for ids in encoded(tok, in_blocks, "parse") for i in ids] == tok.encode(text)
        counter = Counter(tok, "parse")
        for block in in_blocks:
            counter.push(block)
        assert counter.finish() == tok.count(text)
        spans = b"".join(spans_as_json(tok, in_blocks, "parse", b", "))
        assert json.loads(b"[" + spans + b"]") == tok.spans(text)
        cut += len(list(parts(in_blocks, cuts_of(tok)))) > 1
    assert cut > 100


def test_ids_around_texts():
    tok = wordsplit.TokenizerOptions().build(trained().replace(prefix_ids=(1, 2), suffix_ids=(3,)))
    for text in (b"", b"some words and more words"):
        in_blocks = [text[:5], text[5:]] if text else []
        assert [i for ids in encoded(tok, in_blocks, "parse") for i in ids] == tok.encode(text)
        counter = Counter(tok, "parse")
        for block in in_blocks:
            counter.push(block)
        assert counter.finish() == tok.count(text)


def test_a_forbidden_special_token_across_a_block():
    tok = wordsplit.load_tokenizer("qwen3")
    in_blocks = [b"some words <|im_", b"end|> and more"]
    for stream in (encoded(tok, in_blocks, "error"), spans_as_json(tok, in_blocks, "error", b"\n")):
        with pytest.raises(SpecialTokenError):
            list(stream)


class SearchCount:
    """Cuts that count how many characters they look at."""

    known = True

    def __init__(self, cuts):
        self._cuts = cuts
        self.looked_at = 0

    def last(self, text):
        self.looked_at += len(text)
        return self._cuts.last(text)


def test_text_without_a_cut_is_searched_once():
    """Not again with every block: a long run of one character took time with the square of its length."""
    cuts = SearchCount(cuts_of(wordsplit.load_tokenizer("qwen3")))
    cutter = Cutter(cuts)
    for _ in range(200):
        assert cutter.push(b"^" * 1000) == b""
    assert cuts.looked_at < 2 * 200_000
    assert len(cutter.rest()) == 200_000


def test_memory_is_bounded_by_the_block():
    cutter = Cutter(cuts_of(wordsplit.load_tokenizer("qwen3")))
    for _ in range(100):
        cutter.push(b"some words of English, 2024\n" * 1000)
        assert len(cutter.rest()) < 100


# Lists.


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_ids_of_text(size):
    text = b"[1, 2,3]\n4\t\t5 0006 4294967295 [[7]]\r\n,8"
    in_blocks = [text[at : at + size] for at in range(0, len(text), size)]
    assert [i for ids in ids_of(in_blocks) for i in ids] == [1, 2, 3, 4, 5, 6, 4294967295, 7, 8]


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("word", ["one", "1.5", "1_000", "+5", "0x10", "1e3", "٣", "9" * 21, "--5", "5-", "1" * 10_000])
def test_what_is_not_an_id(word, native, monkeypatch):
    if not native:
        monkeypatch.setattr("wordsplit.cli._lists._native", None)
    text = f"1 2 {word}".encode()
    with pytest.raises(InvalidTokenIdError, match="is not a token id: ids are integers"):
        list(ids_of(text[at : at + 50] for at in range(0, len(text), 50)))


def test_ids_that_are_too_large_are_left_to_the_tokenizer():
    assert [i for ids in ids_of([b"5 -3 4294967296 7"]) for i in ids] == [5, -3, 4294967296, 7]


@pytest.mark.parametrize("native", [True, False])
def test_written_lists(native, monkeypatch):
    if not native:
        monkeypatch.setattr("wordsplit.cli._lists._native", None)
    assert written_ids([0, 10, 4294967295], b", ") == b"0, 10, 4294967295"
    assert written_ids([], b" ") == b""
    every = [*map(chr, range(0x250)), "\u2028", "你", "🦜", '"\\/']
    data = "".join(every).encode()
    ends = [len("".join(every[: at + 1]).encode()) for at in range(len(every))]
    assert written_json_strings(data, ends, b"\n").decode().split("\n") == [
        json.dumps(char, ensure_ascii=False) for char in every
    ]


def test_spans_that_end_within_a_character():
    data = "a🦜".encode()
    assert json.loads(b"[" + written_json_strings(data, [1, 3, 5], b", ") + b"]") == ["a", "\ufffd", "\ufffd\ufffd"]
    assert json.loads(b"[" + written_json_strings(b"a\xff", [1, 2], b", ") + b"]") == ["a", "\ufffd"]
    assert written_json_strings(b"", [], b", ") == b""
