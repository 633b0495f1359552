"""`minigrad-lab`: the lessons, copied to a folder of the reader's own and opened in JupyterLab.

A wheel carries the notebooks inside this package, where nobody should edit them; in a checkout they
lie beside it. What the reader has changed is never overwritten: a notebook that exists already is
left as it is, and the command says so. None is ever half there: each is written beside its place,
then put there.
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

from .language import LANGUAGES, Language

PACKAGE = Path(__file__).resolve().parent
INDEX = "00_index.ipynb"
SETTINGS = PACKAGE / "lab"
"""JupyterLab's settings for the course: no popup about news covers the first page."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Copy the lessons, start JupyterLab on them; the exit status is JupyterLab's."""
    options = parser().parse_args(arguments)
    target = options.dir / options.lang
    try:
        target = options.dir.expanduser().resolve() / options.lang
        written, kept = copy_lessons(options.lang, target)
    except (OSError, RuntimeError) as error:  # RuntimeError: nobody's home, or links in a circle
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
        default=spoken_here(),
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


def spoken_here() -> Language:
    """The language of the user's surroundings if the course has it, else English."""
    name = os.environ.get("LC_ALL") or os.environ.get("LANG") or locale.getlocale()[0] or ""
    return next((known for known in LANGUAGES if name.lower().startswith(known)), "en")


def notebooks(language: Language) -> list[Path]:
    """The notebooks of one language, where this installation keeps them."""
    folders = (PACKAGE / "notebooks" / language, PACKAGE.parent / language)
    return next(found for folder in folders if (found := sorted(folder.glob("*.ipynb"))))


def copy_lessons(language: Language, target: Path) -> tuple[list[str], list[str]]:
    """Copy the notebooks to `target`; returns the names of those written and of those kept.

    A kept one is a file that was there before with other contents, or a link, wherever it leads.
    """
    target.mkdir(parents=True, exist_ok=True)
    written, kept = [], []
    for source in notebooks(language):
        contents, place = source.read_bytes(), target / source.name
        if not os.path.lexists(place):
            put(place, contents)
            written.append(source.name)
        elif not (place.is_file() and place.read_bytes() == contents):
            kept.append(source.name)
    return written, kept


def put(place: Path, contents: bytes) -> None:
    """Write a file that is not there yet: all of it or, on a full disk, nothing."""
    beside = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        beside.write_bytes(contents)
        beside.replace(place)
    except BaseException:  # whoever interrupts leaves nothing behind either
        beside.unlink(missing_ok=True)
        raise


def jupyterlab(folder: Path, browser: bool, further: Sequence[str]) -> list[str]:
    """The command that opens the lessons' index."""
    root = hasattr(os, "getuid") and os.getuid() == 0
    return [
        *(sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder.parent}"),
        f"--LabApp.default_url=/lab/tree/{folder.name}/{INDEX}",
        *(["--allow-root"] if root else []),  # it refuses root without being told so
        *([] if browser else ["--no-browser"]),
        *further,
    ]


def become(command: list[str], environment: dict[str, str]) -> int:
    """Run JupyterLab in the place of this process, so that whoever stops one has stopped the other.

    Windows would hand the screen back at once, so there it is waited for.
    """
    if os.name != "nt":
        sys.stdout.flush()
        os.execve(command[0], command, environment)
    return subprocess.run(command, env=environment).returncode


def surroundings(folder: Path) -> dict[str, str]:
    """The environment for JupyterLab, with the course's settings before all others.

    JupyterLab and its kernels write to the user's home. Whoever has none that can be written has
    this folder for it.
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
