"""Threads share a tokenizer: each gets the ids that one thread gets, with and without a GIL."""

import sys
import sysconfig
import threading
from collections.abc import Callable

import pytest

import wordsplit

WORDS = ["the", " quick", " Größe", "123", "\n\n  if", " 東京", "🦜", " " * 40, "é", " x" * 50]
TEXTS = ["".join(WORDS[(i * k + j) % len(WORDS)] for j in range(1, 30 + 7 * k)) for i in range(40) for k in (1, 2, 3)]
THREADS, ROUNDS = 6, 4


def in_threads(work: Callable[[int], None]) -> None:
    """Run in several threads at once; an error in one fails the test."""
    start, failures = threading.Barrier(THREADS), []

    def run(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001 - it is raised below
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


@pytest.mark.parametrize("cache_bytes", [0, 1 << 16, 32 << 20])
def test_all_calls_at_once(cache_bytes: int) -> None:
    options = wordsplit.TokenizerOptions(cache_bytes=cache_bytes)
    alone = wordsplit.load_tokenizer("qwen3")
    want = [alone.encode(text) for text in TEXTS]
    tok = wordsplit.Tokenizer(wordsplit.load_vocab("qwen3"), options)

    def work(number: int) -> None:
        for _ in range(ROUNDS):
            for i in range(number, len(TEXTS) + number):
                text, ids = TEXTS[i % len(TEXTS)], want[i % len(TEXTS)]
                assert tok.encode(text) == ids
                assert tok.count(text) == len(ids)
                assert tok.decode(ids) == text
            assert tok.encode_batch(TEXTS, threads=2) == want
            flat, _ = tok.encode_batch_to_numpy(TEXTS)
            assert flat.tolist() == [i for ids in want for i in ids]
            tok.cache_info()
            if number == 0:
                tok.cache_clear()

    in_threads(work)


def test_tokenizers_made_at_once() -> None:
    found: list[list[int]] = [[] for _ in range(THREADS)]

    def work(number: int) -> None:
        found[number] = wordsplit.load_tokenizer("cl100k_base").encode(TEXTS[0])

    in_threads(work)
    assert all(ids == found[0] for ids in found)


def test_a_list_changed_while_it_is_decoded() -> None:
    tok = wordsplit.load_tokenizer("qwen3")
    ids = tok.encode(TEXTS[1]) * 20

    def work(number: int) -> None:
        for _ in range(50):
            if number % 2:
                ids.extend(ids[:100])
                del ids[: len(ids) // 2]
            else:
                tok.decode(ids, errors="replace")

    in_threads(work)


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has a GIL")
def test_the_module_needs_no_gil() -> None:
    assert not sys._is_gil_enabled()  # type: ignore[attr-defined, unused-ignore]
