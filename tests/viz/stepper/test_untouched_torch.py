"""Looking at a PyTorch graph, or stepping through it, leaves what a plain pass leaves."""

from __future__ import annotations

import gc
import weakref
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest

from .pytorch_programs import PROGRAMS
from .untouched import TOOLS, Pass, Tool, all_who_look, assert_untouched, plain, step

pytestmark = pytest.mark.filterwarnings("ignore")  # of PyTorch's, about what the programs do


@pytest.mark.parametrize("program", PROGRAMS)
def test_stepping_leaves_same_state_as_backward(program: str, torch: ModuleType) -> None:
    assert_untouched(PROGRAMS[program], torch, step)


@pytest.mark.sampled("PROOFS", 70)
@pytest.mark.parametrize("program", PROGRAMS)
def test_observed_pass_leaves_the_same_state(program: str, torch: ModuleType) -> None:
    assert_untouched(PROGRAMS[program], torch, all_who_look)


@pytest.mark.parametrize("tool", ["step", "draw", "text", "explain"])
def test_modes_see_the_same_operations(tool: str, torch: ModuleType) -> None:
    seen: list[str] = []

    class Dispatched(torch.utils._python_dispatch.TorchDispatchMode):  # type: ignore[name-defined,misc]
        def __torch_dispatch__(self, call: Any, types: Any, args: Any, kwargs: Any = None) -> Any:
            seen.append(str(call))
            return call(*args, **(kwargs or {}))

    def operations(tool: Tool) -> list[str]:
        x = torch.ones(2, requires_grad=True)
        loss = ((x * x).exp() + x).sum()
        seen.clear()
        with Dispatched():
            tool(torch, Pass([loss]))
        return list(seen)

    assert operations(TOOLS[tool]) == operations(plain) != []


def test_stepping_keeps_nothing_alive(torch: ModuleType) -> None:
    x = torch.ones(2, requires_grad=True)
    h = x.exp()
    loss = (h * h).sum()
    alive = weakref.ref(h)
    gc.disable()
    try:
        stepper = viz.step(loss)
        del h, loss
        assert alive() is None
    finally:
        gc.enable()
    assert stepper.error is None
