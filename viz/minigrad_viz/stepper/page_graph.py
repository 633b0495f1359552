"""The graph on a page: the node that runs, those that have run, and the edges gradients passed.

The layout is the stepper's. If the whole graph would be too small to read, the page shows the part
around the running node. A small overview next to it frames that part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..picture.drawn import Drawn, DrawnEdge, DrawnNode, Shape, drawn
from ..picture.graphviz import LayoutError, choose_layout
from ..picture.placement import MOST_NODES, TooLarge
from ..picture.sheet import Box, Face, Sheet, mixed, shortened
from ..picture.theme import DETAIL_SIZE, FONT_SIZE, Theme, fill_and_outline
from ..texts.printable import printable
from .payload_pictures import Illustrated

LARGEST, SMALLEST, PART = 0.95, 0.5, 0.62
"""Scales: of a small graph, of the largest graph that is shown whole, and of a part."""

AROUND = 0.3
"""The node's least distance from the ends of a part, as a share of its height."""

MARGIN = 10.0
"""Points around a graph."""

SLIM, BROAD = 20.0, 72.0
"""Least and greatest size of the overview: its width next to a part, or its height below it."""

Window = tuple[float, float, float, float]
"""Left, top, width and height of a part, in the picture's own points."""


class Change(NamedTuple):
    """The effects of a step, by id. `runs` is False for a seed and for a forward step."""

    now: str
    runs: bool
    touched: set[str]
    passing: set[str]
    freeing: set[str]


class Marks(NamedTuple):
    """Marks of nodes and edges in a step, by id.

    now      the node that runs
    done     nodes that have run
    passed   edges that gradients have passed
    passing  edges that gradients pass in this step
    touched  nodes that are read or written: saved tensors, leaves, nodes that get a gradient
    freed    saved tensors that were freed
    """

    now: str
    done: set[str]
    passed: set[str]
    passing: set[str]
    touched: set[str]
    freed: set[str]


