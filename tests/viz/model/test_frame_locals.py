"""Who looks for names in a running function leaves nothing behind in its frame."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.model.frame_locals import scopes_of, variables_of

import minigrad as mg


def test_the_variables_are_those_of_the_moment() -> None:
    first, second = 1, [2]

    def inner() -> dict[str, Any]:
        third = second
        del third
        return variables_of(sys._getframe(1))

    found = inner()
    assert found["first"] == 1 and found["second"] is second
    assert first == 1 and second == [2]


def test_locals_held_by_the_program_stay() -> None:
    x = 3
    held = locals()
    assert variables_of(sys._getframe())["x"] == 3
    assert held["x"] == x


def test_of_a_module_there_is_one_scope() -> None:
    found: list[int] = []
    code = compile("look(sys._getframe())", "a module", "exec")
    exec(code, {"sys": sys, "look": lambda frame: found.append(len(scopes_of(frame)))})
    assert found == [1]
    assert len(scopes_of(sys._getframe())) == 2


def plain(loss: Any) -> None:
    """A plain pass, for comparison."""
    loss.backward()


def explained(error: Exception, loss: Any) -> str:
    return f"{viz.explain(error)} {viz.explain(loss, error)}"


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("tool", [plain, viz.step, viz.draw, viz.explain])
@pytest.mark.parametrize("broken", [False, True])
def test_deleted_local_is_freed(tool: Callable[[Any], Any], broken: bool) -> None:
    """At once and by reference counting alone, also where the pass fails."""
    x = mg.ones(3, requires_grad=True)
    y = x.exp()
    loss = (y * y).sum()
    if broken:
        y.add_(1)
    try:
        str(tool(loss))
    except RuntimeError as error:
        explained(error, loss)
    seen = [weakref.ref(thing) for thing in (x, y, loss, loss.grad_fn)]
    del x, y, loss
    assert [each() for each in seen] == [None] * 4
