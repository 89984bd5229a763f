"""The compiled cache in use: the same vocab as without, for many at once, or where it cannot be had."""

import concurrent.futures
import gc
import json
import os
import pickle
import subprocess
import sys
import threading
import time

import pytest
from click.testing import CliRunner
from vocabs.cache.conftest import IDS, OLD, TEXT, changed, ids, rewrite

import wordsplit
from wordsplit import _native
from wordsplit.cli.cache import command
from wordsplit.patterns.compiled import automaton_of
from wordsplit.vocabs.cache.compiled import CompiledStore
from wordsplit.vocabs.cache.downloads import Cache
from wordsplit.vocabs.cache.root import default_root


def test_the_second_load_parses_nothing(path, loads):
    first = wordsplit.load_vocab(path)
    again = wordsplit.load_vocab(path)
    assert loads == [str(path)]
    assert again is not first
    assert again == first
    assert ids(again) == ids(first) == IDS


def test_the_folder_is_the_users_own(compiled):
    assert compiled.parent.stat().st_mode & 0o777 == 0o700
    assert compiled.parent.parent.stat().st_mode & 0o777 == 0o700
    assert compiled.stat().st_mode & 0o777 == 0o444


@pytest.mark.parametrize("value", ["0", "false", "OFF"])
def test_turned_off(path, tmp_path, loads, monkeypatch, value):
    monkeypatch.setenv("WORDSPLIT_COMPILED_CACHE", value)
    for _ in range(2):
        wordsplit.load_vocab(path)
    assert len(loads) == 2
    assert not (tmp_path / "cache").exists()


def test_a_pickle_holds_the_content(path, compiled):
    vocab = wordsplit.load_vocab(path)
    data = pickle.dumps(vocab)
    compiled.unlink()
    del vocab
    gc.collect()
    again = pickle.loads(data)  # noqa: S301
    assert ids(again) == IDS
    assert isinstance(again.tokens.blob, bytes)
    assert pickle.dumps(again) == data


def test_a_mapped_file_may_go(path, compiled):
    vocab = wordsplit.load_vocab(path)
    tables = vocab.native_tables
    compiled.unlink()
    tok = wordsplit.TokenizerOptions().build(vocab)
    token_bytes = vocab.tokens[259]
    del vocab
    gc.collect()
    assert tok.encode(TEXT) == IDS
    assert tok.decode(IDS) == TEXT
    assert tables.made_by(259)[:2] == (258, 111)
    assert token_bytes == b"hello"


# A cache that cannot be had.


@pytest.mark.parametrize("place", ["file/cache", "file", "full/cache"])
def test_a_cache_that_cannot_be_written(path, tmp_path, monkeypatch, place):
    """It is as if there were none: no error, and no warning (which would be an error here)."""
    (tmp_path / "file").write_text("x")
    (tmp_path / "full" / "cache").mkdir(parents=True)
    (tmp_path / "full" / "cache" / "compiled").write_text("x")
    monkeypatch.setenv("WORDSPLIT_CACHE_DIR", str(tmp_path / place))
    for _ in range(2):
        assert ids(wordsplit.load_vocab(path)) == IDS
        assert wordsplit.load_tokenizer("r50k_base").encode("hello world") == [31373, 995]


