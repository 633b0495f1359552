"""The lessons for Google Colab, each with a first cell that installs the wheel of the same branch.

Colab opens a notebook from a repository, without what the repository needs. The lessons themselves
get no cell for that: they are run and compared as they are, and everywhere else it would be wrong.
So these copies are written by a command, and a workflow puts them on a branch of their own,
together with the wheel of the same commit.

    python -m minigrad_lessons.site.colab        into build/colab
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat

from ..build import LESSONS
from ..lab.language import LANGUAGES
from .links import BRANCH, ROOT, repository

OUTPUT = ROOT / "build" / "colab"
EXTRAS = "viz,dist"
"""Of the wheel: pictures, and the appendix. What else the extra `lab` has, Colab has, or is."""

CELL = """\
# Colab has no minigrad: this cell installs it, once in each session.
%pip install --quiet "minigrad-lab[{extras}] @ {wheel}"
from google.colab import output

output.enable_custom_widget_manager()"""


def cell(wheel: str) -> str:
    """The first cell, which installs the wheel that lies at an address."""
    return CELL.format(extras=EXTRAS, wheel=wheel)


def with_cell(text: str, source: str) -> str:
    """A notebook's text with a code cell before all others; the rest is as it was."""
    notebook = json.loads(text)
    first = nbformat.v4.new_code_cell(source, id="on-colab")
    notebook["cells"].insert(0, {**first, "source": source.splitlines(keepends=True)})
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def write(folder: Path, name: str) -> Path:
    """All lessons of the repository `name`, and the wheel, which is returned."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True)
    (wheel,) = folder.glob("*.whl")
    first = cell(f"https://raw.githubusercontent.com/{name}/{BRANCH}/{wheel.name}")
    for language in LANGUAGES:
        (folder / language).mkdir()
        for lesson in sorted((LESSONS / language).glob("*.ipynb")):
            text = with_cell(lesson.read_text(encoding="utf-8"), first)
            (folder / language / lesson.name).write_text(text, encoding="utf-8")
    return wheel


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m minigrad_lessons.site.colab")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT, help="default: build/colab")
    folder = parser.parse_args(arguments).output
    name = repository()
    if name is None:
        print("the repository has no owner yet; make publish OWNER=name", file=sys.stderr)
        return 1
    print(f"{write(folder, name)}, and the lessons that install it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
