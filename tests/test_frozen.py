"""Programs that PyInstaller makes of wordsplit have all modules and files that are found by name."""

import importlib.metadata
import importlib.util
import os
import pkgutil
import runpy
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import wordsplit
from wordsplit import __pyinstaller as pyinstaller
from wordsplit import _native

pytest.importorskip("PyInstaller", reason="PyInstaller does not support this Python")
PACKAGE = Path(wordsplit.__file__).parent


def hook(name):
    (folder,) = pyinstaller.get_hook_dirs()
    return runpy.run_path(f"{folder}/hook-{name}.py")


def modules(package):
    """The names of all modules below a package, itself included."""
    path = importlib.util.find_spec(package).submodule_search_locations
    return {package} | {found.name for found in pkgutil.walk_packages(path, f"{package}.")}


def test_the_hooks_are_found():
    (found,) = (
        entry for entry in importlib.metadata.entry_points(group="pyinstaller40") if entry.value.startswith("wordsplit")
    )
    assert found.load()() == [str(PACKAGE / "__pyinstaller")]


def test_all_modules_and_files_are_collected():
    found = hook("wordsplit")
    wanted = {"wordsplit"}
    for folder in PACKAGE.iterdir():
        name = f"wordsplit.{folder.name}"
        if (folder / "__init__.py").exists() and name not in found["_ON_DEMAND"]:
            wanted |= modules(name)
    assert wanted <= set(found["hiddenimports"])
    files = {Path(source) for source, _ in found["datas"]}
    data = [PACKAGE / "engine/word_tables.bin", *(PACKAGE / "vocabs/data").iterdir()]
    assert {path for path in data if path.is_file()} <= files


@pytest.mark.parametrize("name", ["wordsplit.cli", "wordsplit.corpus"])
def test_packages_on_demand_are_collected_by_hooks_of_their_own(name):
    assert not [found for found in hook("wordsplit")["hiddenimports"] if found.startswith(name)]
    assert modules(name) <= set(hook(name)["hiddenimports"])


ENGINE = """
import sys
sys.path[:0] = sys.argv[1:]
import wordsplit
assert wordsplit.__file__.startswith(sys.argv[1]), wordsplit.__file__
tok = wordsplit.load_tokenizer("qwen3")
print(tok.options.engine, tok.encode("hello world"))
"""


def test_a_program_without_stubs_has_the_native_engine(tmp_path):
    """Those of cx_Freeze: they were taken for builds in pure Python, and encoded at a hundredth of the speed."""
    package = tmp_path / "wordsplit"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("*.pyi", "__pycache__", "_native*"))
    module = Path(shutil.copy(_native.__file__, package))

    def output():
        # Without site, whose hook for an editable install would take this one's place.
        command = [
            sys.executable,
            "-S",
            "-c",
            ENGINE,
            tmp_path,
            sysconfig.get_path("purelib"),
            sysconfig.get_path("platlib"),
        ]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert output() == "native [14990, 1879]\n"
    module.unlink()
    assert output() == "python [14990, 1879]\n"


PROGRAM = """
import sys
import wordsplit
print(sys.frozen, wordsplit.load_tokenizer("qwen3").encode("hello world"))
print(wordsplit.list_encoders())
"""


@pytest.mark.long
@pytest.mark.parametrize(("option", "program"), [("--onedir", "program/program"), ("--onefile", "program")])
def test_a_program(tmp_path, option, program):
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "PyInstaller", option, "program.py"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    env = os.environ | {"WORDSPLIT_CACHE_DIR": str(tmp_path / "cache"), "WORDSPLIT_COMPILED_CACHE": "1"}
    kept = []
    for _ in range(2):
        done = subprocess.run([tmp_path / "dist" / program], capture_output=True, text=True, check=True, env=env)
        assert done.stdout == f"True [14990, 1879]\n{wordsplit.list_encoders()}\n"
        kept.append(sorted((path.name, path.stat().st_ino) for path in (tmp_path / "cache/compiled").iterdir()))
    assert len(kept[0]) == 1
    assert kept[1] == kept[0]  # the second run has read it
