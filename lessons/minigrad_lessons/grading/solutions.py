"""The keys: the exercises' solutions and what is right. Students who are marked do not get them.

    python -m minigrad_lessons.keys remove all        from this installation, of all chapters
    python -m minigrad_lessons.keys remove 02 03      of these

What is left of a chapter is which names its exercises ask for. `check` still says that a hole is
open or that a cell stopped, and that the rest will be said when the work has been handed in. The
folded solutions of the chapter's notebooks go as well. Marking (marking.py) runs students' code
where there are no keys at all.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from .exercises import EXERCISES

PACKAGE = Path(__file__).resolve().parent
FOLDED = re.compile(r"<details>.*?</details>\s*", re.S)
LEFT = '''"""The exercises of chapter {chapter} are marked after they have been handed in."""

LATER = {asks!r}
"""What each of them asks for."""
'''


def in_checkout() -> bool:
    return (PACKAGE.parent / "src" / "00_index.md").exists()


def chapters() -> list[str]:
    """The numbers of the chapters whose keys are here."""
    return sorted({name.partition(".")[0] for name in EXERCISES})


def without_keys(package: Path, marked: Sequence[str]) -> None:
    """Remove the keys of these chapters from a copy of this package."""
    for chapter in marked:
        asks = {name: ex.asks for name, ex in EXERCISES.items() if name.startswith(f"{chapter}.")}
        module = package / "exercises" / f"chapter_{chapter}.py"
        module.write_text(LEFT.format(chapter=chapter, asks=asks), encoding="utf-8")
        for compiled in module.parent.glob(f"__pycache__/{module.stem}.*"):
            compiled.unlink()
        for notebook in package.glob(f"notebooks/*/{chapter}_*.ipynb"):
            book = json.loads(notebook.read_text(encoding="utf-8"))
            for cell in book["cells"]:
                if cell["cell_type"] == "markdown":
                    cell["source"] = FOLDED.sub("", "".join(cell["source"]))
            notebook.write_text(
                json.dumps(book, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
            )


def copy_without_keys(folder: Path) -> Path:
    """A copy of this package in the folder, with no key and no notebook in it."""
    copied = folder / PACKAGE.name
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__", "notebooks"))
    without_keys(copied, chapters())
    return copied


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m minigrad_lessons.keys")
    parser.add_argument("command", choices=["remove"])
    parser.add_argument("chapters", nargs="+", help="all, or numbers such as 02")
    options = parser.parse_args(arguments)
    if in_checkout():
        print(f"{PACKAGE} is a checkout: its keys are kept in the repository", file=sys.stderr)
        return 2
    marked = chapters() if options.chapters == ["all"] else options.chapters
    unknown = sorted(set(marked) - set(chapters()))
    if unknown:
        print(f"no keys here of: {', '.join(unknown)}", file=sys.stderr)
        return 2
    without_keys(PACKAGE, marked)
    print(f"{PACKAGE}: removed the keys of {', '.join(marked) or 'no chapter'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
