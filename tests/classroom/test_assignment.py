"""An assignment is written whole or not at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FULL = """
import resource, sys
from minigrad_lessons.grading import assignment
resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))  # as on a full disk
assignment.main(sys.argv[1:])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize("form", ["nbgrader", "otter"])
def test_full_disk_leaves_the_old_assignment(form: str, tmp_path: Path) -> None:
    command = ["00_nudge", "--lang", "en", "--format", form, "--course", str(tmp_path)]
    program = [sys.executable, "-m", "minigrad_lessons.grading.assignment", *command]
    subprocess.run(program, check=True, capture_output=True)

    def files() -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    before = files()
    assert before
    done = subprocess.run([sys.executable, "-c", FULL, *command], capture_output=True, text=True)
    assert "File too large" in done.stderr
    assert files() == before
