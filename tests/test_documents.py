"""The documents: the README is short, both languages have the same parts, and links lead somewhere.

Limits on words count prose alone: no code, no table, no picture.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from minigrad_lessons.lab.language import Language
from minigrad_lessons.site import links

from tools.architecture import core_lines, tracked
from tools.plain_words import FOUND

ROOT = Path(__file__).parents[1]
SOURCES = ("site", "src", "reference")
"""Folders of docs/ with pages for Sphinx alone, in its markup."""
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if path.parent.name not in SOURCES),
    *sorted((ROOT / ".github").glob("*.md")),
]
CHINESE = [path for path in DOCUMENTS if path.name.endswith(".zh.md")]

LINES = 130
WORDS = 900
LINES_BEFORE_DEVELOPERS = 115
"""Two screens of prose, and the table of peers. The table of lessons is not counted."""


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def words(text: str) -> int:
    """Two Chinese characters count as a word."""
    separated = re.sub(r"[\u4e00-\u9fff]{1,2}", " word ", text)
    return sum(re.search(r"\w", each) is not None for each in separated.split())


def prose(text: str) -> str:
    """A document without its code, tables, comments, pictures and addresses."""
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->|<picture>.*?</picture>|!\[.*?\]\(.*?\)", "", text, flags=re.S)
    return re.sub(r"^\|.*$|(?<=\])\([^)]*\)", "", text, flags=re.M)


def parts(text: str) -> list[str]:
    """The order of a document's parts, in words that are the same in each language."""
    text = re.sub(r"^( *)```(\w*).*?^\1```$", r"CODE \2", text, flags=re.M | re.S)
    kinds = {
        "#": r"^(#+) .*",
        "code": r"^ *CODE (\w*)",
        "row": r"^\|(?!-)(.*)\|$",
        "mark": r"^<!-- (.*) -->$",
        "picture": r"^(?:<img|!\[).*",
        "item": r"^ *(?:-|\d\.) ",
    }
    found = []
    for line in text.splitlines():
        for kind, pattern in kinds.items():
            if match := re.match(pattern, line):
                cells = line.replace(r"\|", "").count("|") if kind == "row" else ""
                detail = match[1] if kind in ("#", "code", "mark") else cells
                found.append(f"{kind} {detail}")
    return found


@pytest.mark.parametrize("repository", [None, "owner/minigrad"])
@pytest.mark.parametrize("language", links.READMES)
def test_the_readme_is_short(
    language: Language, repository: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "repository", lambda: repository)
    text = links.current(read(links.READMES[language]), language)
    lessons = re.compile(r"(?<=<!-- lessons -->\n).*(?=<!-- /lessons -->)", re.S)
    before, _, after = re.split(
        r"^(## (?:For developers|给开发者))$", lessons.sub("", text), flags=re.M
    )
    assert len(before.splitlines()) + len(after.splitlines()) <= LINES
    assert len(before.splitlines()) <= LINES_BEFORE_DEVELOPERS
    assert words(prose(text)) <= WORDS


@pytest.mark.parametrize("document", CHINESE, ids=lambda path: path.name)
def test_both_languages_have_the_same_parts(document: Path) -> None:
    english = document.with_name(document.name.replace(".zh.", "."))
    assert parts(read(document)) == parts(read(english))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)|(?:src|srcset)=\"([^\"]+)", read(document))
    files = [one or other for one, other in targets if not re.match(r"[a-z]+:", one or other)]
    assert [name for name in files if not (document.parent / name).exists()] == []


def anchors(text: str) -> set[str]:
    """The addresses that GitHub gives to the headings of a document."""
    headings = re.findall(r"^#+ (.*)", text, re.M)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_into_pages_name_headings(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s:]*\.md)?#([^)\s]+)\)", read(document))
    missing = [
        f"{name}#{anchor}"
        for name, anchor in links
        if anchor not in anchors(read(document.parent / name if name else document))
    ]
    assert missing == []


def test_every_page_is_linked_from_the_readme() -> None:
    for name, language in (("README.md", ""), ("README.zh.md", ".zh")):
        text = read(ROOT / name)
        pages = [path.name for path in sorted((ROOT / "docs").glob("*.md"))]
        if not language:
            wanted = [page for page in pages if not page.endswith(".zh.md")]
        else:
            translated = {page.replace(".zh.", ".") for page in pages if page.endswith(".zh.md")}
            wanted = [page for page in pages if page not in translated]
        assert [page for page in wanted if f"docs/{page}" not in text] == []


LONGEST = 25


def sentences(text: str) -> list[str]:
    """English sentences of paragraphs, list items and table cells; code counts as one word."""
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.M | re.S)
    text = re.sub(r"<!-- (benchmark|graphs|distributed) -->.*?<!-- /\1 -->", "", text, flags=re.S)
    text = re.sub(r"<!--.*?-->|<picture>.*?</picture>", "\n\n", text, flags=re.S)
    text = re.sub(r"`[^`]*`", "Code", text)
    text = re.sub(r"(?<=\])\([^)]*\)", "", text)
    text = re.sub(r"^(?=#)|^ *(?:-|\d+\.) ", "\n", text, flags=re.M)
    blocks = [cell for block in re.split(r"\n\s*\n|\n(?=\|)", text) for cell in block.split("|")]
    end = r"(?<=[.?!:])[)\"*]*\s+(?=[A-Z*`\[\"(])"
    found = [each for block in blocks for each in re.split(end, block)]
    return [each for each in found if not re.search(r"[\u4e00-\u9fff]", each)]


@pytest.mark.parametrize(
    "document", [path for path in DOCUMENTS if path not in CHINESE], ids=lambda path: path.name
)
def test_sentences_are_short_and_plain(document: Path) -> None:
    found = [" ".join(each.split()) for each in sentences(read(document))]
    assert [each for each in found if words(each) > LONGEST] == []
    assert [each for each in found if FOUND.search(each)] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_named_files_exist(document: Path) -> None:
    text = re.sub(r"^( *)```.*?^\1```$", "", read(document), flags=re.M | re.S)
    named = set(re.findall(r"`((?:[\w.-]+/)*\w+\.(?:py|ts|js|cfg|yml))`", text))
    files = [f"/{path.relative_to(ROOT).as_posix()}" for path in tracked(ROOT)]
    numbered = {name for name in named if "chapter_NN" in name}
    assert [
        n for n in sorted(named - numbered) if not any(f.endswith(f"/{n}") for f in files)
    ] == []


READ_IN_AN_AFTERNOON = [
    *DOCUMENTS,
    ROOT / "minigrad/__init__.py",
    *(ROOT / "lessons/src").rglob("*.md"),
]


def test_an_afternoon_names_the_core_length() -> None:
    core, _ = core_lines()
    figures = f"{core:,}", f"{round(core, -2):,}"
    found = [
        block
        for path in READ_IN_AN_AFTERNOON
        for block in re.split(r"\n\s*\n|\n(?=\|)", read(path))
        if re.search("afternoon|一个下午", block)
    ]
    assert len(found) >= 4
    assert [each for each in found if not any(figure in each for figure in figures)] == []
