"""A drawing of svg.py read back, so that a part of it can be drawn somewhere else.

The layout is the expensive part of a picture. Pages that show the same graph many times, or a part
of it, take the places of its nodes and edges from here.
"""

from __future__ import annotations

import functools
import re
import xml.etree.ElementTree as ET
from typing import NamedTuple

from .svg import ROUND, SVG

Points = list[tuple[float, float]]


class Shape(NamedTuple):
    """Points and how they are joined (as in sheet.py), or a box with `radius`."""

    way: Points
    codes: list[int]
    filled: bool
    dashed: bool
    radius: float | None


class Line(NamedTuple):
    """A line of a label, centred at x."""

    x: float
    y: float
    text: str
    title: bool


class DrawnNode(NamedTuple):
    id: str
    kind: str
    shapes: list[Shape]
    lines: list[Line]
    left: float
    top: float
    right: float
    bottom: float


class DrawnEdge(NamedTuple):
    id: str
    kind: str
    shapes: list[Shape]
    left: float
    top: float
    right: float
    bottom: float


class Drawn(NamedTuple):
    """A whole picture. Its upper left corner is (0, 0)."""

    width: float
    height: float
    nodes: dict[str, DrawnNode]
    edges: dict[str, DrawnEdge]


@functools.lru_cache(maxsize=64)
def drawn(svg: str) -> Drawn:
    """Return the nodes and edges of a picture from svg.py."""
    root = ET.fromstring(svg)
    width, height = (float(x) for x in root.get("viewBox", "0 0 1 1").split(" ")[2:])
    group = root.find(f"{{{SVG}}}g")
    assert group is not None  # whatever svg.py writes has one
    moved = re.findall(r"-?[\d.]+", group.attrib["transform"])
    dx, dy = float(moved[0]), float(moved[1])
    nodes: dict[str, DrawnNode] = {}
    edges: dict[str, DrawnEdge] = {}
    for element in group.iter(f"{{{SVG}}}g"):
        kinds = element.get("class", "").split(" ")
        parts = (child for child in element if child.get("class") != "tray")
        shapes = [s for child in parts if (s := _shape(child, dx, dy)) is not None]
        points = [point for shape in shapes for point in shape.way]
        if not points:
            continue
        xs, ys = [x for x, _ in points], [y for _, y in points]
        around = (min(xs), min(ys), max(xs), max(ys))
        name = element.get("id", "")
        if kinds[0] == "node":
            lines = [
                Line(
                    float(child.get("x", "0")) + dx,
                    float(child.get("y", "0")) + dy,
                    child.text or "",
                    child.get("class") == "title",
                )
                for child in element.iter(f"{{{SVG}}}text")
            ]
            nodes[name] = DrawnNode(name, kinds[1], shapes, lines, *around)
        elif kinds[0] == "edge":
            edges[name] = DrawnEdge(name, kinds[1], shapes, *around)
    return Drawn(width, height, nodes, edges)


def _shape(element: ET.Element, dx: float, dy: float) -> Shape | None:
    tag = element.tag.removeprefix(f"{{{SVG}}}")
    filled = element.get("fill", "none") != "none"
    dashed = "stroke-dasharray" in element.attrib
    if tag == "rect":
        x, y, w, h = (float(element.get(name, "0")) for name in ("x", "y", "width", "height"))
        way = [(x + dx, y + dy), (x + dx + w, y + dy + h)]
        return Shape(way, [], filled, dashed, min(float(element.get("rx", "0")), ROUND))
    if tag in ("polygon", "polyline"):
        way = _pairs(element.get("points", ""), dx, dy)
        codes = [1, *[2] * (len(way) - 1)]
        if tag == "polygon":
            way, codes = [*way, way[0]], [*codes, 79]
        return Shape(way, codes, filled, dashed, None)
    if tag == "path":
        way, codes = [], []
        for letter, numbers in re.findall(r"([MLC])([^MLCZ]*)", element.get("d", "")):
            part = _pairs(numbers, dx, dy)
            codes += [{"M": 1, "L": 2, "C": 4}[letter]] * len(part)
            way += part
        return Shape(way, codes, filled, dashed, None)
    return None


def _pairs(text: str, dx: float, dy: float) -> Points:
    numbers = [float(x) for x in re.findall(r"-?[\d.]+(?:e-?\d+)?", text)]
    return [(x + dx, y + dy) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
