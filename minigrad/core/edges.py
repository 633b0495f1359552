"""Edges: where gradients go from a node.

Most edges lead to the first output of a node, and such an edge is the node itself. So most edges
need no object of their own, which Python's garbage collector would have to visit. PyTorch's pairs
are made when a program reads `next_functions`.
"""

from __future__ import annotations

from typing import Any

Node = Any
"""A node. (Its class, in node.py, uses this file.)"""

Edge = Node | tuple[Node, int] | tuple[()] | None
"""A node for its first output, or (node, index) for another one; None for a constant.

The empty tuple is for a value without history (NOWHERE in views.py).
"""

NodePlace = tuple[Node | None, int]
"""A node and the index of its output. The node is None for an edge that leads to none."""


def edge_to(node: Node, index: int) -> Edge:
    """Return the edge to output `index` of `node`."""
    return (node, index) if index else node


def place_of(edge: Edge) -> NodePlace:
    """Return the node and the output to which an edge leads, as `next_functions` shows them."""
    return (edge or (None, 0)) if isinstance(edge, tuple) else (edge, 0)
