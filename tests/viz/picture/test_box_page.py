"""A drawing saved as a page: its boxes are links, and each has its inside there."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import minigrad_viz as viz
import pytest
from minigrad_viz.picture.theme import style_sheet

import minigrad as mg

SVG = "{http://www.w3.org/2000/svg}"
NAME = "<b>block</b>"


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of two layers, of which the first has two parts, in a box around them."""
    names, h = {}, mg.ones(2, 4)
    for path in ("0.a", "0.b", "1"):
        w = mg.ones(4, 4, requires_grad=True)
        names[f"{NAME}.{path}.weight"] = w
        h = (h @ w @ w).tanh()
    file = tmp_path_factory.mktemp("page") / "folded.html"
    return viz.draw(h.sum(), names=names, fold=True).save(file).read_text(encoding="utf-8")


def parts(text: str) -> dict[str, tuple[list[tuple[str, str]], ET.Element]]:
    """By id, the way back (where each link leads, and its text) and the picture."""
    found = {}
    for name, inside in re.findall(
        r'<(?:main|section) id="([^"]+)">\n(.*?)\n</(?:main|section)>', text, re.S
    ):
        links = re.findall(r'<a href="#([^"]+)"[^>]*>(.*?)</a>', inside.partition("<svg")[0])
        found[name] = links, ET.fromstring(inside[inside.index("<svg") :].strip())
    return found


def links(picture: ET.Element) -> list[tuple[str, str, str]]:
    """Of each box that opens: where it leads, its state, and the first line in it."""
    return [
        (a.get("href", ""), a.get("aria-expanded", ""), next(a.iter(f"{SVG}text")).text or "")
        for a in picture.iter(f"{SVG}a")
    ]


def test_box_leads_inside_and_back(text: str) -> None:
    found = parts(text)
    assert {picture.get("role") for _, picture in found.values()} == {"group"}
    whole = found.pop("whole")
    assert whole[0] == []
    leads = {href.removeprefix("#"): (state, name) for href, state, name in links(whole[1])}
    assert {state for state, _ in leads.values()} == {"false"}
    assert {name for _, name in leads.values()} <= {f"{NAME}.0", f"{NAME}.1", NAME, "0", "1"}
    assert leads.keys() <= found.keys() and len(leads) >= 2
    escaped = NAME.replace("<", "&lt;").replace(">", "&gt;")
    depths = set()
    for name, (path, picture) in found.items():
        first, *around = path
        assert first == ("whole", "whole graph")
        assert around[-1][0] == name and around[-1][1].startswith(escaped)
        assert f'<a href="#{name}" aria-current="page" aria-expanded="true">' in text
        assert all(href in found for href, _ in around)
        assert f"#{name}" not in {href for href, *_ in links(picture)}  # it is open already
        depths.add(len(around))
    assert depths == {1, 2}
    assert text.count("aria-current=") == len(found)


def test_no_id_stands_twice(text: str) -> None:
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(set(ids)) == len(ids)
    for name, (_, picture) in parts(text).items():
        place = name.removeprefix("in-")
        inner = [element.get("id", "") for element in picture.iter() if element.get("id")]
        assert inner and all(id.startswith(f"{place}-") for id in inner)
        assert picture.get("role") == "group"


def test_page_has_language_and_title(text: str) -> None:
    assert text.startswith('<!doctype html>\n<html lang="en">\n')
    assert f"\n{style_sheet()}</style>" in text
    assert "<title>result</title>" in text


def test_a_page_without_boxes_has_one_picture(tmp_path: Path) -> None:
    x = mg.ones(2, requires_grad=True)
    text = viz.draw(x * 2, names={"x": x}).save(tmp_path / "plain.html").read_text("utf-8")
    assert list(parts(text)) == ["whole"]
    assert parts(text)["whole"][1].get("role") == "img"
    assert "<section" not in text and "aria-expanded" not in text


def test_page_of_a_drawing_has_a_heading(tmp_path: Path) -> None:
    loss = (mg.ones(2, requires_grad=True) * 2).sum()
    text = viz.draw(loss).save(tmp_path / "graph.html").read_text(encoding="utf-8")
    assert text.count("<h1>") == 1 and "<h1>loss</h1>" in text
