"""The graph as SVG: the engine's drawing with the model's ids, in colours that a page can switch.

The drawing is read as XML and written again without what differs between versions of Graphviz (its
comments, titles that repeat ids, a font on every line of text), in as few characters as it takes: a
notebook stores it. `styled` puts a style sheet into it, for where it stands alone.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from ..model.graph_model import Enclosure, GraphModel, Node
from ..texts.printable import printable
from ..texts.sentences import word
from .dot import SHAPES
from .graphviz import LayoutError
from .placement import picture
from .stage import (
    CHIP,
    ROW,
    SIDE,
    Key,
    box_size,
    chip_rows,
    chips_of,
    frame_name,
    label_lines,
    legend_of,
    on_stage,
    text_width,
    tooltip,
)
from .theme import DETAIL_SIZE, FONT_SIZE, LIGHT, fill_and_outline, style_sheet

SVG = "http://www.w3.org/2000/svg"
TEXT = {"text-anchor": "middle", "font-family": "monospace", "font-size": f"{FONT_SIZE:g}"}
"""How all text is set, said once: every label is centred in its node."""

EDGES = {"fill": "none", "stroke": LIGHT.edge}
"""How all edges are drawn, but for what an edge says itself."""

BASELINE = 13.0
"""From the top of a line to where its letters stand."""

ROUND, SQUARE = 7.0, 2.0
"""The radius of corners: of what runs, and of tensors."""

KEY, NARROWEST = (20.0, 12.0), 340.0
"""Width and height of a sample in the legend, and the least width of its rows."""


def styled(svg: str, *, image: bool = False) -> str:
    """An SVG of ours with its style sheet; to be shown as an `image`, it needs less of it."""
    return svg.replace(">", f">\n<style>{style_sheet(image=image)}</style>", 1)


def svg(
    model: GraphModel,
    *,
    layout: str | None = None,
    legend: bool = False,
    colours: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The graph as the text of an SVG element, without a style sheet. Raises what `picture`
    raises. The legend also explains `colours`: the words for each class of rectangles.
    """
    root = redrawn(picture(model, "svg", layout=layout), model)
    if legend:
        add_legend(root, on_stage(model), colours)
    return svg_text(root)


def redrawn(drawing: bytes, model: GraphModel) -> ET.Element:
    """The engine's SVG of this model, in our own words."""
    model = on_stage(model)
    drawn = ET.fromstring(drawing)
    nodes = {node.id: node for node in model.nodes}
    chips = chips_of(model)
    root = ET.Element("svg", {"xmlns": SVG, "class": "mg-graph", "role": "img"})
    name = printable(model.root.name)
    root.set("aria-label", word(model.root.language, "picture", root=name))
    for name in ("width", "height", "viewBox"):
        root.set(name, short(drawn.get(name, "")))
    canvas = drawn.find(f"{{{SVG}}}g")
    if canvas is None:
        raise LayoutError("Graphviz gave an SVG without a graph in it")
    moved = canvas.get("transform", "").partition("translate")
    group = ET.SubElement(root, "g", TEXT | {"transform": moved[1] + short(moved[2])})
    frames = {each.id: each for each in model.enclosures}
    found = {each.get("id", ""): each for each in canvas.findall(f"{{{SVG}}}g")}
    group.extend(_frame(found[id], each) for id, each in frames.items() if id in found)
    edges = ET.SubElement(group, "g", EDGES)  # below the nodes
    group.extend(_frame_name(found[id], each) for id, each in frames.items() if id in found)
    for id, drawn_group in found.items():
        node = nodes.get(id)
        if id in frames:
            continue
        if node is None:
            edges.append(_edge(drawn_group))
        else:
            group.extend(_node(_extent(drawn_group), node, chips.get(node.id, ())))
    return root


def svg_text(root: ET.Element) -> str:
    """Return a redrawn SVG as text."""
    ET.indent(root, space="")
    return ET.tostring(root, encoding="unicode").replace(" />", "/>")


