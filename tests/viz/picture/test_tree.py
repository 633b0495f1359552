"""The graph as text."""

from __future__ import annotations

import io
import sys
from types import ModuleType

import minigrad_viz as viz
import pytest
from minigrad_viz.picture.tree import MAX_DEPTH

import minigrad as mg


def test_a_node_reached_twice_is_written_once(lib: ModuleType) -> None:
    x = lib.tensor(3.0, requires_grad=True)
    y = x * x
    assert viz.draw(y).text.splitlines() == [
        "y  scalar",
        "└─ MulBackward0  y: scalar  saved: other = x, self = x",
        "   ├─ AccumulateGrad  (n4)",
        "   │  └─ x  scalar",
        "   └─ AccumulateGrad  (n4, see above)",
    ]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gb18030"])
def test_tree_prints_in_any_encoding(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x = mg.tensor(3.0, requires_grad=True)
    drawing = viz.draw(x * x)
    printed = io.TextIOWrapper(io.BytesIO(), encoding)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", printed)
        print(drawing)
    printed.seek(0)
    lines = printed.read().splitlines()
    corner = "└─" if encoding == "gb18030" else "`-"
    assert lines[1] == f"{corner} MulBackward0  scalar  saved: other = x, self = x"
    assert len(lines) == 5 and drawing.text.isascii() is False


def test_two_branches(lib: ModuleType) -> None:
    w = lib.ones(5, 3, requires_grad=True)
    b = lib.ones(3, requires_grad=True, dtype=lib.float64)
    z = (lib.ones(1, 5) @ w) + b
    assert viz.draw(z, saved=False).text.splitlines() == [
        "z  [1, 3] float64",
        "└─ AddBackward0  z: [1, 3] float64",
        "   ├─ MmBackward0  [1, 3]",
        "   │  └─ AccumulateGrad",
        "   │     └─ w  [5, 3]",
        "   └─ AccumulateGrad",
        "      └─ b  [3] float64",
    ]


def test_freed_tensors_are_marked(lib: ModuleType) -> None:
    x = lib.ones(2, requires_grad=True)
    y = x.exp().sum()
    y.backward()
    assert "saved: result (freed)" in viz.draw(y).text


def test_tree_of_deep_graph_is_narrow(lib: ModuleType) -> None:
    x = y = lib.ones(1, requires_grad=True)
    for _ in range(10_000):
        y = y + x
    lines = viz.draw(y).text.splitlines()
    assert sum("AddBackward0" in line and "continued" not in line for line in lines) == 10_000
    assert max(map(len, lines)) < 3 * MAX_DEPTH + 60


def test_cut_of_deep_graph_is_marked(lib: ModuleType) -> None:
    y = lib.ones(1, requires_grad=True)
    for _ in range(60):
        y = y.exp()
    sections = viz.draw(y, saved=False).text.split("\n\n")
    depths = [
        [(len(line) - len(line.lstrip(" └─"))) // 3 for line in section.splitlines()]
        for section in sections
    ]
    whole = [*range(MAX_DEPTH + 2)]  # the last line says that it goes on below
    assert depths[0] == whole and depths[1] == [0, *whole]
    assert sum(map(len, depths)) == 1 + 60 + 2 + 2 * 2  # the root, the leaf, and where it goes on
    assert depths[2][:2] == [0, 0] and depths[2][-1] < MAX_DEPTH
