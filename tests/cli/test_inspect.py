"""``wordsplit inspect --explain-pattern`` and ``--dot``."""

import json

import pytest
from cli.run import out, run

from wordsplit.byte_level import to_byte_level


@pytest.fixture
def file_of(tmp_path):
    """Write a tokenizer.json of single bytes with a pattern, and return its name."""

    def write(pattern):
        steps = [
            {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
        ]
        tokens = {to_byte_level(bytes([byte])): byte for byte in range(256)}
        content = {
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
            "decoder": {"type": "ByteLevel"},
            "model": {"type": "BPE", "vocab": tokens, "merges": []},
        }
        path = tmp_path / "tokenizer.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return str(path)

    return write


def test_text(file_of):
    lines = out("inspect", "--explain-pattern", file_of(r"\p{N}{2}|[^\n]")).splitlines()
    assert lines[1] == "spanner         compiled"
    assert "automaton       3 states, 3 character classes" in lines
    at = lines.index(r"             1  \p{N}{2}")
    assert lines[at + 1 : at + 3] == [f"{'':<16}exactly 2 numbers", f'{"":<16}"20"  "24"  "23"']
    assert f"{'':<16}a character other than LF" in lines


def test_json():
    facts = json.loads(out("inspect", "--explain-pattern", "--json", "qwen3"))
    assert (facts["spanner"], facts["reason"]) == ("qwen2", None)
    (step,) = facts["steps"]
    assert step["branches"][2] == {
        "pattern": r"\p{N}",
        "as_written": True,
        "description": "a number",
        "examples": ["2", "0", "4"],
    }
    assert "automaton" not in step


def test_graphs():
    text = out("inspect", "--dot", "qwen3")
    assert text.startswith('digraph "step 1" {\n')
    assert text.count("{") == text.count("}") == 1


def test_why_a_pattern_is_not_compiled(file_of):
    args = ("inspect", file_of(r"(a)\1"))
    (line,) = (line for line in out(*args).splitlines() if line.startswith("spanner"))
    assert line.startswith("spanner         regex: ")
    assert "back reference" in line
    assert "back reference" in json.loads(out(*args, "--json"))["not_compiled"]
    done = run(*args, "--dot")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no graph of step 1" in done.stderr


def test_a_pattern_is_on_one_line(file_of):
    """Some files have line ends themselves where others have escapes."""
    assert "isolated  [\\r\\n]|.\n" in out("inspect", file_of("[\r\n]|."))


@pytest.mark.parametrize("option", ["--dot", "--explain-pattern"])
def test_a_vocab_without_a_pattern(option, tmp_path):
    path = tmp_path / "tokenizer.json"
    model = {"type": "WordLevel", "vocab": {"a": 0, "[UNK]": 1}, "unk_token": "[UNK]"}
    path.write_text(json.dumps({"model": model}), encoding="utf-8")
    done = run("inspect", option, str(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "no pattern" in done.stderr
    assert "spanner         none\n" in out("inspect", str(path))


def test_graphs_are_not_json():
    done = run("inspect", "--dot", "--json", "qwen3")
    assert (done.returncode, done.stdout) == (1, "")
    assert "--dot" in done.stderr
