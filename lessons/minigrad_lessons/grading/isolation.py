"""Start a student's code where it reaches nothing of the teacher's.

    python -m minigrad_lessons.grading.isolation

prints the isolation that works on this machine, or what to install. Bubblewrap is tried first, then
a container of podman or docker. Each has to pass a trial. Without isolation, code runs only if the
teacher decides so.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .calls import calls_filter
from .limits import MEMORY, PROCESSES, Limits, Watch, find_limits, threads_of_user
from .solutions import PACKAGE, copy_without_solutions, in_checkout

USER = 61184
"""A user that no login has: the first number that systemd reserves for temporary users."""
IMAGE = "minigrad-marking"
"""The image for podman and docker, a target of the Dockerfile."""
TEMPORARY, SHARED = 2**28, 2**26
"""Bytes in /tmp and in /dev/shm."""
SECONDS = 600
"""How long a sandbox lives."""
ETC = ("alternatives", "fonts", "ld.so.cache", "localtime")
SYSTEM = ("bin", "lib", "lib32", "lib64", "libx32", "share")
GUIDE = "docs/teaching.md says how"
PROFILE = "bwrap-userns-restrict"
RESTRICTED = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")

WITHOUT = (
    "marking: without isolation, a student's code can do what you can: read and change your files, "
    "see the solutions, and use the network"
)


class IsolationError(RuntimeError):
    """No isolation works on this machine; the message says what to install."""


class Isolation:
    """No isolation: the code runs as the teacher's own."""

    name = "none"
    user: int | None = None
    files: tuple[int, ...] = ()
    """Open files that the command gets."""

    def command(self, lessons: Path) -> list[str]:
        """Return the command that runs sandbox.py with a copy of the lessons without solutions."""
        return [sys.executable, "-I", "-B", str(lessons / "grading" / "sandbox.py")]

    def path(self, lessons: Path) -> list[str]:
        """Return what to search for packages, the lessons first."""
        return [str(lessons.parent), *(each for each in sys.path if each)]

    def limits(self) -> Limits:
        return Watch()

    def end(self) -> None:
        """End what outlives the command."""


class Bubblewrap(Isolation):
    """Namespaces and a root of its own, made by the program `bwrap`."""

    name = "bubblewrap"
    user = USER

    def __init__(self) -> None:
        self.calls: Any = tempfile.TemporaryFile()
        if program := calls_filter():
            self.calls.write(program)
            self.calls.seek(0)
            self.files = (self.calls.fileno(),)

    def command(self, lessons: Path) -> list[str]:
        rights = ["--unshare-user", "--uid", str(USER), "--gid", str(USER)]
        if os.geteuid() == 0:  # sandbox.py gives root up; no map of users is needed
            rights = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        return [
            # The teacher's variables would stand in /proc/1/environ.
            *("/usr/bin/env", "-i", shutil.which("bwrap") or "bwrap"),
            *("--die-with-parent", "--new-session", "--cap-drop", "ALL"),
            *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
            *("--unshare-cgroup-try", "--hostname", "sandbox", *rights, *self.mounts(lessons)),
            *(word for file in self.files for word in ("--seccomp", str(file))),
            *(word for pair in variables("/tmp").items() for word in ("--setenv", *pair)),
            *("--chdir", "/tmp", *super().command(PACKAGE)),
        ]

    def path(self, lessons: Path) -> list[str]:
        return super().path(PACKAGE)

    def limits(self) -> Limits:
        return find_limits()()

    def end(self) -> None:
        self.calls.close()

    def mounts(self, lessons: Path) -> Iterator[str]:
        """Yield the options that make the root: read-only, with a /tmp and a /dev/shm in it."""
        system = [Path("/usr", name) for name in SYSTEM]
        shown = [*system, *(Path("/etc", name) for name in ETC)]
        for path in (Path("/", name) for name in ("sbin", *SYSTEM)):
            if path.is_symlink():
                yield from ("--symlink", os.readlink(path), str(path))
            elif path.name != "share":
                shown.append(path)
        yield from ("--proc", "/proc", "--dev", "/dev")
        # A mapped /dev/zero is memory that belongs to no process (calls.py).
        yield from ("--dev-bind", "/dev/null", "/dev/zero")
        for folder, size in (("/dev/shm", SHARED), ("/tmp", TEMPORARY)):
            yield from ("--size", str(size), "--perms", "1777", "--tmpfs", folder)
        yield from show(shown)
        for path in private_folders():
            if any(folder in path.parents for folder in system):
                yield from ("--tmpfs", str(path))
        places = installed_lessons()
        yield from show(environment(), [path.parent for path in places])
        for path in places:
            yield from ("--ro-bind", str(lessons), str(path))
        yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def show(paths: Sequence[Path], folders: Sequence[Path] = ()) -> Iterator[str]:
    """Yield the options that show these paths, and make the folders to them and these folders."""
    above = {folder for path in paths for folder in path.parents}
    above |= {each for folder in folders for each in (folder, *folder.parents)}
    for folder in sorted(above):  # another user could not enter those that bubblewrap makes itself
        yield from ("--perms", "0755", "--dir", str(folder))
    for path in paths:
        yield from ("--ro-bind-try", str(path), str(path))


