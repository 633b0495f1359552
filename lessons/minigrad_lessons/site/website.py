"""Build the web site of the lessons: pages without kernel or network, in which the steppers step.

The notebooks are run as for build.py, but what is thrown away there is kept here: the program in
every stepper's output. nbconvert turns the cells into HTML, latex2mathml the formulas into MathML,
which browsers draw by themselves. A page refers to nothing outside its folder, so the site works
from a disk as well as from a server.

    python -m minigrad_lessons.site.website                    every chapter, into build/site
    python -m minigrad_lessons.site.website -o out 01_graph    some of them, into another folder
    python -m minigrad_lessons.site.website --lite ../lite     with cells that run: live.py
"""

from __future__ import annotations

import argparse
import html
import itertools
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from urllib.parse import unquote

import latex2mathml.converter
import nbformat
from nbconvert import HTMLExporter
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter

from .. import build
from ..lab.language import LANGUAGES, Language
from . import exercises, glossary, handed, live, programs, search

PARTS = Path(__file__).parent
OUTPUT = Path("build") / "site"
GLOSSARY = "glossary.html"
APPENDIX = "90"
"""What the names of chapters begin with that are not part of the course proper, or are greater."""
STYLES = {"light": "xcode", "dark": "github-dark"}
"""Pygments' style of code in each theme."""

CODE = re.compile(r"(```.*?```|`[^`\n]+`)", re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)
WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "course": "See gradients happen",
        "other": "中文",
        "chapters": "Chapters",
        "theme": "Light or dark",
        "notebook": "This chapter as a notebook",
        "output": "The output",
        "search": "Search all chapters",
        "found": "Places: {}",
        "none": "Nothing found.",
        "glossary": "Glossary",
        "about": "The words of the course, with their names in Chinese.",
        "first": "First in {}.",
    },
    "zh": {
        "course": "看见梯度",
        "other": "English",
        "chapters": "章节",
        "theme": "浅色或深色",
        "notebook": "下载本章的笔记本",
        "output": "输出",
        "search": "搜索全部章节",
        "found": "找到 {} 处",
        "none": "没有找到。",
        "glossary": "术语表",
        "about": "课程中的术语，以及它们的英文名称。",
        "first": "首见于 {}。",
    },
}


@dataclass(frozen=True, slots=True)
class Page:
    """A chapter in one language, run."""

    name: str
    language: Language
    title: str
    notebook: NotebookNode

    @property
    def file(self) -> str:
        return f"{self.name}.html"


def pages(source: Path) -> list[Page]:
    """A chapter's pages, one a language. Runs the chapter in each of them."""
    made = []
    for notebook, path in build.expected_notebooks(source):
        run(notebook, path.parent)
        title = notebook.cells[0].source.splitlines()[0].removeprefix("# ")
        language = notebook.metadata["minigrad"]["language"]
        made.append(Page(source.stem, language, title, notebook))
    return made


def run(notebook: NotebookNode, folder: Path) -> None:
    """Run a chapter, and keep the programs in its outputs."""
    first = nbformat.v4.new_code_cell(
        "import minigrad_lessons.site.frames as frames\nframes.instead_of_stills()\ndel frames"
    )
    notebook.cells.insert(0, first)
    build.run(notebook, folder, with_programs=True)
    del notebook.cells[0]


def with_mathml(markdown: str) -> str:
    """The formulas of a text as MathML; what stands in code is left as it is.

    >>> with_mathml("`$x`, and no formula")
    '`$x`, and no formula'
    >>> with_mathml("$x$")[:44]
    '<math xmlns="http://www.w3.org/1998/Math/Mat'
    """

    def converted(found: re.Match[str]) -> str:
        display = "block" if found[1] else "inline"
        return str(latex2mathml.converter.convert(found[1] or found[2], display=display))

    pieces = CODE.split(markdown)
    pieces[::2] = [FORMULA.sub(converted, piece) for piece in pieces[::2]]
    return "".join(pieces)


TEMPLATE = Template("""{% extends 'basic/index.html.j2' %}
{% block output_group %}
{% if 'predict' in cell.metadata.get('tags', []) %}
<details class="predicted"><summary>$output</summary>{{ super() }}</details>
{% elif cell.metadata.get('page') %}<div class="output_wrapper">{{ cell.metadata['page'] }}</div>
{% else %}{{ super() }}{% endif %}
{% endblock output_group %}
""")
"""nbconvert's cells, but for outputs that are to be predicted, or that a page has its own for."""


def body(notebook: NotebookNode, language: Language, lab: str | None = None) -> str:
    """The cells as HTML."""
    source = notebook.metadata["minigrad"]["source"]
    lesson = live.lesson(lab, language, Path(source).stem) if lab else None
    for before, cell in itertools.pairwise(notebook.cells):
        if cell.source.startswith("check("):
            path = f"lessons/{language}/{Path(source).stem}.ipynb"
            asked = before.source, cell.source
            cell.metadata["page"] = exercises.in_page(*asked, language, path, lesson)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            # What is folded shows its first line in a notebook, and nothing in a page.
            cell.source = with_mathml(cell.source.removeprefix(build.AFTERWARDS[language]))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/svg+xml" in data:
                # As an image it could not follow the reader's choice of a theme.
                data.setdefault("text/html", data["image/svg+xml"])
    exporter = HTMLExporter(template_name="basic")
    exporter.raw_template = TEMPLATE.substitute(output=html.escape(WORDS[language]["output"]))
    text, _ = exporter.from_notebook_node(notebook)
    text = programs.shared(text)
    # What leads to a heading is decoded before it is looked for; nbconvert has encoded both.
    text = re.sub(r'(?<= id=")[^"]*%[^"]*', lambda found: unquote(found[0]), text)
    # Other chapters are neighbours here too.
    return re.sub(r'href="(\w+)\.ipynb"', r'href="\1.html"', text)


