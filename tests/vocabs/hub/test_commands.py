"""The command line over the hub: prefetch, cache, verify, and the others with hub names."""

import json
import os
import sys

import pytest
from cli.test_cli import out, run
from click.testing import CliRunner
from vocabs.hub.conftest import REPO
from vocabs.hub.hub_server import COMMIT, sha256

import wordsplit
from wordsplit.cli import _oracle, verify

NAME = "hf:some/model"


def test_prefetch_then_offline(hub, cache):
    done = run("prefetch", NAME, "hf:some/gguf", "qwen3")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        f"{NAME}: downloaded to {cache.root}",
        f"hf:some/gguf: downloaded to {cache.root}",
        "qwen3: in the package; nothing to download",
    ]
    assert done.stderr.startswith("wordsplit: hf:some/model@main is not pinned: tokenizer.json (sha256 ")
    assert done.stderr.count("\n") == 2
    assert "Warning" not in done.stderr
    offline = {"WORDSPLIT_OFFLINE": "1"}
    assert out("prefetch", NAME, env=offline) == f"{NAME}: already in the cache\n"
    assert out("encode", "-v", NAME, "hello", env=offline) == "259\n"
    assert out("count", "-v", "some/model", "--text", "hello", env=offline) == "1\n"
    assert json.loads(out("inspect", "hf:some/gguf", "--json", env=offline))["name"] == "some/gguf"
    assert json.loads(out("prefetch", NAME, "--json", env=offline)) == {
        "name": NAME,
        "where": "cache",
        "n_vocab": 261,
        "note": "already in the cache",
    }


def test_prefetch_goes_on_after_a_failure(hub):
    done = run("prefetch", "--json", "hf:no/such", NAME)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert "no repository 'no/such'" in rows[0]["error"]
    assert rows[1]["where"] == "download"
    assert "Traceback" not in done.stderr


def test_prefetch_update(hub, tokenizer_json):
    run("prefetch", NAME)
    hub.repos[REPO]["tokenizer.json"] = tokenizer_json + b" "
    assert "already" in out("prefetch", NAME)
    done = run("prefetch", "--update", NAME)
    assert "downloaded" in done.stdout
    assert sha256(tokenizer_json + b" ") in done.stderr
    assert "already" in out("prefetch", NAME, "--sha256", sha256(tokenizer_json + b" "))
    assert "downloaded" in out("prefetch", NAME, "--revision", COMMIT)


def test_offline_errors_name_the_command(hub):
    done = run("encode", "-v", NAME, "x", env={"HF_HUB_OFFLINE": "1"})
    assert (done.returncode, done.stdout) == (1, "")
    assert "`wordsplit prefetch hf:some/model@main`" in done.stderr
    assert not hub.requests


def test_cache(hub, cache, load, tokenizer_json):
    assert out("cache", "path") == f"{cache.root}\n"
    assert json.loads(out("cache", "path", "--json")) == {"path": str(cache.root)}
    assert (out("cache", "list"), out("cache", "verify")) == ("", "0 files, 0 damaged\n")
    load()
    cache.put([b"nobody's"])
    rows = [json.loads(line) for line in out("cache", "list", "--json").splitlines()]
    assert [row["file"] for row in rows] == ["tokenizer.json", "tokenizer_config.json", "chat_template.jinja", None]
    assert rows[0]["source"] == "hf:some/model@main"
    assert (rows[0]["sha256"], rows[0]["commit"], rows[0]["present"]) == (sha256(tokenizer_json), COMMIT, True)
    assert out("cache", "list").count("\n") == 4
    assert out("cache", "verify") == "4 files, 0 damaged\n"
    path = cache.blob_path(sha256(tokenizer_json))
    path.chmod(0o644)
    path.write_bytes(b"x")
    done = run("cache", "verify")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "4 files, 1 damaged")
    assert sha256(tokenizer_json) in done.stdout
    assert out("cache", "prune") == "2 files deleted, 9 bytes\n"
    assert "(missing; downloaded when needed)" in out("cache", "list")
    assert json.loads(out("cache", "prune", "--all", "--json"))["deleted"] >= 3
    assert out("cache", "list") == ""


