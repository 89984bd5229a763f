"""Subinterpreters: the native module is refused in words, the Python engine works, and nothing else is harmed."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
CHECK = "import wordsplit; assert wordsplit.load_tokenizer('qwen3').encode('hello world') == [14990, 1879]"
REFUSED = '''
import wordsplit
try:
    wordsplit.load_tokenizer("qwen3")
except wordsplit.WordsplitError as error:
    assert "subinterpreter" in str(error) and "engine='python'" in str(error), error
    assert "compiler" not in str(error), error
else:
    raise AssertionError("it was not refused")
assert wordsplit.load_tokenizer("qwen3", engine="python").encode("hello world") == [14990, 1879]
'''
def create():
    try:
        return interpreters.create("legacy")
    except TypeError:
        return interpreters.create(isolated=False)
def run(code):
    made = create()
    failed = interpreters.run_string(made, code)
    assert not failed, failed
    interpreters.destroy(made)
if sys.argv[1] == "before":
    exec(CHECK)
for _ in range(3):
    run(REFUSED)
    if sys.argv[1] == "before":
        exec(CHECK)
exec(CHECK)
print("fine")
"""


@pytest.mark.full
@pytest.mark.parametrize("main", ["before", "after"])
def test_a_subinterpreter_is_made_used_and_destroyed(main):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, main], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr
