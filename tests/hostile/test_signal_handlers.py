"""What the handler of a signal raises during a call reaches the caller, as limits of time need it."""

import signal

import pytest

import wordsplit

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
