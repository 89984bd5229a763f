"""The guides for C++ parts, followed to the letter on a copy of the sources.

The scanner and the encoder that the pages show are added where the pages say, and the C++ tests must pass with them.
Then each is broken, and the same tests must name it: so they find a new part by its line in the table alone.
"""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCANNERS, ENCODERS = "native/include/wordsplit/scanners/", "native/include/wordsplit/encoders/"
compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(compiler is None or sys.platform == "win32", reason="needs a C++ compiler"),
]


def shown(page: str, language: str, marker: str) -> str:
    """The block of a page that contains a string."""
    blocks = re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
    return next(block for block in blocks if marker in block)


def insert(path: Path, after: str, text: str) -> None:
    content = path.read_text()
    assert content.count(after) == 1
    path.write_text(content.replace(after, after + text))


def built_and_run(root: Path, test: str) -> subprocess.CompletedProcess:
    """The result of one C++ test, built from a copy."""
    program = root / test
    flags = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{root}/native/include"]
    subprocess.run([compiler, *flags, root / f"native/tests/{test}.cpp", "-o", program], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path):
    for folder in ("native", "src", "tools", "js/src"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.so", "__pycache__", "data"))
    return tmp_path


def test_an_encoder(copy):
    header, table = copy / ENCODERS / "lowest_first.hpp", copy / ENCODERS / "encoders.hpp"
    header.write_text(shown("writing-a-span-encoder.md", "cpp", "encoders/lowest_first.hpp"))
    insert(table, '#include "wordsplit/encoders/heap_merge.hpp"\n', '#include "wordsplit/encoders/lowest_first.hpp"\n')
    line = shown("writing-a-span-encoder.md", "cpp", "encoder<lowest_first>")
    insert(table, '    encoder<heap_merge>("heap_merge"),\n', line)
    assert not built_and_run(copy, "test_encoders").returncode
    header.write_text(header.read_text().replace("if (lower_before || lower_behind) break;", ""))
    header.write_text(re.sub(r" *const bool lower_.*\n", "", header.read_text()))
    assert "lowest_first" in built_and_run(copy, "test_encoders").stderr


def test_a_scanner(copy):
    header, table = copy / SCANNERS / "ufakzeka.hpp", copy / SCANNERS / "scanners.hpp"
    header.write_text(shown("writing-a-scanner.md", "cpp", "scanners/ufakzeka.hpp"))
    insert(table, '#include "wordsplit/scanners/tekken.hpp"\n', '#include "wordsplit/scanners/ufakzeka.hpp"\n')
    insert(table, "patterns::kTekken),\n", shown("writing-a-scanner.md", "cpp", "scheme<Ufakzeka>"))
    schemes = copy / "src/wordsplit/patterns/schemes.py"
    row = textwrap.indent(shown("writing-a-scanner.md", "python", 'scanner="ufakzeka"'), "    ").strip()
    rows, replaced = re.subn(
        r'(?ms)^    "ufakzeka": Scheme\(.*?^    \),$', lambda _: f'    "ufakzeka": {row},', schemes.read_text()
    )
    assert replaced == 1
    schemes.write_text(rows)
    # Without the site module, which would prefer the installed package to the copy.
    subprocess.run([sys.executable, "-S", copy / "tools/generate_patterns.py"], check=True)
    assert "kUfakzeka" in (copy / SCANNERS / "patterns.hpp").read_text()
    assert not built_and_run(copy, "test_scanners").returncode
    broken = (
        "\nstruct Broken : Ufakzeka {"
        " static WORDSPLIT_INLINE std::uint64_t starts(const Masks& k) { return Ufakzeka::starts(k) | 2; } };\n"
    )
    insert(header, "using Ufakzeka = Cl100kFamily<UfakzekaRules>;\n", broken)
    table.write_text(table.read_text().replace("scheme<Ufakzeka>", "scheme<Broken>"))
    assert "ufakzeka" in built_and_run(copy, "test_scanners").stderr
