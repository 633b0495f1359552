"""The observation of a program's memory leaves the program as it is.

The programs are those of the stepper's tests. Each is built and run twice, once observed.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.ledger.memory import record_memory

import minigrad as mg
from tests.sampling import in_this_run

from . import pytorch_programs, test_untouched_minigrad
from .untouched import Program, left_by, plain

pytestmark = pytest.mark.filterwarnings("ignore")


def drawn(programs: Iterable[str]) -> list[str]:
    """Names of the programs of this run."""
    return [name for name in programs if in_this_run("PROOFS", name)]


def assert_seen_untouched(program: Program, lib: Any) -> None:
    found: list[dict[str, Any]] = []
    expected = left_by(program, lib, plain)
    lib.set_grad_enabled(True)  # some of the programs turn it off
    record_memory(lambda: found.append(left_by(program, lib, plain)), ())
    lib.set_grad_enabled(True)
    differing = [key for key in expected | found[0] if expected.get(key) != found[0].get(key)]
    told = (f"{key}: plain {expected.get(key)!r}, here {found[0].get(key)!r}" for key in differing)
    assert not differing, "\n".join(told)


@pytest.mark.parametrize("name", drawn(test_untouched_minigrad.PROGRAMS))
def test_a_program_of_minigrad(name: str) -> None:
    assert_seen_untouched(test_untouched_minigrad.PROGRAMS[name], mg)


@pytest.mark.parametrize("name", drawn(pytorch_programs.PROGRAMS))
def test_a_program_of_pytorch(name: str, torch: ModuleType) -> None:
    assert_seen_untouched(pytorch_programs.PROGRAMS[name], torch)


def test_nothing_is_kept_and_hooks_removed(lib: ModuleType) -> None:
    x = lib.ones(2, requires_grad=True)
    loss: list[Any] = []
    alive: list[Any] = []

    def program() -> None:
        h = x.exp()
        alive.append(weakref.ref(h))
        loss.append((h * h).sum())

    gc.disable()
    try:
        used = viz.memory(program)
        node = loss[0].grad_fn.next_functions[0][0]
        hooks = node.register_prehook(lambda g: None)
        if lib is not mg:
            assert len(hooks.hooks_dict_ref()) == 1
        del hooks, node
        loss.clear()
        assert alive[0]() is None
    finally:
        gc.enable()
    assert used.peak.bytes == 8
