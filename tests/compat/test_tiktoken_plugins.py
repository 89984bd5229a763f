"""Plug-ins of the namespace package ``tiktoken_ext``, in `wordsplit.compat.tiktoken` and in tiktoken itself."""

import copy
import pickle
import subprocess
import sys
import textwrap

import oracles
import pytest
import tiktoken_ext.openai_public as public

import wordsplit.compat.tiktoken as ours
from wordsplit.compat.errors import EncodingPluginError, UnknownEncodingError
from wordsplit.compat.tiktoken import registry

GOOD = """
def mine():
    return {
        "name": "mine",
        "pat_str": ".",
        "mergeable_ranks": {bytes([i]): i for i in range(256)} | {b"ab": 256},
        "special_tokens": {"<a>": 300},
    }
ENCODING_CONSTRUCTORS = {"mine": mine}
"""
PROGRAM = """
    import pickle, sys
    {imports}
    import {package}.registry as registry
    def tried(call, *arguments):
        try:
            return call(*arguments)
        except ValueError as error:
            return "ValueError", {plugin!r} in str(error)
        except ZeroDivisionError:
            return "ZeroDivisionError"
    print(registry.ENCODING_CONSTRUCTORS is None, registry.ENCODINGS)
    for _ in range(2):
        print(tried(tiktoken.list_encoding_names))
    print({plugin!r} in "".join(registry._available_plugin_modules()))
    enc = tried(tiktoken.get_encoding, "mine")
    if isinstance(enc, tiktoken.Encoding):
        print(enc.encode("ab<a>", allowed_special="all"), enc is tiktoken.get_encoding("mine"), registry.ENCODINGS)
        registry.ENCODING_CONSTRUCTORS["other"] = lambda: registry.ENCODING_CONSTRUCTORS["mine"]() | {{"name": "other"}}
        print(tiktoken.list_encoding_names()[-1], tiktoken.get_encoding("other"))
        print(pickle.loads(pickle.dumps(enc)).n_vocab, len(pickle.dumps(enc)) < 200)
    else:
        print(enc)
"""


def run(package, folder, plugin):
    imports = "import tiktoken" if package == "tiktoken" else "import wordsplit.compat.tiktoken as tiktoken"
    program = textwrap.dedent(PROGRAM).format(package=package, imports=imports, plugin=plugin)
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{program}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "source",
    [
        GOOD,
        "",  # no constructors
        "ENCODING_CONSTRUCTORS = {'gpt2': dict}",  # taken
        "1 / 0",
    ],
    ids=["good", "empty", "taken", "broken"],
)
def test_as_in_tiktoken(tmp_path, source):
    (tmp_path / "tiktoken_ext").mkdir()
    (tmp_path / "tiktoken_ext" / "my_plugin.py").write_text(source)
    found = run("wordsplit.compat.tiktoken", tmp_path, "my_plugin")
    assert found == run("tiktoken", tmp_path, "my_plugin")
    assert ("mine" in found) == (source == GOOD)


def test_errors_are_ours(monkeypatch):
    monkeypatch.setattr(registry, "ENCODING_CONSTRUCTORS", None)
    monkeypatch.setattr(registry, "_available_plugin_modules", lambda: ["textwrap"])
    with pytest.raises(EncodingPluginError, match="textwrap"):
        ours.list_encoding_names()
    with pytest.raises(EncodingPluginError):
        ours.get_encoding("no such encoding")


def test_without_the_namespace_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "tiktoken_ext", None)
    monkeypatch.setattr(registry, "ENCODING_CONSTRUCTORS", None)
    registry._available_plugin_modules.cache_clear()
    assert "gpt2" in ours.list_encoding_names()
    registry._available_plugin_modules.cache_clear()


@pytest.mark.parametrize("name", ["gpt2", *oracles.OPENAI])
def test_constructors_return_what_tiktokens_do(name, monkeypatch):
    ours.list_encoding_names()
    found = registry.ENCODING_CONSTRUCTORS[name]()
    for function in ("load_tiktoken_bpe", "data_gym_to_mergeable_bpe_ranks"):
        monkeypatch.setattr(public, function, lambda *_, **__: found["mergeable_ranks"])
    assert public.ENCODING_CONSTRUCTORS[name]() == found
    assert ours.Encoding(**found).encode("hello world") == ours.get_encoding(name).encode("hello world")


def test_pickles_of_encodings_by_name_and_by_content():
    enc = ours.get_encoding("gpt2")
    assert copy.deepcopy(enc) is enc
    plain = ours.Encoding.of_vocab(enc._plain, "gpt2")
    assert pickle.loads(pickle.dumps(plain)) is not enc  # noqa: S301 - our own
    with pytest.raises(UnknownEncodingError, match="Plug-ins: tiktoken_ext.openai_public"):
        ours.get_encoding("mine")
