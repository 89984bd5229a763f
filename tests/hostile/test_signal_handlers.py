"""What the handler of a signal raises during a call reaches the caller, as limits of time need it."""

import itertools
import signal
import time

import pytest

import wordsplit
from wordsplit.training import BpeTrainer

TOK = wordsplit.load_tokenizer("qwen3")
TEXT = "hello world, this is some text 12345\n" * 200_000
CALLS = {
    "encode": lambda: TOK.encode(TEXT),
    "encode without special tokens": lambda: TOK.encode(TEXT, special="no_added"),
    "count": lambda: TOK.count(TEXT),
    "encode_to_numpy": lambda: TOK.encode_to_numpy(TEXT),
    "encode_batch": lambda: TOK.encode_batch([TEXT, TEXT]),
    "count_batch": lambda: TOK.count_batch([TEXT, TEXT]),
}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
@pytest.mark.parametrize("kind", [ValueError, KeyError])
@pytest.mark.parametrize("call", CALLS)
def test_errors_of_handlers(call, kind):
    """They were taken for errors of the core: a text too long, or a byte without a token; or they were lost."""

    class FromHandlerError(kind):
        pass

    fired = []

    def handle(*_):
        fired.append(1)
        raise FromHandlerError("too late")

    def call_until_it_fires():
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        while not fired:
            CALLS[call]()

    before = signal.signal(signal.SIGALRM, handle)
    try:
        with pytest.raises(FromHandlerError, match="too late"):
            call_until_it_fires()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert TOK.encode("hello world") == [14990, 1879]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
@pytest.mark.parametrize("count", ["occurrences", "spans"])
def test_training_handles_signals_all_along(count):
    """Ctrl-C waited until all pairs were indexed: two seconds for 20 MB of distinct words, and more for more."""
    words = " ".join(map(str, range(100_000, 2_000_000))).translate(str.maketrans("0123456789", "abcdefghij"))
    trainer = BpeTrainer(258, pattern="cl100k", count=count, threads=1).update([words])
    assert trainer.n_distinct == 1_900_000
    seen = []
    before = signal.signal(signal.SIGPROF, lambda *_: seen.append(time.process_time()))
    try:
        signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)
        began = time.process_time()
        trainer.train(progress=False)
        ended = time.process_time()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    longest = max(then - first for first, then in itertools.pairwise([began, *seen, ended]))
    assert longest < 0.4 * (ended - began), (longest, ended - began, len(seen))
