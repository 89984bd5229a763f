"""`wordsplit.compat.install` and ``python -m wordsplit.compat``, each in a process of its own."""

import os
import re
import subprocess
import sys
import textwrap

import pytest
from depth import by_depth

from wordsplit.compat import __main__ as runner

ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "WORDSPLIT_COMPAT")}
WITHOUT_ORIGINALS = """
    import sys
    class NotInstalled:
        def find_spec(self, name, path=None, target=None):
            if name in ("tiktoken", "tokenizers", "tiktoken_ext"):
                raise ModuleNotFoundError(name, name=name)
    sys.meta_path.insert(0, NotInstalled())
"""


def run(*command, folder=None, **environment):
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=ENVIRONMENT | environment,
    )


def run_code(code, **environment):
    """What a program prints; an error in it fails the test."""
    done = run("-c", textwrap.dedent(code), **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.parametrize("before", ["", WITHOUT_ORIGINALS], ids=["originals", "none"])
def test_every_way_to_import(before):
    out, err = run_code(
        textwrap.dedent(before)
        + textwrap.dedent("""
        import importlib, importlib.metadata, importlib.util, sys
        import wordsplit.compat
        wordsplit.compat.install()
        assert wordsplit.compat.installed() == ("tiktoken", "tokenizers")
        assert importlib.util.find_spec("tiktoken") and importlib.util.find_spec("tokenizers.processors")
        assert importlib.util.find_spec("tiktoken.no_such_module") is None
        import tiktoken, tiktoken.model, tiktoken.core as core
        from tiktoken.load import load_tiktoken_bpe
        from tiktoken import _educational, registry
        from tokenizers import Tokenizer
        assert importlib.import_module("tokenizers.processors").__name__ == "wordsplit.compat.tokenizers.processors"
        assert tiktoken is sys.modules["tiktoken"] is wordsplit.compat.tiktoken
        assert tiktoken.__spec__.name == "wordsplit.compat.tiktoken"
        assert core is wordsplit.compat.tiktoken.core and core.Encoding is tiktoken.Encoding
        assert tiktoken.model is wordsplit.compat.tiktoken.model
        assert Tokenizer.__module__.startswith("wordsplit.compat.tokenizers")
        for name in ("tiktoken", "tokenizers"):
            assert importlib.metadata.version(name) == getattr(wordsplit.compat, name).__version__
            assert name in importlib.metadata.packages_distributions()[name]
        for name in ("tiktoken._tiktoken", "tokenizers.no_such_module"):
            try:
                importlib.import_module(name)
            except ModuleNotFoundError:
                pass
            else:
                raise SystemExit(name)
        print(tiktoken.get_encoding("gpt2").encode("hello world"))
    """)
    )
    assert out == "[31373, 995]\n"
    assert err.count("\n") == 1
    assert "wordsplit.compat.tiktoken" in err
    assert "child processes" in err


def test_only_what_is_named():
    run_code("""
        import importlib.metadata, os, sys
        import wordsplit.compat
        wordsplit.compat.install("tiktoken", children=False)
        wordsplit.compat.install("tiktoken", children=False)
        import tiktoken, tokenizers
        assert "compat" in tiktoken.__name__ and "compat" not in tokenizers.__name__
        assert not {"WORDSPLIT_COMPAT", "PYTHONPATH"} & set(os.environ)
    """)


def test_tiktokens_own_plugin_and_others_read_from_the_package():
    out, _ = run_code(
        """
        import wordsplit.compat
        wordsplit.compat.install("tiktoken")
        from tiktoken_ext.openai_public import ENCODING_CONSTRUCTORS
        import tiktoken
        for name in ("gpt2", "cl100k_base"):
            print(tiktoken.Encoding(**ENCODING_CONSTRUCTORS[name]()).encode("hello world"))
    """,
        TIKTOKEN_CACHE_DIR="",
        WORDSPLIT_OFFLINE="1",
    )
    assert out == "[31373, 995]\n[15339, 1917]\n"


def test_uninstall_restores():
    out, _ = run_code(
        """
        import importlib.metadata, os, sys
        import wordsplit.compat
        finders, environment, modules = list(sys.meta_path), dict(os.environ), set(sys.modules)
        for _ in range(2):
            wordsplit.compat.install("tiktoken")
            wordsplit.compat.install("tokenizers")
            assert os.environ["WORDSPLIT_COMPAT"] == "tiktoken,tokenizers"
            import tiktoken.load, tokenizers.processors
            wordsplit.compat.uninstall()
            assert wordsplit.compat.installed() == ()
            assert (sys.meta_path, dict(os.environ)) == (finders, environment)
            assert not [name for name in sys.modules if name.partition(".")[0] in ("tiktoken", "tokenizers")]
        wordsplit.compat.uninstall()
        import tiktoken, tokenizers
        print(tiktoken.__name__, tiktoken.Encoding.__module__, tokenizers.Tokenizer.__module__)
        print(os.environ.get("PYTHONPATH"))
    """,
        PYTHONPATH=os.pathsep.join(["/no/such/folder", "/nor/this"]),
    )
    assert out == f"tiktoken tiktoken.core tokenizers\n/no/such/folder{os.pathsep}/nor/this\n"


def test_the_original_is_imported_already():
    out, err = run_code("""
        import os, sys
        import tiktoken
        import wordsplit, wordsplit.compat
        before = dict(os.environ), list(sys.meta_path)
        try:
            wordsplit.compat.install()
        except ImportError as error:
            assert isinstance(error, wordsplit.WordsplitError)
            print(error)
        assert before == (dict(os.environ), list(sys.meta_path)) and wordsplit.compat.installed() == ()
        wordsplit.compat.install("tokenizers")
    """)
    assert "tiktoken is imported already" in out
    assert "python -m wordsplit.compat" in out
    assert err.count("\n") == 1


def test_unknown_names():
    out, _ = run_code("""
        import wordsplit, wordsplit.compat
        try:
            wordsplit.compat.install("tiktokn")
        except wordsplit.UnknownNameError as error:
            print(error)
    """)
    assert "'tiktoken'" in out


def test_it_never_happens_by_itself():
    out, err = run_code(
        "import wordsplit.compat.tiktoken, tiktoken; print(tiktoken.__name__)", WORDSPLIT_COMPAT="tiktoken"
    )
    assert (out, err) == ("tiktoken\n", "")


CHILDREN = """
import multiprocessing, subprocess, sys

def where(_):
    import tiktoken
    return tiktoken.Encoding.__module__

if __name__ == "__main__":
    {install}
    for method in multiprocessing.get_all_start_methods():
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(*pool.map(where, [0]))
    code = "import sys, tiktoken; print(tiktoken.Encoding.__module__); print([p for p in sys.path if 'startup' in p])"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {{code!r}}])"
    for each in (code, nested):
        print(subprocess.run([sys.executable, "-c", each], capture_output=True, text=True, check=True).stdout, end="")
"""


@pytest.mark.parametrize("how", ["install", "runner"])
def test_child_processes(tmp_path, how):
    install = "import wordsplit.compat; wordsplit.compat.install('tiktoken')" if how == "install" else ""
    program = tmp_path / "program.py"
    program.write_text(CHILDREN.format(install=install))
    done = run(*([] if install else ["-m", "wordsplit.compat", "--only", "tiktoken"]), str(program))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("\n") == 1
    lines = done.stdout.splitlines()
    assert len(lines) >= 5
    assert set(lines) == {"wordsplit.compat.tiktoken.core", "[]"}


def test_a_sitecustomize_of_the_users_runs_too(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("marker = 5")
    code = "import sitecustomize, tiktoken; print(sitecustomize.marker, tiktoken.__name__)"
    done = run("-m", "wordsplit.compat", "-c", code, PYTHONPATH=str(tmp_path))
    assert done.stdout == "5 wordsplit.compat.tiktoken\n"


PROGRAM = """
import sys, __main__
print(sys.argv, sys.path[0], sys.flags.optimize, sys.warnoptions, __name__, __file__)
print(__main__.__spec__ and __spec__.name)
print(sys.stdin.read())
print(repr(open(__file__).read(5)), sys.modules["__main__"] is __main__, "where" in vars(__main__))
where = 1
{end}
"""
ENDS = {
    "success": "",
    "exit code": "sys.exit(7)",
    "message": "sys.exit('a message')",
    "error": "1 / 0",
    "error within": "def f():\n    raise KeyError(f)\nf()",
    "signal": "import os; os.kill(os.getpid(), 15)",
    "syntax error": "def",
    "at exit": "import atexit; atexit.register(lambda: print(where))",
}


@pytest.mark.parametrize("end", list(ENDS)[:: by_depth(3, 1, 1)])
def test_programs_run_as_under_python(tmp_path, end):
    (tmp_path / "program.py").write_text(PROGRAM.format(end=ENDS[end]))
    programs = [
        (("-OW", "ignore"), "program.py"),
        ((), "-m", "program"),
        ((), str(tmp_path / "program.py")),
        ((), "program.py"),
    ]
    for options, *program in programs[: by_depth(1, 4, 4)]:
        plain, ours = (
            subprocess.run(
                [sys.executable, *options, *with_us, *program, "--only", "-x", "é", ""],
                input="input",
                capture_output=True,
                text=True,
                check=False,
                cwd=tmp_path,
                env=ENVIRONMENT,
            )
            for with_us in ([], ["-m", "wordsplit.compat"])
        )
        first, _, rest = ours.stderr.partition("\n")
        assert first.startswith("wordsplit.compat: ")
        assert (ours.returncode, ours.stdout) == (plain.returncode, plain.stdout)
        assert re.sub("0x[0-9a-f]+", "", rest) == re.sub("0x[0-9a-f]+", "", plain.stderr)


def test_folders_and_missing_programs(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "__main__.py").write_text(
        "import sys, tiktoken; print(sys.argv, sys.path[0], tiktoken.__name__)"
    )
    done = run("-m", "wordsplit.compat", "folder", "1", folder=tmp_path)
    plain = run("folder", "1", folder=tmp_path)
    assert done.stdout == plain.stdout.replace(" tiktoken", " wordsplit.compat.tiktoken") != plain.stdout
    missing = run("-m", "wordsplit.compat", "none.py", folder=tmp_path)
    assert (missing.returncode, "No such file" in missing.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "usage"),
        (["--help"], 0, "usage"),
        (["--no-such-option", "x"], 2, "usage"),
        (["--only"], 2, "usage"),
        (["--only", "tiktokn", "x"], 2, "'tiktoken'"),
    ],
)
def test_usage(arguments, code, message):
    done = run("-m", "wordsplit.compat", *arguments)
    assert (done.returncode, message in done.stderr, done.stdout) == (code, True, "")


def test_options_of_python_that_turn_it_off():
    for option in ("-I", "-E"):
        done = run(option, "-m", "wordsplit.compat", "-c", "print()")
        assert (done.returncode, "disable" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("python -m wordsplit.compat p.py", []),
        ("python -mwordsplit.compat p.py", []),
        ("python -W error -um wordsplit.compat p.py", ["-W", "error", "-u"]),
        ("python -X dev -OOmwordsplit.compat p.py", ["-X", "dev", "-OO"]),
    ],
)
def test_own_options(command, options):
    assert runner.own_options(command.split(), 1) == options
