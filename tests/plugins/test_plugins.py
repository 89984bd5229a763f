"""Registries, and plug-ins as users have them: installed, broken, and made in a session."""

import pathlib
import subprocess
import sys
import textwrap
import warnings

import pytest

import wordsplit
from wordsplit.spanners import TextSpanner

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/plugin"


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """The example plug-in, really installed, in a folder of its own."""
    target = tmp_path_factory.mktemp("site")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "--target",
            target,
            EXAMPLE,
        ],
        check=True,
        stdin=subprocess.DEVNULL,
    )
    return target


def run(target, code):
    """Run code in a fresh interpreter that has the folder on its path."""
    code = f"import sys; sys.path.insert(0, {str(target)!r})\n{textwrap.dedent(code)}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.full
def test_installed_plugins_are_found(installed, tmp_path):
    (tmp_path / "my.words").write_text("th\nthe\nhe\n")
    done = run(
        installed,
        f"""
        import wordsplit
        assert "example_words" in wordsplit.list_spanners()
        assert "example_lowest_first" in wordsplit.list_encoders()
        assert "example_word_list" in wordsplit.list_loaders()
        assert "dna" in wordsplit.list_vocabs()
        for engine in ("native", "python"):
            parts = {{"spanner": "example_words", "encoder": "example_lowest_first"}}
            tok = wordsplit.load_tokenizer("qwen3", engine=engine, **parts)
            assert tok.options.spanner == "example_words"
            assert tok.spans("two  words") == ["two", "  ", "words"]
            same = wordsplit.load_tokenizer("qwen3", spanner="example_words", engine=engine)  # and our encoder
            own = wordsplit.load_tokenizer("qwen3", encoder="example_lowest_first", engine=engine)
            text = "Hello there, tokenization isn't hard: naïve café 你好 🫨 123"
            assert tok.encode(text) == same.encode(text)
            assert own.encode(text) == wordsplit.load_tokenizer("qwen3").encode(text)
        assert wordsplit.load_tokenizer("codons").encode("GATTACA") == [2, 35, 24]  # G, ATT, ACA
        words = wordsplit.load_tokenizer({str(tmp_path / "my.words")!r})
        assert words.decode(words.encode("the other")) == "the other"
        """,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.full
def test_installed_parts_pass_the_conformance_checks(installed):
    done = run(
        installed,
        r"""
        from wordsplit.testing import check_encoder, check_spanner
        assert check_encoder("example_lowest_first") > 10_000
        assert check_spanner("example_words", r"[\s\x1c-\x1f]+|[^\s\x1c-\x1f]+") > 1000
        """,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.full
def test_the_guides_can_be_followed_with_the_example_installed(installed):
    docs = [str(EXAMPLE.parents[1] / "docs" / name) for name in ("writing-a-span-encoder.md", "writing-a-scanner.md")]
    done = run(
        installed,
        f"""
        import doctest, wordsplit
        assert "example_lowest_first" in wordsplit.list_encoders()
        for page in {docs!r}:
            found = doctest.testfile(page, module_relative=False, optionflags=doctest.ELLIPSIS)
            assert found.attempted > 5 and not found.failed
        """,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_broken_plugin_is_named_and_alone(tmp_path):
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[wordsplit.spanners]\nbroken = no_such_module:X\nregex = no_such_module:Y\n"
        "[wordsplit.catalog]\nbad = json:loads\n"
    )
    done = run(
        tmp_path,
        """
        import warnings, wordsplit
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            names = wordsplit.list_spanners()
        assert "broken" in names and "regex" in names, names
        assert any("'regex'" in str(w.message) and "left out" in str(w.message) for w in seen), seen
        try:
            wordsplit.load_tokenizer("qwen3", spanner="broken")
        except wordsplit.PluginError as error:
            assert "broken" in str(error) and "no_such_module" in str(error), error
        else:
            raise AssertionError("no error")
        assert wordsplit.load_tokenizer("gpt-4o", spanner="regex").encode("hello world") == [24912, 2375]
        try:
            wordsplit.load_vocab("bad")
        except wordsplit.PluginError as error:
            assert "CatalogEntry" in str(error)
        else:
            raise AssertionError("no error")
        """,
    )
    assert done.returncode == 0, done.stderr


class Halves(TextSpanner):
    """Two spans, whatever the text."""

    def pieces(self, text):
        half = len(text) // 2
        return [piece for piece in (text[:half], text[half:]) if piece]


def test_register_and_duplicates(engine):
    wordsplit.spanners.register("halves", Halves)
    try:
        tok = wordsplit.load_tokenizer("qwen3", spanner="halves", engine=engine)
        assert tok.spans("abcdé") == ["ab", "cdé"]
        assert tok.decode(tok.encode("abcdé")) == "abcdé"
        with pytest.raises(wordsplit.DuplicateNameError, match="halves"):
            wordsplit.spanners.register("halves", Halves)
    finally:
        wordsplit.spanners.unregister("halves")
    for registry, taken in ((wordsplit.spanners, "regex"), (wordsplit.encoders, "reference")):
        with pytest.raises(wordsplit.DuplicateNameError):
            registry.register(taken, Halves)
    with pytest.raises(wordsplit.PluginError, match="subclass"):
        wordsplit.encoders.register("not_an_encoder", Halves)
    for name, found in (("", "empty"), (3, "a str, not int")):
        with pytest.raises(wordsplit.InputTypeError, match=f"the name of a spanner is {found}"):
            wordsplit.spanners.register(name, Halves)


class Forgetful(wordsplit.vocabs.Loader):
    """Reads a vocab, and does not return it."""

    def recognizes(self, source):
        return source.name.endswith(".forgetful")

    def load(self, source, overrides):
        pass


def test_a_loader_that_returns_no_vocab(tmp_path):
    (tmp_path / "some.forgetful").write_text("")
    wordsplit.loaders.register("forgetful", Forgetful)
    try:
        with pytest.raises(
            wordsplit.PluginError, match="loader 'forgetful' returned a NoneType, not a Vocab, for .*some"
        ):
            wordsplit.load_vocab(tmp_path / "some.forgetful")
    finally:
        wordsplit.loaders.unregister("forgetful")


@pytest.mark.parametrize(
    ("call", "offer"),
    [
        (lambda: wordsplit.load_vocab("qwen33"), "qwen3"),
        (lambda: wordsplit.load_tokenizer("qwen3", encoder="heapmerge"), "heap_merge"),
        (lambda: wordsplit.load_tokenizer("qwen3", spanner="regexp"), "regex"),
        (lambda: wordsplit.load_vocab_bytes(b"", format="tiktokn"), "tiktoken"),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(call, offer):
    with pytest.raises(wordsplit.UnknownNameError, match=f"Did you mean .*{offer}"):
        call()


@pytest.mark.parametrize("ends", [[2], [2, 2, 5], [3, 2, 5], [9], []])
def test_spans_that_do_not_tile_are_refused(ends, engine):
    class Torn(wordsplit.spanners.Spanner):
        """Wrong on purpose."""

        def ends(self, data):  # noqa: ARG002 - the contract's signature
            return ends

    wordsplit.spanners.register("torn", Torn)
    try:
        tok = wordsplit.load_tokenizer("qwen3", spanner="torn", engine=engine)
        with pytest.raises(wordsplit.SpannerError, match="Torn"):
            tok.encode("abcde")
    finally:
        wordsplit.spanners.unregister("torn")


def test_in_tree_parts_are_imported_only_when_asked_for():
    done = run("", "import sys, wordsplit; assert not [m for m in sys.modules if 'backtracking' in m or 'gguf' in m]")
    assert done.returncode == 0, done.stderr


def test_no_warning_without_plugins():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert wordsplit.list_spanners()


def test_each_entry_point_group_has_a_registry_of_its_name():
    for name in ("spanners", "encoders", "loaders", "catalog"):
        registry = getattr(wordsplit, name)
        assert callable(registry.register)
        assert registry.names()
