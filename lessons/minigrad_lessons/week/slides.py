"""Write the lecture as slides that need no network, and a handout of two pages.

    python -m minigrad_lessons.week.slides                      en and zh, into build/slides
    python -m minigrad_lessons.week.slides --lang en -o out     one language, into another folder

A slide begins at each cell whose `slideshow` metadata says so. The lecture is run, so that its
steppers step. reveal.js is copied from the package sphinx-revealjs, formulas become MathML, and
nothing is loaded from another address. handout.py writes the handout.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import latex2mathml.converter
from nbconvert import SlidesExporter
from nbformat import NotebookNode

from .. import build
from ..exercises.exercise import Words
from ..lab.language import LANGUAGES, Language
from .handout import LECTURE, write_handout

OUTPUT = Path("build") / "slides"
PARTS = Path(__file__).parent
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)

TEMPLATE = """{% extends 'reveal/index.html.j2' %}
{% block html_head_js %}{% endblock %}
{% block html_head_js_mathjax %}{% endblock %}
{% block html_head_css %}<link rel="stylesheet" href="slides.css">{% endblock %}
{% block footer_js %}
<script src="reveal.js/dist/reveal.js"></script>
<script src="reveal.js/plugin/notes/notes.js"></script>
<script src="slides.js"></script>
{% endblock %}
"""
"""nbconvert's slides, without its addresses in other places."""

STEPPER = 'class="minigrad-output '
UNUSED = Words("Click into the figure: then → and ← step.", "在图上点一下，→ 和 ← 就走步。")
USED = Words(
    "→ and ← step. PageDown, or → after a click outside, turns the page.",
    "→ 和 ← 走步；按 PageDown，或点一下图外再按 →，就翻页。",
)


def reveal() -> Path:
    """Return the folder of reveal.js.

    Raises FileNotFoundError if the package that brings it is not installed.
    """
    found = find_spec("sphinx_revealjs")
    if found is None or found.origin is None:
        raise FileNotFoundError("reveal.js is missing: in a checkout, pip install '.[lab,slides]'")
    return Path(found.origin).parent / "_static" / "revealjs"


def with_mathml(text: str) -> str:
    """Return a text with its formulas as MathML, which browsers draw by themselves."""

    def converted(found: re.Match[str]) -> str:
        display = "block" if found[1] else "inline"
        return str(latex2mathml.converter.convert(found[1] or found[2], display=display))

    return FORMULA.sub(converted, text)


def add_keys(output: NotebookNode, language: Language) -> None:
    """Write below a stepper how its keys work, before and after a click into it."""
    page = output.get("data", {}).get("text/html", "")
    if STEPPER in page:
        spans = (f"<span>{words.text(language)}</span>" for words in (UNUSED, USED))
        output.data["text/html"] = f'{page}<p class="minigrad-keys">{"".join(spans)}</p>'


def slides(notebook: NotebookNode, language: Language) -> str:
    """Return a lecture that has been run as one page of slides."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = with_mathml(cell.source)
        for output in cell.get("outputs", []):
            add_keys(output, language)
    exporter = SlidesExporter(reveal_url_prefix="reveal.js", reveal_theme="white")
    exporter.raw_template = TEMPLATE
    exporter.exclude_input_prompt = exporter.exclude_output_prompt = True
    page, _ = exporter.from_notebook_node(notebook)
    return str(page)


def write(language: Language, folder: Path) -> None:
    """Write the slides and the handout of one language into a folder of its own."""
    target = folder / language
    target.mkdir(parents=True, exist_ok=True)
    (source,) = build.named([LECTURE])
    for notebook, path in build.expected_notebooks(source):
        if path.parent.name == language:
            build.run(notebook, path.parent, with_programs=True)
            (target / "index.html").write_text(slides(notebook, language), encoding="utf-8")
    write_handout(language, target)
    for name in ("slides.js", "slides.css"):
        shutil.copy(PARTS / name, target / name)
    for part in ("dist", "plugin/notes"):
        copied = target / "reveal.js" / part
        shutil.copytree(reveal() / part, copied, dirs_exist_ok=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m minigrad_lessons.week.slides")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    parser.add_argument("--lang", choices=LANGUAGES, action="append", help="default: both")
    options = parser.parse_args(arguments)
    try:
        reveal()
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 1
    for language in options.lang or LANGUAGES:
        write(language, options.output)
        print(options.output / language / "index.html", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