def environment() -> list[Path]:
    """Return the folders of this Python, its libraries, and the packages of this project."""
    prefixes = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix]
    found = [
        Path(prefix, name)
        for prefix in dict.fromkeys(prefixes)
        for name in ("bin", "lib", "lib64", "pyvenv.cfg")
    ]
    found += [Path(each) for each in sys.path if each.endswith("-packages")]
    for package in ("minigrad", "minigrad_viz"):
        spec = importlib.util.find_spec(package)
        found += map(Path, (spec and spec.submodule_search_locations) or [])
    return found


def installed_lessons() -> list[Path]:
    """Return each place in the sandbox where lessons with solutions could be read."""
    libraries = [path for path in environment() if path.name in ("lib", "lib64")]
    libraries.append(Path("/usr/lib"))
    found = {PACKAGE}
    for library in libraries:
        found.update(library.glob(f"python3*/*-packages/{PACKAGE.name}"))
    found.update(path / PACKAGE.name for path in environment() if path.name.endswith("-packages"))
    return sorted(path for path in found if path == PACKAGE or path.is_dir())


def private_folders() -> list[Path]:
    """Return folders of the teacher's that could lie in a folder of the system."""
    return [Path.cwd(), Path.home(), *(PACKAGE.parents[1:2] if in_checkout() else ())]


class Container(Isolation):
    """A container of podman or docker, with the libraries of its own image."""

    user = USER

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.name = f"{engine}'s container"
        self.container = f"minigrad-{uuid.uuid4().hex}"

    def command(self, lessons: Path) -> list[str]:
        return [
            *(self.engine, "run", "--rm", "--interactive", "--pull=never"),
            *(f"--name={self.container}", f"--user={USER}:{USER}", "--network=none"),
            *("--read-only", "--ipc=private", "--cap-drop=ALL", "--security-opt=no-new-privileges"),
            *(f"--memory={MEMORY}", f"--memory-swap={MEMORY}", f"--pids-limit={PROCESSES}"),
            *(f"--tmpfs=/tmp:size={TEMPORARY},mode=1777", f"--shm-size={SHARED}"),
            *(f"--volume={lessons.parent}:/lessons:ro,Z", "--workdir=/tmp"),
            *(f"--env={name}={value}" for name, value in variables("/tmp").items()),
            *(IMAGE, "python", "-I", "-B", f"/lessons/{PACKAGE.name}/grading/sandbox.py"),
        ]

    def path(self, lessons: Path) -> list[str]:
        return ["/lessons"]

    def limits(self) -> Limits:
        return Limits()

    def end(self) -> None:
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            command = [self.engine, "kill", self.container]
            subprocess.run(command, capture_output=True, timeout=60)


def variables(home: str) -> dict[str, str]:
    """Return the environment variables of the sandbox."""
    kept = {"LANG", "LC_ALL", "SYSTEMROOT"}
    kept |= {name for name in os.environ if name.endswith("_NUM_THREADS")}
    found = {name: value for name, value in os.environ.items() if name in kept}
    folders = ("HOME", "TMPDIR", "MPLCONFIGDIR", "IPYTHONDIR")
    found |= dict.fromkeys(folders, home) | {"MPLBACKEND": "agg", "USER": "student"}
    return found | {"PATH": "/usr/local/bin:/usr/bin:/bin"}


