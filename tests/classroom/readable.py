"""A Python that other users may start: root's own may lie where nobody else can read."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from minigrad_lessons.apart import apart


def readable_python() -> str:
    """This Python, or the system's of the same version where others may not read this one."""
    system = f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    hidden = os.geteuid() == 0 and apart().user is None
    return system if hidden and Path(system).exists() else sys.executable
