"""The substitutes against what they stand in for: ``python benches/compat.py [--megabytes 2] [FILE…]``.

Needs `tiktoken` and `tokenizers` (the group ``test``). Prints one line a call: how often ours is as fast. Each call is
made on texts of about 4 KB; the best of five rounds counts. With tokenizer.json files, ids, offsets and spellings of
each are compared, in English and in many languages.
"""

import argparse
import sys
import time
from pathlib import Path

import corpora

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import oracles
import tokenizers

import wordsplit.compat.tiktoken as our_tiktoken
from wordsplit.compat.tokenizers import Tokenizer


def texts(megabytes):
    words = "The quick brown fox, it's said, jumps over 13 lazy dogs; größer, 你好 и так далее.\n\tdef f(x): return x\n"
    return [f"{i} {words * 40}" for i in range(int(megabytes * 250))]


def best(call):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def show(name, ours, theirs):
    mine, other = best(ours), best(theirs)
    print(f"{name:32} {mine * 1e3:9.1f} ms  {other * 1e3:9.1f} ms  {other / mine:6.1f} times")


def compare_tiktoken(batch):
    mine, theirs = our_tiktoken.get_encoding("o200k_base"), oracles.openai("o200k_base")
    ids = theirs.encode_batch(batch)
    show("tiktoken encode", lambda: list(map(mine.encode, batch)), lambda: list(map(theirs.encode, batch)))
    show("tiktoken encode_batch", lambda: mine.encode_batch(batch), lambda: theirs.encode_batch(batch))
    show("tiktoken decode", lambda: list(map(mine.decode, ids)), lambda: list(map(theirs.decode, ids)))
    show(
        "tiktoken count",
        lambda: [len(mine.encode_ordinary(text)) for text in batch],
        lambda: [len(theirs.encode_ordinary(text)) for text in batch],
    )


def compare_tokenizers(batch):
    mine, theirs = Tokenizer.from_file(oracles.qwen3_file()), oracles.qwen3()
    ids = [each.ids for each in theirs.encode_batch_fast(batch)]
    show(
        "tokenizers encode, ids",
        lambda: [mine.encode(text).ids for text in batch],
        lambda: [theirs.encode(text).ids for text in batch],
    )
    show(
        "tokenizers encode, offsets",
        lambda: [mine.encode(text).offsets for text in batch],
        lambda: [theirs.encode(text).offsets for text in batch],
    )
    show("tokenizers encode_batch", lambda: mine.encode_batch(batch), lambda: theirs.encode_batch(batch))
    show("tokenizers encode_batch_fast", lambda: mine.encode_batch_fast(batch), lambda: theirs.encode_batch_fast(batch))
    show("tokenizers decode", lambda: list(map(mine.decode, ids)), lambda: list(map(theirs.decode, ids)))
    show(
        "tokenizers count",
        lambda: [len(mine.encode(text)) for text in batch],
        lambda: [len(theirs.encode(text)) for text in batch],
    )


def compare_file(path, megabytes):
    mine, theirs = Tokenizer.from_file(str(path)), tokenizers.Tokenizer.from_file(str(path))
    for corpus in ("en", "multi"):
        batch = corpora.load(corpus, int(megabytes * 1e6))
        for column in ("ids", "offsets", "tokens"):
            show(
                f"{path.stem[:16]}, {corpus}, {column}",
                lambda column=column, batch=batch: [getattr(mine.encode(text), column) for text in batch],
                lambda column=column, batch=batch: [getattr(theirs.encode(text), column) for text in batch],
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=2)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="a tokenizer.json")
    given = parser.parse_args()
    for path in given.files:
        compare_file(path, given.megabytes)
    if not given.files:
        batch = texts(given.megabytes)
        compare_tiktoken(batch)
        compare_tokenizers(batch)


if __name__ == "__main__":
    main()
