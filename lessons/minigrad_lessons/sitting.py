"""The process in which a student's cells run and are looked at: no keys, no marks.

marking.py starts it from a copy of this package that has no keys, and tells it on stdin what to do.
It answers with a line for each task that it begins and one for each look.

The student's code can do here whatever Python can. It gets nothing for it, but the teacher's files
should not be its prey either: Linux (Landlock) lets the process read libraries and its own folder
and nothing else; anywhere else, and for what Landlock does not know, an audit hook refuses, which
is no wall: a library in C gets past it. So apart.py takes the network and the sight of other
processes away before all this begins. What could not be had goes out first (docs/teaching.md).
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

GIGABYTE = 2**30
OPEN = ("ld.so.cache", "localtime", "fonts", "passwd", "group", "nsswitch.conf", "matplotlibrc")
"""What libraries look up in /etc."""
THREADS = 64
"""More than any lesson starts."""
REFUSED = (
    "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.kill",
    "os.killpg", "os.chmod", "os.chown", "subprocess.", "socket.connect", "socket.bind",
    "socket.sendto", "ctypes.", "resource.", "pty.spawn", "signal.pthread_kill",
)  # fmt: skip
"""Events that have nothing to do with an answer."""
CHANGES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate")


def main() -> None:
    job = json.loads(sys.stdin.buffer.readline())
    says = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.path[:] = job["path"]
    folder, keys = Path(job["folder"]), [Path(key).resolve() for key in job["keys"]]

    from minigrad_lessons.exercises.look import look

    shell = kernel(" ".join(task.get("run", "") for task in job["tasks"]))
    without = limit(job["seconds"])
    try:
        confine(folder, keys)
    except (OSError, AttributeError):
        without.append("Landlock: only Python keeps it from the files of whoever marks")
    sys.addaudithook(guard(folder, keys))
    say(says, {"without": without})
    for number, task in enumerate(job["tasks"]):
        if number in job["left_out"]:
            continue
        say(says, number)
        if "run" in task:
            shell.run_cell(task["run"], store_history=True)
        else:
            found = look(task["look"], task["asks"], task["probe"], shell.user_ns)
            say(says, asdict(found))
    say(says, "done")
    os._exit(0)


def say(stream: Any, what: Any) -> None:
    stream.write(json.dumps(what).encode() + b"\n")


def kernel(code: str) -> Any:
    """What runs cells in a notebook, and the libraries that these import."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    for library in ("minigrad", "minigrad_viz", "matplotlib.pyplot", "torch"):
        if library in code:
            with contextlib.suppress(ImportError):
                __import__(library)
    return InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))


def limit(seconds: float) -> list[str]:
    """Not more memory, disk, time, processes and threads than a lesson needs; what there is no
    limit of.
    """
    try:
        import resource
    except ImportError:
        return ["limits: it may take all memory, and start what it likes"]

    without = []
    for name, most in (
        ("DATA", 4 * GIGABYTE),
        ("FSIZE", GIGABYTE // 8),
        ("CPU", int(seconds)),
        ("CORE", 0),
        ("NPROC", tasks_of_mine() + THREADS),
    ):
        try:
            which = getattr(resource, f"RLIMIT_{name}")
            hard = resource.getrlimit(which)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(which, (most, most))
        except (AttributeError, ValueError, OSError):
            without.append(f"a limit of the system's: RLIMIT_{name}")
    if hasattr(os, "getuid") and os.getuid() == 0:
        without.append("a limit of processes: root has none")
    return without


def tasks_of_mine() -> int:
    """The processes and threads that this user has by now, as far as they can be seen."""
    count = 0
    with contextlib.suppress(OSError):
        for process in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{process}").st_uid == os.getuid():
                    count += len(os.listdir(f"/proc/{process}/task"))
    return count


def beneath(path: Path, roots: Iterable[Path]) -> bool:
    return any(path == root or root in path.parents for root in roots)


def guard(folder: Path, keys: list[Path]) -> Any:
    """An audit hook; it cannot be taken out again."""
    own = [folder.resolve(), Path(os.devnull)]
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event.startswith(REFUSED):
            raise PermissionError(event)
        if event == "open" and isinstance(arguments[0], str | bytes):
            path = Path(os.path.realpath(os.fsdecode(arguments[0])))
            if beneath(path, own):
                return
            changes = isinstance(arguments[2], int) and arguments[2] & writing
            if changes or beneath(path, keys) or path.is_dir():
                raise PermissionError(event)
        elif event in CHANGES or event.startswith("shutil."):
            paths = [Path(os.path.realpath(os.fsdecode(a))) for a in arguments if is_path(a)]
            if not all(beneath(path, own) for path in paths):
                raise PermissionError(event)

    return refuse


def is_path(value: Any) -> bool:
    return isinstance(value, str | bytes | os.PathLike)


class _Rules(ctypes.Structure):
    _fields_ = [
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scope", ctypes.c_uint64),
    ]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32)]


EXECUTE, WRITE, READ, LIST, TRUNCATE = 1, 2, 4, 8, 1 << 14
CREATE, RULE, RESTRICT = 444, 445, 446  # system calls, the same on every processor
NO_NEW_PRIVILEGES = 38


def confine(folder: Path, keys: list[Path]) -> None:
    """Let this process read libraries, and read and write its own folder, as long as it lives.

    Raises OSError where the kernel has no Landlock.
    """
    if sys.platform != "linux":
        return
    system = ctypes.CDLL(None, use_errno=True)

    def call(*arguments: Any) -> int:
        result = int(system.syscall(*arguments))
        if result < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result

    version = call(CREATE, None, 0, 1)
    files = (1 << 13) - 1
    for since, bit in ((2, 13), (3, 14), (5, 15)):
        files |= (version >= since) << bit
    rules = _Rules(files, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = call(CREATE, ctypes.byref(rules), size, 0)
    of_a_file = files & (EXECUTE | WRITE | READ | TRUNCATE)
    for path, access in [(folder, files), (Path("/dev"), files), *readable(keys)]:
        with contextlib.suppress(FileNotFoundError, PermissionError):
            opened = os.open(path, os.O_PATH)
            allowed = access & files if path.is_dir() else access & of_a_file
            beneath_it = _Beneath(allowed, opened)
            call(RULE, ruleset, 1, ctypes.byref(beneath_it), 0)
            os.close(opened)
    call_prctl = system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if call_prctl:
        raise OSError(ctypes.get_errno(), "prctl")
    call(RESTRICT, ruleset, 0)
    os.close(ruleset)


def readable(keys: list[Path]) -> list[tuple[Path, int]]:
    """The system's libraries, and all that is on Python's path but the keys."""
    access = EXECUTE | READ | LIST
    found = [Path(each) for each in ("/usr", "/lib", "/lib64", "/sys/devices/system/cpu")]
    found += [Path("/proc/cpuinfo"), Path("/proc/meminfo"), Path("/proc/self/status")]
    # Root could read there what nobody else may, and a message is handed back to the student.
    found += [Path("/etc", name) for name in OPEN]
    for entry in [Path(each).resolve() for each in sys.path]:
        if not entry.is_dir():
            continue
        installed = entry.name.endswith("-packages") or entry.name == "lib-dynload"
        installed = installed or Path(os.__file__).resolve().parent == entry
        for child in entry.iterdir():
            place = child.resolve()
            leads_to_keys = beneath(place, keys) or any(beneath(key, [place]) for key in keys)
            package = child.suffix == ".py" or (child / "__init__.py").exists()
            if not leads_to_keys and (installed or package):
                found.append(child)
    return [(path, access) for path in found]


if __name__ == "__main__":
    main()
