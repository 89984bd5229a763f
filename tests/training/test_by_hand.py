"""Examples worked by hand: what is merged, in which order, how often it occurs, where training stops."""

import unicodedata

import pytest
import regex
from training.corpora import spans_of
from training.naive import BYTES, merged, merged_bytes, train

import wordsplit
from wordsplit.training import BpeTrainer

PIPES = r"[^|]+|\|"  # a pattern by which any text without "|" is a span


def by_the_naive_trainer(spans, n_merges=100, **options):
    return merged_bytes(spans, n_merges=n_merges, **options)


def by_bpe_trainer(spans, n_merges=100, **options):
    trainer = BpeTrainer(256 + n_merges, PIPES, **options)
    for span, times in spans:
        trainer.update([(span + b"|") * times])
    trainer.train(progress=False)
    return trainer.merges


@pytest.fixture(params=[by_the_naive_trainer, by_bpe_trainer])
def merges(request):
    """(left, right, frequency) for spans, by each trainer; each byte of a token is a character."""
    return lambda spans, **options: [
        (left.decode("latin-1"), right.decode("latin-1"), frequency)
        for left, right, frequency in request.param(spans, **options)
    ]


def test_aabaa_aab(merges):
    # aabaa | ␣aab: aa three times, ab twice, ba and ␣a once. Then (aa)b(aa) | ␣(aa)b, and so on: of ␣ with aab and aab
    # with aa, once each, ␣ has the lower id, and the greater character.
    spans = spans_of(["aabaa aab"])
    assert spans == [(b"aabaa", 1), (b" aab", 1)]
    start = [("a", "a", 3), ("aa", "b", 2)]
    assert merges(spans) == [*start, (" ", "aab", 1), ("aab", "aa", 1)]
    assert merges(spans, tie_break="lexicographic") == [*start, ("aab", "aa", 1), (" ", "aab", 1)]
    assert merges(spans, n_merges=1) == start[:1]
    assert merges(spans, min_frequency=2) == start
    assert merges(spans, min_frequency=4) == []


def test_aabaa_aab_counting_by_span(merges):
    # aa and ab are in both spans, ba in one: aa comes first because a, a is smaller than a, b. Then aa with b in both.
    spans = spans_of(["aabaa aab"])
    start = [("a", "a", 2), ("aa", "b", 2)]
    assert merges(spans, count="spans") == [*start, (" ", "aab", 1), ("aab", "aa", 1)]


def test_hello(merges):
    spans = spans_of(["hello hell hello"])
    assert spans == [(b"hello", 1), (b" hell", 1), (b" hello", 1)]
    # he, el and ll three times: (e, l) is the smallest. Then h with el before el with l, for h is smaller than any new
    # token. hell (258) with o and ␣ with hell: twice and twice, ␣ is smaller. ␣hell (259) with o, hell with o: once.
    start = [("e", "l", 3), ("h", "el", 3), ("hel", "l", 3), (" ", "hell", 2)]
    assert merges(spans) == [*start, ("hell", "o", 1), (" hell", "o", 1)]
    # By spelling el is smaller than h, and hell than ␣, which is spelled Ġ.
    start = [("e", "l", 3), ("el", "l", 3), ("h", "ell", 3), ("hell", "o", 2)]
    assert merges(spans, tie_break="lexicographic") == [*start, (" ", "hell", 1), (" ", "hello", 1)]


def test_spans_count_as_often_as_they_occur(merges):
    assert merges([(b"ab", 3), (b"cd", 5), (b"abcd", 1)]) == [("c", "d", 6), ("a", "b", 4), ("ab", "cd", 1)]


