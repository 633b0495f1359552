"""Kernels as forks of one process that has loaded the libraries.

Of the two seconds that a kernel computes before it runs a lesson's first cell, more than one goes
into importing, and in each of forty kernels the same. Within `used`, the kernels that this process
starts are forks of one that has imported it and has run nothing. It has not imported minigrad_viz,
which changes what is recorded from then on, nor minigrad_lessons, which looks where it is. Where
there are no forks, kernels start as they always do.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from typing import Any

LIBRARIES = (
    "ipykernel.kernelapp",
    "ipykernel.zmqshell",
    "matplotlib.backends.backend_agg",
    "matplotlib.pyplot",
    "matplotlib_inline.backend_inline",
    "ipywidgets",
    "anywidget",
    "pygraphviz",
    "minigrad",
)


@contextlib.contextmanager
def used() -> Iterator[None]:
    """Within, Jupyter starts kernels as forks."""
    from jupyter_client.provisioning import local_provisioner

    usual = local_provisioner.launch_kernel

    def launched(command: list[str], **options: Any) -> Any:
        program = [sys.executable, "-m", "ipykernel_launcher"]
        if command[:3] != program or sys.platform != "linux":
            return usual(command, **options)
        job = {"arguments": command[2:], "cwd": options["cwd"], "environment": options["env"]}
        return Fork(job)

    local_provisioner.launch_kernel = launched
    try:
        yield
    finally:
        local_provisioner.launch_kernel = usual


@cache
def loaded() -> subprocess.Popen[str]:
    """The process that is forked. It ends when its stdin does, with this process."""
    return subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"MPLBACKEND": "module://matplotlib_inline.backend_inline"},
    )


class Fork:
    """A kernel, in as much of a `subprocess.Popen` as Jupyter asks for."""

    stdin = stdout = stderr = None

    def __init__(self, job: dict[str, Any]) -> None:
        parent = loaded()
        assert parent.stdin is not None and parent.stdout is not None
        parent.stdin.write(json.dumps(job) + "\n")
        parent.stdin.flush()
        self.pid = int(parent.stdout.readline())

    def poll(self) -> int | None:
        """Return None while it runs; only its parent knows how it ended."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self) -> int:
        while (ended := self.poll()) is None:
            time.sleep(0.05)
        return ended

    def send_signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def become(job: dict[str, Any]) -> None:
    """Be a kernel as if started by its command, and say which process it is."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.write(1, f"{os.getpid()}\n".encode())
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["environment"] | {"JPY_PARENT_PID": str(os.getppid())})
    sys.argv = job["arguments"]
    sys.path.pop(0)  # where this file is
    from ipykernel.kernelapp import launch_new_instance

    launch_new_instance()


if __name__ == "__main__":
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the forks are not waited for
    for line in sys.stdin:
        if os.fork() == 0:
            become(json.loads(line))
            break
