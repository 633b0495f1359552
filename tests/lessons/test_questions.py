"""The list of questions that people ask (docs/confusions.md) and the chapters that answer them."""

from __future__ import annotations

import re
from pathlib import Path

from minigrad_lessons import build
from minigrad_lessons.exercises import EXERCISES
from minigrad_lessons.predictions import PREDICTIONS

DOCS = Path(__file__).parents[2] / "docs"
ROW = re.compile(r"^\| (\d+) \| (.+) \| ([\d, ]+) \| (.+) \|$", re.MULTILINE)
CHAPTERS = {int(source.stem[:2]) for source in build.chapters()}


def rows() -> list[tuple[str, str, str, str]]:
    return ROW.findall((DOCS / "confusions.md").read_text(encoding="utf-8"))


def test_every_question_is_listed_once() -> None:
    assert [int(number) for number, *_ in rows()] == list(range(1, 41))


def test_every_question_is_asked_in_its_chapter() -> None:
    for number, _, chapters, asked in rows():
        places = {int(each) for each in chapters.split(",")}
        assert places <= CHAPTERS, number
        for name in asked.split(", ") if asked != "shown" else ():
            known = PREDICTIONS if name.startswith("P ") else EXERCISES
            identity = name.removeprefix("P ")
            assert identity in known, (number, name)
            assert int(identity[:2]) in places, (number, name)


def test_tutorials_belong_to_existing_chapters() -> None:
    text = (DOCS / "seeds.md").read_text(encoding="utf-8")
    taught = [line.rsplit("|", 2)[1] for line in text.splitlines()[7:] if line.startswith("|")]
    assert taught
    for places in taught:
        assert {int(each) for each in re.findall(r"\d+", places)} <= CHAPTERS, places
