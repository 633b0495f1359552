"""Find a Python that other users may start: root's own may lie where they cannot read."""

from __future__ import annotations

import contextlib
import subprocess
import sys


def readable_python() -> str:
    """Return this Python, or the system's where the user `daemon` cannot start this one."""
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        with contextlib.suppress(OSError):
            command = [python, "-I", "-c", ""]
            if subprocess.run(command, user="daemon", cwd="/", stderr=-3).returncode == 0:
                return python
    return "/usr/bin/python3"
