"""Write a file whole or not at all.

`open(path, "w")` empties the old file first, so a full disk or a killed process leaves half a file
in its place. `write_whole` writes a new file in the same folder, and then renames it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from os import PathLike
from typing import BinaryIO

OPEN_FILES = "/proc/self/fd"
"""Where Linux shows each open file of this process, even one without a name."""

Content = bytes | str | Callable[[BinaryIO], object]


def write_whole(path: str | PathLike[str], content: Content) -> None:
    """Replace the file at `path` once its new content is complete.

    Until then the old file stays as it was, and an error leaves no other file. Threads and
    processes may write the same path: the last one to finish wins. A replaced file keeps its
    permissions; a new file gets those that `open` gives. A process that is killed while it writes
    leaves the old file. Where the file system has no files without names, it also leaves a hidden
    file that ends in ".part".

    A link is followed, as by `open` and `torch.save`: the file that it leads to is replaced. A
    device or a pipe, such as /dev/null, is written to directly.

    Args:
        path: the file to write, in a folder that exists.
        content: bytes, or text to write as UTF-8 ("?" for half a surrogate pair), or a function
            that writes to the binary file which it gets.

    Raises:
        OSError: the file cannot be written. The message names the reason and `path`, as that of
            `open` does.
    """
    name = os.fspath(path)
    target = os.path.realpath(name)
    part = os.path.join(os.path.dirname(target), f".minigrad-{os.urandom(8).hex()}.part")
    try:
        mode = writable_mode(target)
        if mode is None or stat.S_ISREG(mode):
            replace(target, part, mode, content)
        else:
            with open(target, "wb") as file:
                write(file, content)
    except OSError as error:
        if error.errno is None or error.filename not in (None, part, target):
            raise  # from a function that reads or writes other files
        raise OSError(error.errno, error.strerror, name) from None


def writable_mode(target: str) -> int | None:
    """Return the mode of a file, or None if there is none.

    Raises:
        PermissionError: the file is read-only. A folder that is not lets it be replaced, but
            `open` would refuse.
    """
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)
    return mode


def replace(target: str, part: str, mode: int | None, content: Content) -> None:
    """Write the new file `part` and rename it to `target`, or leave no `part`."""
    number, named = open_part(part)
    try:
        with open(number, "wb") as file:
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(number, stat.S_IMODE(mode))
            write(file, content)
            file.flush()
            os.fsync(number)  # some systems report a full disk only now
            if not named:  # `src_dir_fd` makes `link` follow the path; its number does not matter
                os.link(f"{OPEN_FILES}/{number}", part, src_dir_fd=number)
                named = True
        os.replace(part, target)
    except BaseException:
        if named:
            os.unlink(part)
        raise


def open_part(part: str) -> tuple[int, bool]:
    """Open a new file to write; return its number, and whether it has the name `part` already.

    The system removes a file without a name after a kill. Not every file system makes such files.
    """
    flags = os.O_WRONLY | getattr(os, "O_BINARY", 0)
    if hasattr(os, "O_TMPFILE") and os.path.isdir(OPEN_FILES):
        with contextlib.suppress(OSError):
            return os.open(os.path.dirname(part), flags | os.O_TMPFILE, 0o666), False
    # O_EXCL refuses a file or link that is already there.
    return os.open(part, flags | os.O_CREAT | os.O_EXCL, 0o666), True


def write(file: BinaryIO, content: Content) -> None:
    if callable(content):
        content(file)
    else:
        file.write(content.encode("utf-8", "replace") if isinstance(content, str) else content)