class Sandbox:
    """A started sandbox: its process, and the errors of its beginning."""

    def __init__(self, isolation: Isolation, lessons: Path) -> None:
        self.isolation, self.limits = isolation, isolation.limits()
        self.lessons = lessons
        self.errors: Any = tempfile.TemporaryFile()
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        try:
            self.process = subprocess.Popen(
                self.limits.command(isolation.command(lessons)),
                cwd=self.folder.name,
                # A sandbox sets its own variables.
                env=variables(self.folder.name) if isolation.user is None else None,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                start_new_session=True,
                pass_fds=isolation.files,
            )
        except OSError:
            self.limits.end()
            raise
        self.limits.watch(self.process.pid)

    def job(self, tasks: Sequence[dict[str, Any]], skipped: Sequence[int] = ()) -> bytes:
        """Return the line for sandbox.py's stdin."""
        shared = os.name == "posix" and os.geteuid() != 0  # the kernel counts all of this user's
        threads = threads_of_user() if shared else 0
        job = {
            "user": self.isolation.user,
            "path": self.isolation.path(self.lessons),
            "limits": {"DATA": MEMORY, "CPU": SECONDS, "NPROC": PROCESSES + threads},
            "tasks": list(tasks),
            "skipped": list(skipped),
        }
        return json.dumps(job).encode() + b"\n"

    def error(self) -> str:
        """Return the last line that the beginning wrote to stderr."""
        self.errors.seek(0)
        lines = self.errors.read(100_000).decode("utf-8", "replace").splitlines()
        lines = [line for line in lines if line.strip() and not line.startswith("Run '")]
        return visible(lines[-1]) if lines else "no reason was given"

    def end(self) -> None:
        """Kill all processes of the sandbox."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, 9)
        self.process.kill()
        self.isolation.end()
        self.process.wait()
        self.limits.end()
        self.errors.close()
        self.folder.cleanup()


def visible(text: str) -> str:
    """Return a text with escapes for all that is not printable, except for new lines.

    >>> visible("a\\x1b[2J\\n")
    'a\\\\x1b[2J\\n'
    """
    return "".join(
        char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text
    )


def trial(isolation: Isolation, lessons: Path) -> str | None:
    """Start a sandbox with nothing to do; return why it fails, or None."""
    try:
        sandbox = Sandbox(isolation, lessons)
    except OSError as error:
        return error.strerror or str(error)
    try:
        report, _ = sandbox.process.communicate(sandbox.job([]), timeout=300)
        return None if report == b'"ready"\n"done"\n' else sandbox.error()
    except subprocess.TimeoutExpired:
        return "it did not start within 300 seconds"
    finally:
        sandbox.end()


@functools.cache
def find_isolation(without: bool = False) -> Callable[[], Isolation]:
    """Return what makes an isolation that works here; each kind has to pass a trial.

    Without isolation, print what this means. IsolationError if no kind works.
    """
    if without:
        print(WITHOUT, file=sys.stderr)
        return Isolation
    kinds: dict[str, Callable[[], Isolation]] = {
        "podman": functools.partial(Container, "podman"),
        "docker": functools.partial(Container, "docker"),
    }
    if sys.platform == "linux":
        kinds = {"bwrap": Bubblewrap} | kinds
    failed = {}
    with tempfile.TemporaryDirectory() as folder:
        lessons = copy_without_solutions(Path(folder))
        for program, kind in kinds.items():
            if shutil.which(program):
                failed[program] = trial(kind(), lessons)
                if failed[program] is None:
                    return kind
    raise IsolationError(refusal(failed))


def refusal(failed: dict[str, str | None]) -> str:
    """Return the sentence that says what to install, given the programs whose trial failed."""
    advice = "install podman or docker, and build the image minigrad-marking"
    if sys.platform == "linux" and "bwrap" not in failed:
        advice = "install bubblewrap (`apt-get install bubblewrap`), or podman or docker"
    elif sys.platform == "linux" and RESTRICTED.exists() and RESTRICTED.read_bytes()[:1] == b"1":
        advice = f"let AppArmor start bubblewrap with its profile {PROFILE}"
    elif sys.platform == "linux":
        advice = "give the container the rights that bubblewrap needs, or " + advice
    tried = "".join(f"; {program}: {reason}" for program, reason in failed.items())
    return f"students' code is not run here, since no sandbox works: {advice} ({GUIDE}){tried}"


def main() -> int:
    try:
        isolation = find_isolation()()
        limits = isolation.limits()
        limits.end()
        print(isolation.name, type(limits).__name__.lower(), sep=", limits: ")
    except IsolationError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
