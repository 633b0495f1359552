"""The table of lessons in the READMEs: every chapter, to read and to run on Binder.

    python -m minigrad_lessons.links            write the tables anew
    python -m minigrad_lessons.links --check    fail if one is stale

Who owns the repository, and its name, stand in one place: `[project.urls]` of pyproject.toml.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from .build import LESSONS, chapters
from .language import LANGUAGES, Language

ROOT = LESSONS.parent
READMES = ROOT / "README.md", ROOT / "README.zh.md"
TABLE = re.compile(r"(?<=<!-- lessons -->\n).*?(?=<!-- /lessons -->)", re.S)
BADGE = "https://mybinder.org/badge_logo.svg"


def repository() -> str:
    """Owner and name, as in `owner/name`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["urls"]["Repository"]).removeprefix("https://github.com/")


def launch(path: str) -> str:
    """Where Binder opens a file of the repository in JupyterLab."""
    return f"https://mybinder.org/v2/gh/{repository()}/HEAD?urlpath=lab/tree/{path}"


def title(source: Path, language: Language) -> str:
    """The chapter's heading in one language."""
    text = source.read_text(encoding="utf-8")
    prose = re.search(rf'\+\+\+ {{"lang": "{language}"}}\n\n# (.+)', text)
    assert prose, f"{source.name} has no heading in {language}"
    return prose[1]


def table() -> str:
    """A row a chapter: in each language its title, which opens the notebook, and a launch link."""
    rows = ["\n| English | | 中文 | |\n|---|---|---|---|\n"]
    for source in chapters():
        cells = []
        for language in LANGUAGES:
            path = f"lessons/{language}/{source.stem}.ipynb"
            cells += [f"[{title(source, language)}]({path})", f"[▶]({launch(path)})"]
        rows.append(f"| {' | '.join(cells)} |\n")
    index = f"lessons/en/{chapters()[0].stem}.ipynb"
    rows.append(f"\n[![launch the lessons on Binder]({BADGE})]({launch(index)})\n\n")
    return "".join(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m minigrad_lessons.links")
    parser.add_argument("--check", action="store_true", help="only say what is stale")
    check = parser.parse_args(arguments).check
    stale = 0
    for readme in READMES:
        text = readme.read_text(encoding="utf-8")
        current = TABLE.sub(lambda _: table(), text)
        if current != text and check:
            print(f"{readme.name}: its table of lessons is stale; make lessons", file=sys.stderr)
            stale = 1
        elif current != text:
            readme.write_text(current, encoding="utf-8")
    return stale


if __name__ == "__main__":
    sys.exit(main())
