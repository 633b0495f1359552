"""The cost of a picture and of an explanation grows with the graph and no faster, and nothing
recurses: counted as in tests/core/test_scale.py. The largest graphs are for the night."""

from __future__ import annotations

import ast
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import hypothesis
import minigrad_viz as viz
import pytest
from minigrad_viz.diagnosis.history import History

import minigrad as mg
from tests.bench.fresh import GRAPHS
from tests.core.test_scale import SMALL, Cost, shallow
from tests.sampling import all_of

MANY = 10**6 if all_of("PROOFS") else 2000
"""More than a picture shows as it is."""


pytestmark = pytest.mark.usefixtures("no_collector")


def costs(graph: str, size: int, count: str = "calls") -> dict[str, float]:
    cost = Cost(size)
    root, leaf = GRAPHS[graph](mg, size)
    root.backward(retain_graph=True)
    with shallow():
        picture = cost.of("drawing a summary", lambda: viz.draw(root, fold=True))
        assert cost.of("its text", lambda: str(picture))
        assert cost.of("explaining", lambda: str(viz.explain(leaf)))
        assert cost.of("explaining with the root", lambda: str(viz.explain(leaf, root)))
    return {part: each for part, each in cost.found.items() if part.startswith(count)}


@pytest.mark.parametrize("graph", GRAPHS)
def test_cost_grows_linearly_with_the_graph(graph: str) -> None:
    costs(graph, 30)  # what is made once
    small, large = costs(graph, SMALL), costs(graph, 4 * SMALL)
    assert small["calls of drawing a summary"] > 5
    for part, each in small.items():
        assert large[part] <= 1.05 * each + 2, part


@pytest.mark.sampled("PROOFS", 2)
@pytest.mark.parametrize("graph", GRAPHS)
def test_outline_takes_little_memory(graph: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Return what `draw` shows of a graph too large to be read node by node."""
    monkeypatch.setattr("minigrad_viz.picture.draw.OUTLINED_FROM", 100)
    costs(graph, 30)
    small, large = costs(graph, SMALL), costs(graph, 4 * SMALL)
    part = "calls of drawing a summary"
    assert 5 < large[part] <= 1.05 * small[part] + 2
    tracemalloc.start()
    try:
        in_bytes = costs(graph, (40 if all_of("PROOFS") else 10) * SMALL, "bytes")
    finally:
        tracemalloc.stop()
    assert 100 < in_bytes["bytes of drawing a summary"] < 600  # a node of the graph has 650


@pytest.mark.parametrize("graph", GRAPHS)
def test_many_operations(graph: str) -> None:
    """More than a picture shows: it is a summary by itself."""
    with shallow():
        root, leaf = GRAPHS[graph](mg, MANY)
        root.backward(retain_graph=True)
        assert len(viz.draw(root).dot) < 200_000
        assert str(viz.explain(leaf, root))


def test_long_file_is_read_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once for each line of a loop: this file is the text that a rule about loops looks at."""
    net = mg.nn.Linear(2, 1)
    optimizer = mg.optim.SGD(net.parameters(), lr=0.1)

    def step() -> None:
        for row in (mg.ones(3, 2), mg.zeros(3, 2)):
            a = row * 2
            b = a + 1
            c = b * b
            d = c - a
            e = d * 0.1
            optimizer.zero_grad()
            loss = net(e).pow(2).mean()
            loss.backward()
            optimizer.step()

    read: list[str] = []
    parse = ast.parse

    def counted(text: Any, *args: Any, **named: Any) -> Any:
        read.append(text)
        return parse(text, *args, **named)

    monkeypatch.setattr(ast, "parse", counted)
    viz.diagnose(step)
    whole = Path(__file__).read_text("utf-8")
    assert 0 < read.count(whole) < 20


def test_installed_functions_are_not_entered() -> None:
    """A package that the program calls may have thousands of functions."""
    entered: list[str] = []

    def own(x: Any) -> Any:
        return hypothesis.strategies.lists(x)

    own(hypothesis.strategies.integers())
    frame = sys._getframe()
    history = History(lambda tensor: True, [(frame, frame.f_lineno)])
    for scope in history.scopes:
        found = history.functions_entered(scope, scope.statements)
        entered += [function.__name__ for function, _, _ in found]
    assert entered == ["own"]
