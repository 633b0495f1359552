"""The builds of Sphinx: pages in two languages, or two books."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from string import Template

from ..lab.language import LANGUAGES, Language
from ..week.handout import LECTURE, write_handout
from . import handed, live, shared, sources

PARTS = Path(__file__).parent
CODES: dict[Language, str] = {"en": "en", "zh": "zh_CN"}
"""Sphinx's names of the languages."""
SEARCH: dict[Language, str] = {"en": "Search...", "zh": "搜索……"}
"""The words of the search's button, which the theme has in English only."""


JOBS = "2"
"""More processes take longer: each one sends its pages back."""


class BuildError(Exception):
    """Raised if Sphinx reports a warning or an error."""


def build_site(
    chapters: Sequence[Path],
    output: Path,
    work: Path,
    lab: str | None = None,
    *,
    reference: bool = True,
) -> None:
    """Write the site of these chapters; `work` keeps what the next build need not repeat."""
    tree = work / "sources"
    sources.write(chapters, tree, work / "run", lab, reference=reference)
    shutil.rmtree(output, ignore_errors=True)
    for language in LANGUAGES:
        run("html", tree, language, output / language, lab)
    shared.share(output / "zh")
    shutil.rmtree(output / "jupyter_execute", ignore_errors=True)  # myst-nb's copies
    stems = json.dumps([source.stem for source in chapters])
    if any(source.stem == LECTURE for source in chapters):
        for language in LANGUAGES:
            write_handout(language, output / language)
    front = Template((PARTS / "index.html").read_text("utf-8")).substitute(chapters=stems)
    sources.put(output / "index.html", live.with_policy(front, False))
    absent = (PARTS / "404.html").read_text("utf-8")  # many hosts show it at a wrong address
    sources.put(output / "404.html", live.with_policy(absent, False))
    if lab:
        write_try_page(output, lab)


def write_try_page(output: Path, lab: str) -> None:
    """Write the page that steps a program of the reader's."""
    for name, text in handed.files(lab).items():
        sources.put(output / "try" / name, text)


def build_books(chapters: Sequence[Path], output: Path, work: Path) -> None:
    """Write an EPUB of each language, with the outputs that the notebooks store."""
    tree = work / "book-sources"
    sources.write(chapters, tree, work / "run", static=True)
    for language in LANGUAGES:
        run("epub", tree, language, output / language)


def run(builder: str, tree: Path, language: Language, output: Path, lab: str | None = None) -> None:
    """Run Sphinx on the tree of a language; every warning is an error."""
    arguments = ["-b", builder, "-q", "-W", "--keep-going", "-j", JOBS, "-c", str(sources.DOCS)]
    arguments += ["-d", str(tree / f".{builder}-{language}"), "-D", f"language={CODES[language]}"]
    arguments += ["-D", f"html_theme_options.search_bar_text={SEARCH[language]}"]
    if lab:
        arguments += ["-D", f"minigrad_lab={lab}"]
    command = [sys.executable, "-m", "sphinx", *arguments, str(tree / language), str(output)]
    if subprocess.run(command).returncode:
        raise BuildError(f"Sphinx reported the problems above, in {language}")
