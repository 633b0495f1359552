"""A student's server: copy the lessons to the student's folder, then start JupyterHub's server.

A hub starts `python -m minigrad_lessons.lab.singleuser` instead of `jupyterhub-singleuser`. It
runs as the student, so the files belong to the student in every kind of hub: local processes,
systemd, containers. It never overwrites a student's work.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

from ..cli import copy_lessons
from .language import LANGUAGES

FOLDER = "minigrad-lessons"


def prepare(home: Path) -> None:
    """Copy the lessons of every language; files written from here on are private."""
    os.umask(0o077)
    for language in LANGUAGES:
        copy_lessons(language, home / FOLDER / language)


def main() -> None:
    prepare(Path.home())
    # The path of a kernel's socket is limited to 107 bytes.
    os.environ["JUPYTER_RUNTIME_DIR"] = str(Path.home() / ".jupyter" / "run")
    share_port()
    from jupyterhub.singleuser import main as serve

    serve()


def share_port() -> None:
    """Let the server listen on the port that the hub holds for this user (jupyterhub_config.py).

    Call it before the server is imported: the server keeps a reference to Tornado's function.
    """
    import tornado.netutil
    import tornado.tcpserver

    alone: Any = tornado.netutil.bind_sockets

    def shared(*place: Any, **options: Any) -> Any:
        return alone(*place, **(options | {"reuse_port": True}))

    if hasattr(socket, "SO_REUSEPORT"):
        for module in (tornado.netutil, tornado.tcpserver):
            vars(module)["bind_sockets"] = shared


if __name__ == "__main__":
    main()
