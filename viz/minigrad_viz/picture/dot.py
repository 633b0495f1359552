"""The graph in Graphviz's language: what is written on each node, and how large it is.

Everything that a label may contain is text. Names of variables and of nodes are hostile until
escaped: no name may open markup, refer to a node, or reverse the reading direction.

The size of a node is computed here, from columns of a monospaced font, and not left to the engine.
So a picture does not depend on the fonts of the machine that drew it, and text that a browser shows
in another font than the engine measured still fits.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ..model.graph_model import Edge, GraphModel, Node
from ..model.optional_packages import optional
from .stage import (
    chip_rows,
    chips_of,
    frame_name,
    is_chip,
    label_lines,
    legend_of,
    node_size,
    on_stage,
)
from .theme import DETAIL_SIZE, FONT, FONT_SIZE, LIGHT, fill_and_outline


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
    takes less time; or with every node in its place ("x,y"), every frame in its own
    ("left,bottom,right,top"), and edges straight but for those that have a path; or with nodes in
    `rows` of their own. A picture with a background has a legend.
    ImportError with a sentence that says what to install if the `graphviz` package is missing.
    """
    graphviz = optional("graphviz")
    model = on_stage(model)
    chips = chips_of(model)
    graph = graphviz.Digraph("backward")
    graph.attr(bgcolor=background, nodesep="0.3", ranksep="0.4", pad="0.1")
    if background != "transparent":
        graph.attr(label=_legend(model), fontname=FONT, fontcolor=LIGHT.text)
    if rough:
        graph.attr(nslimit="1")
    if places is not None:
        graph.attr(splines="line")
    graph.attr("node", fontname=FONT, fontsize=f"{FONT_SIZE:g}", fontcolor=LIGHT.text, margin="0")
    graph.attr("node", shape="box", fixedsize="true")
    graph.attr("edge", color=LIGHT.edge, arrowsize="0.7")
    for node in model.nodes:
        if is_chip(node):
            continue
        place = {} if places is None else {"pos": places[node.id]}
        own = chips.get(node.id, ())
        graph.node(node.id, **_node_attributes(node, own, graphviz.escape), **place)
    layered = {edge.id for edge in layering(model)}
    for edge in model.edges:
        if edge.id not in without:
            attributes = _edge_attributes(edge)
            if edge.id not in layered and edge.kind != "made":
                attributes["constraint"] = "false"
            if edge.id in straight:
                attributes["weight"] = "8"
            if edge.id in paths:
                attributes["pos"] = paths[edge.id]
            graph.edge(edge.source, edge.target, **attributes)
    if not side_by_side(model):
        _enclose(graph, model, places or {})
    for row in (*side_by_side(model), *rows):
        with graph.subgraph() as layer:
            layer.attr(rank="same")
            for node_id in row:
                layer.node(node_id)
    return str(graph.source)


def _enclose(graph: Any, model: GraphModel, places: Mapping[str, str]) -> None:
    """Draw a line around the nodes of each enclosure, in its place if it has one."""
    graphviz = optional("graphviz")
    drawn = {node.id for node in model.nodes if not is_chip(node)}
    parts = {each.id: graphviz.Digraph(f"cluster_{each.id}") for each in model.enclosures}
    for each in reversed(model.enclosures):  # after the enclosures in it
        part = parts[each.id]
        label = graphviz.escape(frame_name(each).text)
        place = {"bb": places[each.id]} if each.id in places else {}
        part.attr(id=each.id, label=label, labeljust="l", fontname=FONT, margin="10", **place)
        part.attr(fontsize=f"{DETAIL_SIZE:g}", style="rounded", color=LIGHT.edge)
        for node in each.nodes:
            if node in drawn:
                part.node(node)
        (parts[each.parent] if each.parent else graph).subgraph(part)


def layering(model: GraphModel) -> list[Edge]:
    """The edges whose ends stand in different layers, one above the other.

    Where both passes are shown, the forward one makes the layers, and gradients flow upwards.
    """
    if not side_by_side(model):
        return list(model.edges)
    return [edge for edge in model.edges if edge.kind == "data"]


