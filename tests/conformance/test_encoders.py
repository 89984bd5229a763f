"""Every encoder of the registry gives the reference's ids, on every vocab that it accepts."""

import random

import pytest
from depth import by_depth
from generated import BROKE_OTHERS, from_unicode

import wordsplit
from wordsplit.testing import check_encoder, random_spans, random_vocab

REFERENCE = "buffer_sweep"
ENCODERS = wordsplit.encoders.names_for(wordsplit.load_vocab("r50k_base"))
BUNDLED = ["r50k_base", "qwen3", "cl100k_base", "o200k_base"][: by_depth(1, 4, 4)]


@pytest.mark.parametrize("encoder", ENCODERS)
@pytest.mark.parametrize("name", BUNDLED)
def test_on_bundled_vocabs(name, encoder):
    vocab = wordsplit.load_vocab(name)
    rng = random.Random(f"{name} {encoder}")
    spans = [text.encode("utf-8", "replace")[:500] for text in BROKE_OTHERS if text]
    spans += random_spans(vocab, f"{name} {encoder}", by_depth(400, 800, 4000))
    spans += [from_unicode(rng).encode() for _ in range(by_depth(100, 200, 1000))]
    assert check_encoder(encoder, vocab, spans) == len(spans)


@pytest.mark.parametrize("encoder", ENCODERS)
def test_on_random_vocabs(encoder):
    # Only backtracking has preconditions, which some of these vocabs do not meet.
    seeds = range(by_depth(8, 25, 60))
    assert check_encoder(encoder, seeds=seeds) > (1000 if encoder == "backtracking" else len(seeds) * 400)


def test_random_vocabs_meet_both_answers_of_backtracking():
    refused = 0
    for seed in range(60):
        try:
            wordsplit.encoders.get("backtracking")(random_vocab(seed))
        except wordsplit.UnsupportedVocabError:
            refused += 1
    assert 5 < refused < 55


@pytest.mark.parametrize("seed", range(40))
def test_derived_merges_equal_the_ranks(seed):
    """A vocab of mergeable ranks, with unreachable tokens, merged by its ranks and by its derived merges."""
    rng = random.Random(seed)
    letters = b"abc"
    tokens = {bytes([b]) for b in range(256)}
    while len(tokens) < 290:
        tokens.add(bytes(rng.choice(letters) for _ in range(rng.randrange(2, 7))))
    order = sorted(tokens, key=lambda t: (len(t) > 1, rng.random()))
    vocab = wordsplit.Vocab(name="ranks", tokens=dict(enumerate(order)))
    rank = {token: i for i, token in enumerate(order)}
    encoder = wordsplit.encoders.get(REFERENCE)(vocab)
    for _ in range(300):
        span = bytes(rng.choice(letters) for _ in range(rng.randrange(1, 30)))
        parts = [span[i : i + 1] for i in range(len(span))]
        while True:
            found = [(rank[a + b], i) for i, (a, b) in enumerate(zip(parts, parts[1:], strict=False)) if a + b in rank]
            if not found:
                break
            _, at = min(found)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        out = []
        encoder.encode_span(span, out)
        assert out == [rank[p] for p in parts], span


@pytest.mark.parametrize("encoder", ["heap_merge", "backtracking"])
@pytest.mark.parametrize("kind", ["one letter", "random letters"])
def test_a_span_of_a_megabyte(encoder, kind, peak_memory):
    tok = wordsplit.load_tokenizer("qwen3", encoder=encoder)
    rng = random.Random(1)
    text = "a" * 1_000_000 if kind == "one letter" else "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=1_000_000))
    with peak_memory(limit_mb=600):
        found = tok.encode(text)
    assert tok.decode(found) == text
    assert len(found) < 600_000


def test_an_encoder_refuses_a_byte_without_a_token():
    vocab = wordsplit.Vocab(name="ab", tokens={0: b"a", 1: b"b", 2: b"ab"})
    for name in ENCODERS:
        tok = wordsplit.load_tokenizer(vocab, encoder=name)
        assert tok.encode("abba") == [2, 1, 0]
        with pytest.raises(wordsplit.UnknownTokenError, match="0x63"):
            tok.encode("abc")


@pytest.mark.parametrize("engine", ["native", "python"])
def test_a_model_that_an_encoder_is_not_for(monkeypatch, engine):
    vocab = wordsplit.load_vocab("qwen3")
    monkeypatch.setattr(wordsplit.encoders.get("heap_merge"), "models", ())
    with pytest.raises(
        wordsplit.UnsupportedVocabError, match="'heap_merge' is for models of type none, not ByteLevelBPE"
    ):
        wordsplit.TokenizerOptions(encoder="heap_merge", engine=engine).build(vocab)
    assert wordsplit.TokenizerOptions(encoder="tail_sweep", engine=engine).build(vocab).encode("hi") == [6023]


def test_each_says_which_models_it_is_for():
    for kind, names in ((wordsplit.encoders, wordsplit.list_encoders()), (wordsplit.vocabs, wordsplit.list_loaders())):
        for name in names:
            assert "models" in vars(kind.get(name)) or not type(kind.get(name)).__module__.startswith("wordsplit."), (
                name
            )
