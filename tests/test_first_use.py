"""The first thing a user does is quick, and touches nothing it need not."""

import os
import resource
import subprocess
import sys

HEAVY = ("numpy", "regex", "click", "requests", "urllib3", "filelock", "platformdirs", "ssl", "tokenizers", "tiktoken")
HEAVY += ("importlib.metadata", "asyncio", "hashlib", "wordsplit.vocabs.hub.obtain", "wordsplit.vocabs.cache.downloads")


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


# As users have it: with bytecode kept from the first run on.
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds(*command):
    """The processor's time that a command takes, which other processes hardly change."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL, env=ENV)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_import_is_light():
    code = "import sys, wordsplit; print(*sys.modules)"
    loaded = set(python(code).split())
    assert not loaded.intersection(HEAVY)


def test_a_bundled_vocab_needs_nothing_that_downloads():
    code = "import sys, wordsplit; wordsplit.load_tokenizer('gpt-4o').encode('hello'); print(*sys.modules)"
    assert not set(python(code).split()) & {"requests", "urllib3", "ssl", "filelock", "wordsplit.vocabs.hub.obtain"}


def test_import_and_encoding_open_no_socket_and_no_file_outside_the_package():
    code = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append((event, args)) if event.startswith(("socket.", "open")) else None)
import wordsplit
reads = [args[0] for event, args in opened if event == "open" and str(args[0]).endswith((".bin", ".json"))]
assert not reads, reads
wordsplit.load_tokenizer("qwen3").encode("hello world")
assert not [event for event, _ in opened if event.startswith("socket.")], opened
"""
    python(code)


def test_import_takes_under_60_ms():
    bare, ours = [], []

    def limit():  # on a slow machine, five times what Python itself takes to start
        return max(0.060, 5 * min(bare))

    for _ in range(60):  # in turn, and the least of each: what other processes add is noise, and never negative
        bare.append(seconds(sys.executable, "-c", "pass"))
        ours.append(seconds(sys.executable, "-c", "import wordsplit"))
        if len(ours) >= 15 and min(ours) - min(bare) < limit():
            break
    assert min(ours) - min(bare) < limit(), (bare, ours)


def test_the_main_job_takes_well_under_half_a_second():
    runs = [seconds(sys.executable, "-m", "wordsplit", "encode", "hello world") for _ in range(7)]
    assert min(runs) < 0.4, runs
