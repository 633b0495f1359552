"""The graph as a tree of text, for a terminal, a saved notebook and a test.

A graph is not a tree: a node that two paths reach is written once, with its id, and the second path
refers back to it. Indentation is bounded: what lies deeper than `MAX_DEPTH` goes on below, in a
section of its own, so a chain of 10,000 operations gives a text that is long but not wide. The text
holds no address and no number that changes from run to run.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from typing import Any

from .dot import printable
from .graph import GraphModel, Node, walk

MAX_DEPTH = 24


class Tree:
    """The text of a graph; printing it, or leaving it as a cell's last line, shows it."""

    def __init__(self, model: GraphModel) -> None:
        self.model = model
        self._text = tree_text(model)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__


def tree(tensor: Any, *, names: object = None, saved: bool = True) -> Tree:
    """The graph behind `tensor` as text, the operation that made it first and the leaves at the
    ends.

    `tensor` is a tensor of minigrad or PyTorch. `names` is a dict of name to tensor, or a module;
    without it, the names of the caller's variables are used. Without `saved`, the tensors kept for
    backward are not listed. TypeError if it is not a tensor, ValueError if no operation made it.
    """
    frame = sys._getframe(1)
    return Tree(walk(tensor, names=names, frame=frame, saved=saved, who="tree").model)


def tree_text(model: GraphModel) -> str:
    """The lines of a `Tree`."""
    nodes = {node.id: node for node in model.nodes}
    children: dict[str, list[str]] = {node.id: [] for node in model.nodes}
    saved: dict[str, list[Node]] = {}
    for edge in model.edges:
        if edge.kind == "saved":
            saved.setdefault(edge.source, []).append(nodes[edge.target])
        else:
            children[edge.source].append(edge.target)
    reached = Counter(edge.target for edge in model.edges)

    def line(node: Node) -> str:
        words = [printable(node.title)]
        if node.detail:
            words.append(printable(node.detail))
        if reached[node.id] > 1:
            words.append(f"({node.id})")
        if node.id in saved:
            words.append("saved: " + ", ".join(_saved_text(each) for each in saved[node.id]))
        return "  ".join(words)

    lines: list[str] = []
    shown: set[str] = set()
    sections = deque([model.root.id])
    while sections:
        start = sections.popleft()
        if lines:
            lines += ["", f"{start} continued:"]
        # (node, what stands before its own line, what stands before the lines below it, depth)
        stack = [(start, "", "", 0)]
        while stack:
            id, before, below, depth = stack.pop()
            node = nodes[id]
            if id in shown:
                lines.append(f"{before}{printable(node.title)}  ({id}, see above)")
                continue
            if depth > MAX_DEPTH and children[id]:
                lines.append(f"{before}{printable(node.title)}  ({id}, continued below)")
                if id not in sections:
                    sections.append(id)
                continue
            shown.add(id)
            lines.append(before + line(node))
            last = len(children[id]) - 1
            for place in range(last, -1, -1):
                corner, bar = ("└─ ", "   ") if place == last else ("├─ ", "│  ")
                stack.append((children[id][place], below + corner, below + bar, depth + 1))
    return "\n".join(lines)


def _saved_text(node: Node) -> str:
    state = "" if node.saved == "kept" else f" ({node.saved})"
    return printable(node.title) + state