def test_vocabs_says_where_they_come_from():
    rows = {row["name"]: row["where"] for row in map(json.loads, out("vocabs", "--json").splitlines())}
    assert rows["qwen3"] == "package"
    assert rows["deepseek-v3"] == "hf:deepseek-ai/DeepSeek-V3 [unpinned]"
    assert rows["llama3"] == "hf:meta-llama/Meta-Llama-3-8B-Instruct [gated, unpinned]"
    assert rows["gpt2-hf"] == "hf:openai-community/gpt2"
    assert "DeepSeek-V3, hf:deepseek-ai/DeepSeek-V3 [unpinned]" in out("vocabs")


# verify


@pytest.mark.full
@pytest.mark.parametrize("name", ["qwen3", "cl100k_base", "p50k_edit", "o200k_harmony"])
def test_verify(name):
    assert "the same" in out("verify", name)


@pytest.mark.full
def test_verify_of_other_sources(hub, tokenizer_json, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_bytes(tokenizer_json)
    (tmp_path / "text").write_text("hello world")
    row = json.loads(out("verify", str(path), "--json", "-f", str(tmp_path / "text"), "-t", "hello"))
    assert (row["same"], row["texts"]) == (True, 2)
    assert row["oracle"].startswith("tokenizers ")
    run("prefetch", NAME)
    assert "the same" in out("verify", NAME)
    wordsplit.load_vocab("r50k_base").save_tiktoken(tmp_path / "own.tiktoken")
    assert "tiktoken" in out("verify", str(tmp_path / "own.tiktoken"), "--pattern", "cl100k")


def test_verify_shows_the_first_difference(monkeypatch):
    def wrong(text):
        ids = wordsplit.load_tokenizer("qwen3").encode(text)
        return [*ids[:3], 0, *ids[4:]] if "fourth" in text else ids

    monkeypatch.setattr(verify, "oracle_of", lambda *_: _oracle.Oracle("another 1.0", wrong))
    texts = ["-t", "this is fine", "-t", "one two three fourth five"]
    done = CliRunner().invoke(verify.command, ["qwen3", *texts])
    assert done.exit_code == 1
    assert "text 2 differs from another 1.0 at id 4" in done.stdout
    assert "after 'one two three', before ' fourth five'" in done.stdout
    row = json.loads(CliRunner().invoke(verify.command, ["qwen3", "--json", *texts]).stdout)
    assert (row["same"], row["text"], row["index"], row["theirs"][0]) == (False, 1, 3, 0)


@pytest.mark.parametrize(("name", "engine"), [("qwen3", "tokenizers"), ("cl100k_base", "tiktoken")])
def test_verify_without_the_engine(name, engine, monkeypatch):
    monkeypatch.setitem(sys.modules, engine, None)
    with pytest.raises(wordsplit.WordsplitError, match=f"pip install {engine}"):
        CliRunner().invoke(verify.command, [name], catch_exceptions=False)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_the_progress_bar_is_for_terminals(hub, qwen3_json):
    import pty
    import subprocess

    hub.repos[REPO] = {"tokenizer.json": qwen3_json}
    command = [sys.executable, "-m", "wordsplit", "prefetch", NAME]
    ours, theirs = pty.openpty()
    subprocess.run(command, stderr=theirs, stdout=subprocess.DEVNULL, check=True)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 1 << 16):
            shown += part
    except OSError:  # the end, on Linux
        pass
    os.close(ours)
    assert b"[          ] 0." in shown
    assert b"MB  tokenizer.json" in shown
    assert f"of {len(qwen3_json) / 1e6:.1f} MB".encode() in shown
