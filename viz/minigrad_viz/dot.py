"""The graph in Graphviz's language: what is written on each node, and how large it is.

Everything that a label may contain is text. Names of variables and of nodes are hostile until
escaped: no name may open markup, refer to a node, or reverse the reading direction.

The size of a node is computed here, from columns of a monospaced font, and not left to the engine.
So a picture does not depend on the fonts of the machine that drew it, and text that a browser shows
in another font than the engine measured still fits.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Container, Mapping

from .graph import Edge, GraphModel, Node
from .layout import optional
from .theme import FONT, FONT_SIZE, LIGHT, fill_and_outline

LONGEST_LINE = 44
"""Columns of a label. A longer line loses its middle here; the SVG's tooltip has it whole."""


def dot_source(
    model: GraphModel,
    *,
    background: str = "transparent",
    without: Container[str] = (),
    places: Mapping[str, str] | None = None,
) -> str:
    """The graph as DOT text, byte for byte the same for the same model.

    `without` some edges, by id; or with every node in its place ("x,y") and straight edges.
    ImportError with a sentence that says what to install if the `graphviz` package is missing.
    """
    graphviz = optional("graphviz")
    graph = graphviz.Digraph("backward")
    graph.attr(bgcolor=background, nodesep="0.3", ranksep="0.4", pad="0.1")
    if places is not None:
        graph.attr(splines="line")
    graph.attr("node", fontname=FONT, fontsize=f"{FONT_SIZE:g}", fontcolor=LIGHT.text, margin="0")
    graph.attr("edge", color=LIGHT.edge, arrowsize="0.7")
    for node in model.nodes:
        place = {} if places is None else {"pos": places[node.id]}
        graph.node(node.id, **_node_attributes(node, graphviz.escape), **place)
    # Where both passes are shown, the forward one makes the layers: a node stands beside the
    # operation that left it, and gradients flow upwards.
    both = any(edge.kind == "made" for edge in model.edges)
    below = {node.id for node in model.nodes if node.kind == "saved"}
    for edge in model.edges:
        if edge.id not in without:
            attributes = _edge_attributes(edge)
            if both and edge.kind != "data" and edge.target not in below:
                attributes["constraint"] = "false"
            graph.edge(edge.source, edge.target, **attributes)
            if both and edge.kind in ("made", "leaf"):
                with graph.subgraph() as layer:
                    layer.attr(rank="same")
                    layer.node(edge.source)
                    layer.node(edge.target)
    return str(graph.source)


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
    """The lines of a node's label, made safe and short enough to draw."""
    return [_shorten(printable(line)) for line in node.lines]


def printable(text: str) -> str:
    """`text` in one line: what XML forbids, or what is not to be seen, becomes a visible mark."""
    # Directional marks could make a label read differently from what it is.
    return "".join(
        "\ufffd"
        if unicodedata.category(c) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") or c in _DIRECTIONAL
        else c
        for c in text
    )


_DIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def columns(text: str) -> int:
    """The width of `text` in columns of a monospaced font; a wide (Chinese, say) one takes two."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _shorten(line: str) -> str:
    if columns(line) <= LONGEST_LINE:
        return line
    half = LONGEST_LINE // 2 - 1
    head, tail = line, line
    while columns(head) > half:
        head = head[:-1]
    while columns(tail) > half:
        tail = tail[1:]
    return f"{head}\u2026{tail}"