def _edge(drawn: ET.Element) -> ET.Element:
    group = ET.Element("g", {"id": drawn.get("id", ""), "class": drawn.get("class", "")})
    names = ("fill", "stroke", "stroke-width", "stroke-dasharray")
    for element in drawn.iter():
        tag = element.tag.removeprefix(f"{{{SVG}}}")
        if tag in ("path", "polygon"):
            said = {name: element.get(name) for name in names}
            own = {
                name: value for name, value in said.items() if value and EDGES.get(name) != value
            }
            ET.SubElement(group, tag, own | _outline(element))
    return group


def _frame(drawn: ET.Element, frame: Enclosure) -> ET.Element:
    """Return the line around an open box."""
    group = ET.Element("g", {"id": frame.id, "class": "frame"})
    line = {"fill": "none", "stroke": LIGHT.edge}
    coloured = ET.SubElement(group, "g", {"class": "edge"})  # whose colours a frame has
    ET.SubElement(coloured, "rect", line | _place(_extent(drawn), ROUND))
    return group


def _frame_name(drawn: ET.Element, frame: Enclosure) -> ET.Element:
    """Return the name of an open box, in its upper left corner and above the arrows there."""
    group = ET.Element("g", {"class": "cluster"})  # whose colours a name has
    box = _extent(drawn)
    text, width = frame_name(frame)
    fill, outline = fill_and_outline("cluster")
    tab = _place(_Box(box.left, box.top, width, CHIP), ROUND)
    ET.SubElement(group, "rect", {"fill": fill, "stroke": outline} | tab)
    _text(group, "detail", box.left + width / 2, box.top + BASELINE + 1, text)
    return group


class _Box(NamedTuple):
    left: float
    top: float
    width: float
    height: float


