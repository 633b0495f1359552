"""What the system takes from a process before a student's code begins in it.

A process that marking.py starts is another user's where root starts it, has no network, and sees no
other process (Linux: namespaces, by the program `unshare`). What of this cannot be had here is
said, never passed over. The limits and the files that are out of reach are sitting.py's, which runs
in that process.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

FIRST = 61184
"""The first of the numbers that systemd keeps for users who come and go, and that no login has."""
NOBODYS = range(FIRST, 65520)

NO_NETWORK = "a network of its own: only Python refuses it the teacher's"
NO_PROCESSES = "processes of its own: what it starts may outlive it"
NO_USER = "a user of its own: it has the rights of whoever marks"
UNREADABLE = "a user of its own: Python, or the lessons, may not be read by others than {user}"


@dataclass(frozen=True, slots=True)
class Apart:
    """How a process is begun here: what stands before its command, whose it is, and what it has not
    for all that.
    """

    before: tuple[str, ...] = ()
    user: int | None = None
    without: tuple[str, ...] = ()


# What it starts ends with the shell, which is its first process; signals reach it as elsewhere.
SHELL = ("sh", "-c", '"$@"; exit $?', "sh")
NAMESPACES = ("--net", "--ipc", "--pid", "--fork", "--kill-child")


@functools.cache
def apart() -> Apart:
    """The strictest beginning that works here; each is tried."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    unshare = shutil.which("unshare") if sys.platform == "linux" else None
    user = nobodys() if root else None
    foreign = () if root else ("--user",)
    tried = []
    if unshare and user is not None:
        as_user = ("--setgid", str(user), "--setuid", str(user))
        tried.append(Apart((unshare, *NAMESPACES, *as_user, *SHELL), user))
    if unshare:
        why = UNREADABLE.format(user="root") if root else NO_USER
        tried.append(Apart((unshare, *foreign, *NAMESPACES, *SHELL), None, (why,)))
    return next(filter(works, tried), Apart((), None, (NO_USER, NO_NETWORK, NO_PROCESSES)))


def works(beginning: Apart) -> bool:
    """Whether a process begun so finds what the lessons need."""
    path = [each for each in sys.path if each]
    program = "import sys; sys.path[:] = sys.argv[1:]; import numpy, minigrad, IPython.core.error"
    command = [*beginning.before, sys.executable, "-I", "-B", "-c", program, *path]
    try:
        done = subprocess.run(command, cwd="/", capture_output=True, timeout=300)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def nobodys() -> int:
    """The number of a user that nobody is."""
    import pwd

    taken = {entry.pw_uid for entry in pwd.getpwall()}
    return next(number for number in NOBODYS if number not in taken)
