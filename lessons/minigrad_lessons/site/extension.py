"""An extension of Sphinx: what no other one has.

Formulas as MathML, which browsers draw without a script; buttons that open a chapter in the
browser's lab, on Binder or on Colab; the scripts of predictions, sliders, steppers and running
cells; and a policy in each page, by which no other script runs and nothing is fetched from another
site.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.search import zh

from ..exercises.exercise import Words
from ..lab.language import Language
from . import docstrings, live, programs
from .links import colab, launch
from .sources import CHINESE_NOTE

PARTS = Path(__file__).parent
LAB = Words("In this browser", "在这个浏览器里")
CHAPTER = re.compile(r"\d\d_\w+")
NAMES = (
    # The visible words are the name.
    (re.compile(r'(<button class="btn search-button-field[^>]*?) aria-label="[^"]*"'), r"\1"),
    (re.compile(r'<summary aria-label="Toggle hidden content">'), "<summary>"),
    (re.compile(r'<th (?:class="head[^"]*"|scope="col")>(?:<p></p>)?</th>'), "<td></td>"),
    (
        re.compile(r'<div class="sidebar-primary-item">(?=\s*<a class="navbar-brand)'),
        '<div class="sidebar-primary-item" role="navigation" aria-label="minigrad">',
    ),
    (
        re.compile(r'<summary>(?=<span class="toctree-toggle")'),  # it has no words
        '<summary aria-label="Its pages">',
    ),
    # A policy without 'unsafe-inline' does not run inline handlers.
    (re.compile(r' onclick="(toggleFullScreen|window\.print)\(\)"'), r' data-press="\1"'),
)
"""The theme's elements, with names for a screen reader where axe-core asks for them."""
CHINESE = {
    "Its pages": "其中的页面",
    "Main": "所有页面",
    "Page": "本页",
    "Color mode": "颜色主题",
    "System Settings": "跟随系统",
    "Toggle primary sidebar": "显示或隐藏所有页面",
    "Toggle secondary sidebar": "显示或隐藏本页目录",
    "© Copyright minigrad contributors.": "© minigrad 的贡献者",
}
"""Words that the theme has in English only."""
ENGLISH = re.compile(
    r'((?:title|aria-label)="|</i>|<p class="copyright">\s*)'
    rf'({"|".join(map(re.escape, CHINESE))})(?=["<\s])'
)
ENGLISH_PAGE = re.compile('<(?:article class="bd-article"|nav id="pst-page-toc-nav")')
"""The parts of a page that are English if it has no Chinese version."""
PLURAL = re.compile(r"new Function\([^)]*\)`,\s*\)")


def language_of(app: Sphinx) -> Language:
    return "zh" if str(app.config.language).startswith("zh") else "en"


def inline_formula(translator: Any, node: nodes.Element) -> None:
    """Write a formula as MathML."""
    translator.body.append(convert(node.astext(), display="inline"))
    raise nodes.SkipNode


def formulas(translator: Any, node: nodes.Element) -> None:
    """Write the formulas of a block as MathML; the first one has its address."""
    for number, part in enumerate(node.astext().split("\n\n")):
        anchor = f' id="{node["ids"][0]}"' if node["ids"] and not number else ""
        text = convert(part, display="block")
        translator.body.append(f'<div class="math"{anchor}>{text}</div>')
    raise nodes.SkipNode


def add_to_page(
    app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Add the launch buttons and the data of running cells to a chapter."""
    if not CHAPTER.fullmatch(name):
        return
    language = language_of(app)
    path = f"{language}/{name}.ipynb"
    lab = app.config.minigrad_lab
    found = {
        LAB.text(language): lab and live.lesson(lab, language, name),
        "Binder": launch(f"lessons/{path}"),
        "Colab": colab(f"lessons/{path}"),
        ".ipynb": lab and f"{live.seen_from_a_chapter(lab)}files/{path}",
    }
    buttons = [{"type": "link", "text": k, "url": url} for k, url in found.items() if url]
    if buttons:
        words = live.LESSON.text(language)
        group = {"type": "group", "tooltip": words, "icon": "fa-solid fa-rocket"}
        context.setdefault("header_buttons", []).insert(0, {**group, "buttons": buttons})
    if lab:
        context["metatags"] = context.get("metatags", "") + live.program(lab, language, name)


def write_script(app: Sphinx) -> None:
    """Write the script that all pages load."""
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    (static / "minigrad.js").write_text(programs.script(), encoding="utf-8")


def finish(app: Sphinx, error: Exception | None) -> None:
    """Give each page its policy, once its text is final."""
    if error is not None or app.builder.format != "html" or app.builder.name == "epub":
        return
    finish_scripts(Path(app.outdir) / "_static")
    language = language_of(app)
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        path.write_text(final(text, bool(app.config.minigrad_lab), language), encoding="utf-8")


def final(page: str, has_lab: bool, language: Language = "en") -> str:
    """Return a page with its policy, and without inline handlers."""
    for pattern, named in NAMES:
        page = pattern.sub(named, page)
    if language == "zh":
        page = ENGLISH.sub(lambda found: found[1] + CHINESE[found[2]], page)
    if CHINESE_NOTE in page:
        page = ENGLISH_PAGE.sub(r'\g<0> lang="en"', page)
    return live.with_policy(page, has_lab)


class SearchChinese(zh.SearchChinese):
    """Chinese search with the words of the index on both sides.

    jieba splits the pages into words. The page splits a query without blanks into the longest words
    that the index has. Sphinx stems the English ones, but looks for a stemmer by this name.
    """

    language_name = "English"
    js_splitter_code = (PARTS / "split_query.js").read_text(encoding="utf-8")


def finish_scripts(static: Path) -> None:
    """Remove what no page loads, and the one script that evaluates text: a plural rule."""
    unused = "*.map", "*webpack-macros.html", "*.po", "*.mo"
    for path in [path for pattern in unused for path in static.rglob(pattern)]:
        path.unlink()
    path = static / "doctools.js"
    text = PLURAL.sub("() => 0", path.read_text(encoding="utf-8"))
    if "new Function" in text:
        raise ExtensionError("doctools.js has changed: its plural rule is not where it was")
    path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("minigrad_lab", "", "html")
    app.add_html_math_renderer("mathml", (inline_formula, None), (formulas, None))
    app.add_search_language(SearchChinese)
    logging.getLogger("jieba").setLevel(logging.WARNING)
    app.connect("builder-inited", write_script)
    app.connect("html-page-context", add_to_page, priority=900)
    app.connect("build-finished", finish, priority=900)
    app.connect("autodoc-process-docstring", docstrings.process, priority=100)
    app.add_js_file("minigrad.js", priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
