"""The README's shell lines work as they stand, except for those that need a network."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
LINES = [line for block in BLOCKS for line in block.splitlines() if line.startswith("wordsplit ")]
NETWORK = ("hf:", "prefetch", "verify deepseek")


def test_the_lines_are_found():
    assert len(LINES) >= 12
    assert BLOCKS[0].startswith('pip install . && wordsplit encode "hello world"     # 14990 1879\nmake test')


@pytest.mark.full
@pytest.mark.parametrize("line", [line for line in LINES if not any(word in line for word in NETWORK)])
def test_a_line(line, tmp_path):
    command, _, told = line.partition("  #")
    for name in ("README.md", "docs", "src/wordsplit/cli", "examples"):
        source, target = ROOT / name, tmp_path / name
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)
    (tmp_path / "build").mkdir()
    command = command.replace("wordsplit ", f"{sys.executable} -m wordsplit ", 1)
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if re.fullmatch(r"[\d ]+|hello world", told.strip()):
        assert done.stdout == f"{told.strip()}\n"
