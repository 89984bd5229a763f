"""The interpreter ends while other threads are inside any public call: no abort, no hang."""

import subprocess
import sys

import pytest
from depth import by_depth

ROUNDS = by_depth(1, 1, 60)
CALLS = {
    "encode": "tok.encode(text)",
    "encode_batch": "tok.encode_batch(batch)",
    "encode_batch on one thread": "tok.encode_batch(batch, threads=1)",
    "encode_to_numpy": "tok.encode_to_numpy(text)",
    "encode_batch_to_numpy": "tok.encode_batch_to_numpy(batch)",
    "encode_arrow": "tok.encode_arrow(column)",
    "encode_with_offsets": "tok.encode_with_offsets(text)",
    "count": "tok.count(text)",
    "count_batch": "tok.count_batch(batch)",
    "spans": "tok.spans(text)",
    "decode": "tok.decode(ids)",
    "decode_bytes": "tok.decode_bytes(ids)",
    "truncate": "tok.truncate(text, 5000)",
    "split": "tok.split(text, 500)",
    "explain": "tok.explain(text[:200])",
    "an encoder stream": "stream = tok.encoder_stream(); stream.append(text)",
    "a decode stream": "list(tok.decode_stream().over(ids[:1000]))",
    "a chat": "tok.apply_chat_template([{'role': 'user', 'content': text[:2000]}])",
    "padding": "tok.pad([ids, ids[:9]])",
    "packing": "tok.pack([(text[:3000], True), (text[:9000], False)], 5000)",
    "awaiting": "asyncio.run(tok.acount(text))",
    "loading": "wordsplit.load_tokenizer('r50k_base')",
    "mixed composition": "mixed.encode(text[:5000])",
    "the Python engine": "python.encode(text[:500])",
    "training": "BpeTrainer(300, pattern='cl100k').update(batch).train()",
}
# What ends the process: threads that are daemons and still run, or others that end soon after. Some calls start threads
# of their own, which CPython refuses at this point. That exception is not printed: CPython aborts a process that ends
# while a daemon thread writes to stderr.
PROGRAM = """
import asyncio, pyarrow, sys, threading, time, wordsplit
from wordsplit.training import BpeTrainer
tok = wordsplit.load_tokenizer("qwen3")
mixed = wordsplit.load_tokenizer("qwen3", spanner="regex")
python = wordsplit.load_tokenizer("qwen3", engine="python")
text = "hello world, this is some text 12345 \\u00e9\\u00e0 \\u4f60\\u597d\\n" * 3000
batch = [text[:20_000]] * 20
column = pyarrow.array(batch)
ids = tok.encode(text)
daemon, running = sys.argv[1] == "daemon", threading.Barrier(4)
end = time.monotonic() + 0.3
def run():
    running.wait()
    try:
        while daemon or time.monotonic() < end:
            CALL
    except RuntimeError as error:
        if "shutdown" not in str(error):
            raise
for _ in range(3):
    threading.Thread(target=run, daemon=daemon).start()
running.wait()
time.sleep(0.05)
"""


@pytest.mark.parametrize("call", list(CALLS)[:: by_depth(12, 4, 1)])
@pytest.mark.parametrize("kind", ["daemon", "other"])
def test_exit_during(call, kind):
    program = PROGRAM.replace("CALL", CALLS[call])
    for _ in range(ROUNDS):
        done = subprocess.run([sys.executable, "-c", program, kind], capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        assert not done.stderr, done.stderr
