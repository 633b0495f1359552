"""A student's server: the lessons, put into a folder of their own, then JupyterHub's server.

A hub starts `python -m minigrad_lessons.singleuser` in the place of `jupyterhub-singleuser`. It
runs as the student, so that the files belong to them whichever way the hub starts servers: as local
processes, through systemd, or in containers. What a student has changed is never overwritten.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

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
    share_port()
    from jupyterhub.singleuser import main as serve

    serve()


def share_port() -> None:
    """Let the server listen on the port that the hub holds for this user (jupyterhub_config.py).

    To be called before the server is imported, which takes Tornado's function with it.
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
