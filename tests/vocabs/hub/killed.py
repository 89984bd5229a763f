"""Run by test_kill.py: forks a downloader, kills it at a random moment, looks at what it left; many times."""

import json
import os
import random
import signal
import sys
import time
import warnings

import filelock  # noqa: F401 - all that is imported before the forks is not waited for within them
import requests  # noqa: F401

import wordsplit
import wordsplit.vocabs.hub.obtain
from wordsplit.vocabs.cache.downloads import Cache
from wordsplit.vocabs.resolve import locate

NAME = "hf:some/model"


def download():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return locate(NAME)


def load():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wordsplit.load_vocab(NAME)


def clear(cache):
    cache.prune(everything=True)
    for part in (cache.root / "blobs").glob(".*.part"):
        part.unlink()


def forked(work, seconds=None):
    """Whether a child did the work, and was not killed first."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
            os._exit(0)
        except BaseException as error:  # noqa: BLE001 - the parent is told by the code
            sys.stderr.write(f"{error!r}\n")
            os._exit(1)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, status
    return os.WIFEXITED(status)


def main(count):
    rng = random.Random(1)
    cache = Cache.default()
    for _ in range(2):  # the first one warms up
        clear(cache)
        start = time.perf_counter()
        forked(download)
        whole = time.perf_counter() - start
    seen = {"downloads": 0, "kills": 0, "parts": 0, "blobs": 0, "records": 0}
    # Where few of them fell into downloads, more are needed.
    while seen["kills"] < count or (seen["parts"] <= count / 10 and seen["kills"] < 4 * count):
        clear(cache)
        seen["downloads"] += 1
        seen["kills"] += not forked(download, rng.uniform(0, whole))
        blobs, records = list(cache.verify()), cache.records()
        assert all(not blob.problem for blob in blobs), blobs
        for record in records:
            assert all(cache.read(pin) is not None for pin in record.files.values()), record
        assert not (cache.root / "bad").exists()
        seen["parts"] += any((cache.root / "blobs").glob(".*.part"))
        seen["blobs"] += bool(blobs)
        seen["records"] += bool(records)
        if seen["downloads"] % 10 == 0:
            assert forked(load)
    print(json.dumps(seen))  # noqa: T201 - the result


main(int(sys.argv[1]))
