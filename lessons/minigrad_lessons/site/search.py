"""What the search of the site looks through: the text of every section, with its heading.

It is a script, not data that a page would have to fetch, so that the search works from a disk. The
browser loads it when the reader first goes to the box, and search.js looks through all of it: at
some hundred sections that takes less than a millisecond.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html.parser import HTMLParser
from typing import TypedDict

SKIPPED = {"script", "style", "svg", "details", "noscript"}
SKIPPED_CLASSES = {"output_wrapper", "prompt", "anchor-link", "celltag_ask", "first"}
"""Programs, pictures, outputs, and what is folded: a solution is not to be found before its
exercise.
"""
HEADINGS = {"h1", "h2", "h3", "dt"}

VOID = {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}


class Section(TypedDict):
    """A heading and what stands below it, up to the next."""

    page: str
    anchor: str
    chapter: str
    heading: str
    text: str


class Reader(HTMLParser):
    """Cuts a page's cells into sections."""

    def __init__(self, page: str, chapter: str) -> None:
        super().__init__()
        self.page, self.chapter = page, chapter
        self.sections: list[Section] = []
        self.skipping = 0  # how deep within what is skipped
        self.heading = False
        self.ended = False  # behind a paragraph or a cell

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        attributes = dict(attrs)
        classes = (attributes.get("class") or "").split()
        if self.skipping or tag in SKIPPED or SKIPPED_CLASSES.intersection(classes):
            self.skipping += 1
        elif tag in HEADINGS:
            self.heading = True
            anchor = attributes.get("id") or ""
            self.sections.append(
                Section(page=self.page, anchor=anchor, chapter=self.chapter, heading="", text="")
            )

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        self.skipping = max(0, self.skipping - 1)
        self.heading = self.heading and tag not in HEADINGS
        self.ended = True

    def handle_data(self, data: str) -> None:
        if self.skipping or not self.sections:
            return
        section = self.sections[-1]
        if self.heading:
            section["heading"] += data
        else:
            section["text"] += data


def sections(body: str, page: str, chapter: str) -> list[Section]:
    """The sections of a page, given its cells as HTML.

    >>> sections('<h1 id="a">A</h1><p>one<b>two</b></p><pre>three</pre>', "p.html", "A")
    [{'page': 'p.html', 'anchor': 'a', 'chapter': 'A', 'heading': 'A', 'text': 'onetwo three'}]
    """
    reader = Reader(page, chapter)
    # Words of two paragraphs are not one word.
    reader.feed(re.sub(r"(</(?:p|pre|div|li|td|th|dt|dd|h\d|blockquote)>)", r"\1 ", body))
    for section in reader.sections:
        for key in ("heading", "text"):
            section[key] = " ".join(section[key].split())
    return reader.sections


def script(found: Iterable[Section]) -> str:
    """The sections as the script that a page loads."""
    return f"globalThis.minigradSections = {json.dumps(list(found), ensure_ascii=False)};\n"
