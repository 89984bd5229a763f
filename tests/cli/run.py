"""The command line as a user has it: a process, its output, its exit code."""

import os
import signal
import subprocess
import sys


def run(*args, stdin="", env=None, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "wordsplit", *args],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **(env or {})},
    )


def out(*args, **kwargs):
    done = run(*args, **kwargs)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def interruptible():
    """For `subprocess.Popen(preexec_fn=…)`: what a shell runs in the background ignores Ctrl-C, and its children do."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
