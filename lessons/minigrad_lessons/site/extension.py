"""An extension of Sphinx: what no other one has.

Formulas as MathML, which browsers draw without a script; buttons that open a chapter in the
browser's lab, on Binder or on Colab; the scripts of predictions, sliders, steppers and running
cells; and a policy in each page, by which no other script runs and nothing is fetched from another
site.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import latex2mathml.converter
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.search import zh

from ..lab.language import Language
from . import docstrings, live, programs
from .links import colab, launch
from .sources import IN_ENGLISH

PARTS = Path(__file__).parent
WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "other": "中文",
        "lab": "In this browser",
        "run": "Run this lesson",
        "pages": "Its pages",
    },
    "zh": {"other": "English", "lab": "在这个浏览器里", "run": "运行本章", "pages": "其中的页面"},
}
CHAPTER = re.compile(r"\d\d_\w+")
HANDLER = re.compile(r' onclick="(toggleFullScreen|window\.print)\(\)"')
"""The inline handlers of the theme. A policy without 'unsafe-inline' would not run them."""


NAMES = (
    # The visible words are the name.
    (re.compile(r'(<button class="btn search-button-field[^>]*?) aria-label="[^"]*"'), r"\1"),
    (re.compile(r'<summary aria-label="Toggle hidden content">'), "<summary>"),
    (re.compile(r'<th (?:class="head[^"]*"|scope="col")>(?:<p></p>)?</th>'), "<td></td>"),
    (
        re.compile(r'<div class="sidebar-primary-item">(?=\s*<a class="navbar-brand)'),
        '<div class="sidebar-primary-item" role="navigation" aria-label="minigrad">',
    ),
)
"""Names of the theme's elements for a screen reader, where axe-core asks for them."""
CHINESE = {
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
ENGLISH_PAGE = (
    (
        re.compile('<(?=article class="bd-article"|nav id="pst-page-toc-nav")\\w+'),
        r'\g<0> lang="en"',
    ),
    (
        re.compile(rf'<div(?= class="admonition note">\s*<p.*\s*<p>{IN_ENGLISH})'),
        '<div lang="zh-CN"',
    ),
)
"""The language of a document that has no Chinese version."""
ARROW = re.compile(r'<summary>(?=<span class="toctree-toggle")')
PLURAL = re.compile(r"new Function\([^)]*\)`,\s*\)")


def language_of(app: Sphinx) -> Language:
    return "zh" if str(app.config.language).startswith("zh") else "en"


def formula(display: str) -> Callable[[Any, nodes.Element], None]:
    """Return a visitor that writes a formula as MathML."""

    def visit(translator: Any, node: nodes.Element) -> None:
        for number, part in enumerate(node.astext().split("\n\n") if display == "block" else [""]):
            text = part if display == "block" else node.astext()
            converted = latex2mathml.converter.convert(text, display=display)
            if display == "block":
                anchor = f' id="{node["ids"][0]}"' if node["ids"] and not number else ""
                converted = f'<div class="math"{anchor}>{converted}</div>'
            translator.body.append(converted)
        raise nodes.SkipNode

    return visit


def add_to_page(
    app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Add the other language, the launch buttons, and the data of running cells to a page."""
    language = language_of(app)
    other = "en" if language == "zh" else "zh"
    there = "reference/index" if name.startswith("reference/") else name  # shared.py
    context["other_language"] = other
    context["other_words"] = WORDS[language]["other"]
    context["other_page"] = f"{context['content_root']}../{other}/{there}.html"
    if not CHAPTER.fullmatch(name):
        return
    path = f"{language}/{name}.ipynb"
    lab = app.config.minigrad_lab
    found = {
        WORDS[language]["lab"]: lab and live.lesson(lab, language, name),
        "Binder": launch(f"lessons/{path}"),
        "Colab": colab(f"lessons/{path}"),
        ".ipynb": lab and f"{live.seen_from_a_chapter(lab)}files/{path}",
    }
    buttons = [{"type": "link", "text": k, "url": url} for k, url in found.items() if url]
    group = {"type": "group", "tooltip": WORDS[language]["run"], "icon": "fa-solid fa-rocket"}
    if buttons:
        context.setdefault("header_buttons", []).insert(0, {**group, "buttons": buttons})
    if lab:
        context["metatags"] = context.get("metatags", "") + live.program(lab, language, name)


def write_shared(app: Sphinx) -> None:
    """Write the files that all pages load."""
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    (static / "minigrad.js").write_text(programs.script(), encoding="utf-8")
    sheet = (PARTS / "site.css").read_text("utf-8") + (PARTS / "live.css").read_text("utf-8")
    (static / "minigrad.css").write_text(sheet, encoding="utf-8")
    (static / "live.js").write_text((PARTS / "live.js").read_text("utf-8"), encoding="utf-8")


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
    for pattern, marked in ENGLISH_PAGE if f"<p>{IN_ENGLISH}" in page else ():
        page = pattern.sub(marked, page)
    arrow = f'<summary aria-label="{WORDS[language]["pages"]}">'  # it has no words
    page = ARROW.sub(arrow, page)
    return live.with_policy(HANDLER.sub(r' data-press="\1"', page), has_lab)


class SearchChinese(zh.SearchChinese):
    """Chinese search with the words of the index on both sides.

    jieba splits the pages into words. The page splits a query without blanks into the longest words
    that the index has. Sphinx stems the English ones, but looks for a stemmer by this name.
    """

    language_name = "English"
    js_splitter_code = (PARTS / "split_query.js").read_text(encoding="utf-8")

    def __init__(self, options: dict[str, str]) -> None:
        import jieba

        jieba.setLogLevel(logging.WARNING)
        super().__init__(options)


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
    skip = (formula("inline"), None), (formula("block"), None)
    app.add_html_math_renderer("mathml", *skip)
    app.add_search_language(SearchChinese)
    app.connect("builder-inited", write_shared)
    app.connect("html-page-context", add_to_page, priority=900)
    app.connect("build-finished", finish, priority=900)
    app.connect("autodoc-process-docstring", docstrings.process, priority=100)
    app.add_css_file("minigrad.css", priority=900)
    app.add_js_file("minigrad.js", priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
