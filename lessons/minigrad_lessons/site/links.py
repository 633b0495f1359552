"""Where the READMEs lead: every chapter to read, and to run on Binder and on Colab.

    python -m minigrad_lessons.site.links            write the tables anew
    python -m minigrad_lessons.site.links --check    fail if one is stale

Whose repository it is stands in one place, `[project.urls]` of pyproject.toml, where `make publish`
puts it. Until then there is no page to lead to, and no link is written.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from ..build import LESSONS, chapters
from ..lab.language import LANGUAGES, Language

ROOT = LESSONS.parent
READMES: dict[Language, Path] = {"en": ROOT / "README.md", "zh": ROOT / "README.zh.md"}
BRANCH = "colab"
"""The branch that has the lessons as colab.py writes them, with the wheel that they install."""

ARROWS: dict[Language, str] = {
    "en": "▶ opens a lesson on Binder, where nothing has to be installed; Colab on Google Colab.",
    "zh": "▶ 在 Binder 上打开课程，无需安装任何东西；Colab 在 Google 的 Colab 上打开。",
}


def repository() -> str | None:
    """Return `owner/name`, or None before the repository is published."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    url: str | None = project.get("urls", {}).get("Repository")
    return url and url.removeprefix("https://github.com/")


def launch(path: str) -> str | None:
    """Where Binder opens a file of the repository in JupyterLab."""
    name = repository()
    return name and f"https://mybinder.org/v2/gh/{name}/HEAD?urlpath=lab/tree/{path}"


def colab(path: str) -> str | None:
    """Where Colab opens a lesson, in the form in which it brings what it needs."""
    name = repository()
    place = path.removeprefix("lessons/")
    return name and f"https://colab.research.google.com/github/{name}/blob/{BRANCH}/{place}"


def title(source: Path, language: Language) -> str:
    """The chapter's heading in one language."""
    text = source.read_text(encoding="utf-8")
    prose = re.search(rf'\+\+\+ {{"lang": "{language}"}}\n\n# (.+)', text)
    assert prose, f"{source.name} has no heading in {language}"
    return prose[1]


def table(language: Language) -> str:
    """A row a chapter: in each language its title, which opens the notebook, and launch links.
    Below them a sentence in `language` says what the links do."""
    published = repository() is not None
    rows = (
        ["English | | 中文 |", "--- | --- | --- | ---"]
        if published
        else ["English | 中文", "--- | ---"]
    )
    for source in chapters():
        cells = []
        for spoken in LANGUAGES:
            path = f"lessons/{spoken}/{source.stem}.ipynb"
            cells.append(f"[{title(source, spoken)}]({path})")
            if published:
                cells.append(f"[▶]({launch(path)}) [Colab]({colab(path)})")
        rows.append(" | ".join(cells))
    written = "".join(f"| {row} |\n" for row in rows)
    return f"\n{written}\n" + (f"{ARROWS[language]}\n\n" if published else "")


def badges(language: Language) -> str:
    """Return the badges below a README's title: state of the tests, site, Binder and Colab."""
    name = repository()
    if name is None:
        return ""
    owner, _, project = name.partition("/")
    workflow = f"https://github.com/{name}/actions/workflows/ci.yml"
    index = f"lessons/{language}/{chapters()[0].stem}.ipynb"
    shown = [
        ("checks", f"{workflow}/badge.svg", workflow),
        ("Binder", "https://mybinder.org/badge_logo.svg", launch(index)),
        ("Colab", "https://colab.research.google.com/assets/colab-badge.svg", colab(index)),
    ]
    pictures = [f"[![{text}]({picture})]({target})" for text, picture, target in shown]
    site = {"en": "Read the lessons on the web", "zh": "在网页上阅读课程"}[language]
    return " ".join([*pictures, f"[{site}](https://{owner}.github.io/{project}/)"]) + "\n"


def current(text: str, language: Language) -> str:
    """A README with what stands between its marks written anew."""
    for mark, made in (("lessons", table), ("badges", badges)):
        between = re.compile(rf"(?<=<!-- {mark} -->\n).*?(?=<!-- /{mark} -->)", re.S)
        text = between.sub(lambda _, made=made: made(language), text)  # type: ignore[misc]
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m minigrad_lessons.site.links")
    parser.add_argument("--check", action="store_true", help="only say what is stale")
    check = parser.parse_args(arguments).check
    stale = 0
    for language, readme in READMES.items():
        text = readme.read_text(encoding="utf-8")
        wanted = current(text, language)
        if wanted != text and check:
            print(f"{readme.name}: its links are stale; make lessons", file=sys.stderr)
            stale = 1
        elif wanted != text:
            readme.write_text(wanted, encoding="utf-8")
    return stale


if __name__ == "__main__":
    sys.exit(main())
