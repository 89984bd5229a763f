"""A petabyte, simulated: many units with small stand-in files that claim 10 GB each, killed, resumed and verified."""

import gzip
import json
import signal
import subprocess
import sys
import time

import pytest
from depth import by_depth

from wordsplit import corpus

UNITS = by_depth(300, 1_000, 100_000)
FACTOR = 22 * 10**7  # a stand-in of 47 bytes on average counts as 10 GB

RUN = f"""
import sys, time
from wordsplit import corpus
from wordsplit.corpus import inputs
real = inputs._state
inputs._state = lambda path: (lambda size, stamp: (size * {FACTOR}, stamp))(*real(path))
began = time.monotonic()
report = corpus.encode(sys.argv[1], sys.argv[2], progress=False)
peak = report.run["peak_memory"] / 2**20
print(report.documents["written"], round(time.monotonic() - began, 1), round(peak))
"""


@pytest.mark.full
def test_many_units(tmp_path, capsys):
    for k in range(UNITS):
        folder = tmp_path / "in" / f"{k // 1000:03d}"
        folder.mkdir(parents=True, exist_ok=True)
        line = json.dumps({"text": f"document {k}"}).encode() + b"\n"
        (folder / f"{k:06d}.jsonl.gz").write_bytes(gzip.compress(line * (k % 5 + 1)))
    out = tmp_path / "out"
    command = [sys.executable, "-c", RUN, str(tmp_path / "in"), str(out)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while len(list((out / "records").glob("??????.json"))) < UNITS // 3:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    state = corpus.status(out)
    assert UNITS // 3 <= state.units_done < state.units == UNITS
    assert state.bytes > UNITS * 9 * 10**9
    again = subprocess.run(command, capture_output=True, check=True, text=True)
    written, seconds, peak = again.stdout.split()
    assert int(written) == sum(k % 5 + 1 for k in range(UNITS))
    began = time.monotonic()
    assert corpus.verify(out) == []
    verified = time.monotonic() - began
    opened = corpus.open(out)
    assert len(opened) == int(written)
    assert float(peak) < 200 + UNITS * 0.01
    if UNITS > 1000:
        with capsys.disabled():
            figures = f"{UNITS:,} units, {state.bytes / 1e15:.2f} PB: the rest in {seconds} s, {peak} MB"
            sys.stderr.write(f"\n{figures}; verified in {verified:.0f} s\n")
