"""Inference tensors: which tensors are, what they refuse, and what may be done to them."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.core.test_regressions import outcome
from tests.parity import same


def made(T: Any) -> tuple[Any, Any]:
    """An inference tensor, and a leaf that requires grad."""
    with T.inference_mode():
        quiet = T.ones(2)
    return quiet, T.ones(2, requires_grad=True)


def which_tensors_are(T: Any) -> Any:
    """Those that get new memory inside the mode; views and aliases go by what they share."""
    leaf = T.ones(2, requires_grad=True)
    with T.inference_mode():
        a = T.ones(2)
        found = [
            *(leaf, a, leaf * 2, leaf[:1], leaf.detach(), leaf.data, leaf > 0, leaf.clone()),
            *(T.tensor([1, 2]), T.zeros(2, requires_grad=True), leaf.long(), a[:1], T.empty(2)),
            *(T.rand(2), *leaf.max(0), T.arange(3), T.from_numpy(leaf.detach().numpy())),
            *(leaf.contiguous(), leaf.to(T.float32), leaf.reshape(1, 2), leaf.expand(2, 2)),
            *(*leaf.split(1), T.nn.Parameter(T.ones(2)), leaf.requires_grad_()),
            *(copy.deepcopy(a), T.full((2,), 1.0), T.ones_like(leaf), leaf.new_zeros(2)),
            *(a.data, a.detach(), a + 1, T.cat([leaf, a]), leaf.sum()),
        ]
    found += [a[:1], a.view(2), a * 2, a.clone(), a.detach(), a.data, a.contiguous()]
    found += [a.unbind()[0], a.reshape(1, 2), copy.deepcopy(a), a.to(T.float64), a.to(T.float32)]
    bases = [(x._is_view(), x._base is None) for x in found]
    return [(x.is_inference(), x.requires_grad, x.is_leaf) for x in found], bases


def nested_and_decorated(T: Any) -> Any:
    @T.inference_mode()
    def called(x: Any) -> Any:
        return x * 2

    @T.inference_mode
    def bare(x: Any) -> Any:
        return x * 2

    x = T.ones(2, requires_grad=True)
    with T.inference_mode():
        with T.inference_mode(False):
            inner = x * 2, T.ones(1)
        with T.enable_grad():
            enabled = x * 2, T.ones(1)
    made = (called(x), bare(x), *inner, *enabled)
    return [(each.is_inference(), each.requires_grad) for each in made]


def no_versions(T: Any) -> Any:
    with T.inference_mode():
        a = T.ones(2)
        a.add_(1)
        inside = outcome(lambda: a._version)
        T.autograd.graph.increment_version(a)
    T.autograd.graph.increment_version(a)
    return inside, [outcome(lambda t=t: t._version) for t in (a, a[:1])], a


def written_outside(T: Any) -> Any:
    """PyTorch finds out when the memory has been written, and so does minigrad."""
    seen = []
    for quiet in (False, True):
        for write in (
            lambda a, leaf: a.add_(1),
            lambda a, leaf: a.mul_(T.ones(2) * 3),
            lambda a, leaf: a.__setitem__(0, 5.0),
            lambda a, leaf: a[:1].zero_(),
            lambda a, leaf: a.copy_(T.zeros(2)),
            lambda a, leaf: a.fill_(3),
            lambda a, leaf: a.relu_(),
            lambda a, leaf: a.zero_(),
            lambda a, leaf: a.add_(leaf),
            lambda a, leaf: a.add_(leaf * 2),
            lambda a, leaf: a.unsqueeze_(0),
            lambda a, leaf: a.detach_(),
        ):
            a, leaf = made(T)
            with T.set_grad_enabled(not quiet):
                seen += [outcome(lambda a=a, leaf=leaf, write=write: write(a, leaf)), a]
    return seen


def written_inside(T: Any) -> Any:
    n, leaf = T.ones(2), T.ones(2, requires_grad=True)
    y = leaf * 2
    with T.inference_mode():
        n.add_(1)
        a = T.ones(2)
        a.add_(n)
        n.mul_(a)
        view = n[:1]
        view.add_(5)
        seen = [outcome(lambda: leaf.add_(1)), leaf.detach(), outcome(lambda: y.add_(1))]
    return n, n._version, a, seen, y, y._version, outcome(lambda: view.add_(1)), view


def copied_into_others(T: Any) -> Any:
    a, leaf = made(T)
    n, y = T.zeros(2), leaf * 1
    n.copy_(a)
    n.add_(a)
    y.add_(a)
    y.copy_(a)
    return n, y, outcome(lambda: T.zeros(2).mul_(a)), outcome(lambda: (leaf * 1).mul_(a))


def saved_for_backward(T: Any) -> Any:
    class Product(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g * y, g * x

    a, leaf = made(T)
    with T.inference_mode():
        places, mask = T.tensor([0, 1]), T.tensor([True, False])
    F = T.nn.functional

    def packed() -> Any:
        with T.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            return leaf * a

    return [
        outcome(call)
        for call in (
            *(lambda: (a * leaf).sum(), lambda: a + leaf, lambda: leaf * a, lambda: leaf / a),
            *(lambda: leaf * a.clone(), lambda: a * 2, lambda: leaf.exp(), lambda: T.dot(leaf, a)),
            *(lambda: leaf[places], lambda: leaf[mask], lambda: T.where(mask, leaf, a)),
            *(lambda: leaf @ a, lambda: F.linear(a, leaf), lambda: a[:1] * leaf),
            *(lambda: leaf.masked_fill(mask, 0.0), lambda: leaf.gather(0, places)),
            *(lambda: T.cat([leaf, a]), lambda: F.nll_loss(leaf.reshape(1, 2), places[:1])),
            *(lambda: leaf.index_add(0, places, a), lambda: Product.apply(leaf, a), packed),
            lambda: T.nn.Linear(2, 1)(a),
        )
    ]


def asked_to_require_grad(T: Any) -> Any:
    with T.inference_mode():
        a, b, c = T.ones(2), T.ones(2), T.ones(2, requires_grad=True)
        b.requires_grad_()
        inside = b.requires_grad, c.requires_grad
        a.requires_grad_(False)
    return (
        inside,
        outcome(a.requires_grad_),
        outcome(lambda: setattr(a, "requires_grad", True)),
        a.requires_grad,
        outcome(lambda: (c * 2).sum().backward()),
        c.grad,
        outcome(lambda: b.requires_grad_(False)),
        outcome(lambda: b.requires_grad_()),
    )


def backward_inside(T: Any) -> Any:
    leaf = T.ones(2, requires_grad=True)
    y = (leaf * leaf).sum()
    with T.inference_mode():
        (g,) = T.autograd.grad(y, leaf, retain_graph=True)
        y.backward()
    return g, g.is_inference(), leaf.grad, leaf.grad.is_inference()


def data_of_and_for(T: Any) -> Any:
    a, _ = made(T)
    n = T.zeros(2)
    n.data = a
    a.data = T.zeros(2)
    return n, n.is_inference(), a, T.is_inference(a)


PROGRAMS = [
    which_tensors_are,
    nested_and_decorated,
    no_versions,
    written_outside,
    written_inside,
    copied_into_others,
    saved_for_backward,
    asked_to_require_grad,
    backward_inside,
    data_of_and_for,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)
