"""The graph as a tree of text, for a terminal, a saved notebook and a test.

A graph is not a tree: a node that two paths reach is written once, with its id, and the second path
refers back to it. Indentation is bounded: what lies deeper than `MAX_DEPTH` goes on below, in a
section of its own, so a chain of 10,000 operations gives a text that is long but not wide. The text
holds no address and no number that changes from run to run.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from functools import partial
from typing import Any

from ..model.either_library import AnyTensor, GivenNames, OwnResult
from ..model.graph_model import Endless, GraphModel, Node, walk
from ..model.outline import OUTLINED_FROM, outline
from ..texts.language import chosen
from ..texts.printable import printable
from ..texts.sentences import word

MAX_DEPTH = 24


class Tree:
    """The text of a graph; printing it, or leaving it as a cell's last line, shows it."""

    def __init__(self, model: GraphModel) -> None:
        self.model = model
        self._text = tree_text(model)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__


def tree(
    tensor: AnyTensor | OwnResult,
    *,
    names: GivenNames | None = None,
    saved: bool = True,
    language: str | None = None,
) -> Tree:
    """The graph behind `tensor` as text, the operation that made it first and the leaves at the
    ends.

    `tensor` is a tensor of minigrad or PyTorch. `names` is a dict of name to tensor, or a module;
    without it, the names of the caller's variables are used. Without `saved`, the tensors kept for
    backward are not listed; nor are they for a graph of more than 100,000 operations, which is
    written as the boxes that `draw` shows of it. `language` is "en" or "zh"; without it, what the
    environment variable MINIGRAD_LANGUAGE says, else English. TypeError if it is not a tensor,
    ValueError if no operation made it or for an unknown language.
    """
    spoken, frame = chosen(language), sys._getframe(1)
    about: dict[str, Any] = {"names": names, "frame": frame, "who": "tree", "language": spoken}
    try:
        return Tree(walk(tensor, saved=saved, most=OUTLINED_FROM, **about).model)
    except Endless:
        return Tree(outline(tensor, **about))


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
    say = partial(word, model.root.language)

    def line(node: Node) -> str:
        words = [printable(node.title)]
        if node.detail and node.kind != "accumulate":  # the leaf stands below it
            words.append(printable(node.detail))
        if reached[node.id] > 1:
            words.append(say("same", node=node.id))
        if node.id in saved:
            tensors = say("comma").join(map(_saved_text, saved[node.id]))
            words.append(say("saved", tensors=tensors))
        return "  ".join(words)

    lines: list[str] = []
    shown: set[str] = set()
    sections = deque([model.root.id])
    while sections:
        start = sections.popleft()
        if lines:
            lines += ["", say("continued", node=start)]
        # (node, what stands before its own line, what stands before the lines below it, depth)
        stack = [(start, "", "", 0)]
        while stack:
            id, before, below, depth = stack.pop()
            node = nodes[id]
            if id in shown:
                lines.append(f"{before}{printable(node.title)}  {say('above', node=id)}")
                continue
            if depth > MAX_DEPTH and children[id]:
                lines.append(f"{before}{printable(node.title)}  {say('below', node=id)}")
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
    tensor = printable(node.title)
    if node.saved in (None, "kept"):
        return tensor
    return word(node.language, "in_state", tensor=tensor, state=word(node.language, node.saved))
