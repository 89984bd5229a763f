"""``wordsplit train``: what it writes and reports, how it stops and goes on, what it refuses at once."""

import gzip
import json
import os
import pty
import random
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli.run import interruptible, out, run

import wordsplit
from wordsplit.palette import visible
from wordsplit.training import BpeTrainer

WORDS = "the quick brown fox jumps over the lazy dog, and the dog's not amused; größer 你好 12 345\n"
RNG = random.Random(0)
MADE_UP = ["".join(RNG.choices("etaoinshrdlu", k=RNG.randint(2, 9))) for _ in range(200)]
LINES = [" ".join(RNG.choices(MADE_UP, k=5)) + " " + WORDS for _ in range(200)]


@pytest.fixture
def corpus(tmp_path):
    """A folder of three files: text, JSON lines, and text within gzip."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.txt").write_text("".join(LINES[:80]), encoding="utf-8")
    (folder / "b.jsonl").write_text("".join(json.dumps({"text": line}) + "\n" for line in LINES[80:120]))
    (folder / "c.txt.gz").write_bytes(gzip.compress("".join(LINES[120:]).encode()))
    return folder


def files(folder):
    return sorted(folder.iterdir())


def trained(*args, cwd):
    done = run("train", *map(str, args), cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done


def tokens(path, **options):
    return wordsplit.load_vocab(path, **options).tokens


def test_each_format_has_the_vocab_of_the_trainer(corpus, tmp_path):
    wanted = ["my.tiktoken", "tokenizer.json", "my.gguf", "folder/", "my.JSON"]
    options = ["--special", "<|endoftext|>", "--special", "<pad>", "--min-frequency", "3", "--max-token-bytes", "6"]
    named = [part for name in wanted for part in ("-o", name)]
    trained("--vocab-size", 400, *options, *named, *files(corpus), cwd=tmp_path)
    trainer = BpeTrainer(400, special_tokens=["<|endoftext|>", "<pad>"], min_frequency=3, max_token_bytes=6)
    want = trainer.update_files(files(corpus)).train()
    ids = wordsplit.TokenizerOptions().build(want).encode(WORDS)
    for name in wanted:
        loaded = wordsplit.load_vocab(tmp_path / name, pattern=None if "json" in name.lower() else "qwen2")
        assert wordsplit.TokenizerOptions().build(loaded).encode(WORDS) == ids, name
    assert wordsplit.load_vocab(tmp_path / "tokenizer.json").special_tokens == want.special_tokens
    assert max(map(len, (want.tokens[i] for i in range(want.n_base)))) == 6


def test_a_folder_and_a_glob(corpus, tmp_path):
    trained("--vocab-size", 300, "-o", "a.tiktoken", corpus, cwd=tmp_path)
    trained("--vocab-size", 300, "-o", "b.tiktoken", "corpus/*", cwd=tmp_path)
    assert (tmp_path / "a.tiktoken").read_bytes() == (tmp_path / "b.tiktoken").read_bytes()


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (["--pattern", "cl100k"], {"pattern": "cl100k"}),
        (["--pattern", r"\w+|\W+"], {"pattern": r"\w+|\W+"}),
        (["--normalizer", "nfc"], {"normalizer": "nfc"}),
        (["--tie-break", "lexicographic", "--count", "spans"], {"tie_break": "lexicographic", "count": "spans"}),
        (["--compat", "tokenizers", "--pattern", "gpt2"], {"compat": "tokenizers", "pattern": "gpt2"}),
        (["--threads", "1"], {}),
    ],
)
def test_settings(corpus, tmp_path, options, settings):
    trained("--vocab-size", 350, *options, "-o", "my.json", corpus, cwd=tmp_path)
    want = BpeTrainer(350, **settings).update_files(files(corpus)).train()
    found = wordsplit.load_vocab(tmp_path / "my.json")
    assert (found.tokens, found.normalizer) == (want.tokens, want.normalizer)


def test_the_report(corpus, tmp_path):
    done = trained("--vocab-size", 400, "--special", "<s>", "-o", "my.tiktoken", corpus, cwd=tmp_path)
    assert "tokens         400: 256 bytes, 143 merges, 1 special\n" in done.stdout
    assert "most frequent  " in done.stdout
    assert "held out" not in done.stdout
    assert done.stderr == (
        "wordsplit: wrote my.tiktoken; it holds no pattern, no special tokens: load it with --pattern qwen2\n"
    )
    done = trained("--vocab-size", 400, "--json", "-o", "my.json", corpus, cwd=tmp_path)
    report = json.loads(done.stdout)
    trainer = BpeTrainer(400).update_files(files(corpus))
    trainer.train()
    assert report["n_merges"] == 144
    assert report["n_bytes"] == sum(len(line.encode()) for line in LINES)
    assert report["lowest_frequency"] == trainer.merges[-1].frequency
    first = trainer.merges[0]
    assert report["most_frequent"][0] == {"token": visible(first.left + first.right), "frequency": first.frequency}
    assert report["held_out"] is None


def test_held_out_files(corpus, tmp_path):
    (tmp_path / "other.txt").write_bytes(b"the dog\nthe fox\n\xff\n")
    args = ("--vocab-size", 400, "--held-out", "other.txt", "--held-out", "corpus/b.jsonl", "--json")
    done = trained(*args, "-o", "my.json", "corpus/a.txt", cwd=tmp_path)
    held_out = json.loads(done.stdout)["held_out"]
    tok = wordsplit.load_tokenizer(tmp_path / "my.json")
    lines = ["the dog\n", "the fox\n", "\ufffd\n", *LINES[80:120]]
    assert held_out["n_lines"] == 43
    assert held_out["n_tokens"] == sum(map(tok.count, lines))
    assert held_out["bytes_per_token"] == pytest.approx(held_out["n_bytes"] / held_out["n_tokens"])


def test_last_lines_kept_apart(corpus, tmp_path):
    done = trained("--vocab-size", 400, "--held-out-share", "0.25", "-o", "my.tiktoken", "corpus/a.txt", cwd=tmp_path)
    assert ", 20 lines)" in done.stdout
    want = BpeTrainer(400).update(["".join(LINES[:60])]).train()
    assert tokens(tmp_path / "my.tiktoken", pattern="qwen2") == want.tokens


def test_counts_for_another_size(corpus, tmp_path):
    trained(
        "--vocab-size", 300, "--pattern", "cl100k", "--counts", "c.counts", "-o", "a.tiktoken", corpus, cwd=tmp_path
    )
    trained("--vocab-size", 380, "--resume", "c.counts", "-o", "b.tiktoken", cwd=tmp_path)
    trained("--vocab-size", 380, "--pattern", "cl100k", "-o", "c.tiktoken", corpus, cwd=tmp_path)
    assert (tmp_path / "b.tiktoken").read_bytes() == (tmp_path / "c.tiktoken").read_bytes()
    # What has been counted is not counted twice, and may be named again; so may the pattern, but no other.
    trained(
        *("--vocab-size", 380, "--pattern", "cl100k", "--resume", "c.counts", "-o", "d.tiktoken", corpus), cwd=tmp_path
    )
    assert (tmp_path / "d.tiktoken").read_bytes() == (tmp_path / "c.tiktoken").read_bytes()
    done = run("train", "--resume", "c.counts", "--pattern", "gpt2", "-o", "e.tiktoken", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "a different pattern than 'gpt2'" in done.stderr


def test_ctrl_c_leaves_counts_and_the_command_to_go_on(corpus, tmp_path):
    args = ["train", "--vocab-size", "400", "-o", "my.tiktoken", "corpus/a.txt", "corpus/b.jsonl", "corpus/c.txt.gz"]
    real = (corpus / "b.jsonl").read_bytes()
    (corpus / "b.jsonl").unlink()
    os.mkfifo(corpus / "b.jsonl")
    process = subprocess.Popen(
        [sys.executable, "-m", "wordsplit", *args],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=interruptible,  # noqa: PLW1509 - there are no threads
    )
    with (corpus / "b.jsonl").open("wb"):  # open once it reads there, so it is done with the file before
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (130, "")
    assert "interrupted" in stderr
    assert "Traceback" not in stderr
    assert not (tmp_path / "my.tiktoken").exists()
    command = shlex.split(stderr.splitlines()[-1])
    assert command == ["wordsplit", *args, "--resume", "my.tiktoken.counts"]
    (corpus / "b.jsonl").unlink()
    (corpus / "b.jsonl").write_bytes(real)
    trained(*command[2:], cwd=tmp_path)
    trained("--vocab-size", 400, "-o", "want.tiktoken", corpus, cwd=tmp_path)
    assert (tmp_path / "my.tiktoken").read_bytes() == (tmp_path / "want.tiktoken").read_bytes()


def test_a_damaged_file_leaves_counts_as_well(corpus, tmp_path):
    sound = (corpus / "b.jsonl").read_bytes()
    (corpus / "b.jsonl").write_bytes(sound + b"{}\n")
    args = ("--vocab-size", "400", "-o", "my.tiktoken", "corpus")
    done = run("train", *args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "b.jsonl: line 41: no column 'text'" in done.stderr
    (corpus / "b.jsonl").write_bytes(sound)
    trained(*shlex.split(done.stderr.splitlines()[-1])[2:], cwd=tmp_path)
    trained(*args[:2], "-o", "want.tiktoken", corpus, cwd=tmp_path)
    assert (tmp_path / "my.tiktoken").read_bytes() == (tmp_path / "want.tiktoken").read_bytes()


@pytest.mark.full
@pytest.mark.parametrize(("name", "magic"), [("p.svg", b"<?xml"), ("p.png", b"\x89PNG"), ("p.pdf", b"%PDF")])
def test_the_plot(corpus, tmp_path, name, magic):
    trained("--vocab-size", 400, "-o", "my.json", "--plot", name, corpus, cwd=tmp_path)
    data = (tmp_path / name).read_bytes()
    assert data.startswith(magic)
    if name == "p.svg":
        assert "400 tokens" in data.decode()


def test_standard_input(corpus, tmp_path):
    text = (corpus / "a.txt").read_text(encoding="utf-8")
    done = run("train", "--vocab-size", "350", "-o", "a.json", "-", stdin=text, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    trained("--vocab-size", 350, "-o", "b.json", corpus / "a.txt", cwd=tmp_path)
    assert tokens(tmp_path / "a.json") == tokens(tmp_path / "b.json")
    rows = (corpus / "b.jsonl").read_text()
    done = run("train", "--vocab-size", "350", "--as", "jsonl", "-o", "c.json", "-", stdin=rows, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    trained("--vocab-size", 350, "-o", "d.json", corpus / "b.jsonl", cwd=tmp_path)
    assert tokens(tmp_path / "c.json") == tokens(tmp_path / "d.json")
    done = run("train", "--vocab-size", "350", "--held-out-share", "0.1", "-o", "e.json", "-", stdin=text, cwd=tmp_path)
    assert (done.returncode, "only once" in done.stderr) == (1, True)


def test_a_folder_comes_back_as_it_was_trained(corpus, tmp_path):
    """It was loaded with GPT-2's pattern without a word."""
    options = ["--vocab-size", 350, "--pattern", "cl100k", "--special", "<s>", "--normalizer", "nfc"]
    done = trained(*options, "-o", "folder/", corpus, cwd=tmp_path)
    assert done.stderr == "wordsplit: wrote folder/\n"
    want = BpeTrainer(350, pattern="cl100k", special_tokens=["<s>"], normalizer="nfc").update_files(files(corpus))
    assert wordsplit.load_vocab(tmp_path / "folder") == want.train()


