"""The first thing a user does is quick, and touches nothing it need not."""

import statistics
import subprocess
import sys
import time

HEAVY = ("numpy", "regex", "click", "requests", "tokenizers", "tiktoken", "importlib.metadata", "asyncio")


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def seconds(*command):
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - start


def test_import_is_light():
    code = "import sys, wordsplit; print(*sys.modules)"
    loaded = set(python(code).split())
    assert not loaded.intersection(HEAVY)


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
    runs = [seconds(sys.executable, "-c", "import wordsplit") - seconds(sys.executable, "-c", "pass") for _ in range(9)]
    assert statistics.median(runs) < 0.060, runs


def test_the_main_job_takes_well_under_half_a_second():
    runs = [seconds(sys.executable, "-m", "wordsplit", "encode", "hello world") for _ in range(5)]
    assert statistics.median(runs) < 0.5, runs
