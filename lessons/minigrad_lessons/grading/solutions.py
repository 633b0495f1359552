"""Remove the solutions from an installation that students use, or from a copy for a sandbox.

    python -m minigrad_lessons.grading.solutions remove all      of all chapters
    python -m minigrad_lessons.grading.solutions remove 02 03    of these

The names that a chapter's exercises ask for remain. `check` still reports an open hole or a cell
that stopped; for all else it says that the marks come later. The folded solutions of the chapter's
notebooks are removed as well. Marking (marking.py) runs students' code without any solution.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from ..engine import SOURCES
from ..exercises import EXERCISES

PACKAGE = Path(__file__).resolve().parents[1]
FOLDED = re.compile(r"<details>.*?</details>\s*", re.S)
LEFT = '''"""The exercises of chapter {chapter} are marked after they have been handed in."""

LATER = {asks!r}
"""The names that each exercise asks for."""
'''


def in_checkout() -> bool:
    return (PACKAGE.parent / "src" / "00_index.md").exists()


def chapters() -> list[str]:
    """Return the numbers of the chapters whose solutions are installed."""
    return sorted({name.partition(".")[0] for name in EXERCISES})


def remove_solutions(package: Path, marked: Sequence[str]) -> None:
    """Remove the solutions of these chapters from a copy of this package."""
    for chapter in marked:
        asks = {name: ex.asks for name, ex in EXERCISES.items() if name.startswith(f"{chapter}.")}
        module = package / "exercises" / f"chapter_{chapter}.py"
        module.write_text(LEFT.format(chapter=chapter, asks=asks), encoding="utf-8")
        for compiled in module.parent.glob(f"__pycache__/{module.stem}.*"):
            compiled.unlink()
        for source in package.glob(f"src/**/{chapter}_*.md"):
            text = source.read_text(encoding="utf-8")
            source.write_text(FOLDED.sub("", text), encoding="utf-8")
        for notebook in package.glob(f"notebooks/*/{chapter}_*.ipynb"):
            book = json.loads(notebook.read_text(encoding="utf-8"))
            for cell in book["cells"]:
                if cell["cell_type"] == "markdown":
                    cell["source"] = FOLDED.sub("", "".join(cell["source"]))
            notebook.write_text(
                json.dumps(book, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
            )


def copy_without_solutions(folder: Path) -> Path:
    """Copy this package to the folder, without solutions and notebooks; return the copy."""
    copied = folder / PACKAGE.name
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__", "notebooks"))
    shutil.copytree(SOURCES, copied / SOURCES.name, dirs_exist_ok=True)  # the engine's cells
    remove_solutions(copied, chapters())
    return copied


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m minigrad_lessons.grading.solutions")
    parser.add_argument("command", choices=["remove"])
    parser.add_argument("chapters", nargs="+", help="all, or numbers such as 02")
    options = parser.parse_args(arguments)
    if in_checkout():
        print(f"{PACKAGE} is a checkout: its solutions stay in the repository", file=sys.stderr)
        return 2
    marked = chapters() if options.chapters == ["all"] else options.chapters
    unknown = sorted(set(marked) - set(chapters()))
    if unknown:
        print(f"no solutions here of: {', '.join(unknown)}", file=sys.stderr)
        return 2
    remove_solutions(PACKAGE, marked)
    print(f"{PACKAGE}: removed the solutions of {', '.join(marked) or 'no chapter'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
