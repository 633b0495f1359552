"""The program in the sandbox: run a student's cells, and report what each answer looks like.

marking.py writes a job to stdin. The report on stdout has a line for each task that begins and one
for each look. This program knows no solutions and gives no marks. isolation.py has already removed
the teacher's files, the network and other processes.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import asdict
from typing import Any

FILE = 2**27
"""Bytes of one file."""
FILES = 256
"""Files open at once in one process."""


def main() -> None:
    job = json.loads(sys.stdin.buffer.readline())
    become(job["user"])
    report = os.fdopen(os.dup(1), "wb", buffering=0)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    sys.path[:0] = job["path"]

    from minigrad_lessons.exercises.look import look

    shell = make_shell(" ".join(task.get("run", "") for task in job["tasks"]))
    set_limits(job["limits"])
    write(report, "ready")
    os.dup2(nowhere, 2)
    for number, task in enumerate(job["tasks"]):
        if number in job["skipped"]:
            continue
        write(report, number)
        if "run" in task:
            shell.run_cell(task["run"], store_history=True)
        else:
            found = look(task["look"], task["asks"], task["probe"], shell.user_ns)
            write(report, asdict(found))
    write(report, "done")
    os._exit(0)


def become(user: int | None) -> None:
    """Give up root's rights for good. Bubblewrap needed them to make the sandbox."""
    if user is not None and os.getuid() == 0:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def write(report: Any, what: Any) -> None:
    report.write(json.dumps(what).encode() + b"\n")


def make_shell(code: str) -> Any:
    """Return the shell that runs the cells; import first the libraries that they use."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    for library in ("minigrad", "minigrad_viz", "matplotlib.pyplot", "torch"):
        if library in code:
            with contextlib.suppress(ImportError):
                __import__(library)
    return InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))


def set_limits(limits: dict[str, int]) -> None:
    """Limit this process and each that it starts; limits.py limits all of them together."""
    try:
        import resource
    except ImportError:  # Windows, which has no sandbox either
        return
    for name, most in {"CORE": 0, "FSIZE": FILE, "NOFILE": FILES, **limits}.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):
            which = getattr(resource, f"RLIMIT_{name}")
            hard = resource.getrlimit(which)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(which, (most, most))


if __name__ == "__main__":
    main()