class Graph:
    """Draws the graph of a payload.

    Raises:
        TooLarge, NoGraphviz, LayoutError: the payload has no picture, for this reason.
    """

    def __init__(self, payload: Illustrated) -> None:
        if not payload["svg"]:
            if len(payload["nodes"]) > MOST_NODES:
                raise TooLarge(len(payload["nodes"]))
            choose_layout()  # raises if there is no Graphviz
            raise LayoutError("Graphviz could not draw this graph, so there is nothing to save")
        self.payload = payload
        self.clusters = {each["id"]: each for each in payload["clusters"]}
        homes = payload["homes"]
        self.homes = {node["id"]: homes.get(node["id"]) for node in payload["nodes"]}
        self.edges = {(e["source"], e.get("slot")): e for e in payload["edges"]}
        self.roots = {e["target"]: e for e in payload["edges"] if e["kind"] == "root"}
        self.leaf_edges = {e["source"]: e for e in payload["edges"] if e["kind"] == "leaf"}
        # A leaf's box stands for its AccumulateGrad, too.
        self.leaf_of = {node: edge["target"] for node, edge in self.leaf_edges.items()}
        self.saved = {
            (node["owner"], node["name"].partition(" = ")[0]): node["id"]
            for node in payload["nodes"]
            if node["kind"] == "saved"
        }
        self.changes = list(self._changes())
        self.insides: dict[str, Drawn] = {}
        self.windows: dict[Box, list[Window | None]] = {}

    def box(self, node: str) -> str:
        """Return the id of the box that shows a node."""
        return self.leaf_of.get(node, node)

    # --- Changes

    def marks(self, place: int) -> Marks:
        """Return the marks in the step at `place`."""
        done: set[str] = set()
        passed: set[str] = set()
        freed: set[str] = set()
        for change in self.changes[:place]:
            if not change.runs:  # a second pass runs the nodes again
                done.clear()
                passed.clear()
            else:
                done.add(change.now)
            passed |= change.passing
            freed |= change.freeing
        now = self.changes[place]
        return Marks(now.now, done, passed, now.passing, now.touched, freed)

    def _changes(self) -> Iterator[Change]:
        for step in self.payload["steps"]:
            change = Change(self.box(step["node"]), True, set(), set(), set())
            for event in self.payload["events"][step["first"] : step["last"] + 1]:
                kind = event["kind"]
                if kind in ("seed", "forward"):
                    change = change._replace(runs=False)
                if kind == "seed" and (edge := self.roots.get(event["node"])):
                    change = change._replace(now=edge["source"])
                    change.passing.add(edge["id"])
                    change.touched.add(self.box(edge["target"]))
                elif kind == "accumulate":
                    change.touched.add(self.box(event["target"]))
                    if edge := self.edges.get((event["node"], event["slot"])):
                        change.passing.add(edge["id"])
                elif kind == "leaf_gradient" and (edge := self.leaf_edges.get(event["node"])):
                    change.passing.add(edge["id"])
                    change.touched.add(edge["target"])
                elif kind == "start":
                    found = (saved["node"] for saved in event["saved"] if "node" in saved)
                    change.touched.update(found)
                elif kind == "free":
                    names = ((event["node"], name) for name in event["names"])
                    change.freeing.update(self.saved[name] for name in names if name in self.saved)
            yield change

    # --- Pictures

    def picture(self, node: str) -> tuple[Drawn, str, list[str]]:
        """Return the picture that shows a node, its id there, and the boxes around it by name."""
        whole = drawn(self.payload["svg"])
        if node in whole.nodes:
            return whole, node, []
        around: list[str] = []
        home = self.homes.get(node)
        while home is not None:
            around.insert(0, home)
            home = self.clusters[home]["parent"]
        for cluster in reversed(around):
            part = self.inside(cluster)
            if part is not None and node in part.nodes:
                names = [self.clusters[each]["name"] for each in around]
                return part, node, names[: around.index(cluster) + 1]
        seen = next((cluster for cluster in reversed(around) if cluster in whole.nodes), node)
        return whole, seen, []

    def inside(self, cluster: str) -> Drawn | None:
        """Return the inside of a box. Boxes share pictures; ids and texts are those of this box."""
        if cluster in self.insides:
            return self.insides[cluster]
        inside = self.clusters[cluster].get("inside")
        if inside is None:
            return None
        shared = drawn(self.payload["pictures"][inside["picture"]])
        words = {each["node"]: each["words"] for each in inside.get("words", [])}
        nodes: dict[str, DrawnNode] = {}
        for place, id in enumerate(inside["nodes"]):
            node = shared.nodes[f"n{place}"]
            lines = node.lines
            if place in words:  # the tooltip, and then the label
                own = words[place][-len(lines) :]
                lines = [line._replace(text=text) for line, text in zip(lines, own, strict=True)]
            nodes[id] = node._replace(id=id, lines=lines)
        edges = {
            id: shared.edges[f"e{place}"]._replace(id=id)
            for place, id in enumerate(inside["edges"])
        }
        self.insides[cluster] = shared._replace(nodes=nodes, edges=edges)
        return self.insides[cluster]

    # --- On the page

    def draw(
        self,
        place: int,
        sheet: Sheet,
        theme: Theme,
        box: Box,
        signs: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Draw the graph in the step at `place`, with a sign at some nodes, by their ids."""
        marks = self.marks(place)
        signs = {self.box(node): sign for node, sign in signs.items()}
        whole, now, names = self.picture(marks.now)
        left, top, width, _ = box
        colours = sheet.colours
        sheet.box(box, fill=colours.panel, line=colours.line, width=0.75, radius=6)
        if names:
            words = shortened(printable(" / ".join(names)), 10, width - 2 * MARGIN)
            sheet.text(left + MARGIN, top + 16, words, 10, colour=colours.soft)
        inner = _inner(box, names)
        if box not in self.windows:
            self.windows[box] = list(self._windows(box))
        window = self.windows[box][place]
        if window is None:
            scale = _fit(whole, inner)
            x = inner[0] + (inner[2] - scale * whole.width) / 2
            y = inner[1] + (inner[3] - scale * whole.height) / 2
            _Part(sheet, theme, whole, scale, x, y, inner, signs).draw(marks, now)
            return
        x, y, _, _ = window
        inner, aside = _rooms(whole, inner)
        at = (inner[0] - x * PART, inner[1] - y * PART)
        _Part(sheet, theme, whole, PART, *at, inner, signs).draw(marks, now)
        frame = (
            *(aside[0] - MARGIN / 2, aside[1] - MARGIN / 2),
            *(aside[2] + MARGIN, aside[3] + MARGIN),
        )
        sheet.box(frame, fill=colours.ground, line=colours.line, width=0.75, radius=4)
        small = min(aside[2] / whole.width, aside[3] / whole.height)
        corner = (
            aside[0] + (aside[2] - small * whole.width) / 2,
            aside[1] + (aside[3] - small * whole.height) / 2,
        )
        _overview(sheet, whole, small, corner, marks, now, window)

    def _windows(self, box: Box) -> Iterator[Window | None]:
        """Yield the part shown in each step, or None for the whole; it moves only if it must."""
        before: tuple[Drawn, Window] | None = None
        for change in self.changes:
            whole, now, names = self.picture(change.now)
            inner = _inner(box, names)
            if _fit(whole, inner) >= SMALLEST or now not in whole.nodes:
                before = None
                yield None
                continue
            room, _ = _rooms(whole, inner)
            wide, high = room[2] / PART, room[3] / PART
            touched = [whole.nodes[each] for each in sorted(change.touched) if each in whole.nodes]
            node = whole.nodes[now]
            last = before[1] if before is not None and before[0] is whole else None
            spans = [(each.left, each.right) for each in touched]
            x = _start(whole.width, wide, last and last[0], (node.left, node.right), spans, MARGIN)
            spans = [(each.top, each.bottom) for each in touched]
            y = _start(
                whole.height, high, last and last[1], (node.top, node.bottom), spans, high * AROUND
            )
            before = whole, (x, y, wide, high)
            yield before[1]


def _inner(box: Box, names: list[str]) -> Box:
    """Return the room for the graph in a box, below the names."""
    title = 16.0 if names else 0.0
    return (box[0], box[1] + title, box[2], box[3] - title)


def _rooms(whole: Drawn, inner: Box) -> tuple[Box, Box]:
    """Return the rooms of a part and of the overview, which is below it if the graph is wide."""
    left, top, wide, high = inner
    across, down = wide - 2 * MARGIN, high - 2 * MARGIN
    if whole.width * high > whole.height * wide:
        size = min(max(whole.height / whole.width * across, SLIM), BROAD)
        below = (left + MARGIN, top + high - size - MARGIN, across, size)
        return (left, top + 1, wide, high - size - 2 * MARGIN), below
    size = min(max(whole.width / whole.height * down, SLIM), BROAD)
    right = (left + wide - size - MARGIN, top + MARGIN, size, down)
    return (left, top + 1, wide - size - 2 * MARGIN, high - 2), right


def _fit(whole: Drawn, inner: Box) -> float:
    """Return the scale at which a picture fits."""
    wide, high = inner[2] - 2 * MARGIN, inner[3] - 2 * MARGIN
    return min(wide / whole.width, high / whole.height, LARGEST)


def _start(
    size: float,
    room: float,
    last: float | None,
    node: tuple[float, float],
    touched: list[tuple[float, float]],
    around: float,
) -> float:
    """Return the start of a part of length `room`, as close to `last` as possible.

    The part contains the node, and the nearest of those it touches, and stays within the picture.
    """
    if size <= room:
        return (size - room) / 2
    low, high = node
    for start, end in sorted(touched, key=lambda span: abs(span[0] + span[1] - low - high)):
        if max(high, end) - min(low, start) <= room - 2 * MARGIN:
            low, high = min(low, start), max(high, end)
    around = min(around, (room - (high - low)) / 2)
    least, most = high + around - room, low - around
    begin = (least + most) / 2 if last is None else min(max(last, least), most)
    return min(max(begin, -MARGIN), size - room + MARGIN)


def _overview(
    sheet: Sheet,
    whole: Drawn,
    scale: float,
    corner: tuple[float, float],
    marks: Marks,
    now: str,
    shown: Window,
) -> None:
    """Draw the whole graph, small."""
    x, y = corner
    colours = sheet.colours
    ways: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for node in whole.nodes.values():
        current = node.id == now
        colour = colours.soft if node.id in marks.done else colours.line
        wide = max((node.right - node.left) * scale, 1)
        high = max((node.bottom - node.top) * scale, 3 if current else 1)
        left, top = x + node.left * scale, y + (node.top + node.bottom) / 2 * scale - high / 2
        corners = [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
        ways[colours.accent if current else colour] += [*corners, corners[0]]
    for colour, way in sorted(ways.items()):  # one shape a colour: thousands take too long
        sheet.path(way, [1, 2, 2, 2, 79] * (len(way) // 5), fill=colour)
    left, top = max(shown[0], 0), max(shown[1], 0)
    wide = min(shown[0] + shown[2], whole.width) - left
    high = min(shown[1] + shown[3], whole.height) - top
    frame = (x + left * scale - 2, y + top * scale - 2, wide * scale + 4, high * scale + 4)
    sheet.box(frame, line=colours.accent, width=1, radius=2)


class _Part:
    """Draws the part of a picture within `inside`, if the picture's corner is at (x, y)."""

    def __init__(
        self,
        sheet: Sheet,
        theme: Theme,
        whole: Drawn,
        scale: float,
        x: float,
        y: float,
        inside: Box,
        signs: Mapping[str, str],
    ) -> None:
        self.sheet, self.theme, self.whole = sheet, theme, whole
        self.scale, self.x, self.y, self.inside = scale, x, y, inside
        self.signs = signs

    def draw(self, marks: Marks, now: str) -> None:
        edges = [edge for edge in self.whole.edges.values() if self.is_visible(edge)]
        for edge in sorted(edges, key=lambda edge: edge.id in marks.passing):
            self.edge(edge, marks)
        for node in self.whole.nodes.values():
            if self.is_visible(node):
                self.node(node, marks, node.id == now)

    def is_visible(self, it: DrawnNode | DrawnEdge) -> bool:
        (left, top), (right, bottom) = self.at(it.left, it.top), self.at(it.right, it.bottom)
        x, y, width, height = self.inside
        return left <= x + width and right >= x and top <= y + height and bottom >= y

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.x + x * self.scale, self.y + y * self.scale

    def edge(self, edge: DrawnEdge, marks: Marks) -> None:
        colours, width = self.sheet.colours, 1.2
        colour = self.theme.edge
        if edge.kind == "saved":
            _, colour = fill_and_outline("saved", self.theme)
        elif edge.kind == "data":
            colour = self.theme.data
        if edge.id in marks.passing:
            colour, width = colours.accent, 4.5
        elif edge.id in marks.passed:
            colour, width = colours.accent, 1.6
        for shape in edge.shapes:
            fill = colour if shape.filled else None
            self.shape(shape, fill, colour, width if not shape.filled else width / 2)

    def node(self, node: DrawnNode, marks: Marks, now: bool) -> None:
        colours = self.sheet.colours
        fill, outline = fill_and_outline(node.kind, self.theme)
        done = node.id in marks.done and not now
        faded = done or node.id in marks.freed
        sign = self.signs.get(node.id)
        if sign is not None:
            fill = mixed(colours.minus, fill, 0.3)
        elif faded:
            fill, outline = mixed(fill, colours.done, 0.25), mixed(outline, colours.done, 0.55)
        if now:
            (left, top), (right, bottom) = (
                self.at(node.left, node.top),
                self.at(node.right, node.bottom),
            )
            out = 6 * self.scale
            halo = (left - out, top - out, right - left + 2 * out, bottom - top + 2 * out)
            tint = mixed(colours.accent, colours.panel, 0.3)
            self.sheet.box(halo, fill=tint, radius=16 * self.scale, inside=self.inside)
        read = node.id in marks.touched
        for shape in node.shapes:
            line = colours.accent if now or read else outline
            width = 3.2 if now else 2.2 if read else 1.2
            self.shape(shape, fill if shape.filled else None, line, width)
        for line_ in node.lines:
            x, y = self.at(line_.x, line_.y)
            colour = self.theme.text if line_.title else self.theme.muted
            self.sheet.text(
                x, y, line_.text, (FONT_SIZE if line_.title else DETAIL_SIZE) * self.scale,
                face=Face(mono=True, bold=line_.title), align="center", inside=self.inside,
                colour=mixed(colour, fill, 0.75) if faded and sign is None else colour,
            )  # fmt: skip
        if done:
            self.tick(*self.at(node.right, node.top))
        if sign is not None:
            self.sign(*self.at(node.left, node.top), sign)

    def tick(self, x: float, y: float) -> None:
        """Mark the corner of a node that has run."""
        r = 8.5 * self.scale
        ground = self.sheet.colours.panel
        self.sheet.box(
            (x - r, y - r, 2 * r, 2 * r), fill=self.sheet.colours.accent, line=ground, radius=r,
            inside=self.inside,
        )  # fmt: skip
        way = [(x - 0.45 * r, y), (x - 0.1 * r, y + 0.38 * r), (x + 0.48 * r, y - 0.35 * r)]
        self.sheet.path(way, [1, 2, 2], line=ground, width=2 * self.scale, inside=self.inside)

    def sign(self, x: float, y: float, sign: str) -> None:
        """Mark the other corner of a node that differs in two passes."""
        r = 9 * self.scale
        colours = self.sheet.colours
        self.sheet.box(
            (x - r, y - r, 2 * r, 2 * r), fill=colours.panel, line=colours.minus,
            width=1.6 * self.scale, radius=r, inside=self.inside,
        )  # fmt: skip
        self.sheet.text(
            x,
            y + 0.5 * r,
            sign,
            1.5 * r,
            face=Face(mono=True, bold=True),
            align="center",
            inside=self.inside,
        )

    def shape(self, shape: Shape, fill: str | None, line: str, width: float) -> None:
        way = [self.at(x, y) for x, y in shape.way]
        width *= self.scale
        if shape.radius is not None:
            (left, top), (right, bottom) = way
            box = (left, top, right - left, bottom - top)
            radius = shape.radius * self.scale
            self.sheet.box(
                box, fill=fill, line=line, width=width, radius=radius, inside=self.inside
            )
            return
        self.sheet.path(
            way, shape.codes, fill=fill, line=line, width=width, dashed=shape.dashed,
            inside=self.inside,
        )  # fmt: skip
