"""Each term of the glossary is taught in one chapter, and no earlier chapter uses it.

A chapter teaches a term where it stands in bold or in italics for the first time. A sentence that
names another chapter may use a term of that chapter: it says where to look.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import jupytext
import pytest
from minigrad_lessons import build
from minigrad_lessons.lab.language import Language
from minigrad_lessons.site.glossary import TERMS, Term

CHAPTERS = [source for source in build.chapters() if "00_index" < source.stem < "90"]
POINTER: dict[Language, str] = {"en": r"[Cc]hapters? \d", "zh": r"第 ?\d+"}
ROLE = re.compile(r"\{term\}`([^`<]+?)(?: <[^`>]+>)?`")
NOT_THE_TERM = {
    "in place": r"in place of|stands? in place",
    "node": r"whole nodes|every detail|逐个节点|叶子节点",
    "edge": r"[旁一两左右后前上下这那哪半单多走]边|边[上框看]|一边",
    "accumulate": r"adds? up|added",
    "saved tensor": r"saved(?! tensor)",
    "batch": r"Batch",
}
"""Spellings that are everyday words in other places, by the first spelling of the term."""


@functools.cache
def prose(source: Path, language: Language) -> list[str]:
    """The sentences of a chapter behind its introduction, without code."""
    cells = jupytext.reads(source.read_text(encoding="utf-8"), fmt="md:myst").cells
    text = "\n".join(
        cell.source
        for cell in cells
        if cell.cell_type == "markdown" and cell.metadata.get("lang") == language
    )
    text = re.sub(r"```.*?```|<details>.*?</details>", "", text[text.index("\n## ") :], flags=re.S)
    text = re.sub(
        r"`[^`\n]*`|\]\([^)]*\)|^(?:Next|下一章).*$", "", ROLE.sub(r"\1", text), flags=re.M
    )
    return re.split(r"(?<=[.。!?？！|])\s+|\n\n|(?<=。)", text)


def uses(term: Term, sentence: str, language: Language) -> bool:
    sentence = re.sub(NOT_THE_TERM.get(term.en[0], "(?!)"), "", sentence)
    words = "|".join(map(re.escape, term.spellings(language)))
    pattern = rf"\b(?:{words})s?\b" if language == "en" else words
    return re.search(pattern, sentence, re.IGNORECASE) is not None


def teaches(term: Term, source: Path, language: Language) -> bool:
    """Whether a chapter has the term in bold, in italics or in a heading."""
    marked = re.compile(r"\*+([^*\n]+)\*+|^#+ (.*)$|（([a-z -]+)）", re.M)
    for sentence in prose(source, language):
        if re.search(POINTER[language], sentence):
            continue
        if any(uses(term, "".join(filter(None, m)), language) for m in marked.findall(sentence)):
            return True
    return False


def first_use(term: Term, language: Language) -> int | None:
    for place, source in enumerate(CHAPTERS):
        for sentence in prose(source, language):
            if uses(term, sentence, language) and not re.search(POINTER[language], sentence):
                return place
    return None


@pytest.mark.parametrize("language", build.LANGUAGES)
@pytest.mark.parametrize("term", TERMS, ids=lambda term: str(term.en[0]))
def test_term_is_taught_before_it_is_used(term: Term, language: Language) -> None:
    used = first_use(term, language)
    taught = [place for place, s in enumerate(CHAPTERS) if teaches(term, s, language)]
    where = [CHAPTERS[place].stem for place in taught]
    assert used is None or not taught or taught[0] <= used, (CHAPTERS[used].stem, where)


def test_chinese_names_stepper_alike() -> None:
    """The documents say 单步器 and 逐步执行, and so do the chapters."""
    sources = [*build.chapters(), *(build.LESSONS / "src" / "week").glob("*.md")]
    found = [
        each.name for each in sources if re.search("逐步执行器|单步执行", each.read_text("utf-8"))
    ]
    assert found == []
