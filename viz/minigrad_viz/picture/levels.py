"""A graph in layers, with lines between them that cut it, and at each line what is said of it.

Graphviz chooses the layers of a graph itself. Here they are given: a cut is a straight line only
where all nodes above it are in higher layers than all below it.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Container, Mapping, Sequence

from ..model.graph_model import GraphModel
from ..texts.printable import columns, printable
from .dot import dot_source
from .engines import render
from .placement import TooLarge, is_small
from .svg import redrawn, styled, written
from .theme import FONT_SIZE

MOST_NODES = 400
"""A picture of more could be drawn, and nobody could read the numbers in it."""

ASIDE = 16.0
"""Points between the graph and what is said of a line."""

STYLE = (
    ".mg-graph .cut line{stroke:var(--mg-saved-edge);stroke-width:1.2;stroke-dasharray:7 5}"
    ".mg-graph .cut text{fill:var(--mg-text)}"
    ".mg-graph .still.edge{opacity:.5}"
    ".mg-graph .still.node :is(rect,path,polygon){stroke-dasharray:3 4}"
)


def levels(
    model: GraphModel,
    layers: Mapping[str, int],
    said: Sequence[str],
    *,
    still: Container[str] = (),
    engine: str | None = None,
) -> str:
    """The graph as the text of an SVG element with its style sheet: each node in its layer, and one
    of `said` beside the line under each layer but the last. What is `still`, nodes and edges by
    their ids, is drawn with a broken outline, or faintly. TooLarge, or what `render` raises.
    """
    if len(model) > MOST_NODES:
        raise TooLarge(len(model))
    rows: dict[int, list[str]] = {}
    for node in model.nodes:
        rows.setdefault(layers[node.id], []).append(node.id)
    source = dot_source(model, rows=[rows[layer] for layer in sorted(rows)])
    root = redrawn(render(source, "svg", engine=engine, small=is_small(model)), model)
    (canvas,) = root
    tops: dict[int, float] = {}
    bottoms: dict[int, float] = {}
    for group in canvas.iter("g"):
        name = group.get("id", "")
        if name in still:
            group.set("class", f"{group.get('class', '')} still")
        if name in layers:
            top, bottom = _extent(group)
            layer = layers[name]
            tops[layer] = min(top, tops.get(layer, top))
            bottoms[layer] = max(bottom, bottoms.get(layer, bottom))
    left, top, width, height = map(float, root.get("viewBox", "0 0 0 0").split(" "))
    texts = [printable(each) for each in said]
    room = max((columns(text) for text in texts), default=0) * 0.61 * FONT_SIZE
    for layer, text in enumerate(texts):
        y = f"{(bottoms[layer] + tops[layer + 1]) / 2:.1f}"
        cut = ET.SubElement(canvas, "g", {"class": "cut"})
        ET.SubElement(cut, "line", {"x1": "0", "x2": f"{width:.1f}", "y1": y, "y2": y})
        place = {"x": f"{width + ASIDE:.1f}", "y": y, "dy": "0.35em", "text-anchor": "start"}
        ET.SubElement(cut, "text", place).text = text
    wide = width + ASIDE + room + ASIDE
    root.set("width", f"{wide:.0f}pt")
    root.set("viewBox", f"{left:g} {top:g} {wide:.1f} {height:g}")
    return styled(written(root)).replace("</style>", f"{STYLE}</style>", 1)


def _extent(group: ET.Element) -> tuple[float, float]:
    """The top and the bottom of a node's shape; y grows downwards."""
    ys: list[float] = []
    for shape in group:
        if shape.tag == "rect":
            y = float(shape.get("y", "0"))
            ys += [y, y + float(shape.get("height", "0"))]
        elif shape.tag in ("path", "polygon"):
            outline = shape.get("d", "") or shape.get("points", "")
            ys += [float(y) for y in re.findall(r"-?[\d.]+[ ,](-?[\d.]+)", outline)]
    return min(ys), max(ys)