@pytest.mark.parametrize(
    ("length", "want"),
    [
        (1, []),
        (2, [("a", "a", 1)]),
        (3, [("a", "a", 2), ("aa", "a", 1)]),  # places overlap; replaced from the left
        (4, [("a", "a", 3), ("aa", "aa", 1)]),
        (5, [("a", "a", 4), ("aa", "a", 1), ("aa", "aaa", 1)]),
        (7, [("a", "a", 6), ("aa", "aa", 2), ("aa", "a", 1), ("aaaa", "aaa", 1)]),
    ],
)
def test_runs(merges, length, want):
    assert merges([(b"a" * length, 1)]) == want
    assert merges([(b"a" * length, 1)], count="spans")[:1] == [("a", "a", 1)] * bool(want)


def test_a_pair_that_would_be_too_long_is_left_out_and_others_go_on(merges):
    spans = [(b"abc", 9), (b"xy", 2)]
    assert merges(spans) == [("a", "b", 9), ("ab", "c", 9), ("x", "y", 2)]
    assert merges(spans, max_token_bytes=2) == [("a", "b", 9), ("x", "y", 2)]
    assert merges(spans, max_token_bytes=1) == []


def test_merges_are_of_bytes_and_cross_the_borders_of_characters(merges):
    # c3 a9 | e4 bd a0: all twice; a9 is the lowest id on the left, then bd, then c3.
    want = [("\xa9", "\xe4", 2), ("\xbd", "\xa0", 2), ("\xc3", "\xa9\xe4", 2), ("\xc3\xa9\xe4", "\xbd\xa0", 2)]
    assert merges([("é你".encode(), 2)]) == want
    # Spelled Ã © ä ½ ł: © is the smallest on the left, U+00A9, and whatever begins with it.
    want = [("\xa9", "\xe4", 2), ("\xa9\xe4", "\xbd", 2), ("\xa9\xe4\xbd", "\xa0", 2), ("\xc3", "\xa9\xe4\xbd\xa0", 2)]
    assert merges([("é你".encode(), 2)], tie_break="lexicographic") == want


def test_by_spelling_the_space_comes_late(merges):
    spans = [(" é".encode(), 1)]
    assert merges(spans)[0] == (" ", "\xc3", 1)
    assert merges(spans, tie_break="lexicographic")[0] == ("\xc3", "\xa9", 1)


TEXTBOOK = ["A sentence", "A 69 number", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 OK.", "Tabs\tand newlines\nare also tokens."]
TEXTBOOK_TOKENS = {10: b"\n", 32: b" ", 315: b" also", 319: b" number"}
TEXTBOOK_IDS = [65, 316, 32, 119, 105, 116, 104, 32, 97, 319]


def test_the_textbook_vector_by_the_naive_trainer():
    pattern = wordsplit.load_vocab("qwen3").pattern
    spans = spans_of([unicodedata.normalize("NFC", text) for text in TEXTBOOK], pattern)
    made = train(spans, base=BYTES, n_merges=64, tie_break="lexicographic", count="spans")
    tokens = {i: token for token, i in BYTES.items()}
    for new, (left, right, _) in enumerate(made, 256):
        tokens[new] = tokens[left] + tokens[right]
    assert len(tokens) == 320
    assert {i: tokens[i] for i in TEXTBOOK_TOKENS} == TEXTBOOK_TOKENS
    ids = []
    for span in regex.findall(pattern, "A sentence with a number"):
        word = list(span.encode())
        for new, (left, right, _) in enumerate(made, 256):
            word = merged(word, left, right, new)
        ids += word
    assert ids == TEXTBOOK_IDS


def test_the_textbook_vector(engine):
    trainer = BpeTrainer(320, normalizer="nfc", tie_break="lexicographic", count="spans")
    vocab = trainer.update(TEXTBOOK).train(progress=False)
    assert vocab.n_vocab == 320
    assert {i: vocab.tokens[i] for i in TEXTBOOK_TOKENS} == TEXTBOOK_TOKENS
    tok = wordsplit.TokenizerOptions(engine=engine).build(vocab)
    assert tok.encode("A sentence with a number") == TEXTBOOK_IDS
