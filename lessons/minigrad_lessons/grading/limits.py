"""Limit the memory and the number of processes of a sandbox and all that it starts.

Three ways are tried in turn: a scope of systemd, control groups (version 1 or 2), and a thread that
watches the processes and ends them all when they take too much.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import psutil

MEMORY = 4 * 2**30
"""Bytes for all processes of a sandbox together."""
PROCESSES = 64
"""Processes and threads of a sandbox."""

COUNTED = re.compile(r"^Vm(?:RSS|Swap|PTE):\s*(\d+) kB$", re.M)
QUEUES = re.compile(r" ([0-9A-F]{8}):([0-9A-F]{8}) \d\d:")
"""Bytes to send and bytes received, in the kernel's list of TCP connections."""
LARGEST_BUFFER = 212_992
"""Bytes that Linux lets a socket ask for, unless its settings are changed."""
NAME = 1024
"""Bytes in the kernel for a file, besides its content."""

JOIN = """
while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs" || exit 1; shift; done
shift
exec "$@"
"""
SHOW_LIMIT = 'cat "/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)/memory.max"'


class Limits:
    """No limits; a container's engine sets its own."""

    def command(self, command: list[str]) -> list[str]:
        """Return the command that starts `command` with these limits."""
        return command

    def watch(self, pid: int) -> None:
        """Watch a process that has been started, and those that it starts."""

    def end(self) -> None:
        """Remove what the limits have made; the processes have been killed."""


class Scope(Limits):
    """A scope of systemd."""

    def command(self, command: list[str]) -> list[str]:
        user = [] if os.geteuid() == 0 else ["--user"]
        limits = {"MemoryMax": MEMORY, "MemorySwapMax": 0, "TasksMax": PROCESSES}
        settings = [f"--property={name}={value}" for name, value in limits.items()]
        return ["systemd-run", *user, "--scope", "--quiet", "--collect", *settings, *command]

    @staticmethod
    def works() -> bool:
        if not Path("/run/systemd/system").exists() or not shutil.which("systemd-run"):
            return False
        command = Scope().command(["/bin/sh", "-c", SHOW_LIMIT])
        try:
            done = subprocess.run(command, capture_output=True, timeout=30)
        except (OSError, subprocess.SubprocessError):
            return False
        return done.stdout.strip() == str(MEMORY).encode()


class Groups(Limits):
    """Control groups: folders that the kernel shows below /sys/fs/cgroup."""

    def __init__(self) -> None:
        self.folders: list[Path] = []
        memory = {"memory.limit_in_bytes": MEMORY, "memory.memsw.limit_in_bytes": MEMORY}
        wanted = {"memory": memory, "pids": {"pids.max": PROCESSES}}
        if Path("/sys/fs/cgroup/cgroup.controllers").exists():  # version 2 has one tree
            wanted = {"": {"memory.max": MEMORY, "memory.swap.max": 0, "pids.max": PROCESSES}}
        try:
            for controller, limits in wanted.items():
                folder = Path(tempfile.mkdtemp(prefix="minigrad-", dir=own_group(controller)))
                self.folders.append(folder)
                remove_old(folder.parent)
                for name, value in limits.items():
                    if "sw" not in name or (folder / name).exists():  # not every kernel has swap
                        (folder / name).write_text(str(value), "ascii")
        except OSError:
            self.end()
            raise

    def command(self, command: list[str]) -> list[str]:
        return ["/bin/sh", "-c", JOIN, "sh", *map(str, self.folders), "--", *command]

    def end(self) -> None:
        until = time.monotonic() + 10
        for folder in self.folders:
            while folder.exists() and time.monotonic() < until:
                with contextlib.suppress(OSError):  # a process in it is still ending
                    folder.rmdir()
                    break
                time.sleep(0.02)

    @staticmethod
    def works() -> bool:
        try:
            groups = Groups()
            joined = subprocess.run(groups.command(["/bin/true"]), capture_output=True)
            groups.end()
        except OSError:
            return False
        return joined.returncode == 0


