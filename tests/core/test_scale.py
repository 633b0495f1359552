"""The cost of a graph grows with its size and no faster, and nothing recurses: counted, not timed.

Counted are calls (those of functions written in C, too) and bytes, for a graph and for one four
times as large, while Python may go hardly deeper than it is. A million operations are for the
night, and for the table of `make bench`. (Pictures of graphs: tests/viz/diagnosis/test_scale.py.)
"""

from __future__ import annotations

import sys
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import minigrad as mg
from tests.bench.fresh import GRAPHS, twice
from tests.sampling import all_of

SMALL = 300
MANY = 10**6 if all_of("PROOFS") else 10**4
DEEP = 150
"""How many calls deep anything here may go, however large the graph."""


pytestmark = pytest.mark.usefixtures("no_collector")


def depth() -> int:
    frame, found = sys._getframe(), 0
    while frame is not None:
        frame, found = frame.f_back, found + 1  # type: ignore[assignment]
    return found


@contextmanager
def shallow() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(depth() + DEEP)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class Cost:
    """Calls and bytes of each part of what is done with a graph, for one operation of it."""

    def __init__(self, size: int) -> None:
        self.size, self.found = size, dict[str, float]()

    def of(self, part: str, task: Callable[[], Any]) -> Any:
        calls = 0

        def count(frame: Any, event: str, argument: Any) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        before = sys.getprofile()
        tracemalloc.reset_peak()
        start = tracemalloc.get_traced_memory()[0]
        sys.setprofile(count)
        try:
            result = task()
        finally:
            sys.setprofile(before)
        self.found[f"calls of {part}"] = calls / self.size
        peak = tracemalloc.get_traced_memory()[1]
        self.found[f"bytes of {part}"] = (peak - start) / self.size
        return result


def costs(graph: str, size: int) -> dict[str, float]:
    cost = Cost(size)
    tracemalloc.start()
    try:
        with shallow():
            root, leaf = cost.of("building", lambda: GRAPHS[graph](mg, size))
            cost.of("backward", lambda: root.backward(retain_graph=True))
            cost.of("twice", lambda: twice(mg, root, leaf))
            gone, held = weakref.ref(root.grad_fn), [root, leaf]
            root = leaf = None
            cost.of("freeing", held.clear)
            assert gone() is None
    finally:
        tracemalloc.stop()
    return cost.found


@pytest.mark.parametrize("graph", GRAPHS)
def test_cost_grows_linearly_with_the_graph(graph: str) -> None:
    costs(graph, 30)  # what is made once
    small, large = costs(graph, SMALL), costs(graph, 4 * SMALL)
    assert small["calls of backward"] > 1 and small["bytes of building"] > 100
    for part, each in small.items():
        assert large[part] <= 1.05 * each + 2, part


@pytest.mark.parametrize("graph", GRAPHS)
def test_many_operations(graph: str) -> None:
    """A million at night. (Second derivatives of a hundred thousand, as in the table.)"""
    with shallow():
        root, leaf = GRAPHS[graph](mg, MANY)
        root.backward(retain_graph=True)
        assert leaf.grad.isfinite().all()
        gone = weakref.ref(root.grad_fn)
        del root, leaf
        assert gone() is None
        root, leaf = GRAPHS[graph](mg, MANY // 10)
        assert twice(mg, root, leaf).isfinite().all()