def link(page: Page | None, kind: str) -> str:
    if page is None:
        return ""
    return f'<a rel="{kind}" href="{page.file}">{html.escape(page.title)}</a>'


def menu(course: Sequence[Page]) -> str:
    """The links to all chapters; those after the course proper stand apart."""
    kinds = {False: "", True: ' class="appendix"'}
    items = (f"<li{kinds[each.name >= APPENDIX]}>{link(each, 'chapter')}</li>" for each in course)
    return "\n".join(items)


def framed(
    main: str, *, language: Language, title: str, file: str, course: Sequence[Page], **parts: str
) -> str:
    """A whole page around its main part; `course` is all chapters of its language, in order."""
    other = next(each for each in LANGUAGES if each != language)
    words = {word: html.escape(text) for word, text in WORDS[language].items()}
    parts = {"previous": "", "following": "", "download": ""} | parts
    return Template((PARTS / "page.html").read_text(encoding="utf-8")).substitute(
        words,
        language=language,
        title=html.escape(title),
        other_page=f"../{other}/{file}",
        other_language=other,
        menu=menu(course),
        body=main,
        policy=programs.rules(main),
        **parts,
    )


def chapter(page: Page, course: Sequence[Page], main: str, lab: str | None = None) -> str:
    """A chapter's page: between the one before and the one after, and to be had as a notebook; with
    a lab, to be run there, or in the page itself.
    """
    if lab is not None:
        here = lab, page.language, page.name
        whole = chapter(page, course, f"{live.bar(*here)}\n{main}")
        return live.with_policy(whole.replace("</head>", f"{live.program(*here)}\n</head>", 1))
    place = course.index(page)
    words = html.escape(WORDS[page.language]["notebook"])
    return framed(
        main,
        language=page.language,
        title=page.title,
        file=page.file,
        course=course,
        previous=link(course[place - 1] if place else None, "prev"),
        following=link(course[place + 1] if place + 1 < len(course) else None, "next"),
        download=f'<a download href="{page.name}.ipynb">{words}</a>',
    )


def folder(language: Language, course: Sequence[Page], lab: str | None = None) -> dict[str, str]:
    """The files of one language by their names: chapters, notebooks, the glossary, the search."""
    files: dict[str, str] = {}
    sections: list[search.Section] = []
    for page in course:
        main = body(page.notebook, language, lab)
        sections += search.sections(main, page.file, page.title)
        files[page.file] = chapter(page, course, main, lab)
        source = build.LESSONS / language / f"{page.name}.ipynb"
        files[source.name] = source.read_text(encoding="utf-8")
    words = WORDS[language]
    titles = {page.name: page.title for page in course}
    listed = glossary.page(language, build.chapters(), titles, words["first"])
    main = f'<h1 id="top">{html.escape(words["glossary"])}</h1>\n<p>{words["about"]}</p>\n{listed}'
    sections += search.sections(main, GLOSSARY, words["glossary"])
    files[GLOSSARY] = framed(
        main, language=language, title=words["glossary"], file=GLOSSARY, course=course
    )
    files["sections.js"] = search.script(sections)
    return files


def style(*parts: str) -> str:
    """The style sheet of these parts, with Pygments' colours for either theme."""
    colours = [
        HtmlFormatter(style=name).get_style_defs(f'[data-theme="{theme}"] .highlight')
        for theme, name in STYLES.items()
    ]
    return "\n".join([*colours, *((PARTS / part).read_text(encoding="utf-8") for part in parts)])


def front(sources: Sequence[Path]) -> str:
    """The front page, which leads to the index, or to the chapter whose number the address has."""
    template = Template((PARTS / "index.html").read_text(encoding="utf-8"))
    stems = json.dumps([source.stem for source in sources])
    page = template.substitute(chapters=stems, policy="$policy")
    return page.replace("$policy", programs.rules(page))  # which names the script as it now is


def write(sources: Sequence[Path], output: Path, lab: str | None = None) -> int:
    """Write the site of these chapters; the number of bytes written. With the place of a lab, as it
    is seen from the front page, the chapters lead to it, and their cells run.
    """
    made = []
    for source in sources:
        made += pages(source)
        print(source.stem, flush=True)
    files = {
        "index.html": front(sources),
        "site.css": style("site.css", "live.css") if lab else style("site.css"),
        "site.js": programs.script(),
    }
    if lab:
        files["live.js"] = (PARTS / "live.js").read_text(encoding="utf-8")
        files |= {f"try/{name}": text for name, text in handed.files(lab).items()}
    for language in LANGUAGES:
        course = [page for page in made if page.language == language]
        for name, text in folder(language, course, lab).items():
            files[f"{language}/{name}"] = text
    for name, text in files.items():
        path = output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return sum(len(text.encode()) for text in files.values())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m minigrad_lessons.site.website")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    parser.add_argument("--lite", help="where the lab of `make lite` lies, seen from index.html")
    parser.add_argument("chapters", nargs="*", help="names such as 02_backward; default: all")
    options = parser.parse_args(arguments)
    size = write(build.named(options.chapters), options.output, options.lite)
    print(f"{options.output / 'index.html'}: {size / 1e6:.1f} MB in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
