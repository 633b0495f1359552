"""Collecting what students hand in through a folder that all of them may write to.

In nbgrader's exchange a student may put down anything under any name: work in another's name, or a
link to the teacher's own solutions, which nbgrader would follow with the teacher's rights. What is
taken from here is what belongs to the account whose name it bears, file by file as it is opened.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

LARGEST = 20 * 2**20
"""Bytes; a notebook with all its pictures has a tenth of it."""


def owner_of(path: Path) -> str | None:
    """The name of the account that a file or link belongs to; where there are none, None."""
    try:
        import pwd

        return pwd.getpwuid(path.lstat().st_uid).pw_name
    except (ImportError, KeyError):
        return None


def copy_own(folder: Path, target: Path) -> list[str]:
    """Copy the files of a folder that are its owner's; the names of what was left there."""
    owner = folder.lstat().st_uid
    target.mkdir(parents=True)
    left = []
    for entry in sorted(folder.iterdir()):
        content = own_file(entry, owner)
        if content is None:
            left.append(entry.name)
        else:
            (target / entry.name).write_bytes(content)
    return left


def own_file(path: Path, owner: int) -> bytes | None:
    """What is in a file, if it is one and this user's. The file is asked after it has been opened,
    so that nobody can put another in its place; and a pipe keeps nobody waiting.
    """
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != owner or found.st_size > LARGEST:
            return None
        with open(opened, "rb", closefd=False) as file:
            return file.read(LARGEST)
    finally:
        os.close(opened)
