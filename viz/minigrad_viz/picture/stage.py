"""A graph as it is drawn: the same boxes and chips as on the stepper's stage.

A leaf and the AccumulateGrad that adds to its gradient are one box, and a saved tensor is a chip on
the node that keeps it. The front end does the same for its own pictures.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from ..model.graph_model import Enclosure, GraphModel, Node, NodeKind
from ..texts.printable import columns, printable
from ..texts.sentences import word
from .theme import DETAIL_SIZE, FONT_SIZE

ROW, CHIP = 16.0, 19.0
"""Heights of a line of text, and of a row of chips."""

ADVANCE = 0.61
"""The width of a letter, in its size."""

SIDE, AROUND = 9.0, 5.0
"""Room between text and border: at the sides of a box, and of a chip."""

MOST_CHIPS = 3
"""In a row, unless there are many rows then."""

LONGEST_LINE = 44
"""Columns of a label. A longer line loses its middle here; the SVG's tooltip has it whole."""

LONGEST_CHIP = 30
"""Columns of a chip."""

MOST_CHARACTERS = 4 * LONGEST_LINE
"""Characters of a line: accents take no column, and a label of millions takes Graphviz minutes."""


def on_stage(model: GraphModel) -> GraphModel:
    """Return the boxes, chips and lines of a graph.

    A leaf has the edges of its AccumulateGrad. A saved tensor whose owner is shown is a chip, and
    has no edges. A model that is on stage already is returned as it is.
    """
    kinds = {node.id: node.kind for node in model.nodes}
    leaf_of = {
        edge.source: edge.target
        for edge in model.edges
        if edge.kind == "leaf" and kinds[edge.source] == "accumulate"
    }
    hooks = {node.id: node.hooks for node in model.nodes if node.id in leaf_of}
    nodes = []
    for node in model.nodes:
        if node.id in leaf_of:
            continue
        if node.kind == "saved" and node.owner is not None and node.owner not in kinds:
            node = replace(node, owner=None)
        elif node.kind == "leaf" and hooks.get(node.owner or ""):
            node = replace(node, hooks=(*node.hooks, *hooks[node.owner or ""]))
        nodes.append(node)
    chips = {node.id for node in nodes if is_chip(node)}
    edges = []
    for edge in model.edges:
        ends = leaf_of.get(edge.source, edge.source), leaf_of.get(edge.target, edge.target)
        if ends[0] == ends[1] or edge.target in chips:
            continue
        moved = ends != (edge.source, edge.target)
        edges.append(replace(edge, source=ends[0], target=ends[1]) if moved else edge)
    return GraphModel(tuple(nodes), tuple(edges), model.enclosures)


def is_chip(node: Node) -> bool:
    """Whether a node of a model on stage is drawn as a chip of its owner."""
    return node.kind == "saved" and node.owner is not None


def chips_of(model: GraphModel) -> dict[str, list[Node]]:
    """Return the chips of each box, by the box's id."""
    found: dict[str, list[Node]] = {}
    for node in model.nodes:
        if is_chip(node):
            found.setdefault(node.owner or "", []).append(node)
    return found


# --- Texts


def label_lines(node: Node) -> list[str]:
    """Return the lines of a box, or of a chip, safe and short enough to draw.

    No line is empty: Graphviz was seen to crash on text of no length.
    """
    if is_chip(node):
        return [shorten(printable(_chip_text(node)), LONGEST_CHIP) or "\u00a0"]
    return [shorten(printable(line)) or "\u00a0" for line in _lines(node)]


def _lines(node: Node) -> list[str]:
    """Return the lines of a node's label; a scalar has its value, and a leaf its gradient."""
    lines = list(node.lines)
    if node.shape != () or node.value is None or node.number is not None:
        return lines
    shape = word(node.language, "scalar")
    if lines[-1].endswith(shape):
        before = lines[-1].removesuffix(shape).rstrip().removesuffix(":").removesuffix("\uff1a")
        lines[-1] = f"{before} = {node.value}".lstrip()
        if node.gradient not in (None, "None"):
            lines.append(word(node.language, "grad", numbers=node.gradient))
    return lines


