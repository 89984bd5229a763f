"""A scanner with every encoder and cache against the Python engine; conformance/test_engine.py runs one a level.

The reference is slow and plain: spans by the `regex` package, merges by sweeping, no cache.
"""

import itertools
import random
import time

from depth import by_depth
from generated import BROKE_OTHERS, from_tokens, from_unicode

import wordsplit
from wordsplit.patterns.schemes import SCHEMES
from wordsplit.testing import random_vocab, representatives

CACHES = (0, 3000, wordsplit.TokenizerOptions().cache_bytes)  # none, one that overflows all the time, the default
ENCODERS = ["auto", *wordsplit.encoders.names_for(wordsplit.load_vocab("r50k_base"))]
VOCABS = by_depth(1, 1, 20)  # random vocabs of each set of letters
# What the patterns cut at stands in the tokens too, and halves of characters.
LETTERS = ["ab's ", "aZ1 \n", "é你a.", "\u0301ſ's/"]


def scanners():
    """The scanners, each with the steps of a scheme that it does."""
    found = {}
    for steps in SCHEMES.values():
        name = wordsplit.spanners.scanner_of(wordsplit.Vocab(name="", tokens={0: b"a"}, pre_tokenizer=steps))
        if name:  # else the scheme runs on the regex spanner
            found.setdefault(name, steps)
    return found


def vocabs(scanner, steps):
    """Random vocabs with a scanner's pattern: every second ignores merges, four of eight suit backtracking."""
    for number, letters in enumerate((LETTERS * VOCABS)[:: by_depth(2, 1, 1)]):
        options = {"letters": letters.encode(), "pre_tokenizer": steps, "ignore_merges": number % 2 == 0}
        found = (random_vocab(f"{scanner} {number} {seed}", **options) for seed in itertools.count())
        yield next(vocab for vocab in found if vocab.native_tables.supports_backtracking == (number % 8 < 4))


def texts(vocab, chars, length):
    """Every string of up to so many characters, generated ones, and long ones of what is in the tokens."""
    rng = random.Random(vocab.name)
    found = ["".join(text) for n in range(1, length + 1) for text in itertools.product(chars, repeat=n)]
    tokens = [token for token in vocab.tokens.values() if len(token) > 1]
    more = by_depth(10, 50, 100)
    found += [from_unicode(rng) for _ in range(more)] + [from_tokens(rng, tokens) for _ in range(3 * more)]
    found += [from_tokens(rng, tokens) * rng.randrange(5, 30) for _ in range(more // 3)]
    found += [text[:300] for text in BROKE_OTHERS]
    found += [bytes(rng.choices(b"ab's 1\n\xc3\xa9\xe4\xbd\xff", k=rng.randrange(1, 80))) for _ in range(100)]
    rng.shuffle(found)
    return found


def check(scanner, steps):
    """Compare, and give how many texts each encoder had; a difference raises."""
    count = dict.fromkeys(ENCODERS, 0)
    chars = representatives(steps, literals="' \n")
    for number, vocab in enumerate(vocabs(scanner, steps)):
        inputs = texts(vocab, chars, 2 if number else by_depth(2, 3, 3))
        slow = {"engine": "python", "spanner": "regex", "encoder": "reference", "cache_bytes": 0}
        reference = wordsplit.load_tokenizer(vocab, **slow)
        want = reference.encode_batch(inputs)
        for encoder, cache_bytes in itertools.product(ENCODERS, CACHES):
            try:
                tok = wordsplit.load_tokenizer(vocab, encoder=encoder, cache_bytes=cache_bytes, long_span=20)
            except wordsplit.UnsupportedVocabError:
                assert encoder == "backtracking"
                continue
            assert tok.options.spanner == scanner
            label = f"{scanner}, {encoder}, cache_bytes={cache_bytes}, {vocab.name}"
            for again in range(2):  # the second pass finds what the first has cached
                for text, ids, right in zip(inputs, tok.encode_batch(inputs, threads=1), want, strict=True):
                    assert ids == right, f"{label}, pass {again}: {text!r}: {ids}, and the reference {right}"
            assert tok.encode_batch(inputs, threads=2) == want, label
            count[encoder] += 3 * len(inputs)
    return count


if __name__ == "__main__":
    for name, pattern in scanners().items():
        began = time.perf_counter()
        counts = check(name, pattern)
        print(name, *counts.values(), f"{time.perf_counter() - began:.1f}s", flush=True)  # noqa: T201
