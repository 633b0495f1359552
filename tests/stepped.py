"""A switch: the programs of our own tests, with each backward() made by `viz.step`.

A test says what a program computes, and a pass that is looked at must compute the same. So with
MINIGRAD_STEPPED set, `Tensor.backward` and `autograd.backward` of minigrad are replaced for the
length of each test by functions that step, and that raise what the pass has raised. A number steps
a sample of that size ("60", or "60:7" with a seed), "all" steps every test.

    MINIGRAD_STEPPED=all python -m pytest tests/core tests/ops tests/autograd tests/nn
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import minigrad_viz as viz
import pytest

import minigrad as mg
from minigrad.core.modes import modes

HOW_MANY = os.environ.get("MINIGRAD_STEPPED", "")

EXCUSED = {
    "tests/core/test_overhead.py": "counts the calls of a pass without observers",
    "tests/core/test_lifetimes.py::test_chain_of_many_nodes_is_freed": "is too large for a picture",
    "tests/ops/test_fused.py::test_gradient_reuses_saved_memory": "a recording needs memory",
    "tests/ops/test_fused.py::test_tanh_overwrites_unshared_gradient": "a recording keeps values",
}
"""Files and tests that are about something that a stepped pass may do otherwise."""

plainly = mg.autograd.backward


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: Any = None,
    create_graph: Any = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """`autograd.backward`, stepped, where `step` promises to do the same."""
    roots = [tensors] if isinstance(tensors, mg.Tensor) else tensors
    seeds = grad_tensors
    if isinstance(seeds, mg.Tensor):
        seeds = [seeds]
    if not promised(roots, seeds) or inputs is not None or grad_variables is not None:
        plainly(tensors, grad_tensors, retain_graph, create_graph, grad_variables, inputs)
        return
    error = viz.step(roots, seeds, retain_graph=retain_graph, create_graph=create_graph).error
    try:
        if error is not None:
            raise error
    finally:
        del error  # as after a plain pass, nothing leads from here to the exception


def promised(roots: Any, seeds: Any) -> bool:
    """Whether a pass begins with these arguments, and no other recorder would miss its events."""
    if not isinstance(roots, list | tuple) or not roots or modes.recorder is not None:
        return False
    if not all(isinstance(root, mg.Tensor) and root.grad_fn is not None for root in roots):
        return False
    return seeds is None or (isinstance(seeds, list | tuple) and len(seeds) == len(roots))


def method(
    self: Any,
    gradient: Any = None,
    retain_graph: Any = None,
    create_graph: Any = False,
    inputs: Any = None,
) -> None:
    """`Tensor.backward`, stepped."""
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what is excused and what needs real PyTorch, and of the others as many as wanted."""
    kept = [
        item
        for item in items
        if not any(item.nodeid.startswith(name) for name in EXCUSED)
        and "pytorch" not in getattr(item, "fixturenames", ())
    ]
    if HOW_MANY != "all":
        count, _, seed = HOW_MANY.partition(":")
        kept = random.Random(int(seed or 0)).sample(kept, min(int(count), len(kept)))
    config.hook.pytest_deselected(items=[item for item in items if item not in {*kept}])
    items[:] = kept


@pytest.fixture(autouse=True)
def every_pass_stepped(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(mg.Tensor, "backward", method)
    monkeypatch.setattr(mg.autograd, "backward", backward)
    yield
