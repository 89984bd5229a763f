"""What pip says where there is no C++ compiler."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_the_end_of_the_output_says_what_to_do(tmp_path):
    pytest.importorskip("scikit_build_core")
    build = ["--no-deps", "--no-build-isolation", "-w", tmp_path, "-C", f"build-dir={tmp_path}/build"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *build, ROOT],
        env={
            **os.environ,
            "CXX": str(tmp_path / "none"),  # CMake looks for compilers in /usr/bin, whatever PATH says
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    end = "\n".join((done.stdout + done.stderr).splitlines()[-30:])
    assert "no C++ compiler was found" in end
    assert "apt-get install g++" in end
    assert "WORDSPLIT_PURE_PYTHON=1" in end