def _extent(drawn: ET.Element) -> _Box:
    """Return where the engine has placed a node."""
    points = [point for element in drawn.iter() for point in _corners(element)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return _Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _node(box: _Box, node: Node, chips: Sequence[Node]) -> Iterator[ET.Element]:
    """Yield the group of a node, and one for each of its chips."""
    lines = label_lines(node)
    texts = [label_lines(chip)[0] for chip in chips]
    body = box_size(lines).body if chips else box.height
    group = _group(node)
    if chips:
        tray = {"class": "tray", "fill": LIGHT.tray, "fill-opacity": ".6"}
        below = _Box(box.left + 3, box.top + 4, box.width - 6, box.height - 4)
        ET.SubElement(group, "rect", tray | _place(below, SQUARE))
    front = box._replace(height=body)
    if node.kind == "cluster":
        front = _Box(box.left, box.top + 4, box.width - 4, box.height - 4)
        behind = _Box(box.left + 4, box.top, box.width - 4, box.height - 4)
        ET.SubElement(group, "rect", _look(node) | _place(behind, SQUARE))
    radius = ROUND if node.kind in ("function", "operation", "accumulate") else SQUARE
    ET.SubElement(group, "rect", _look(node) | _place(front, radius))
    middle = front.left + front.width / 2
    top = front.top + (front.height - ROW * len(lines)) / 2
    for number, line in enumerate(lines):
        kind = "detail" if number else "title"
        _text(group, kind, middle, top + ROW * number + BASELINE, line)
    yield group
    placed = chip_rows(texts)
    widths = [max(c.x + c.width for c in placed if c.row == chip.row) for chip in placed]
    for chip, text, place, width in zip(chips, texts, placed, widths, strict=True):
        group = _group(chip)
        left = middle - width / 2 + place.x
        row = box.top + body + CHIP * place.row
        at = _Box(left, row + 2, place.width, CHIP - 3)
        ET.SubElement(group, "rect", _look(chip) | _place(at, 3))
        _text(group, "chip", left + place.width / 2, row + BASELINE + 1, text)
        yield group


def _text(group: ET.Element, kind: str, x: float, y: float, text: str) -> None:
    size = {} if kind == "title" else {"font-size": f"{DETAIL_SIZE:g}"}
    place = {"x": _number(x), "y": _number(y)}
    ET.SubElement(group, "text", {"class": kind} | size | place).text = text


def _look(node: Node) -> dict[str, str]:
    """Return the colours of a node's shape, and the kind of its line."""
    fill, outline = fill_and_outline(node.kind)
    look = {"fill": fill, "stroke": outline}
    if (width := SHAPES[node.kind].get("penwidth")) is not None:
        look["stroke-width"] = width
    if node.kind == "saved":
        look["stroke-dasharray"] = "2 3" if node.saved == "freed" else "3 2"
    elif node.saved == "lost":
        look["stroke-dasharray"] = "5 2"
    return look


def _place(box: _Box, radius: float) -> dict[str, str]:
    named = zip(("x", "y", "width", "height"), box, strict=True)
    return {name: _number(value) for name, value in named} | {"rx": f"{radius:g}"}


def _number(value: float) -> str:
    return f"{round(value, 1) + 0.0:g}"


def _sample(key: Key) -> Node:
    """Return a node that looks as the key's nodes do."""
    if key == "freed":
        return Node("", "saved", "", saved="freed")
    return Node("", key, "")


def add_legend(root: ET.Element, model: GraphModel, colours: Mapping[str, str]) -> None:
    """Add the legend of a model on stage, and of further colours, below a picture of it."""
    left, top, width, height = map(float, root.get("viewBox", "0 0 0 0").split(" "))
    legend = ET.SubElement(root, "g", {"class": "legend"} | TEXT | {"text-anchor": "start"})
    x, y, right = left + SIDE, top + height + SIDE, left + width
    keys: list[tuple[str, Node, str]] = []
    keys += [(key, _sample(key), text) for key, text in legend_of(model)]
    keys += [(name, _sample("function"), text) for name, text in colours.items()]
    for name, sample, text in keys:
        room = KEY[0] + 6 + text_width(text)
        if x > left + SIDE and x + room > max(right, left + NARROWEST):
            x, y = left + SIDE, y + CHIP
        kind = name if name in colours else sample.kind
        entry = ET.SubElement(legend, "g", {"class": f"{kind} {sample.saved or 'key'}"})
        box = _Box(x, y, *KEY)
        radius = ROUND / 2 if sample.kind in ("function", "operation") else SQUARE
        ET.SubElement(entry, "rect", _look(sample) | _place(box, radius))
        _text(entry, "detail", x + KEY[0] + 6, y + KEY[1] - 2, text)
        x += room + 2 * SIDE
        right = max(right, x - SIDE)
    root.set("width", f"{_number(right - left)}pt")
    root.set("height", f"{_number(y + CHIP - top)}pt")
    root.set("viewBox", " ".join(map(_number, (left, top, right - left, y + CHIP - top))))


def _group(node: Node) -> ET.Element:
    """Return a node's group, with its tooltip."""
    kinds = " ".join(filter(None, ("node", node.kind, node.saved)))
    group = ET.Element("g", {"id": node.id, "class": kinds})
    if (about := tooltip(node)) is not None:
        ET.SubElement(group, "title").text = about
    return group


def _outline(element: ET.Element) -> dict[str, str]:
    """Where a path or polygon goes."""
    if "d" in element.attrib:
        return {"d": short(element.get("d", ""))}
    points = short(element.get("points", "")).split(" ")
    if element.tag.endswith("polygon") and points[0] == points[-1]:
        points.pop()  # a polygon closes itself
    return {"points": " ".join(points)}


def _corners(element: ET.Element) -> list[tuple[float, float]]:
    """The points that a path or polygon is drawn through."""
    written = element.get("d", "") or element.get("points", "")
    return [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+),([-\d.]+)", written)]


def short(text: str) -> str:
    """The numbers in `text` with one digit after the point, or none: a tenth of a pixel."""
    # Zero is added because what rounds to -0.0 is 0.
    return re.sub(r"-?\d+\.\d+", lambda m: f"{round(float(m[0]), 1) + 0.0:.9g}", text)
