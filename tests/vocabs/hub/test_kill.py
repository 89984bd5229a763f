"""kill -9 at random moments of a download leaves no bad file; many processes at once get on with each other."""

import json
import os
import pathlib
import subprocess
import sys
import time

import pytest
from depth import by_depth
from vocabs.hub.conftest import REPO
from vocabs.hub.hub_server import sha256

KILLED = pathlib.Path(__file__).with_name("killed.py")


@pytest.mark.full
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_kill_leaves_no_bad_blob(hub, qwen3_json):
    hub.repos[REPO] = {"tokenizer.json": qwen3_json, "tokenizer_config.json": b"{}"}
    count = by_depth(20, 30, 1000)
    done = subprocess.run([sys.executable, KILLED, str(count)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["kills"] >= count
    assert seen["parts"] > count / 10  # the kills did fall into downloads
    print(seen)  # noqa: T201 - pytest -rP shows it


CODE = """
import sys, warnings
import wordsplit
from wordsplit.vocabs.cache.downloads import Cache
warnings.simplefilter("ignore")
cache = Cache(Cache.default().root, locking=sys.argv[1] == "locks")
sys.stdin.readline()
vocab = wordsplit.load_vocab("hf:some/model", cache=cache)
print(vocab.fingerprint, vocab.chat_template)
"""


@pytest.mark.full
@pytest.mark.parametrize("locks", ["locks", "no locks"])
def test_sixteen_processes_starting_cold(hub, cache, locks, tokenizer_json):
    hub.hooks["/tokenizer.json"] = lambda _: time.sleep(0.2) or False  # long enough for all to want it
    command = [sys.executable, "-c", CODE, locks]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(16)
    ]
    time.sleep(1)
    for process in processes:  # all are waiting by now, or soon
        process.stdin.write("go\n")
        process.stdin.flush()
    results = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * 16, results
    assert {stderr for _, stderr in results} == {""}
    assert len({stdout for stdout, _ in results}) == 1
    count = len(hub.paths("/tokenizer.json"))
    assert count == 1 if locks == "locks" else 1 <= count <= 16
    assert sha256(tokenizer_json) in {blob.sha256 for blob in cache.verify() if not blob.problem}
    assert not list((cache.root / "blobs").glob(".*"))
