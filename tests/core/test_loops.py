"""A loop of training steps keeps nothing, however long it runs, without Python's cycle collector.

The bytes that are allocated after many steps are those after a few, and there are no cycles. What
does leave a cycle behind is named at the end of this file, and leaves it in PyTorch, too.
"""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import minigrad as mg
from tests.parity import same
from tests.sampling import all_of, in_this_run

FEW = 5
STEPS = 10_000 if all_of("PROOFS") else 40

Step = Callable[[], Any]


pytestmark = pytest.mark.usefixtures("no_collector")


class Model:
    """A small network, its data and its loss."""

    def __init__(self) -> None:
        mg.manual_seed(0)
        nn = mg.nn
        self.net = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Dropout(0.1), nn.Linear(5, 1))
        self.optimizer = mg.optim.Adam(self.net.parameters(), lr=1e-4)
        self.x, self.y = mg.randn(6, 4), mg.randn(6, 1)

    def loss(self) -> Any:
        return ((self.net(self.x) - self.y) ** 2).mean()

    def step(self, loss: Any = None) -> None:
        self.optimizer.zero_grad()
        (self.loss() if loss is None else loss).backward()
        self.optimizer.step()


def plain() -> Step:
    return Model().step


def by_hand() -> Step:
    model = Model()

    def step() -> None:
        model.loss().backward()
        with mg.no_grad():
            for p in model.net.parameters():
                p -= 1e-4 * p.grad
                p.grad.zero_()

    return step


def create_graph() -> Step:
    """The length of the gradient is a part of the loss."""
    model = Model()
    parameters = list(model.net.parameters())

    def step() -> None:
        loss = model.loss()
        slopes = mg.autograd.grad(loss, parameters, create_graph=True)
        model.step(loss + 0.1 * sum((g * g).sum() for g in slopes))

    return step


def create_graph_into_grad() -> Step:
    """A cycle through `.grad`, which is broken where `.grad` is set to None."""
    model = Model()

    def step() -> None:
        model.optimizer.zero_grad()
        model.loss().backward(create_graph=True)
        penalty = sum((p.grad * p.grad).sum() for p in model.net.parameters())
        model.step(penalty)

    return step


def checkpoint(reentrant: bool) -> Step:
    model = Model()
    model.x.requires_grad_()

    def step() -> None:
        model.x.grad = None
        out = mg.utils.checkpoint.checkpoint(model.net, model.x, use_reentrant=reentrant)
        model.step(((out - model.y) ** 2).mean())

    return step


def hooks() -> Step:
    """Of tensors, nodes, leaves, modules and saved tensors; some stay, some are made anew."""
    model = Model()
    seen: list[float] = [0.0]
    first, last = model.net[0], model.net[3]
    first.register_full_backward_hook(lambda module, gave, got: None)
    last.register_forward_hook(lambda module, args, out: out * 1)
    first.weight.register_hook(lambda g: g * 0.5)
    last.weight.register_post_accumulate_grad_hook(lambda p: None)

    def step() -> None:
        with mg.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
            loss = model.loss()
        loss.register_hook(lambda g: seen.__setitem__(0, g.item()))
        loss.retain_grad()
        handle = loss.grad_fn.register_prehook(lambda gradients: None)
        model.step(loss)
        handle.remove()

    return step


