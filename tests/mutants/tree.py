"""A copy of the project, in which changes are planted and tests run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .plant import Change

FORKS = "tests/mutants/forks.py"
OPTIONS = "-p tests.mutants.reach -p no:cacheprovider --hypothesis-seed=0 -q --tb=no".split()
POOLS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}
"""It is kept: else each run would compile all of the project and its tests."""


class Tree:
    """The files of the project in a folder where nothing else is, and a process that tests them."""

    def __init__(self, root: Path, files: Iterable[str], path: Path) -> None:
        self.path, self.changes = path, 0
        shutil.rmtree(path, ignore_errors=True)
        for name in files:
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, path / name)
        places = os.pathsep.join(str(path / name) for name in ("", "viz", "lessons"))
        self.process = subprocess.Popen(
            [sys.executable, "-P", FORKS],
            cwd=path,
            env=os.environ | dict.fromkeys(POOLS, "1") | {"PYTHONPATH": places} | BYTECODE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        """End the process."""
        self.process.communicate()

    def run(self, arguments: Iterable[str], limit: float | None = None, **environment: str) -> str:
        """Return pytest's message: "" if all passed."""
        output = self.path.with_suffix(".out")
        job = {"arguments": [*OPTIONS, *arguments], "limit": limit, "output": str(output)}
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(job | {"environment": environment}) + "\n")
        self.process.stdin.flush()
        status = json.loads(self.process.stdout.readline())
        said = output.read_text(encoding="utf-8", errors="replace")
        assert status != 5, f"pytest has run no test:\n{said}"
        if status is None:
            return f"took more than {limit:.0f} s"
        return (said or "died") if status else ""

    def run_tests(self, tests: Iterable[str], stop: str, limit: float | None = None) -> str:
        """Run the tests of these names, in this order."""
        listed = self.path.with_suffix(".txt")
        listed.write_text("\n".join(tests), encoding="utf-8")
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        return self.run([stop, *files], limit, MINIGRAD_TESTS=str(listed))

    @contextmanager
    def planted(self, change: Change) -> Iterator[None]:
        """Within it, the change is there."""
        path = self.path / change.path
        source, status = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(change.planted(source), encoding="utf-8")
        # Bytecode is told by size and second: two changes may not share both.
        self.changes += 1
        os.utime(path, (status.st_atime, status.st_mtime + self.changes))
        try:
            yield
        finally:
            path.write_text(source, encoding="utf-8")
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))  # bytecode stays valid


def failed(said: str) -> list[str]:
    """The tests that failed, as pytest's summary names them (before the reason, if it has one)."""
    rows = [row.split(" ", 1) for row in said.splitlines() if row.startswith(("FAILED ", "ERROR "))]
    return [row.partition(" - ")[0] for _, row in rows]
