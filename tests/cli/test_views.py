"""Commands for readers: explain, show, compare, chat."""

import csv
import io
import json

import pytest
from cli.run import out, run
from features.pages import text_of_page, text_of_picture

import wordsplit

CHAT = [{"role": "user", "content": "Hi<|im_end|>"}]


@pytest.mark.full
def test_explain(tmp_path):
    tok = wordsplit.load_tokenizer("qwen3")
    assert out("explain", "hello world") == f"{tok.explain('hello world')}\n"
    assert json.loads(out("explain", "--json", "-v", "gpt2", "hello"))["ids"] == [31373]
    page = tmp_path / "hello.html"
    assert out("explain", "hello", "--html", str(page)) == ""
    assert "4 merges" in text_of_page(page.read_text(encoding="utf-8"))
    assert "4 merges" in text_of_page(out("explain", "hello", "--html", "-"))
    assert '"kind": "long"' in out("explain", "--max-span", "3", "--json", "hello")
    done = run("explain", "--html", str(page), "hello", "world")
    assert (done.returncode, "one text" in done.stderr) == (1, True)


def test_show(tmp_path):
    assert out("show", "Hello, world!") == "Hello|, |␣world|!\n9707 |11|1879  |0\n"
    assert "\x1b[" in out("show", "--color", "Hello")
    assert "\x1b[" in out("show", "--color", "Hello", env={"NO_COLOR": "1"})  # asked for by name
    assert "\x1b[" not in out("show", "--no-color", "Hello")
    assert json.loads(out("show", "--json", "Hello"))["tokens"] == [{"id": 9707, "text": "Hello", "hex": "48656c6c6f"}]
    page, picture = tmp_path / "a.html", tmp_path / "a.svg"
    assert out("show", "Hello", "--html", str(page), "--svg", str(picture)) == ""
    assert text_of_picture(picture.read_text(encoding="utf-8")) == "Hello9707"
    assert "Hello9707" in text_of_page(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_on_a_terminal(env, coloured):
    pty = pytest.importorskip("pty")
    import os
    import subprocess
    import sys

    control, terminal = pty.openpty()
    environ = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | env
    subprocess.run([sys.executable, "-m", "wordsplit", "show", "Hello"], stdout=terminal, check=True, env=environ)
    os.close(terminal)
    assert (b"\x1b[" in os.read(control, 10_000)) is coloured
    os.close(control)


def test_compare(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/en.txt").write_text("good morning")
    (tmp_path / "notes/zh.txt").write_text("早上好", encoding="utf-8")
    vocabs = ("-v", "qwen3", "-v", "gpt2")
    rows = [json.loads(line) for line in out("compare", "notes", *vocabs, "--json", cwd=tmp_path).splitlines()]
    assert [(row["text"], row["vocab"]) for row in rows][:2] == [
        ("notes/en.txt", "qwen3"),
        ("notes/en.txt", "r50k_base"),
    ]
    assert (rows[0]["tokens"], rows[0]["fertility"], rows[0]["bytes_per_token"]) == (2, 1.0, 6.0)
    table = list(csv.DictReader(io.StringIO(out("compare", "notes/*.txt", *vocabs, "--csv", cwd=tmp_path))))
    assert [row["tokens"] for row in table] == [str(row["tokens"]) for row in rows]
    text = out("compare", "some words", *vocabs)
    assert text.splitlines()[1].split() == ["text", "qwen3", "2", "5.00", "1.00", "0.200"]
    assert "en" in out("compare", "-t", "en=good morning", "-t", "de=guten Morgen")
    picture = out("compare", "some words", *vocabs, "--plot", "-", "--metric", "fertility")
    assert "Tokens per word" in text_of_picture(picture)
    assert out("compare", *vocabs, stdin="some words").splitlines()[1].startswith("-")
    done = run("compare", "no-such-a", "no-such-b")
    assert (done.returncode, "no-such-a" in done.stderr) == (1, True)


@pytest.mark.full
def test_chat(tmp_path):
    tok = wordsplit.load_tokenizer("qwen3")
    path, tools = tmp_path / "chat.json", tmp_path / "tools.json"
    path.write_text(json.dumps(CHAT))
    tools.write_text('[{"name": "f"}]')
    ids = tok.apply_chat_template(CHAT)
    assert out("chat", str(path)) == " ".join(map(str, ids)) + "\n"
    assert out("chat", stdin=json.dumps({"messages": CHAT})) == out("chat", str(path))
    assert out("chat", str(path), "--count") == f"{len(ids)}\n"
    more = ("--generate", "--set", "enable_thinking=false", "--tools", str(tools))
    want = tok.apply_chat_template(CHAT, [{"name": "f"}], True, tokenize=False, enable_thinking=False)
    assert out("chat", str(path), "--text", *more) == want
    found = json.loads(out("chat", str(path), "--json"))
    assert found == {
        "vocab": "qwen3",
        "text": tok.apply_chat_template(CHAT, tokenize=False),
        "count": len(ids),
        "ids": ids,
    }
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"message": []}')
    template = tmp_path / "template.jinja"
    template.write_text("{{ messages[0].role }}{{ x }}")
    assert out("chat", str(path), "--text", "--template", str(template), "--set", "x=y") == "usery"
    for args, code, message in [
        ((str(path), "-v", "gpt2"), 1, "no chat template"),
        ((str(wrong),), 1, "list of dicts"),
        ((str(template),), 1, "not JSON"),
        (("missing.json",), 1, "missing.json"),
        ((str(path), "--set", "x"), 2, "NAME=VALUE"),
        ((str(path), "--set", "add_generation_prompt=true"), 2, "'add_generation_prompt' is given by --generate"),
        ((str(path), "--tools", str(wrong)), 1, "tools are a list of JSON schemas"),
    ]:
        done = run("chat", *args)
        assert (done.returncode, message in done.stderr, done.stdout) == (code, True, ""), done.stderr
