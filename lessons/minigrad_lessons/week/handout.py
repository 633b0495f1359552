"""Write the handout of the lecture: a page for two sides of A4 or letter paper, and a PDF.

A Chromium prints the PDF: that of playwright, or one on the PATH. Without any, the page stays.
"""

from __future__ import annotations

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from string import Template

import minigrad_viz as viz
from minigrad_viz.texts.language import shown_in

import minigrad

from ..lab.language import Language

PARTS = Path(__file__).parent
LECTURE = "91_lecture"


def handout(language: Language) -> str:
    """Return the handout as a page that prints on two sides of one sheet."""
    a = minigrad.tensor(2.0, requires_grad=True)
    b = minigrad.tensor(-3.0, requires_grad=True)
    d = a * b + a
    page = Template((PARTS / f"handout.{language}.html").read_text(encoding="utf-8"))
    style = (PARTS / "handout.css").read_text(encoding="utf-8")
    with shown_in(language):
        graph = viz.draw(d, names={"a": a, "b": b, "d": d}).svg
    return page.substitute(style=style, graph=graph)


def write_handout(language: Language, folder: Path, program: str | None = None) -> bool:
    """Write handout.html and, with a Chromium, handout.pdf; return whether there is a PDF.

    A line on the standard error says why there is none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "handout.html"
    page.write_text(handout(language), encoding="utf-8")
    trouble = print_page(page, program)
    if trouble:
        print(f"{page}: no PDF, {trouble}", file=sys.stderr)
    return not trouble


def print_page(page: Path, program: str | None = None) -> str:
    """Write a page as a PDF next to it; return the reason if that is not possible, else "".

    `program` is a Chromium; the default is one on the PATH, or playwright's own.
    """
    if find_spec("playwright") is None:
        return "playwright is not installed"
    from playwright.sync_api import Error, sync_playwright

    programs = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
    program = program or next(filter(None, map(shutil.which, programs)), None)
    try:
        with sync_playwright() as tools:
            browser = tools.chromium.launch(executable_path=program)
            opened = browser.new_page()
            opened.goto(page.resolve().as_uri())
            opened.pdf(path=page.with_suffix(".pdf"), prefer_css_page_size=True)
            browser.close()
    except Error as error:
        return str(error).splitlines()[0]
    return ""
