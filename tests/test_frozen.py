"""Programs that PyInstaller makes of wordsplit have all modules and files that are found by name."""

import importlib.metadata
import importlib.util
import pkgutil
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import wordsplit
from wordsplit import __pyinstaller as pyinstaller

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


PROGRAM = """
import sys
import wordsplit
print(sys.frozen, wordsplit.load_tokenizer("qwen3").encode("hello world"))
print(wordsplit.list_encoders())
"""


@pytest.mark.long
def test_a_program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    subprocess.run([sys.executable, "-m", "PyInstaller", "program.py"], cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run([tmp_path / "dist/program/program"], capture_output=True, text=True, check=True)
    assert done.stdout == f"True [14990, 1879]\n{wordsplit.list_encoders()}\n"
