"""`minigrad-lab`: copy the lessons to a folder of the reader and open them in JupyterLab.

A wheel carries the notebooks inside this package, a checkout next to it. The command never
overwrites an existing notebook, and says which ones it left alone. Each notebook is written
whole or not at all.
"""

from __future__ import annotations

import argparse
import importlib.util
import locale
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from minigrad.utils.files import write_whole

from .lab.language import LANGUAGES, Language

PACKAGE = Path(__file__).resolve().parent
INDEX = "00_index.ipynb"
SETTINGS = PACKAGE / "lab"
"""JupyterLab's settings for the course: no popup covers the first page."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Copy the lessons and start JupyterLab on them; return its exit status."""
    options = parser().parse_args(arguments)
    target = options.dir / options.lang
    try:
        target = options.dir.expanduser().resolve() / options.lang
        written, kept = copy_lessons(options.lang, target)
    except (OSError, RuntimeError) as error:  # RuntimeError: no home folder, or a cycle of links
        print(f"minigrad-lab: cannot write the lessons to {target}: {error}", file=sys.stderr)
        return 1
    print(f"{target}: {len(written)} notebook(s) written")
    if kept:
        print(f"left as they are, since you may have worked on them: {', '.join(kept)}")
    if importlib.util.find_spec("jupyterlab") is None:
        print(
            "minigrad-lab: JupyterLab is not installed; pip install 'minigrad-lab[lab]'",
            file=sys.stderr,
        )
        return 1
    command = jupyterlab(target, options.browser, options.jupyterlab)
    return become(command, surroundings(target.parent))


def parser() -> argparse.ArgumentParser:
    described = argparse.ArgumentParser(
        prog="minigrad-lab",
        description="Copy the lessons to a folder of your own and open them in JupyterLab. "
        "A notebook that is there already is never overwritten.",
    )
    described.add_argument(
        "--lang",
        choices=LANGUAGES,
        default=default_language(),
        help="the language of the lessons (here: %(default)s)",
    )
    described.add_argument(
        "--dir",
        type=Path,
        default=Path("minigrad-lessons"),
        help="the folder to copy them to, made if it does not exist (default: %(default)s)",
    )
    described.add_argument(
        "--no-browser",
        dest="browser",
        action="store_false",
        help="open no browser; JupyterLab prints the address to go to",
    )
    described.add_argument(
        "jupyterlab",
        nargs="*",
        metavar="-- ARGUMENT",
        help="passed on to JupyterLab, for example: -- --port=9000",
    )
    return described


def default_language() -> Language:
    """Return the language of the user's locale if the course has it, else English."""
    name = os.environ.get("LC_ALL") or os.environ.get("LANG") or locale.getlocale()[0] or ""
    return next((known for known in LANGUAGES if name.lower().startswith(known)), "en")


def notebooks(language: Language) -> list[Path]:
    """Return the paths of the notebooks of one language in this installation."""
    folders = (PACKAGE / "notebooks" / language, PACKAGE.parent / language)
    return next(found for folder in folders if (found := sorted(folder.glob("*.ipynb"))))


def copy_lessons(language: Language, target: Path) -> tuple[list[str], list[str]]:
    """Copy the notebooks to `target`; return the names of those written and of those kept.

    A notebook is kept if the target has a file with other contents, or a link.
    """
    target.mkdir(parents=True, exist_ok=True)
    written, kept = [], []
    for source in notebooks(language):
        contents, place = source.read_bytes(), target / source.name
        if not os.path.lexists(place):
            write_whole(place, contents)
            written.append(source.name)
        elif not (place.is_file() and place.read_bytes() == contents):
            kept.append(source.name)
    return written, kept


def jupyterlab(folder: Path, browser: bool, further: Sequence[str]) -> list[str]:
    """Return the command that opens the lessons' index."""
    root = hasattr(os, "getuid") and os.getuid() == 0
    return [
        *(sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder.parent}"),
        f"--LabApp.default_url=/lab/tree/{folder.name}/{INDEX}",
        *(["--allow-root"] if root else []),  # JupyterLab refuses root otherwise
        *([] if browser else ["--no-browser"]),
        *further,
    ]


def become(command: list[str], environment: dict[str, str]) -> int:
    """Replace this process by JupyterLab, so that stopping one stops the other.

    On Windows `exec` returns at once; there the process waits for JupyterLab.
    """
    if os.name != "nt":
        sys.stdout.flush()
        os.execve(command[0], command, environment)
    return subprocess.run(command, env=environment).returncode


def surroundings(folder: Path) -> dict[str, str]:
    """Return the environment for JupyterLab, with the course's settings first.

    JupyterLab and its kernels write to the user's home folder. If that is not writable, they
    write to `folder`.
    """
    known = os.environ.get("JUPYTER_CONFIG_PATH")
    path = os.pathsep.join([str(SETTINGS), *([known] if known else [])])
    found = {**os.environ, "JUPYTER_CONFIG_PATH": path}
    home = Path(os.path.expanduser("~"))
    if not (home.is_dir() and os.access(home, os.W_OK | os.X_OK)):
        print(
            f"your home folder, {home}, cannot be written; JupyterLab keeps its files in {folder}"
        )
        found["HOME"] = str(folder)
    return found