class Square(mg.autograd.Function):
    """A user's operation."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = x * x
        ctx.save_for_backward(x, y)
        ctx.note = "kept"
        return y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, _ = ctx.saved_tensors
        return 2 * x * g


def function() -> Step:
    model = Model()
    return lambda: model.step(Square.apply(model.net(model.x) - model.y).mean())


def function_twice() -> Step:
    model = Model()
    weight = model.net[0].weight

    def step() -> None:
        loss = Square.apply(model.net(model.x) - model.y).mean()
        (slope,) = mg.autograd.grad(loss, weight, create_graph=True)
        model.step(Square.apply(slope).sum() + loss)

    return step


def recorded() -> Step:
    model = Model()

    def step() -> None:
        with mg.autograd.record() as trace:
            model.step()
        assert len(trace) > 10

    return step


def anomaly() -> Step:
    model = Model()

    def step() -> None:
        with mg.autograd.detect_anomaly(check_nan=True):
            model.step()

    return step


def views_and_writes() -> Step:
    model = Model()

    def step() -> None:
        rows = mg.zeros(6, 4)
        rows[1:].add_(model.x[1:])
        rows[0] = model.x[0] * 2
        out = model.net(rows).view(3, 2).t()
        out[0].mul_(0.5)
        model.step(out.square().sum())

    return step


def failed() -> Step:
    """A pass that fails, and one after it."""
    model = Model()

    def step() -> None:
        loss = model.loss()
        model.step(loss)
        with pytest.raises(RuntimeError, match="second time"):
            loss.backward()

    return step


def recurrent() -> Step:
    """The state that one step hands to the next is detached."""
    model, cell = Model(), mg.nn.GRUCell(4, 4)
    kept = [mg.zeros(6, 4)]

    def step() -> None:
        state = cell(model.x, kept[0])
        model.step(model.net(state).square().mean())
        kept[0] = state.detach()

    return step


LOOPS: dict[str, Callable[[], Step]] = {
    "plain": plain,
    "by hand": by_hand,
    "create_graph": create_graph,
    "create_graph into .grad": create_graph_into_grad,
    "checkpoint": lambda: checkpoint(False),
    "reentrant checkpoint": lambda: checkpoint(True),
    "hooks": hooks,
    "Function": function,
    "Function twice": function_twice,
    "recorded": recorded,
    "anomaly mode": anomaly,
    "views and writes": views_and_writes,
    "failed": failed,
    "recurrent": recurrent,
}


def kept_by(step: Step, steps: int) -> tuple[int, int]:
    """Count objects in cycles, and the bytes allocated more than after a few steps.

    Python keeps some freed tuples, which a collection frees. Once in many thousand steps it makes
    the table of its interned strings again, two megabytes that were not counted at first. The
    result is therefore that of the half with the smaller growth.
    """
    tracemalloc.start()
    try:
        for _ in range(FEW):
            step()
        gc.collect()
        cycles, more = 0, []
        for _ in range(2):
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(steps // 2):
                step()
            cycles += gc.collect()
            more.append(tracemalloc.get_traced_memory()[0] - before)
        return cycles, 2 * min(more)
    finally:
        tracemalloc.stop()


@pytest.mark.filterwarnings("ignore:Anomaly Detection", "ignore:Using backward")
@pytest.mark.parametrize("name", [name for name in LOOPS if in_this_run("PROOFS", name)])
def test_a_loop_keeps_nothing(name: str) -> None:
    """Up to two thousand bytes are Python's own, however many steps there are: so a few steps show
    cycles and whole tensors that stay, and the ten thousand of a night each byte.
    """
    cycles, more = kept_by(LOOPS[name](), STEPS)
    assert cycles == 0
    assert more < 3000 + STEPS // 10


def test_leak_is_seen() -> None:
    """A list that grows by a kilobyte each time, and one that holds itself."""
    kept: list[bytes] = []
    assert kept_by(lambda: kept.append(bytes(1000)), STEPS)[1] > 900 * STEPS

    def circle() -> None:
        own: list[Any] = []
        own.append(own)

    assert kept_by(circle, STEPS)[0] == STEPS


# --- What makes a cycle, in PyTorch too


def a_gradient_with_a_graph_in_the_grad_of_a_leaf_that_is_let_go(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    (x**3).sum().backward(create_graph=True)
    ref = weakref.ref(x)
    del x
    return ref() is not None


def a_hook_that_holds_its_own_tensor(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g, y=y: None)
    ref = weakref.ref(y)
    del y
    return ref() is not None


def a_ctx_that_holds_its_own_result(T: Any) -> Any:
    class Kept(T.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.y = x * 2
            return ctx.y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return 2 * g

    x = T.ones(2, requires_grad=True)
    y = Kept.apply(x)
    ref = weakref.ref(y)
    del y
    return ref() is not None


CYCLES = [
    a_gradient_with_a_graph_in_the_grad_of_a_leaf_that_is_let_go,
    a_hook_that_holds_its_own_tensor,
    a_ctx_that_holds_its_own_result,
]


@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("program", CYCLES, ids=lambda program: program.__name__)
def test_cycle_exists_in_both_libraries(torch: Any, program: Any) -> None:
    same(torch, program)
    assert program(mg) is True
    gc.collect()
