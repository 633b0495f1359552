"""The rehearsal of a release works on a copy, and takes the notes from the changelog."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools import rehearse


def test_notes_are_the_unreleased_part(root: Path) -> None:
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = rehearse.notes(text)
    assert found and found in text and "\n## " not in found and "[Unreleased]" not in found


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the checkout, as the rehearsal makes it."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folder = tmp_path / "copy"
    folder.mkdir()
    rehearse.copy_of_checkout(folder)
    return folder


def test_release_changes_the_copy_alone(root: Path, copy: Path) -> None:
    before = (root / "README.md").read_bytes(), (root / "CHANGELOG.md").read_bytes()
    rehearse.release(copy, "0.1.0")
    assert before == ((root / "README.md").read_bytes(), (root / "CHANGELOG.md").read_bytes())
    assert f"github.com/{rehearse.OWNER}/minigrad" in (copy / "README.md").read_text("utf-8")
    assert "## [0.1.0] - 20" in (copy / "CHANGELOG.md").read_text("utf-8")
    tags = subprocess.run(["git", "tag"], cwd=copy, capture_output=True, text=True, check=True)
    assert tags.stdout == "v0.1.0\n"
    left = subprocess.run(["git", "status", "--porcelain"], cwd=copy, capture_output=True)
    assert left.stdout == b""


def test_different_wheels_are_noticed(tmp_path: Path) -> None:
    for name, text in [("a.whl", "same"), ("b.whl", "same"), ("c.whl", "other")]:
        with zipfile.ZipFile(tmp_path / name, "w") as file:
            file.writestr("module.py", text)
    first, second, third = (rehearse.contents(tmp_path / f"{name}.whl") for name in "abc")
    assert first == second != third


def test_failing_command_is_shown(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="-m nothing"):
        rehearse.run(sys.executable, "-m", "nothing", cwd=tmp_path)