def test_a_disk_that_is_full(path, tmp_path, monkeypatch):
    def write(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", write)
        assert ids(wordsplit.load_vocab(path)) == IDS
    assert list((tmp_path / "cache" / "compiled").iterdir()) == []


def test_a_cache_in_the_home_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("WORDSPLIT_CACHE_DIR", "~/words")
    assert default_root() == tmp_path / "words"


def test_a_user_without_a_home(tmp_path, path):
    code = f"import wordsplit; print(wordsplit.load_tokenizer({str(path)!r}).encode({TEXT!r}))"
    names = ("HOME", "XDG_CACHE_HOME", "WORDSPLIT_CACHE_DIR")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    for home in ({"HOME": "relative"}, {"HOME": "/nonexistent/home"}, {"HOME": ""}):
        command = [sys.executable, "-W", "error", "-c", code]
        done = subprocess.run(
            command,
            env=environment | home | {"XDG_CACHE_HOME": str(tmp_path / "xdg")},
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
        )
        assert (done.stdout, done.stderr) == (f"{IDS}\n", "")


def test_a_platform_without_a_place_for_caches(path, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("no home")

    monkeypatch.delenv("WORDSPLIT_CACHE_DIR")
    monkeypatch.delenv("HOME")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", fail)
    assert ids(wordsplit.load_vocab(path)) == IDS
    with pytest.raises(wordsplit.OptionsError, match="WORDSPLIT_CACHE_DIR"):
        wordsplit.load_vocab("hf:some/model")


def test_interrupted(path, tmp_path, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    for module, name in ((os, "write"), (_native, "write_compiled"), (os, "open")):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, interrupt)
            with pytest.raises(KeyboardInterrupt):
                wordsplit.load_vocab(path)
        folder = tmp_path / "cache" / "compiled"
        assert not folder.exists() or list(folder.iterdir()) == []
    assert ids(wordsplit.load_vocab(path)) == IDS


WITHOUT_NATIVE = """
import sys
sys.modules["wordsplit._native"] = None
import wordsplit
from wordsplit.vocabs.cache.downloads import Cache
for _ in range(2):
    print(wordsplit.load_tokenizer(sys.argv[1], engine="python", spanner="regex").encode(sys.argv[2]))
print(Cache.default().prune())
"""


def test_without_the_native_module(path, compiled):
    """A build in pure Python uses no compiled file; to `prune` those of others are of another build."""
    command = [sys.executable, "-W", "error", "-c", WITHOUT_NATIVE, str(path), TEXT]
    size = compiled.stat().st_size
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{IDS}\n{IDS}\n(1, {size})\n", "")


# Many at once.

CODE = """
import sys
import wordsplit
sys.stdin.readline()
for _ in range(3):
    tok = wordsplit.load_tokenizer(sys.argv[1])
    print(tok.encode(sys.argv[2]), tok.vocab.fingerprint)
"""


def test_eight_processes_starting_cold(path, tmp_path):
    command = [sys.executable, "-W", "error", "-c", CODE, str(path), TEXT]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **pipes) for _ in range(8)]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    results = [process.communicate(timeout=60) for process in processes]
    assert {stderr for _, stderr in results} == {""}
    assert {line for stdout, _ in results for line in stdout.splitlines()} == {
        f"{IDS} {wordsplit.load_vocab(path).fingerprint}"
    }
    assert len(list((tmp_path / "cache" / "compiled").iterdir())) == 1


def test_threads(path):
    start = threading.Barrier(8)

    def work(_):
        start.wait()
        return [ids(wordsplit.load_vocab(path)) for _ in range(20)]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [[IDS] * 20] * 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # other libraries' threads
