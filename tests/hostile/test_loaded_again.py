"""The package is imported again, as by programs and test frameworks that remove modules from sys.modules."""

import subprocess
import sys

PROGRAM = """
import sys, wordsplit
def check(package, tok):
    assert tok.encode("hello world") == package.load_tokenizer("gpt2").encode("hello world") == [31373, 995]
    assert package.load_tokenizer("gpt2", engine="python").encode("hello world") == [31373, 995]
first, tok = wordsplit, wordsplit.load_tokenizer("gpt2")
for _ in range(2):
    for name in [name for name in sys.modules if name.partition(".")[0] == "wordsplit"]:
        del sys.modules[name]
    import wordsplit
    assert wordsplit is not first  # whose tokenizers go on to work
    check(wordsplit, tok)
    try:
        wordsplit.load_tokenizer("gpt2").decode([1 << 30])
    except wordsplit.InvalidTokenIdError:
        pass
print("fine")
"""


def test_removed_and_imported_again():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr
