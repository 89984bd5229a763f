"""Kill worker processes at random times while a corpus is encoded."""

import ctypes
import os
import random
import shutil
import signal
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

from corpus.written import tree
from depth import by_depth

from wordsplit import corpus

_PR_SET_CHILD_SUBREAPER = 36  # of <linux/prctl.h>


def processes(contains):
    """The process ids of the descendants of this process whose command line contains a text."""
    children, lines = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            lines[int(folder.name)] = (folder / "cmdline").read_bytes().decode(errors="replace")
            children.setdefault(parent, []).append(int(folder.name))  # only of those that did not end meanwhile
    found, left = [], [os.getpid()]
    while left:
        for child in children.get(left.pop(), []):
            left.append(child)
            if contains in lines[child].replace("\0", " "):
                found.append(child)
    return found


@contextmanager
def adopting():
    """Within the block, a descendant whose parent ends becomes a child of this process instead of init's.

    Spark goes on using the workers of a daemon that was killed, which would not be found as descendants otherwise.
    """
    libc = ctypes.CDLL(None)
    assert libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


@contextmanager
def killer(contains, seed, pause):
    """Within the block, kill -9 one of the processes after random pauses. Yields a list of those killed."""
    rng, stop, killed = random.Random(seed), threading.Event(), []

    def run():
        while not stop.wait(rng.uniform(*pause)):
            if alive := processes(contains):
                victim = rng.choice(alive)
                with suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
                    killed.append(victim)
                with suppress(ChildProcessError):
                    os.waitpid(victim, 0)  # as init would for one that is adopted; until then, Java takes it for alive

    thread = threading.Thread(target=run)
    thread.start()
    try:
        with adopting():
            yield killed
    finally:
        stop.set()
        thread.join()


def check_runs_with_kills(engine, process, gives_up, inputs, whole, folder, **settings):
    """Encode again and again while workers are killed, until enough of them were; compare what each run has written.

    ``gives_up`` are the errors of an engine that has tried a unit too often: the same command continues then.
    """
    # Of all runs together: one alone may end before a first pause does.
    wanted = by_depth(3, 10, 100)
    with killer(process, 0, (0.3, 2.5)) as killed:
        for run in range(100 * wanted):
            out = folder / f"out-{run}"
            while not (out / "_SUCCESS").exists():
                with suppress(gives_up):
                    corpus.encode(inputs, out, engine=engine, **settings)
            assert tree(out) == whole
            shutil.rmtree(out)
            if len(killed) >= wanted:
                return
        raise AssertionError(f"only {len(killed)} of {wanted} kills fell into {run + 1} runs")
