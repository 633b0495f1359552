"""The graph as a tree of text, for a terminal, a saved notebook and a test.

A graph is not a tree: a node that two paths reach is written once, with its id, and the second path
refers back to it. Indentation is bounded: what lies deeper than `MAX_DEPTH` goes on below, in a
section of its own, so a chain of 10,000 operations gives a text that is long but not wide. The text
holds no address and no number that changes from run to run.
"""

from __future__ import annotations

from collections import Counter, deque
from functools import partial

from ..model.graph_model import GraphModel, Node
from ..texts.printable import printable
from ..texts.sentences import word

MAX_DEPTH = 24


def tree_text(model: GraphModel) -> str:
    """Return the graph as text, with the operation that made the result first."""
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