def own_group(controller: str) -> Path:
    """Return the folder of this process's group; "" names the groups of version 2."""
    lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    paths = {name: path for _, name, path in (line.split(":", 2) for line in lines)}
    if controller not in paths:
        raise FileNotFoundError(controller)
    return Path("/sys/fs/cgroup", controller, paths[controller].strip("/"))


def remove_old(folder: Path) -> None:
    """Remove the groups of markers that were killed an hour ago or earlier."""
    for group in folder.glob("minigrad-*"):
        with contextlib.suppress(OSError):  # one with processes stays
            if group.stat().st_mtime < time.time() - 3600:
                group.rmdir()


class Watch(Limits):
    """A thread that ends the sandbox when its processes take too much."""

    def __init__(self) -> None:
        self.over = threading.Event()

    def watch(self, pid: int) -> None:
        threading.Thread(target=self._watch, args=[pid], daemon=True).start()

    def _watch(self, pid: int) -> None:
        with contextlib.suppress(psutil.Error):
            first = psutil.Process(pid)
            while not self.over.wait(0.1):
                tree = [first, *first.children(recursive=True)]
                memory = taken(tree, memory_of)
                memory += taken(tree[-1:], cost_of_files) + taken(tree[-1:], cost_of_sockets)
                if taken(tree, threads_of) > PROCESSES + 2 or memory > MEMORY:
                    for process in tree:
                        with contextlib.suppress(psutil.Error):
                            process.kill()

    def end(self) -> None:
        self.over.set()


def taken(tree: Iterable[psutil.Process], measure: Callable[[psutil.Process], int]) -> int:
    """Return the sum of a measure over the processes that still exist."""
    total = 0
    for process in tree:
        with contextlib.suppress(psutil.Error, OSError):
            total += measure(process)
    return total


def threads_of(process: psutil.Process) -> int:
    return int(process.num_threads())


def memory_of(process: psutil.Process) -> int:
    """Return the bytes of a process, also those in the swap, and those of its tables of pages."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    except FileNotFoundError:  # of a process that is gone, or on another system than Linux
        return int(process.memory_info().rss)
    return sum(map(int, COUNTED.findall(status))) * 1024


def cost_of_files(process: psutil.Process) -> int:
    """Return the bytes that the kernel needs for the names in a sandbox's own folders."""
    root = f"/proc/{process.pid}/root"
    if not os.path.exists(root) or os.stat(root).st_dev == os.stat("/").st_dev:
        return 0
    found = [os.statvfs(root + folder) for folder in ("/tmp", "/dev/shm")]
    return sum(each.f_files - each.f_ffree for each in found) * NAME


def cost_of_sockets(process: psutil.Process) -> int:
    """Return the most bytes that the sockets in a sandbox's own network hold in the kernel.

    Data on a TCP connection are counted, twice for their packets; other sockets as if full. Pipes
    do not need it: the kernel gives a user's pipes 64 MiB, and two pages for each one beyond.
    """
    own = Path(f"/proc/{process.pid}")
    if not own.exists() or (own / "ns/net").readlink() == Path("/proc/self/ns/net").readlink():
        return 0
    used = re.search(r"used (\d+)", (own / "net/sockstat").read_text("utf-8"))
    queued = "".join(each.read_text("utf-8") for each in (own / "net").glob("tcp*"))
    inside = sum(int(each, 16) for pair in QUEUES.findall(queued) for each in pair)
    return (int(used[1]) if used else 0) * socket_buffer() + 2 * inside


@functools.cache
def socket_buffer() -> int:
    """Return the largest buffer of a socket; the kernel doubles what a program asks for."""
    files = Path("/proc/sys/net/core").glob("[rw]mem_max")  # some containers show none
    return 2 * max((int(file.read_text("utf-8")) for file in files), default=LARGEST_BUFFER)


def threads_of_user() -> int:
    """Return the number of this user's threads, which the kernel compares with RLIMIT_NPROC."""
    own = psutil.Process().username()

    def threads(process: psutil.Process) -> int:
        return threads_of(process) if process.username() == own else 0

    return taken(psutil.process_iter(), threads)


@functools.cache
def find_limits() -> type[Limits]:
    """Return the first kind of limits that works here."""
    return Scope if Scope.works() else Groups if Groups.works() else Watch
