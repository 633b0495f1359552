"""Runs pytest again and again, in forks of one process that has loaded what takes long to load.

Each line that comes in says which arguments and environment a run has, where its output goes, and
how long it may take; each line that goes out is the exit status, or null if it took longer. What
is tested is loaded by the forks alone. tree.py starts this in a copy of the project.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import time
from typing import Any

import pytest

HEAVY = ("numpy", "hypothesis", "coverage", "matplotlib.pyplot", "IPython", "torch")
MEMORY = 12 << 30


def child(job: dict[str, Any]) -> None:
    """Run the tests; never returns."""
    os.setsid()
    output = os.open(job["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for stream in (1, 2):
        os.dup2(output, stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    if sys.platform == "linux":  # elsewhere memory cannot be limited
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.environ.update(job["environment"])
    status = 70
    try:
        status = int(pytest.main(job["arguments"]))
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def waited(process: int, limit: float | None) -> int | None:
    """The exit status of a fork, which is ended, with all that it has started, after `limit`."""
    end = time.monotonic() + (limit or float("inf"))
    while time.monotonic() < end:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return None


if __name__ == "__main__":
    for name in HEAVY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for line in sys.stdin:
        job = json.loads(line)
        process = os.fork()
        if process == 0:
            child(job)
        print(json.dumps(waited(process, job["limit"])), flush=True)
