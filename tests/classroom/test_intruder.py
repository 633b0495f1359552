"""One student attacks another: at night all of intruder.py, here those on collected work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from minigrad_lessons.grading.collecting import LARGEST, copy_own, owner_of

from tests.sampling import all_of

posix = pytest.mark.skipif(sys.platform == "win32", reason="an exchange needs accounts")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A submission of an attacker, with a file elsewhere that the attacker wants."""
    (tmp_path / "solutions.ipynb").write_text("6")
    put = tmp_path / "put"
    put.mkdir()
    (put / "mine.ipynb").write_text("5")
    return put


@posix
def test_foreign_file_of_student_is_kept(folder: Path, tmp_path: Path) -> None:
    """nbgrader would follow the link as the teacher, and wait for the pipe for ever."""
    (folder / "link.ipynb").symlink_to(tmp_path / "solutions.ipynb")
    (folder / "within").mkdir()
    os.mkfifo(folder / "pipe.ipynb")
    with (folder / "vast.ipynb").open("wb") as vast:
        vast.truncate(LARGEST + 1)
    left = copy_own(folder, tmp_path / "submitted" / "mallory")
    assert left == [
        "link.ipynb cannot be read: a link",
        "pipe.ipynb is no file",
        "vast.ipynb is larger than 20 MiB",
        "within is no file",
    ]
    (taken,) = (tmp_path / "submitted" / "mallory").iterdir()
    assert (taken.name, taken.read_text()) == ("mine.ipynb", "5")


if hasattr(os, "geteuid") and os.geteuid() == 0:

    def test_file_of_another_user_is_kept(folder: Path, tmp_path: Path) -> None:
        """As after a folder has been moved aside and another's put in its place."""
        os.chown(folder, 1, 1)
        left = copy_own(folder, tmp_path / "taken")
        assert left == ["mine.ipynb does not belong to the student"]
        os.chown(folder / "mine.ipynb", 1, 1)
        assert copy_own(folder, tmp_path / "now taken") == []


@posix
def test_work_is_whose_account_it_is(folder: Path) -> None:
    import pwd

    assert owner_of(folder) == pwd.getpwuid(os.getuid()).pw_name
    link = folder / "link"
    link.symlink_to("/nowhere")
    assert owner_of(link) == owner_of(folder)


if all_of("COURSE"):

    def test_an_intruder_gets_nothing(root: Path) -> None:
        """A hub and an exchange with accounts of their own (root, on Linux)."""
        command = [sys.executable, "-m", "tests.classroom.intruder"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=1800)
        assert done.returncode == 0, done.stdout + done.stderr
