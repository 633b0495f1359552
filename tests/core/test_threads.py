"""Threads that walk at the same time lose no gradient, on one graph or each on its own."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import minigrad as mg
from tests.sampling import all_of

THREADS, PASSES = 4, 2
ROUNDS = 1250 if all_of("PROOFS") else 250
"""10,000 passes at night; when gradients were lost, it was in 18 of 100 rounds."""


@pytest.fixture(autouse=True)
def threads_change_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(task: Callable[[], None]) -> None:
    """Run `task` in each thread; what it raises is raised here."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            task()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in raised:
        raise error


@pytest.mark.parametrize("own_graphs", [False, True], ids=["one_graph", "own_graphs"])
@pytest.mark.parametrize("size", [2, 20_000], ids=["small", "large"])
def test_no_gradient_is_lost(size: int, own_graphs: bool) -> None:
    """Thousands of passes to the same two leaves: where there was no gradient before, and where
    there was. (NumPy lets other threads run while it works on large arrays.)"""
    x = mg.linspace(0, 1, size).requires_grad_()
    w = mg.linspace(1, 2, size).requires_grad_()

    def built() -> Any:
        return ((x * w).tanh() * w + x).sum()

    shared = built()
    expected = [g * (THREADS * PASSES) for g in mg.autograd.grad(shared, [x, w], retain_graph=True)]

    def passes() -> None:
        for _ in range(PASSES):
            (built() if own_graphs else shared).backward(retain_graph=True)

    for _ in range(ROUNDS if size == 2 else ROUNDS // 10):
        x.grad = w.grad = None
        together(passes)
        for leaf, gradient in zip((x, w), expected, strict=True):
            assert mg.allclose(leaf.grad, gradient)


def test_threads_share_a_leaf_s_accumulator() -> None:
    """However many ask at once, a leaf has one AccumulateGrad."""
    for _ in range(300):
        x = mg.ones(2, requires_grad=True)
        made: list[Any] = []
        together(lambda x=x, made=made: made.append(x * 2))
        assert len({id(out.grad_fn.next_functions[0][0]) for out in made}) == 1
