"""Collect what students hand in through a folder that all of them may write to.

In nbgrader's exchange a student may add anything under any name: work in another's name, or a link
to the teacher's own solutions, which nbgrader would follow with the teacher's rights. Only files of
the account whose name a submission has are copied, and each is checked after it has been opened.

    python -m minigrad_lessons.grading.collecting handed_in/*.ipynb

checks files or folders, for Otter, which reads a notebook before otter.py gets it.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat

from minigrad.utils.files import write_whole

from .isolation import visible

LARGEST = 20 * 2**20
"""Bytes of a file; a notebook with all its pictures has a tenth of them."""
MOST, TOGETHER = 100, 5 * LARGEST
"""Files of a submission, and their bytes."""
PARTS = 200_000
"""Lists, objects and commas of a notebook; a stored output has about ten."""

STRINGS = re.compile(rb'(?:"(?:[^"\\]|\\.?)*+"?\s*+)++', re.S)


def shown(name: str) -> str:
    """Return a file's name on one line: it may be made to look like a sentence on another file."""
    return visible(name).replace("\n", r"\n")


def owner_of(path: Path) -> str | None:
    """Return the name of the account that owns a file or link, or None."""
    try:
        import pwd

        return pwd.getpwuid(path.lstat().st_uid).pw_name
    except (ImportError, KeyError):
        return None


class UnusableError(ValueError):
    """A submission that cannot be marked; the message is one sentence that says why."""


def copy_own(folder: Path, target: Path) -> list[str]:
    """Copy the files of a folder that are its owner's; return a sentence for each other entry."""
    target.mkdir(parents=True)
    try:
        owner, found = folder.lstat().st_uid, list(folder.iterdir())
    except OSError as error:
        return [f"{shown(folder.name)} cannot be read: {error.strerror}"]
    left, room = [], TOGETHER
    entries = sorted(found, key=lambda path: (path.suffix != ".ipynb", path))
    for entry in entries[:MOST]:
        try:
            content = read_file(entry, owner)
            if len(content) > room:
                raise UnusableError(f"{shown(entry.name)} comes after {TOGETHER >> 20} MiB")
            room -= len(content)
            write_whole(target / entry.name, content)
        except UnusableError as error:
            left.append(str(error))
    if len(entries) > MOST:
        left.append(f"{len(entries) - MOST} files come after {MOST} others")
    return left


def read_file(path: Path, owner: int | None = None) -> bytes:
    """Read a file of this user, or of any; UnusableError for links, pipes and large files.

    The file is checked after it has been opened, so that nothing else can take its place.
    """
    name = shown(path.name)
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError as error:
        why = "a link" if path.is_symlink() else error.strerror
        raise UnusableError(f"{name} cannot be read: {why}") from None
    try:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            raise UnusableError(f"{name} is no file")
        if owner is not None and found.st_uid != owner:
            raise UnusableError(f"{name} does not belong to the student")
        if found.st_size > LARGEST:
            raise UnusableError(f"{name} is larger than {LARGEST >> 20} MiB")
        with open(opened, "rb", closefd=False) as file:
            return file.read(LARGEST)
    finally:
        os.close(opened)


def check_submission(folder: Path) -> None:
    """Raise UnusableError if a submission has a file that nbgrader should not open."""
    if folder.is_symlink():
        raise UnusableError(f"{shown(folder.name)} is a link")

    def refuse(error: OSError) -> None:
        name = shown(Path(error.filename).name)
        raise UnusableError(f"{name} cannot be read: {error.strerror}")

    found = 0
    for place, folders, files in os.walk(folder, onerror=refuse):
        found += len(folders) + len(files)
        if found > MOST:  # also before a folder that lies too deep
            raise UnusableError(f"{shown(folder.name)} has more than {MOST} files")
        for name in folders:
            if Path(place, name).is_symlink():
                raise UnusableError(f"{shown(name)} is a link")
        for name in files:
            content = read_file(Path(place, name))
            if name.endswith(".ipynb"):
                check_notebook(name, content)


def check_notebook(name: str, content: bytes) -> None:
    """Raise UnusableError if this is no notebook, or one that takes minutes to read."""
    bare = STRINGS.sub(b"", content)
    if sum(map(bare.count, (b",", b"[", b"{"))) > PARTS:
        raise UnusableError(f"{shown(name)} has more than {PARTS} parts")
    try:
        cells = nbformat.reads(content.decode("utf-8"), as_version=4).cells
        usable = all(
            isinstance(cell.source, str) and isinstance(cell.metadata.get("nbgrader", {}), dict)
            for cell in cells
        )
    except UnicodeDecodeError:
        raise UnusableError(f"{shown(name)} is not UTF-8 text") from None
    except Exception:  # nbformat raises many kinds
        usable = False
    if not usable:
        raise UnusableError(f"{shown(name)} is no notebook")


def main(paths: Sequence[str]) -> int:
    """Print a sentence for each submission that cannot be marked; return whether there is one."""
    unusable = 0
    for path in map(Path, paths):
        try:
            if path.is_dir():
                check_submission(path)
            else:
                check_notebook(path.name, read_file(path))
        except UnusableError as error:
            print(error, file=sys.stderr)
            unusable = 1
    return unusable


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
