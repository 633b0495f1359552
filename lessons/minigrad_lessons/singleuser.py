"""A student's server: the lessons, put into a folder of their own, then JupyterHub's server.

A hub starts `python -m minigrad_lessons.singleuser` in the place of `jupyterhub-singleuser`. It
runs as the student, so that the files belong to them whichever way the hub starts servers: as local
processes, through systemd, or in containers. What a student has changed is never overwritten.
"""

from __future__ import annotations

import os
from pathlib import Path

from .cli import copy_lessons
from .language import LANGUAGES

FOLDER = "minigrad-lessons"


def prepare(home: Path) -> None:
    """Copy the lessons of every language; what is written from here on is the owner's alone."""
    os.umask(0o077)
    for language in LANGUAGES:
        copy_lessons(language, home / FOLDER / language)


def main() -> None:
    prepare(Path.home())
    # A kernel's sockets lie here, and the path of a socket may not be longer than 107 bytes.
    os.environ["JUPYTER_RUNTIME_DIR"] = str(Path.home() / ".jupyter" / "run")
    from jupyterhub.singleuser import main as serve

    serve()


if __name__ == "__main__":
    main()
