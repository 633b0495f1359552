"""One tree of sources for each language, as Sphinx reads it.

index.md          docs/site/index.md, or docs/site/index.zh.md
02_backward.ipynb the chapters, run (chapters.py)
gallery.ipynb     docs/site/src/gallery.md, run
glossary.md       the terms (glossary.py)
documents/        the other pages of docs/; a page without a Chinese version is in English
reference/        docs/reference/, read from the docstrings
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import nbformat

from .. import build
from ..exercises.exercise import Words
from ..lab.language import LANGUAGES, Language
from ..week.handout import LECTURE
from . import chapters, glossary
from .links import ROOT, repository

DOCS = ROOT / "docs"
FRONT = DOCS / "site"
"""The pages that only the site has."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)\s#]+)(#[^)\s]*)?\)")
PICTURE = re.compile(r"<picture>.*?</picture>", re.DOTALL)
SOURCE = re.compile(r'<(?:source[^>]*srcset|img[^>]*src)="([^"]+)"')
ALT = re.compile(r'alt="([^"]*)"')
OTHER = re.compile(r"^\[(?:中文|English)\]\([\w.]+\)\n", re.MULTILINE)
EMPTY = re.compile(r"```\{toctree\}\n(?::[^\n]*\n)+\n+```\n")
"""A list of pages that a site of some chapters has not."""
APPENDIX = "91"
"""The first number of the chapters that are for one week in class."""
TO_HANDOUT = Words(
    '\n\n```{raw} html\n<p><a href="handout.html">Handout, two pages to print</a></p>\n```\n',
    '\n\n```{raw} html\n<p><a href="handout.html">讲义，打印两页</a></p>\n```\n',
)
"""The link to the handout in the page of the lecture; build_site writes the handout."""
TITLED = re.compile(r'\A---\ntitle: "?(.*?)"?\n.*?^---\n(.*)', re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^# .*$", re.MULTILINE)
ENGLISH_ONLY = "\n:::{note}\n:class: language-zh-CN\n这一页只有英文。\n:::\n"
CHINESE_NOTE = '<div class="admonition note" lang="zh-cn">'
"""The beginning of this note in a page."""


def documents() -> list[str]:
    """Return the paths of all documents below docs/, without languages and suffixes."""
    paths = [path.relative_to(DOCS) for path in DOCS.rglob("*.md")]
    names = {str(path.with_suffix("").as_posix()).removesuffix(".zh") for path in paths}
    return sorted(name for name in names if not name.startswith(("reference/", "site/")))


def write(
    sources: Sequence[Path],
    tree: Path,
    kept: Path,
    lab: str | None = None,
    *,
    static: bool = False,
    reference: bool = True,
) -> None:
    """Write the trees of all languages below `tree`.

    With `static`, chapters have their stored outputs, which contain no script: for a book. Without
    `reference`, the docstrings are left out.
    """
    shutil.rmtree(tree, ignore_errors=True)
    stems = [source.stem for source in sources]
    for source in [*sources, FRONT / "src" / "gallery.md"]:
        for notebook, path in build.expected_notebooks(source, roles=True):
            language = notebook.metadata["minigrad"]["language"]
            if static and path.exists():
                stored = nbformat.read(path, as_version=4)
                notebook = chapters.with_outputs(notebook, stored)
            else:
                notebook = chapters.ran(notebook, build.LESSONS / language, kept)
                if source.stem == LECTURE:
                    notebook.cells[0].source += TO_HANDOUT.text(language)
            text = chapters.for_sphinx(notebook, language, stems, lab)
            put(tree / language / f"{source.stem}.ipynb", text)
    for language in LANGUAGES:
        write_documents(tree / language, language, stems)
        folder = tree / language / "reference"
        if reference:
            shutil.copytree(DOCS / "reference", folder, ignore=shutil.ignore_patterns("*.zh.md"))
            put(folder / "index.md", translated("reference/index", language)[0])
        else:
            put(folder / "index.md", "# Reference\n")


def write_documents(folder: Path, language: Language, stems: Sequence[str]) -> None:
    """Write everything but chapters and gallery."""
    put(folder / "glossary.md", glossary.page(language, stems))
    listed = {
        "{first}": stems[0] if stems else "gallery",
        "{chapters}": "\n".join(stem for stem in stems if stem <= APPENDIX),
        "{week}": "\n".join(stem for stem in stems if stem > APPENDIX),
        "{documents}": "\n".join(f"documents/{name}" for name in documents()),
    }
    index, _ = translated("index", language, FRONT)
    for mark, names in listed.items():
        index = index.replace(mark, names)
    put(folder / "index.md", EMPTY.sub("", index))
    for name in documents():
        text, found = translated(name, language)
        text = TITLED.sub(with_title, text)
        if found != language:
            text = HEADING.sub(rf"\g<0>\n{ENGLISH_ONLY}", text, count=1)
        put(folder / "documents" / f"{name}.md", with_links(text, set(stems), DOCS / name))
    for path in (*DOCS.glob("*.png"), *DOCS.glob("peers/*.png")):
        copied = folder / "documents" / path.relative_to(DOCS)
        copied.parent.mkdir(exist_ok=True)
        shutil.copy(path, copied)


def translated(name: str, language: Language, folder: Path = DOCS) -> tuple[str, Language]:
    """Return a document in a language, or in English, and the language it has."""
    path = folder / f"{name}.zh.md"
    if language == "zh" and path.exists():
        return path.read_text(encoding="utf-8"), "zh"
    return (folder / f"{name}.md").read_text(encoding="utf-8"), "en"


def with_links(text: str, stems: set[str], document: Path = DOCS / "index") -> str:
    """Return the text of a document with links to the site's pages, or to files of the repository.

    Before the repository is published, the name of such a file is not a link.
    """

    def link(found: re.Match[str]) -> str:
        picture, words, target, anchor = found[1], found[2], found[3], found[4] or ""
        path = (document.parent / target).resolve()
        if picture or (path.suffix == ".md" and path.is_relative_to(DOCS)):
            return f"{picture}[{words}]({target.replace('.zh.md', '.md')}{anchor})"
        if path.suffix == ".ipynb" and path.stem in stems:
            return f"[{words}](/{path.name})"
        owner = repository()
        place = path.relative_to(ROOT)
        return f"[{words}](https://github.com/{owner}/blob/HEAD/{place})" if owner else words

    text = OTHER.sub("", text).replace("```mermaid\n", "```text\n")  # GitHub alone draws it
    pieces = re.split(r"(```.*?```)", text, flags=re.DOTALL)
    pieces[::2] = [PICTURE.sub(picture, LINK.sub(link, piece)) for piece in pieces[::2]]
    return "".join(pieces)


def with_title(found: re.Match[str]) -> str:
    """Return a paper with its title as the one heading of the first level."""
    return f"# {found[1]}\n\n" + re.sub("^#", "##", found[2], flags=re.MULTILINE)


def picture(found: re.Match[str]) -> str:
    """Return a `<picture>` of two themes as two images, of which the theme shows one."""
    dark, light = SOURCE.findall(found[0])
    alt = ALT.search(found[0])
    words = alt[1] if alt else ""
    return f"![{words}]({light}){{.only-light}}\n![{words}]({dark}){{.only-dark}}"


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
