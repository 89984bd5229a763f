"""Children forked while threads encode can encode too: they wait for no lock or thread that only the parent has."""

import os
import signal
import sys
import sysconfig
import threading
import time
import warnings
from itertools import chain

import pytest

import wordsplit

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")

# Enough for several threads: the engine starts one for each 32 KB.
TEXTS = [f"Text {i} of many: naïve café, {i * 7919} 你好 {'word ' * (i % 40 * 8)}<|im_end|>" for i in range(200)]
CHILDREN, SECONDS = 25, 60


def encode_everything(tok, texts, want):
    """Every way in, those on several threads too."""
    for threads in (1, 2, None):
        if tok.encode_batch(texts, threads=threads) != want:
            return False
    ids, _ = tok.encode_batch_to_numpy(texts, threads=2)
    counts = list(map(len, want))
    return (
        ids.tolist() == list(chain.from_iterable(want))
        and tok.count_batch(texts, threads=2) == counts
        and [tok.encode(text) for text in texts] == want
        and tok.cache_info()["max_bytes"] == tok.options.cache_bytes
    )


def forked(tok, texts, want):
    """The pid of a child that encodes, and says by its exit code whether the ids are right."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of threads and fork: this is the test of it
        pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        tok.cache_clear()
        code = 0 if encode_everything(tok, texts, want) else 2
    finally:
        os._exit(code)  # nothing of the parent's pytest is to run here


def exit_code(pid, deadline):
    """How a child ended; one that has not by the deadline is killed and is said to hang."""
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "hangs"


@pytest.mark.skipif(sys.platform == "darwin", reason="system libraries there do not allow threads before fork")
@pytest.mark.parametrize("cache_bytes", [pytest.param(0, marks=pytest.mark.full), 16 << 20])
def test_fork_while_threads_encode(engine, cache_bytes):
    if engine == "python" and sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("without a GIL, a fork leaves the interpreter's own locks of dicts and lists locked")
    tok = wordsplit.load_tokenizer("qwen3", engine=engine, cache_bytes=cache_bytes)
    texts = TEXTS if engine == "native" else TEXTS[::20]
    want = [tok.encode(text) for text in texts]
    done, wrong = threading.Event(), []

    def work(threads):
        while not done.is_set():
            tok.cache_clear()
            if tok.encode_batch(texts, threads=threads) != want:
                wrong.append(threads)

    workers = [threading.Thread(target=work, args=(threads,)) for threads in (1, 2, None)]
    for worker in workers:
        worker.start()
    children = []
    try:
        deadline = time.monotonic() + SECONDS
        for _ in range(CHILDREN if engine == "native" else 4):
            children.append(forked(tok, texts, want))
            time.sleep(0.003)  # forks fall into every part of an encode
        codes = [exit_code(pid, deadline) for pid in children]
    finally:
        done.set()
        for worker in workers:
            worker.join()
    assert set(codes) == {0}
    assert not wrong


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # other libraries' threads
def test_a_child_that_hangs_is_seen():
    pid = os.fork()
    if not pid:
        time.sleep(60)
        os._exit(0)
    assert exit_code(pid, time.monotonic() + 0.1) == "hangs"
