"""Frames never form a cycle, whatever the graph and whatever the hints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from graphlib import TopologicalSorter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from minigrad_viz.model.arrange import Arrangement, Hint, arrange

Graph = Mapping[str, Sequence[str]]


def around(made: Arrangement, node: str) -> list[str]:
    """The frames around a node, from the outside in."""
    parents = {frame.id: frame.parent for frame in made.frames}
    found: list[str] = []
    frame = made.home.get(node)
    while frame is not None:
        found.insert(0, frame)
        frame = parents[frame]
    return found


def check_acyclic(made: Arrangement, below: Graph, opened: frozenset[str]) -> None:
    """Raise CycleError if the graph has a cycle with all other frames closed."""

    def seen_as(node: str) -> str:
        return next((frame for frame in around(made, node) if frame not in opened), node)

    edges: dict[str, set[str]] = {seen_as(node): set() for node in below}
    for node, others in below.items():
        edges[seen_as(node)].update(seen_as(other) for other in others)
    for place, others in edges.items():
        others.discard(place)
    TopologicalSorter(edges).prepare()


def check(made: Arrangement, below: Graph) -> None:
    """Check the picture with all frames closed, with each one open, and the tree of frames."""
    parents = {frame.id: frame.parent for frame in made.frames}
    assert list(parents) == [f"f{n}" for n in range(len(parents))]
    for place, parent in enumerate(parents.values()):
        assert parent is None or int(parent[1:]) < place
    inside: dict[str, set[str]] = {frame: set() for frame in parents}
    for node in below:
        path = around(made, node)
        for frame, part in zip(path, [*path[1:], node], strict=False):
            inside[frame].add(part)
    assert all(len(parts) > 1 for parts in inside.values())
    check_acyclic(made, below, frozenset())
    for frame in parents:
        outer = [frame]
        while (parent := parents[outer[-1]]) is not None:
            outer.append(parent)
        check_acyclic(made, below, frozenset(outer))


@st.composite
def graphs(draw: st.DrawFn) -> tuple[dict[str, list[str]], dict[str, list[Hint]], dict[str, str]]:
    size = draw(st.integers(1, 40))
    nodes = [f"n{place}" for place in range(size)]
    below = {
        node: [
            nodes[place + draw(st.integers(1, size - 1 - place))]
            for _ in range(draw(st.integers(0, 3)) if place < size - 1 else 0)
        ]
        for place, node in enumerate(nodes)
    }
    groups = draw(st.integers(1, 5))
    hints = {
        node: [
            Hint("module", f"m{key}", key)
            for key in draw(st.lists(st.integers(0, groups), max_size=3))
        ]
        for node in nodes
    }
    names = {node: draw(st.sampled_from("ab")) for node in nodes}
    return below, hints, names


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_frames_never_form_a_cycle(
    made: tuple[dict[str, list[str]], dict[str, list[Hint]], dict[str, str]],
) -> None:
    below, hints, names = made
    check(arrange(list(below), below, hints, names), below)


def named(*names: str) -> list[Hint]:
    return [Hint("module", name, name) for name in names]


def test_groups_that_cross_are_split() -> None:
    """Neither group is left and entered again, and both together form a cycle."""
    below = {"a1": ["b1"], "b2": ["a2"], "b1": [], "a2": []}
    hints = {node: named(node[0]) for node in below}
    made = arrange(list(below), below, hints, {})
    check(made, below)
    assert len({made.home.get(node) for node in below}) > 1


def test_residual_stays_with_its_function() -> None:
    """`x + f(x)`: with the addition outside of the frame, its input is outside as well."""
    below = {"add": ["tanh", "x"], "tanh": ["fc"], "fc": ["x"], "x": []}
    f = dict.fromkeys(("tanh", "fc"), named("f"))
    made = arrange(list(below), below, f, {})
    check(made, below)
    assert made.home == {"tanh": "f0", "fc": "f0"}
    wrong = arrange(list(below), below, dict.fromkeys(("add", "x"), named("f")), {})
    check(wrong, below)
    assert wrong.home == {}


def test_long_period_is_cut() -> None:
    """Each repetition alone has more parts than a frame should have."""
    nodes = [f"n{place}" for place in range(80)]
    below = {node: [other] for node, other in pairwise(nodes)} | {nodes[-1]: []}
    names = {node: str(place % 16) for place, node in enumerate(nodes)}
    check(arrange(nodes, below, {}, names), below)


def test_ten_thousand_repetitions_are_nested() -> None:
    nodes = [f"n{place}" for place in range(10_000)]
    below = {node: [other] for node, other in pairwise(nodes)} | {nodes[-1]: []}
    made = arrange(nodes, below, {}, dict.fromkeys(nodes, "MulBackward0"))
    depths = [len(around(made, node)) for node in nodes]
    assert 3 <= max(depths) <= 6
    children: dict[str | None, int] = {}
    for frame in made.frames:
        children[frame.parent] = children.get(frame.parent, 0) + 1
    assert max(children.values()) <= 12