def side_by_side(model: GraphModel) -> list[tuple[str, str]]:
    """Return the pairs in one layer of a picture of both passes.

    A pair is an operation and its node.
    """
    return [(edge.source, edge.target) for edge in model.edges if edge.kind == "made"]


SHAPES = {
    "root": {"style": "filled", "penwidth": "1.6"},
    "function": {"style": "rounded,filled"},
    "accumulate": {"style": "rounded,filled"},
    "leaf": {"style": "filled", "penwidth": "1.6"},
    "saved": {"style": "dashed,filled"},
    "operation": {"style": "rounded,filled", "penwidth": "1.6"},
    "tensor": {"style": "filled"},
    "cluster": {"shape": "box3d", "style": "filled", "penwidth": "1.6"},
}


def _node_attributes(
    node: Node, chips: Sequence[Node], escape: Callable[[str], str]
) -> dict[str, str]:
    # Every node says its label and its size: a default label was seen to get lost in a fresh
    # process, and a size that does not depend on the fonts of this machine is what makes the layout
    # the same on the next one.
    lines = label_lines(node)
    fill, outline = fill_and_outline(node.kind)
    size = node_size(node, chips)
    plain = "\n".join(lines).replace("&", "&amp;")
    line = {"style": "dashed,filled"} if node.saved == "lost" else {}
    return (
        SHAPES[node.kind]
        | line
        | {
            "id": node.id,
            "class": " ".join(filter(None, (node.kind, node.saved))),
            "label": _html_label(lines, chips) if chips else escape(plain),
            "width": f"{size.width / 72:.3f}",
            "height": f"{size.height / 72:.3f}",
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


def _html_label(lines: Sequence[str], chips: Sequence[Node]) -> str:
    """Return the label of a node with chips, in Graphviz's own kind of HTML."""
    fill, outline = fill_and_outline("saved")
    texts = [label_lines(chip)[0] for chip in chips]
    rows: dict[int, str] = {}
    for chip, text, place in zip(chips, texts, chip_rows(texts), strict=True):
        shown = html.escape(text)
        if chip.saved == "freed":
            shown = f"<S>{shown}</S>"
        rows[place.row] = rows.get(place.row, "") + (
            f'<TD BORDER="1" STYLE="dashed" COLOR="{outline}" BGCOLOR="{fill}">{_small(shown)}</TD>'
        )
    trays = "".join(
        f'<TR><TD><TABLE BORDER="0" CELLSPACING="2" CELLPADDING="1"><TR>{cells}</TR></TABLE>'
        "</TD></TR>"
        for cells in rows.values()
    )
    title, *details = map(html.escape, lines)
    said = [f"<B>{title}</B>", *map(_small, details)]
    text = "".join(f"<TR><TD>{line}</TD></TR>" for line in said)
    return f'<<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="0">{text}{trays}</TABLE>>'


def _small(text: str) -> str:
    return f'<FONT POINT-SIZE="{DETAIL_SIZE:g}">{text}</FONT>'


def _legend(model: GraphModel) -> str:
    """Return the legend as the graph's own label, for pictures that Graphviz writes itself."""
    cells = []
    for kind, text in legend_of(model):
        shown = html.escape(text)
        shown = f"<S>{shown}</S>" if kind == "freed" else shown
        fill, outline = fill_and_outline("saved" if kind == "freed" else kind)
        style = SHAPES["saved" if kind == "freed" else kind]["style"].replace(",filled", "")
        style = f' STYLE="{style}"' if style in ("rounded", "dashed") else ""
        cells.append(
            f'<TD BORDER="1"{style} COLOR="{outline}" BGCOLOR="{fill}">{_small(shown)}</TD>'
        )
    row = "".join(cells)
    return f'<<TABLE BORDER="0" CELLSPACING="6" CELLPADDING="3"><TR>{row}</TR></TABLE>>'
