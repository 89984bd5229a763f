"""What type checkers make of the package. The checkers take seconds each: `make types` runs them."""

import importlib.resources
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
USES = """
from typing_extensions import assert_type
import wordsplit
tok = wordsplit.load_tokenizer("qwen3")
assert_type(tok.encode("a"), list[int])
assert_type(tok.encode_batch(["a"]), list[list[int]])
assert_type(tok.count_batch(["a"]), list[int])
assert_type(tok.truncate("a", 1).text, str)
assert_type(tok.truncate(b"a", 1).text, bytes)
assert_type(tok.truncate("a", 1), wordsplit.Truncated)
assert_type(tok.split("a", 1), list[wordsplit.Chunk])
assert_type(tok.pack([("a", True)], 3), wordsplit.Packed)
assert_type(tok.apply_chat_template([]), list[int])
assert_type(tok.apply_chat_template([], tokenize=False), str)
assert_type(tok.encode_chat_with_mask([]).assistant_mask, list[int])
assert_type(tok.decode_stream(), wordsplit.DecodeStream)
assert_type(tok.encoder_stream().append("a"), wordsplit.Appended)
assert_type(tok.encode_with_offsets("a"), wordsplit.EncodedText)
assert_type(tok.encode_arrow(object()), wordsplit.EncodedColumn)
assert_type(tok.explain("a"), wordsplit.Explanation)
assert_type(tok.show("a"), wordsplit.Shown)
assert_type(tok.n_vocab, int)
assert_type(tok.pad_token_id, int | None)
assert_type(tok.vocab.tokens, wordsplit.TokenTable)
assert_type(tok.vocab.merges, wordsplit.MergeList)
special: wordsplit.Special = "no_added"
text: wordsplit.Text = b"a"
"""


def test_the_package_says_that_it_is_typed():
    assert importlib.resources.files("wordsplit").joinpath("py.typed").is_file()


@pytest.mark.long
def test_the_types_of_what_methods_return(tmp_path):
    path = tmp_path / "uses.py"
    path.write_text(USES)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}", path]
    done = subprocess.run(command, cwd=ROOT / "src", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.long
def test_the_examples_of_the_documentation_have_types():
    done = subprocess.run(
        [sys.executable, ROOT / "tools/check_example_types.py"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