def test_forks(path, compiled):
    tok = wordsplit.load_tokenizer(path)
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            sound = tok.encode(TEXT) == IDS and tok.decode(IDS) == TEXT and ids(wordsplit.load_vocab(path)) == IDS
            os._exit(0 if sound else 1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    assert tok.encode(TEXT) == IDS


# Names of the hub.


def test_hub_names(hub, load, loads, tmp_path):
    first = load()
    again = load()
    assert len(loads) == 1
    assert again == first
    assert (again.name, again.source, again.chat_template) == (first.name, first.source, first.chat_template)
    assert len(list((tmp_path / "cache" / "compiled").iterdir())) == 1
    elsewhere = Cache(tmp_path / "elsewhere")
    load(cache=elsewhere)
    load(cache=str(elsewhere.root))
    assert len(loads) == 2
    assert [file.source for file in elsewhere.compiled().files()] == [first.source]


# Housekeeping.


def test_commands(path, compiled, tmp_path):
    def run(*arguments):
        done = CliRunner().invoke(command, arguments)
        return done.exit_code, done.output

    assert str(path) in run("list")[1]
    row = json.loads(run("list", "--json")[1])
    assert row["source"] == str(path)
    assert row["problem"] is row["stale"] is None
    assert run("verify") == (0, "1 files, 0 damaged\n")
    assert run("prune") == (0, "0 files deleted, 0 bytes\n")

    sound = compiled.read_bytes()
    rewrite(compiled, sound[:-1])
    assert "damaged" in run("verify")[1]
    assert run("verify")[0] == 1
    assert "not of the size" in run("list")[1]
    rewrite(compiled, sound)

    other = compiled.with_name(compiled.name[:17] + "0123456789abcdef.vocab")
    other.write_bytes(sound)
    path.write_bytes(changed(path.read_bytes()))
    stale = [json.loads(line)["stale"] for line in run("list", "--json")[1].splitlines()]
    assert sorted(stale) == ["its source has changed", "of another build of wordsplit"]
    assert run("verify") == (0, "2 files, 0 damaged\n")
    (compiled.parent / "notes.txt").write_text("mine")
    assert run("prune")[1].startswith("2 files deleted")
    wordsplit.load_vocab(path)
    assert run("prune", "--all")[1].startswith("1 files deleted")
    assert [file.name for file in compiled.parent.iterdir()] == ["notes.txt"]


def test_what_nobody_uses_goes(path, compiled):
    store = CompiledStore(compiled.parent.parent)
    kin = compiled.with_name(compiled.name[:17] + "0" * 16 + ".vocab")
    unused = compiled.with_name("0" * 16 + "-" + "1" * 16 + ".vocab")
    young = compiled.with_name(compiled.name[:17] + "2" * 16 + ".vocab")
    for file in (kin, unused, young):
        file.write_bytes(b"x")
    for file in (kin, unused):
        os.utime(file, ns=(OLD, OLD))
    rewrite(compiled, b"damaged")
    wordsplit.load_vocab(path)
    assert sorted(store.root.iterdir()) == sorted([compiled, young])


def test_the_folder_is_bounded(path, compiled, monkeypatch):
    """Programs and tests that load files of temporary folders added a file with each run, for 30 days."""
    monkeypatch.setattr("wordsplit.vocabs.cache.compiled.MOST_BYTES", 29)
    others = [compiled.with_name(f"{at:016}-{0:016}.vocab") for at in range(9)]
    now = time.time_ns()
    for at, file in enumerate(others):
        file.write_bytes(bytes(10))
        os.utime(file, ns=(now - at * 10**9, now - at * 10**9))
    rewrite(compiled, b"damaged")
    os.utime(compiled, ns=(now - 10**12, now - 10**12))
    wordsplit.load_vocab(path)
    assert sorted(compiled.parent.iterdir()) == sorted([compiled, *others[:2]])


def test_the_root_is_platformdirs(monkeypatch, tmp_path):
    import platformdirs

    monkeypatch.delenv("WORDSPLIT_CACHE_DIR")
    for home in (tmp_path, tmp_path / "a b"):
        monkeypatch.setenv("HOME", str(home))
        for xdg in (None, str(tmp_path / "xdg"), ""):
            monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
            if xdg is not None:
                monkeypatch.setenv("XDG_CACHE_HOME", xdg)
            assert default_root() == platformdirs.user_cache_path("wordsplit", appauthor=False)


@pytest.mark.parametrize("pattern", [r"\p{L}{1,3}|[^\p{L}]", r"l{1,2}(?=(?:l{2})*\b)|.", r"(l)\1|."])
def test_automata_of_patterns_are_stored(path, monkeypatch, pattern):
    data = json.loads(path.read_bytes())
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    data["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, level]}
    path.write_text(json.dumps(data))
    first = wordsplit.TokenizerOptions().build(wordsplit.load_vocab(path))
    expected = first.encode(TEXT), first.spans(TEXT), first.options.spanner
    assert expected[2] == ("regex" if "\\1" in pattern else "compiled")
    automaton_of.cache_clear()
    with monkeypatch.context() as without:
        without.setattr("wordsplit.patterns.compiled._REMEMBERED", {})
        if expected[2] == "compiled":
            without.setattr("wordsplit.patterns.lookahead.compile_any", None)
        again = wordsplit.TokenizerOptions().build(wordsplit.load_vocab(path))
    assert (again.encode(TEXT), again.spans(TEXT), again.options.spanner) == expected
    # A pattern given in its place is not the one that was stored.
    other = wordsplit.TokenizerOptions().build(wordsplit.load_vocab(path, pattern=r"[a-z]|[^a-z]+"))
    assert other.spans("ab  ") == ["a", "b", "  "]
    automaton_of.cache_clear()
