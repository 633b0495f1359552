"""A graph in given layers, with a line and a text between each layer and the next.

Graphviz chooses the layers of a graph itself. Here they are given: a cut is a straight line only
if all nodes above it are in higher layers than all nodes below it.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Container, Mapping, Sequence

from ..model.graph_model import GraphModel
from ..texts.printable import columns, printable
from .dot import dot_source
from .graphviz import render
from .placement import TooLarge, is_small
from .svg import redrawn, styled, svg_text
from .theme import FONT_SIZE

MOST_NODES = 400
"""Nodes of the largest graph in which the numbers can still be read."""

ASIDE = 16.0
"""Points between the graph and the texts of its lines."""

STYLE = (
    ".mg-graph .cut line{stroke:var(--mg-saved-edge);stroke-width:1.2;stroke-dasharray:7 5}"
    ".mg-graph .cut text{fill:var(--mg-text)}"
    ".mg-graph .still.edge{opacity:.5}"
    ".mg-graph .still.node rect{stroke-dasharray:3 4}"
)


def levels(
    model: GraphModel,
    layers: Mapping[str, int],
    texts: Sequence[str],
    *,
    still: Container[str] = (),
    layout: str | None = None,
) -> str:
    """Return the graph as the text of an SVG element with its style sheet.

    Args:
        layers: the layer of each node, by its id.
        texts: a text next to the line under each layer but the last.
        still: ids of nodes drawn with a broken outline, and of edges drawn faintly.
        layout: the Graphviz to use.

    Raises:
        TooLarge: the graph has more than `MOST_NODES` nodes.
        NoGraphviz, LayoutError: from `render`.
    """
    if len(model) > MOST_NODES:
        raise TooLarge(len(model))
    rows: dict[int, list[str]] = {}
    for node in model.nodes:
        rows.setdefault(layers[node.id], []).append(node.id)
    source = dot_source(model, rows=[rows[layer] for layer in sorted(rows)])
    root = redrawn(render(source, "svg", layout=layout, small=is_small(model)), model)
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
    lines = [printable(each) for each in texts]
    room = max((columns(line) for line in lines), default=0) * 0.61 * FONT_SIZE
    for layer, line in enumerate(lines):
        y = f"{(bottoms[layer] + tops[layer + 1]) / 2:.1f}"
        cut = ET.SubElement(canvas, "g", {"class": "cut"})
        ET.SubElement(cut, "line", {"x1": "0", "x2": f"{width:.1f}", "y1": y, "y2": y})
        place = {"x": f"{width + ASIDE:.1f}", "y": y, "dy": "0.35em", "text-anchor": "start"}
        ET.SubElement(cut, "text", place).text = line
    wide = width + ASIDE + room + ASIDE
    root.set("width", f"{wide:.0f}pt")
    root.set("viewBox", f"{left:g} {top:g} {wide:.1f} {height:g}")
    return styled(svg_text(root)).replace("</style>", f"{STYLE}</style>", 1)


def _extent(group: ET.Element) -> tuple[float, float]:
    """Return the top and the bottom of a node's shape; y grows downwards."""
    ys: list[float] = []
    for shape in group:
        if shape.tag == "rect":
            y = float(shape.get("y", "0"))
            ys += [y, y + float(shape.get("height", "0"))]
        elif shape.tag in ("path", "polygon"):
            outline = shape.get("d", "") or shape.get("points", "")
            ys += [float(y) for y in re.findall(r"-?[\d.]+[ ,](-?[\d.]+)", outline)]
    return min(ys), max(ys)