def _chip_text(node: Node) -> str:
    """Return a saved tensor in few letters: its name, its version, and if it can be used."""
    parts = [node.variable or node.number or node.name]
    if node.saved == "kept" and node.version:
        parts.append(f"v{node.version}")
    if node.saved in ("changed", "packed"):
        parts.append(word(node.language, node.saved))
    return " ".join(parts)


def tooltip(node: Node) -> str | None:
    """The label, which may be too long to be drawn, and what is known besides."""
    whole = [printable(line) for line in node.lines]
    about = [printable(line) for line in node.about]
    shown = label_lines(node) == [printable(line) for line in _lines(node)] and not is_chip(node)
    return None if shown and not about else "\n".join([", ".join(whole), *about])


def shorten(line: str, longest: int = LONGEST_LINE) -> str:
    """Return a line that has room, without its middle if it is too long."""
    if len(line) <= MOST_CHARACTERS and columns(line) <= longest:
        return line
    head = _beginning(line[: MOST_CHARACTERS // 2], longest)
    tail = _beginning(line[: -MOST_CHARACTERS // 2 - 1 : -1], longest)[::-1]
    return f"{head}\u2026{tail}"


def _beginning(part: str, longest: int) -> str:
    """Return the beginning of `part` that has room in half a line."""
    widths = itertools.accumulate(map(columns, part))
    room = longest // 2 - 1
    return part[: next((at for at, width in enumerate(widths) if width > room), len(part))]


# --- Sizes


class Placed(NamedTuple):
    """A chip in its box: its row, and its left side from the left of the row."""

    x: float
    row: int
    width: float


class Size(NamedTuple):
    """The size of a box: all of it, and without the chips below."""

    width: float
    height: float
    body: float


def text_width(text: str, font: float = DETAIL_SIZE) -> float:
    return columns(text) * ADVANCE * font


def chip_rows(texts: Sequence[str]) -> list[Placed]:
    """Return the places of chips, in rows."""
    across = max(MOST_CHIPS, math.ceil(math.sqrt(len(texts))))
    found: list[Placed] = []
    x, row = 0.0, 0
    for place, text in enumerate(texts):
        if place and place % across == 0:
            x, row = 0.0, row + 1
        found.append(Placed(x, row, text_width(text) + 2 * AROUND))
        x = found[-1].x + found[-1].width + 4
    return found


def box_size(lines: Sequence[str], chips: Sequence[str] = ()) -> Size:
    """Return the size of a box with these lines and chips."""
    title, *details = lines
    placed = chip_rows(chips)
    widths = [text_width(title, FONT_SIZE), *map(text_width, details)]
    widths += [chip.x + chip.width for chip in placed]
    rows = placed[-1].row + 1 if placed else 0
    body = len(lines) * ROW + 8
    return Size(max(widths) + 2 * SIDE, body + rows * CHIP + (3 if rows else 0), body)


def node_size(node: Node, chips: Sequence[Node]) -> Size:
    """Return the size of a node's box."""
    size = box_size(label_lines(node), [label_lines(chip)[0] for chip in chips])
    if node.kind == "cluster":  # with room for the second box behind it
        size = size._replace(width=max(size.width + 6, 92), height=size.height + 4)
    return size


class FrameName(NamedTuple):
    """The name of a frame as it is drawn, and the width of the tab that it is on."""

    text: str
    width: float


def frame_name(frame: Enclosure) -> FrameName:
    """Return the name of a frame, short enough to draw; never empty, as in `label_lines`."""
    text = shorten(printable(frame.name)) or "\u00a0"
    return FrameName(text, text_width(text) + 2 * AROUND)


# --- The legend


Key = NodeKind | Literal["freed"]


def legend_of(model: GraphModel) -> list[tuple[Key, str]]:
    """Return the kinds of nodes in a model on stage, each with the words of the legend."""
    language = model.root.language
    found = {key_of(node) for node in model.nodes}
    return [(key, word(language, f"key_{key}")) for key in LEGEND if key in found]


def key_of(node: Node) -> Key:
    """Return a node's entry in the legend."""
    return "freed" if node.saved == "freed" else node.kind


LEGEND: tuple[Key, ...] = (
    "root",
    "operation",
    "tensor",
    "function",
    "saved",
    "freed",
    "leaf",
    "cluster",
)
