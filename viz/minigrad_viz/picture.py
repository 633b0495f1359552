"""From a model to the engine's drawing, for any graph of a size that a person can look at.

Graphviz lays a graph out in layers and makes room in every layer for each edge that passes it.
Where hundreds of operations use one tensor (a loop over one weight), that takes hours. So the edges
into such a crowded node are left out of the layout and drawn straight afterwards, with the node
moved to the side, where its edges cross little.
"""

from __future__ import annotations

from collections import defaultdict

from .dot import dot_source
from .graph import GraphModel
from .layout import render

CROWD = 40
"""A node that more edges than this lead to is crowded."""

MOST_NODES = 12_000
"""Larger graphs are refused: the layout would take minutes, and nobody could see anything in it."""


class TooLarge(ValueError):
    """The graph has more nodes than a picture can show. The message says what to do instead."""

    def __init__(self, nodes: int) -> None:
        super().__init__(
            f"this graph has {nodes:,} nodes, and a picture can show {MOST_NODES:,}. Let it be "
            "folded (leave out fold=False), draw a tensor that was computed earlier, or "
            "print(tree(t))"
        )


def picture(
    model: GraphModel, format: str, *, engine: str | None = None, background: str = "transparent"
) -> bytes:
    """The drawing as "svg", "png" or "pdf". TooLarge, or what `render` raises."""
    if len(model) > MOST_NODES:
        raise TooLarge(len(model))
    crowds = _crowds(model)
    if not crowds:
        return render(dot_source(model, background=background), format, engine=engine)
    # One edge stays, so that the node has a layer: the deepest, which is the last.
    without = {edge for edges in crowds.values() for edge in edges[:-1]}
    plain = render(dot_source(model, without=without), "plain", engine=engine).decode()
    places = _aside(_places(plain), model, set(crowds))
    source = dot_source(model, background=background, places=places)
    return render(source, format, engine=engine, program="nop")


def _crowds(model: GraphModel) -> dict[str, list[str]]:
    """The edges that lead to each crowded node, or data away from it."""
    leading: dict[str, list[str]] = defaultdict(list)
    for edge in model.edges:
        leading[edge.source if edge.kind == "data" else edge.target].append(edge.id)
    return {node: edges for node, edges in leading.items() if len(edges) > CROWD}


def _places(plain: str) -> dict[str, tuple[float, float]]:
    """Each node's place in points, from Graphviz's plain format: "node id x y ..." in inches."""
    rows = [line.split(" ", 4) for line in plain.splitlines() if line.startswith("node ")]
    return {row[1]: (float(row[2]) * 72, float(row[3]) * 72) for row in rows}


def _aside(
    places: dict[str, tuple[float, float]], model: GraphModel, crowded: set[str]
) -> dict[str, str]:
    """The places as DOT writes them, with the crowded nodes, and what hangs on them alone, moved to
    the right of everything else.
    """
    leaves = {edge.target for edge in model.edges if edge.source in crowded and edge.kind == "leaf"}
    right = max(x for x, _ in places.values())
    moved = {}
    for node, (x, y) in places.items():
        if node in crowded or node in leaves:
            x += right + 250
        moved[node] = f"{x:.2f},{y:.2f}"
    return moved