def test_no_merges_no_plot(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"")
    done = trained("--vocab-size", 400, "-o", "my.json", "--plot", "p.svg", "a.txt", cwd=tmp_path)
    assert "256 tokens, not 400: there are no more pairs that are frequent enough" in done.stderr
    assert "tokens         256: 256 bytes, 0 merges\n" in done.stdout
    assert not (tmp_path / "p.svg").exists()


def test_progress_on_a_terminal(corpus, tmp_path):
    ours, theirs = pty.openpty()
    args = ["train", "--vocab-size", "400", "-o", "my.json", str(corpus)]
    done = subprocess.run(
        [sys.executable, "-m", "wordsplit", *args], cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, check=True
    )
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "spans counted" in shown
    assert "merges" in shown
    assert b"\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("-o", "x.json", "a.txt"), 2, "--vocab-size"),
        (("--vocab-size", "300", "a.txt"), 2, "--out"),
        (("--vocab-size", "300", "-o", "x.json"), 2, "FILE"),
        (("--vocab-size", "255", "-o", "x.json", "a.txt"), 1, "256 or more"),
        (("--vocab-size", "-5", "-o", "x.json", "a.txt"), 1, "--vocab-size -5: give a whole number"),
        (
            ("--vocab-size", "300", "-o", "x.json", "--column", "\udcff", "a.jsonl"),
            1,
            "--column '\\udcff': give a name",
        ),
        (
            ("--vocab-size", "300", "-o", "x.json", "--pattern", "\udcff", "a.txt"),
            1,
            "at character 0: a lone surrogate",
        ),
        (("--vocab-size", "300", "-o", "x.bin", "a.txt"), 1, "x.bin: a vocab is written as .tiktoken, .json"),
        (("--vocab-size", "300", "-o", "no/x.json", "a.txt"), 1, "there is no folder"),
        (("--vocab-size", "300", "-o", "x.json", "--counts", "no/c", "a.txt"), 1, "no/c: there is no folder"),
        (("--vocab-size", "300", "-o", "x.json", "--counts", ".", "a.txt"), 1, "counts are written to a file"),
        (("--vocab-size", "300", "-o", "x.json", "--plot", "no/p.svg", "a.txt"), 1, "no/p.svg: there is no folder"),
        (("--vocab-size", "300", "-o", "x.gguf", "--pattern", ".", "a.txt"), 1, "x.gguf: tokenizer.ggml.pre"),
        (("--vocab-size", "300", "-o", "x.json", "--pattern", "(", "a.txt"), 1, "a group without"),
        (("--vocab-size", "300", "-o", "x.json", "--plot", "x.gif", "a.txt"), 1, ".svg"),
        (("--vocab-size", "300", "-o", "x.json", "--held-out", "no.txt", "a.txt"), 1, "no.txt: no such file"),
        (("--vocab-size", "300", "-o", "x.json", "--held-out-share", "1", "a.txt"), 1, "above 0 and below 1"),
        (("--vocab-size", "300", "-o", "x.json", "no.txt"), 1, "no file, folder or match for 'no.txt'\n"),
        (("--vocab-size", "300", "-o", "x.json", "--column", "txt", "a.jsonl"), 1, "there are: 'text'"),
        (("--resume", "a.txt", "-o", "x.json"), 1, "not a counts file"),
        (("--resume", "no.counts", "-o", "x.json"), 1, "no.counts"),
    ],
)
def test_what_is_refused_is_refused_at_once(tmp_path, args, code, message):
    (tmp_path / "a.txt").write_text("some text")
    (tmp_path / "a.jsonl").write_text('{"text": "some text"}\n')
    done = run("train", *args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "a.txt"]


