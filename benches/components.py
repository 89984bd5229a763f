"""wordsplit's parts alone: every encoder over spans of 1 to 10,000 bytes, every spanner over each corpus.

The encoders are given the spans' ends, and no cache. A span that is itself a token is a look-up for every encoder, so
the short natural spans measure little else. Spanners include making the Python list of ends, which is most of what a
scanner's figure is. Prints one JSON object a result.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable

import corpora

import wordsplit
from wordsplit import encoders, spanners

LENGTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 10_000)
BLOCK = 60_000  # bytes a measurement
PATIENCE = 0.5  # seconds after which longer spans are left out


def main() -> None:
    """Measure, and print as it goes."""
    vocab = wordsplit.load_vocab("qwen3")
    for name in encoders.names():
        if name in encoders.native_names():
            time_encoder(vocab, name)
    for vocab_name in ("qwen3", "cl100k_base", "o200k_base"):
        vocab = wordsplit.load_vocab(vocab_name)
        for corpus in corpora.NAMES:
            data = [text.encode() for text in corpora.load(corpus, 300_000)]
            fitting = {spanners.scanner_of(vocab) or "regex", "regex"}
            ends = [time_spanner(vocab, name, corpus, data) for name in sorted(fitting)]
            if any(other != ends[0] for other in ends):
                raise SystemExit(f"the spanners of {vocab_name} disagree on {corpus}")


def spans(kind: str, length: int) -> tuple[bytes, list[int]]:
    """About `BLOCK` bytes of spans of one length, and their ends."""
    count = max(1, BLOCK // length)
    size = count * length
    if kind == "natural":
        text = "".join(corpora.load("en", 4 * size)).encode("ascii", "ignore")
        data = (text * (1 + size // len(text)))[:size]
    elif kind == "random":
        data = bytes(random.Random(3).choices(b"abcdefghijklmnopqrstuvwxyz", k=size))
    else:
        data = b"a" * size
    return data, [length * (at + 1) for at in range(count)]


def time_encoder(vocab: wordsplit.Vocab, name: str) -> None:
    """One encoder, for spans of every length and kind."""
    tok = wordsplit.load_tokenizer(vocab, encoder=name, long_encoder=name, cache_bytes=0)
    judge = wordsplit.load_tokenizer(vocab, encoder="heap_merge", long_encoder="heap_merge", cache_bytes=0)
    encode, want = tok._engine._native.encode_spans, judge._engine._native.encode_spans  # noqa: SLF001
    for kind in ("natural", "random", "one letter"):
        for length in LENGTHS:
            data, ends = spans(kind, length)
            if encode(data, ends) != want(data, ends):
                raise SystemExit(f"{name} has other ids for {kind} spans of {length} bytes")
            seconds = best(lambda: encode(data, ends))  # noqa: B023 - called at once
            emit(part="encoder", name=name, kind=kind, length=length, ns_per_byte=1e9 * seconds / len(data))
            if seconds > PATIENCE:
                break


def time_spanner(vocab: wordsplit.Vocab, name: str, corpus: str, data: list[bytes]) -> list[list[int]]:
    """One spanner, a document at a time; gives the ends it found."""
    spanner = spanners.get(name)(vocab)
    seconds = best(lambda: [spanner.ends(text) for text in data])
    speed = sum(map(len, data)) / seconds / 1e6
    emit(part="spanner", name=name, vocab=vocab.name, corpus=corpus, mb_per_s=speed)
    return [list(spanner.ends(text)) for text in data]


def best(call: Callable[[], object]) -> float:
    """The best of three, or of one if that takes long."""
    times: list[float] = []
    while len(times) < 3 and sum(times) < PATIENCE:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def emit(**values: object) -> None:
    """Print a result."""
    print(json.dumps(values), flush=True)


if __name__ == "__main__":
    main()
