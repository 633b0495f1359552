"""Submissions that must not be opened: each gets one sentence, and soon."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from minigrad_lessons.grading import collecting
from minigrad_lessons.grading.collecting import (
    STRINGS,
    UnusableError,
    check_submission,
    copy_own,
    main,
)

NOTEBOOK = b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {%s}, "cells": [%s]}'


def test_folder_of_too_many_files_fills_no_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files with holes cost a student nothing, and the copies would cost the teacher a disk."""
    monkeypatch.setattr(collecting, "MOST", 4)
    monkeypatch.setattr(collecting, "TOGETHER", 2500)
    put = tmp_path / "put"
    put.mkdir()
    for name in ("a.csv", "b.csv", "c.csv", "d.csv", "e.csv", "work.ipynb"):
        with (put / name).open("wb") as file:
            file.truncate(1000)
    assert copy_own(put, tmp_path / "taken") == [
        "b.csv comes after 0 MiB",
        "c.csv comes after 0 MiB",
        "2 files come after 4 others",
    ]
    assert sorted(os.listdir(tmp_path / "taken")) == ["a.csv", "work.ipynb"]


def test_folders_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No path is long enough for the innermost of them."""
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    for _ in range(1100):
        os.mkdir("a")
        os.chdir("a")
    try:
        with pytest.raises(UnusableError, match="deep has more than 100 files"):
            check_submission(tmp_path / "deep")
    finally:
        for _ in range(1100):  # pytest itself could not remove them
            os.chdir("..")
            os.rmdir("a")


@pytest.mark.parametrize("content", [b"[" * 300_000, NOTEBOOK % (b"", b"{}," * 200_000 + b"{}")])
def test_notebook_of_too_many_parts_is_refused(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """20 MiB of empty cells would take minutes and gigabytes, here and in nbgrader."""
    path = tmp_path / "work.ipynb"
    path.write_bytes(content)
    assert main([str(path)]) == 1
    assert capsys.readouterr().err == "work.ipynb has more than 200000 parts\n"


def test_long_strings_count_as_one_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "work.ipynb").write_bytes(NOTEBOOK % (b'"a": "' + b'[\\"' * 10**6 + b'"', b""))
    (tmp_path / "open.ipynb").write_bytes(b'"\\"' * 10**6 + b"\\")
    assert main([str(tmp_path / "work.ipynb"), str(tmp_path)]) == 1
    assert capsys.readouterr().err == "open.ipynb is no notebook\n"


ODD_NAMES = (b"a\nalice is marked", b"\xff\xfe", b"-rf", b"\x1b[2J", b"a" * 255)


def test_odd_names_are_shown_on_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A new line would begin a sentence on another student."""
    for name in ODD_NAMES:
        put = tmp_path / os.fsdecode(name)
        put.write_bytes(b"no notebook")
        assert main([str(put)]) == 1
    said = capsys.readouterr().err.splitlines()
    assert said[:4] == [
        r"a\nalice is marked is no notebook",
        r"\udcff\udcfe is no notebook",
        "-rf is no notebook",
        r"\x1b[2J is no notebook",
    ]
    assert len(said) == len(ODD_NAMES)
    assert copy_own(tmp_path, tmp_path.parent / "taken") == []


def test_unreadable_folder_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A student may close a folder, or remove it while it is collected."""
    gone = tmp_path / "gone"
    assert copy_own(gone, tmp_path / "taken") == ["gone cannot be read: No such file or directory"]
    with pytest.raises(UnusableError, match="gone cannot be read: No such file"):
        check_submission(gone)
    closed, scandir = tmp_path / "closed", os.scandir
    closed.mkdir()

    def refused(path: Any) -> Any:
        if Path(path).name == "closed":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    monkeypatch.setattr(os, "listdir", refused)  # of which `iterdir` is made
    says = "closed cannot be read: Permission denied"
    assert copy_own(closed, tmp_path / "taken too") == [says]
    with pytest.raises(UnusableError, match=says):
        check_submission(tmp_path)


def test_strings_without_end_are_one_match() -> None:
    """Ten million empty strings took 800 MB."""
    for between in (b"", b" ", b"\n"):
        assert STRINGS.sub(b"", (b'""' + between) * 1000) == b""
        assert len(STRINGS.findall((b'""' + between) * 1000)) == 1
