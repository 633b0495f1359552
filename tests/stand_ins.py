"""Programs that stand in for others on the PATH."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


def stand_in(path: Path, source: str) -> None:
    """Write a Python program that is started by its name.

    A first line with the interpreter's path ends at a space. A shell reads the second line as a
    command, and Python reads it as a text.
    """
    if sys.platform == "win32":
        pytest.skip("Windows starts no program by its first line")
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'#!/bin/sh\n"exec" "{sys.executable}" "$0" "$@"\n{source}', encoding="utf-8")
    path.chmod(0o755)
