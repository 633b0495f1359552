"""Frames of real programs: calls of modules and functions, iterations and lines."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import minigrad_viz as viz

import minigrad as mg

Frames = list[str]


def frames(stepper: Any) -> Frames:
    """The frames as an indented outline, in the order in which the backward pass meets them."""
    payload = stepper.payload
    known = {frame["id"]: frame for frame in payload.get("frames", [])}
    first: dict[str, int] = {}
    for place, node in enumerate(payload["nodes"]):
        frame = node.get("frame")
        while frame is not None:
            first.setdefault(frame, place)
            frame = known[frame]["parent"]
    lines: Frames = []

    def visit(parent: str | None, depth: int) -> None:
        inside = [f for f in known.values() if f["parent"] == parent]
        for frame in sorted(inside, key=lambda frame: first[frame["id"]]):
            lines.append("  " * depth + f"{frame['kind']} {frame['name']}")
            visit(frame["id"], depth + 1)

    visit(None, 0)
    return lines


def residual(lib: Any) -> tuple[Any, Callable[[], Any]]:
    """A network of blocks `x + f(x)`, and a function that computes its loss."""

    class Block(lib.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.fc = lib.nn.Linear(4, 4)

        def forward(self, x: Any) -> Any:
            return x + self.fc(x).tanh()

    net = lib.nn.Sequential(Block(), Block())
    return net, lambda: net(lib.ones(2, 4)).pow(2).sum()


def recurrent(lib: Any) -> Any:
    w = lib.ones(3, requires_grad=True)

    def cell(x: Any, h: Any) -> Any:
        a = x * w
        return (a + h).tanh()

    h = lib.zeros(3)
    for _ in range(2):
        h = cell(lib.ones(3), h)
    loss = h.pow(2)
    return loss.sum()


def test_module_calls_make_frames(lib: ModuleType) -> None:
    net, compute = residual(lib)
    with viz.watch():
        loss = compute()
    modules = [line for line in frames(viz.step(loss, names=net)) if "module" in line]
    wanted = ["Sequential", "  1", "    1.fc", "  0", "    0.fc"]
    assert [line.replace("module ", "") for line in modules] == wanted


def test_frame_names_class_of_lost_module() -> None:
    loss = mg.nn.Linear(4, 2)(mg.nn.GRUCell(4, 4)(mg.ones(2, 4))).sum()
    modules = [line.strip() for line in frames(viz.step(loss)) if "module" in line]
    assert modules == ["module Linear", "module GRUCell"]


def test_minigrad_notes_module_calls_unasked() -> None:
    net, compute = residual(mg)
    assert "  module 1" in frames(viz.step(compute(), names=net))


def test_names_of_parameters_make_frames(lib: ModuleType) -> None:
    """Of PyTorch's operations, only the parameters tell the module."""
    net, compute = residual(lib)
    assert "module 1.fc" in [line.strip() for line in frames(viz.step(compute(), names=net))]


def test_iterations_and_functions_make_frames(lib: ModuleType) -> None:
    stepper = viz.step(lambda: recurrent(lib), names={})
    assert [line for line in frames(stepper) if "line" not in line] == [
        "loop for _ in range(2)",
        "  iteration 2",
        "  iteration 1",
    ]


def test_operations_of_a_line_make_a_frame(lib: ModuleType) -> None:
    def compute() -> Any:
        x = lib.ones(3, requires_grad=True)
        y = (x * 2 + 1).exp()
        return y.sin().sum()

    assert frames(viz.step(compute, names={})) == [
        "line y.sin().sum()",
        "line y = (x * 2 + 1).exp()",
    ]


def test_loops_have_their_first_lines() -> None:
    def until_large(a: Any) -> Any:
        while a < 100:
            a = a * 3
            a = a + 1
        return a

    def with_branch(a: Any) -> Any:
        for turn in range(4):
            a = a * 2
            if turn % 2:
                a = a + 1
        return a

    for loop, name in ((until_large, "while a < 100"), (with_branch, "for turn in range(4)")):
        result = loop(mg.tensor(2.0, requires_grad=True)).sin().cos()
        names = [line.strip() for line in frames(viz.step(result))]
        assert f"loop {name}" in names
