"""A backward pass reads as it did, written down for either library.

That a program computes the same to the bit is shown in tests/programs/test_written_programs.py. How
it reads was looked at and found right, and is kept (tests/viz/looks.py): names, order, what is
summed, hooks, seeds, inputs, and what cannot be written.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest

from tests.viz.looks import recall

Made = tuple[Any, dict[str, Any]]
"""The tensor at which the pass begins, and the other arguments of `program`."""


def leaves(T: Any) -> tuple[Any, Any]:
    return T.tensor([1.0, -2.0], requires_grad=True), T.tensor([3.0, 0.5], requires_grad=True)


def layers(T: Any) -> Made:
    x = T.tensor([[1.0, -2.0, 0.5], [0.0, 1.0, 2.0]])
    w, b = T.ones(3, 2, requires_grad=True), T.zeros(2, requires_grad=True)
    h = (x @ w + b).relu()
    return (h * h).mean(), {}


def shared(T: Any) -> Made:
    x, w = leaves(T)
    y = x * w
    return (y.sin() + y * y + y).sum(), {}


def seeded(T: Any) -> Made:
    x, w = leaves(T)
    one, two = x * w, x**2
    return [one, two], {"gradient": [T.tensor([1.0, 2.0]), T.ones(2)]}


def the_same_twice(T: Any) -> Made:
    x, _ = leaves(T)
    y = x.sum()
    return [y, y], {"gradient": [T.tensor(1.0), T.tensor(2.0)]}


def two_inputs(T: Any) -> Made:
    x, w = leaves(T)
    y = x * w
    return (y * y).sum(), {"inputs": [w]}


def earlier(T: Any) -> Made:
    x, w = leaves(T)
    (x * w).sum().backward()
    return (x * x * w).sum(), {}


def other_types(T: Any) -> Made:
    x, w = T.ones(2, dtype=T.float64, requires_grad=True), T.ones(2, requires_grad=True)
    return (x * w.double() * 2).sum().float(), {}


def retained(T: Any) -> Made:
    x, w = leaves(T)
    y = x * w
    y.retain_grad()
    return (y * y).sum(), {}


def hooked(T: Any) -> Made:
    x, w = leaves(T)
    y = x * w

    def doubled(g: Any) -> Any:
        return g * 2

    def seen(g: Any) -> None:
        return None

    y.register_hook(doubled)
    y.register_hook(seen)
    x.register_hook(doubled)
    return y.sum(), {}


def hooks_of_nodes(T: Any) -> Made:
    x, w = leaves(T)
    y = x * w

    def before(arrived: Any) -> Any:
        return (arrived[0] * 2,)

    def after(given: Any, arrived: Any) -> Any:
        return (given[0] + 1, given[1])

    def looks(given: Any, arrived: Any) -> None:
        return None

    y.grad_fn.register_prehook(before)
    y.grad_fn.register_hook(looks)
    y.grad_fn.register_hook(after)
    return (y**2).sum(), {}


def after_a_leaf(T: Any) -> Made:
    x, w = leaves(T)
    x.register_post_accumulate_grad_hook(lambda leaf: None)
    return (x * w).sum(), {}


def a_pass_within(T: Any) -> Made:
    x, w = leaves(T)
    y = x * w

    def begins(g: Any) -> None:
        with T.enable_grad():
            z = (x.detach().requires_grad_() * 2).sum()
            z.backward()

    y.register_hook(begins)
    return y.sum(), {}


def own_function(T: Any) -> Made:
    class Scaled(T.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, a: Any, factor: float) -> Any:
            ctx.save_for_backward(a)
            ctx.factor = factor
            return a * factor, a + 1

        @staticmethod
        def backward(ctx: Any, g: Any, h: Any) -> Any:
            (a,) = ctx.saved_tensors
            return g * ctx.factor + h * a * 0, None

    x, _ = leaves(T)
    one, _ = Scaled.apply(x, 2.0)
    two, three = Scaled.apply(one, 3.0)
    return (two * three).sum(), {}


def several_results(T: Any) -> Made:
    x = T.arange(6.0).reshape(2, 3).requires_grad_()
    low, high = (x * 2).split(1)
    values, _ = x.max(1)
    return (low * high).sum() + values.sum(), {}


def indexed(T: Any) -> Made:
    x, w = leaves(T)
    mask = T.tensor([True, False])
    y = x.masked_fill(mask, 0.0)[T.tensor([0, 1, 1])]
    return T.where(y > 0, y, y * 2).sum() + T.gather(w, 0, T.tensor([1])).sum(), {}


def in_place(T: Any) -> Made:
    x, w = leaves(T)
    y = x * 2
    y[0] = w[1]
    y.mul_(w)
    return y.sum(), {}


def large(T: Any) -> Made:
    x = T.ones(4, 5, requires_grad=True)
    data = T.arange(20.0).reshape(4, 5)
    return (x * data).t().softmax(0).log().sum(), {}


def transposed(T: Any) -> Made:
    x, w = T.ones(2, 2, requires_grad=True), T.ones(2, 2, requires_grad=True)
    return (x.t() @ w @ x).sum(), {}


def undefined(T: Any) -> Made:
    """Some of what a node gives has not arrived, some leads nowhere."""
    x, w = leaves(T)
    one, _ = T.stack([x, w.detach()]).unbind()
    return (one * 1.5).sum(), {}


def odd_numbers(T: Any) -> Made:
    x, _ = leaves(T)
    given = T.tensor([float("inf"), -0.0])
    return (x * given * T.tensor([1e-7, 1e20])).sum(), {"gradient": T.tensor(float("nan"))}


def nothing_in_it(T: Any) -> Made:
    x = T.ones(0, 2, requires_grad=True)
    return (x * T.ones(0, 2)).sum(), {}


def six_and_seven(T: Any) -> Made:
    """Of how many elements a tensor is small."""
    x, y = T.ones(6, requires_grad=True), T.ones(7, requires_grad=True)
    six, seven = T.arange(6.0), T.arange(7.0)
    return (x * six).sum() + (y * seven).sum(), {}


def by_name(T: Any) -> Made:
    """A value in a formula that is no gradient may have a name, too."""
    x, index, mask = T.ones(3, requires_grad=True), T.tensor([2, 0]), T.tensor([True, False, True])
    names = {"x": x, "index": index, "mask": mask}
    return x.masked_fill(mask, 0.0)[index].sum(), {"names": names}


def of_one_name(T: Any) -> Made:
    """Two Functions are called the same."""

    def times(factor: float) -> Any:
        class Times(T.autograd.Function):  # type: ignore[misc]
            @staticmethod
            def forward(ctx: Any, a: Any) -> Any:
                return a * factor

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return g * factor

        return Times

    two, three = times(2.0), times(3.0)
    x, _ = leaves(T)
    return two.apply(three.apply(two.apply(x))).sum(), {"names": {"x": x}}


def given_nothing(T: Any) -> Made:
    """A Function gives nothing to a node, whose hooks still run."""

    class Ends(T.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            return a * 1

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return None

    def seen(g: Any) -> None:
        return None

    def after(given: Any, arrived: Any) -> None:
        return None

    x, _ = leaves(T)
    y = x.exp()
    y.register_hook(seen)
    y.grad_fn.register_hook(after)
    return (Ends.apply(y) + x).sum(), {"names": {"x": x, "y": y}}


def not_materialized(T: Any) -> Made:
    class Both(T.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            ctx.set_materialize_grads(False)
            return a * 1, a * 2

        @staticmethod
        def backward(ctx: Any, g: Any, h: Any) -> Any:
            return g

    x, _ = leaves(T)
    return Both.apply(x)[0].sum(), {"names": {"x": x}}


def hooks_on_some(T: Any) -> Made:
    """On one of two results, and on a node that gives to one of two inputs."""
    x, w = leaves(T)
    one, other = (w.detach() * x).unbind()

    def tripled(arrived: Any) -> Any:
        return tuple(None if g is None else g * 3 for g in arrived)

    def seen(g: Any) -> None:
        return None

    def after(given: Any, arrived: Any) -> Any:
        return (None, given[1] * 2)

    other.register_hook(seen)
    one.grad_fn.register_prehook(tripled)
    one.grad_fn.next_functions[0][0].register_hook(after)
    return one.exp(), {"names": {"x": x, "w": w}}


PASSES = (
    *(layers, shared, seeded, the_same_twice, two_inputs, earlier, other_types, retained, hooked),
    *(hooks_of_nodes, after_a_leaf, a_pass_within, own_function, several_results, indexed),
    *(in_place, large, transposed, undefined, odd_numbers, nothing_in_it),
    *(six_and_seven, by_name, of_one_name, given_nothing, not_materialized, hooks_on_some),
)


@pytest.mark.parametrize("make", PASSES, ids=lambda make: make.__name__)
def test_a_pass_reads_as_it_did(make: Callable[[Any], Made], lib: ModuleType) -> None:
    def written() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            root = (made := make(lib))[0]
            listing = viz.program(root, **made[1])
        lines = [
            [re.sub(r"line \d+|第 \d+ 行", "", line.text), line.node] for line in listing.lines
        ]
        return [lines, listing.text.count("given[")]

    assert written() == recall(__file__, f"{make.__name__} {lib.__name__}", written)
