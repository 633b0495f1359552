"""The graph in Graphviz's language: what is written on each node, and how large it is.

Everything that a label may contain is text. Names of variables and of nodes are hostile until
escaped: no name may open markup, refer to a node, or reverse the reading direction.

The size of a node is computed here, from columns of a monospaced font, and not left to the engine.
So a picture does not depend on the fonts of the machine that drew it, and text that a browser shows
in another font than the engine measured still fits.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from types import MappingProxyType

from ..model.graph_model import Edge, GraphModel, Node
from ..model.optional_packages import optional
from ..texts.printable import columns, printable
from .theme import FONT, FONT_SIZE, LIGHT, fill_and_outline

LONGEST_LINE = 44
"""Columns of a label. A longer line loses its middle here; the SVG's tooltip has it whole."""

MOST_CHARACTERS = 4 * LONGEST_LINE
"""Characters of a line: accents take no column, and a label of millions takes Graphviz minutes."""


def dot_source(
    model: GraphModel,
    *,
    background: str = "transparent",
    without: Container[str] = (),
    straight: Container[str] = (),
    rough: bool = False,
    places: Mapping[str, str] | None = None,
    paths: Mapping[str, str] = MappingProxyType({}),
    rows: Iterable[Sequence[str]] = (),
) -> str:
    """The graph as DOT text, byte for byte the same for the same model.

    `without` some edges, by id, and with others as `straight` as can be, in a `rough` layout that
    takes less time; or with every node in its place ("x,y"), and edges straight but for those that
    have a path; or with nodes in `rows` of their own.
    ImportError with a sentence that says what to install if the `graphviz` package is missing.
    """
    graphviz = optional("graphviz")
    graph = graphviz.Digraph("backward")
    graph.attr(bgcolor=background, nodesep="0.3", ranksep="0.4", pad="0.1")
    if rough:
        graph.attr(nslimit="1")
    if places is not None:
        graph.attr(splines="line")
    graph.attr("node", fontname=FONT, fontsize=f"{FONT_SIZE:g}", fontcolor=LIGHT.text, margin="0")
    graph.attr("edge", color=LIGHT.edge, arrowsize="0.7")
    for node in model.nodes:
        place = {} if places is None else {"pos": places[node.id]}
        graph.node(node.id, **_node_attributes(node, graphviz.escape), **place)
    layered = {edge.id for edge in layering(model)}
    for edge in model.edges:
        if edge.id not in without:
            attributes = _edge_attributes(edge)
            if edge.id not in layered:
                attributes["constraint"] = "false"
            if edge.id in straight:
                attributes["weight"] = "8"
            if edge.id in paths:
                attributes["pos"] = paths[edge.id]
            graph.edge(edge.source, edge.target, **attributes)
    for row in (*side_by_side(model), *rows):
        with graph.subgraph() as layer:
            layer.attr(rank="same")
            for node_id in row:
                layer.node(node_id)
    return str(graph.source)


def layering(model: GraphModel) -> list[Edge]:
    """The edges whose ends stand in different layers, one above the other.

    Where both passes are shown, the forward one makes the layers, and gradients flow upwards.
    """
    if not side_by_side(model):
        return list(model.edges)
    below = {node.id for node in model.nodes if node.kind == "saved"}
    return [edge for edge in model.edges if edge.kind == "data" or edge.target in below]


def side_by_side(model: GraphModel) -> list[tuple[str, str]]:
    """Return the pairs in one layer of a picture of both passes.

    A pair is an operation and its node, or a leaf and the node that adds to its gradient.
    """
    if not any(edge.kind == "made" for edge in model.edges):
        return []
    return [(edge.source, edge.target) for edge in model.edges if edge.kind in ("made", "leaf")]


SHAPES = {
    "root": {"shape": "box", "style": "filled", "peripheries": "2"},
    "function": {"shape": "box", "style": "rounded,filled"},
    "accumulate": {"shape": "box", "style": "rounded,filled"},
    "leaf": {"shape": "box", "style": "filled", "penwidth": "1.5"},
    "saved": {"shape": "note", "style": "dashed,filled"},
    "operation": {"shape": "box", "style": "rounded,filled", "penwidth": "1.5"},
    "tensor": {"shape": "box", "style": "filled"},
    "cluster": {"shape": "box3d", "style": "filled", "penwidth": "1.5"},
}


def _node_attributes(node: Node, escape: Callable[[str], str]) -> dict[str, str]:
    # Every node says its label and its size: a default label was seen to get lost in a fresh
    # process, and a size that does not depend on the fonts of this machine is what makes the layout
    # the same on the next one.
    lines = label_lines(node)
    fill, outline = fill_and_outline(node.kind)
    line = {"style": "dashed,filled"} if node.saved == "lost" else {}
    return (
        SHAPES[node.kind]
        | line
        | {
            "id": node.id,
            "class": " ".join(filter(None, (node.kind, node.saved))),
            "label": escape("\n".join(lines).replace("&", "&amp;")),
            "width": f"{(max(map(columns, lines)) * 0.61 * FONT_SIZE + 20) / 72:.3f}",
            "height": f"{(len(lines) * 17 + 12) / 72:.3f}",
            "fillcolor": fill,
            "color": outline,
        }
    )


def _edge_attributes(edge: Edge) -> dict[str, str]:
    attributes = {"id": edge.id, "class": edge.kind}
    if edge.kind == "saved":
        _, outline = fill_and_outline("saved")
        attributes |= {"style": "dashed", "arrowhead": "none", "color": outline}
    elif edge.kind == "made":
        attributes |= {"style": "dotted", "arrowhead": "none"}
    elif edge.kind == "data":
        attributes["color"] = LIGHT.data
    return attributes


def label_lines(node: Node) -> list[str]:
    """Return the lines of a node's label, safe and short enough to draw.

    No line is empty: Graphviz was seen to crash on text of no length.
    """
    return [_shorten(printable(line)) or "\u00a0" for line in node.lines]


def _shorten(line: str) -> str:
    if len(line) <= MOST_CHARACTERS and columns(line) <= LONGEST_LINE:
        return line
    head = _beginning(line[: MOST_CHARACTERS // 2])
    tail = _beginning(line[: -MOST_CHARACTERS // 2 - 1 : -1])[::-1]
    return f"{head}\u2026{tail}"


def _beginning(part: str) -> str:
    """Return the beginning of `part` that has room in half a line."""
    widths = itertools.accumulate(map(columns, part))
    room = LONGEST_LINE // 2 - 1
    return part[: next((at for at, width in enumerate(widths) if width > room), len(part))]