def test_the_default_in_help():
    assert "--vocab-size 8000 --pattern cl100k -o my.tiktoken corpus/*.txt" in out("train", "--help")


@pytest.mark.full
def test_extending(corpus, tmp_path):
    wanted = BpeTrainer.extending(wordsplit.load_vocab("qwen3"), 151_700).update_files(files(corpus)).train()
    options = ["--vocab-size", 151_700, "--extend", "qwen3", "-o", "my.json"]
    done = trained(*options, "--counts", "my.counts", *files(corpus), cwd=tmp_path)
    assert "151,700: 151,643 before, 31 merges, " in done.stdout
    assert wordsplit.load_vocab(tmp_path / "my.json") == wanted
    trained(*options, "--resume", "my.counts", cwd=tmp_path)
    assert wordsplit.load_vocab(tmp_path / "my.json") == wanted
    for option in (["--pattern", "gpt2"], ["--special", "<x>"], ["--normalizer", "nfc"]):
        refused = run("train", *map(str, options), *option, str(corpus), cwd=tmp_path)
        assert (refused.returncode, "has its own" in refused.stderr) == (1, True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no file on which no byte fits")
def test_a_vocab_that_cannot_be_written_is_kept_elsewhere(corpus, tmp_path):
    (tmp_path / "a.json").symlink_to("/dev/full")
    (tmp_path / "kept").mkdir()
    options = ["--vocab-size", 300, "-o", "a.json", "-o", "b.json", *files(corpus)]
    done = run("train", *map(str, options), cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path / "kept")})
    assert done.returncode == 1
    assert "wordsplit: a.json: cannot be written: No space left on device" in done.stderr
    (kept,) = (tmp_path / "kept").glob("*/a.json")
    assert f"the vocab is in {kept} instead" in done.stderr
    assert tokens(kept) == tokens(tmp_path / "b.json")
    assert "wrote b.json" in done.stderr
    assert "wrote a.json" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no file on which no byte fits")
def test_counts_that_cannot_be_written_do_not_end_the_training(corpus, tmp_path):
    (tmp_path / "c.counts").symlink_to("/dev/full")
    options = ["--vocab-size", 300, "--counts", "c.counts", "-o", "a.json", *files(corpus)]
    done = run("train", *map(str, options), cwd=tmp_path)
    assert done.returncode == 1
    assert "wordsplit: c.counts: cannot be written: No space left on device" in done.stderr
    assert len(tokens(tmp_path / "a.json")) == 300
