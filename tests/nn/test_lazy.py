"""Lazy layers: the same before the first call, in it and after it."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import minigrad
from tests.parity import caught, same, weights_like

LAYERS = [
    ("LazyLinear(3)", (2, 4)),
    ("LazyLinear(2, bias=False)", (3,)),
    ("LazyLinear(2, dtype=T.float64)", None),
    ("LazyConv1d(4, 3)", (2, 3, 7)),
    ("LazyConv1d(4, 3, stride=2, padding=1, groups=2, bias=False)", (2, 7)),
    ("LazyConv2d(4, 3, padding=1, bias=False)", (2, 3, 7, 7)),
    ("LazyConv2d(4, (3, 2), stride=2)", (3, 9, 9)),
    ("LazyConvTranspose1d(4, 3)", (2, 3, 5)),
    ("LazyConvTranspose2d(4, 3, stride=2)", (2, 3, 5, 5)),
    ("LazyBatchNorm1d()", (3, 4)),
    ("LazyBatchNorm1d(track_running_stats=False)", (3, 4, 2)),
    ("LazyBatchNorm2d(affine=False)", (3, 4, 2, 2)),
    ("LazyBatchNorm2d(eps=0.1, momentum=None)", (3, 4, 2, 2)),
    ("LazyInstanceNorm1d()", (3, 4, 5)),  # of two close numbers the slope is mere rounding
    ("LazyInstanceNorm2d(affine=False)", (3, 4, 2, 2)),
]


@pytest.mark.parametrize(("call", "shape"), LAYERS)
def test_layer(torch: Any, call: str, shape: Any) -> None:
    """Text and state before, the draws of the first call, its result, and what there is then."""

    def program(T: Any) -> Any:
        layer = eval("T.nn." + call, {"T": T})
        before = [repr(layer), {k: repr(v) for k, v in layer.state_dict().items()}]
        before += [layer.has_uninitialized_params(), [p.dtype for p in layer.parameters()]]
        if shape is None:
            return before
        x = T.randn(shape, requires_grad=True)
        y = layer(x)
        y.backward(weights_like(T, y, 1))
        print(layer, type(layer).__name__, hasattr(layer, "cls_to_become"))
        state = dict(layer.state_dict())
        return before, y, state, x.grad, [p.grad for p in layer.parameters()], layer(x)

    same(torch, program)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_copy_waits_as_well(torch: Any, copied: Any) -> None:
    def program(T: Any) -> Any:
        layer = T.nn.LazyLinear(2)
        other = copied(layer)
        y = other(T.ones(1, 3))
        print(layer, other, repr(layer.weight), layer.weight.requires_grad)
        return y, other.weight

    # (A pickle of a lazy module remembers hooks of a library, so only ours is pickled.)
    if copied is copy.deepcopy:
        same(torch, program)
    else:
        program(minigrad)


def test_a_network_of_lazy_layers_is_trained(torch: Any) -> None:
    """Its optimizer is made before anything has a shape."""

    def program(T: Any) -> Any:
        nn = T.nn
        net = nn.Sequential(
            nn.LazyConv2d(4, 3), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(2)
        )
        print(net)
        optimizer = T.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        for _ in range(3):
            optimizer.zero_grad()
            loss = net(T.randn(2, 3, 5, 5)).pow(2).sum()
            loss.backward()
            optimizer.step()
        print(net)
        return loss, dict(net.state_dict())

    same(torch, program)


def test_state_of_lazy_and_of_ordinary_layers(torch: Any) -> None:
    def program(T: Any) -> Any:
        nn = T.nn
        lazy, plain = nn.LazyLinear(3), nn.Linear(4, 3)
        print(lazy.load_state_dict(plain.state_dict()), lazy, lazy.weight)
        y = lazy(T.ones(2, 4))
        print(lazy, nn.LazyLinear(3).load_state_dict(nn.LazyLinear(3).state_dict()))
        norm = nn.LazyBatchNorm1d()
        print(norm.load_state_dict(nn.BatchNorm1d(3).state_dict()), norm)
        kinds = [
            caught(lambda: plain.load_state_dict(nn.LazyLinear(3).state_dict()), "the shape of an"),
            caught(lambda: nn.LazyLinear(3).load_state_dict({}), "Missing key(s) in state_dict"),
        ]
        return y, kinds, dict(lazy.state_dict())

    same(torch, program)


def test_uninitialized_parameter_methods(torch: Any) -> None:
    def program(T: Any) -> Any:
        layer = T.nn.LazyLinear(2).double()
        p = layer.weight
        seen = [p.dtype, p.requires_grad, p.is_leaf, p.grad is None, p.is_floating_point()]
        print(p, repr(p), p.device, layer.half().weight.dtype, T.nn.UninitializedBuffer())
        p = T.nn.parameter.UninitializedParameter()
        waiting = T.nn.parameter.is_lazy(p)
        p.materialize((2, 3))
        print(type(p).__name__, p.shape, p.requires_grad)
        layer.zero_grad()
        layer.train().eval().apply(lambda module: None)
        return seen, waiting, T.nn.parameter.is_lazy(p)

    same(torch, program)


TOO_EARLY = "an uninitialized parameter"
MISTAKES = [
    ("T.nn.LazyLinear(2).weight + 1", f"Attempted to use {TOO_EARLY}"),
    ("T.nn.LazyLinear(2).weight.numel()", f"Attempted to use {TOO_EARLY}"),
    ("T.nn.LazyLinear(2).weight.exp()", f"Attempted to use {TOO_EARLY}"),
    ("T.nn.LazyLinear(2).weight.dim()", f"Attempted to use {TOO_EARLY}"),
    ("T.nn.LazyLinear(2).weight.detach()", f"Attempted to use {TOO_EARLY}"),
    ("len(T.nn.LazyLinear(2).weight)", f"Attempted to use {TOO_EARLY}"),
    ("format(T.nn.LazyLinear(2).weight, '')", f"Attempted to use {TOO_EARLY}"),
    ("T.nn.LazyLinear(2).weight.tolist()", f"Attempted to use {TOO_EARLY}"),
    ("T.nn.LazyLinear(2).weight.requires_grad_(False)", f"Attempted to use {TOO_EARLY}"),
    ("T.nn.LazyLinear(2).requires_grad_(False)", f"Attempted to use {TOO_EARLY}"),
    ("T.nn.init.ones_(T.nn.LazyLinear(2).weight)", f"Attempted to use {TOO_EARLY}"),
    ("T.nn.LazyLinear(2).forward(T.ones(2, 3))", f"Attempted to use {TOO_EARLY}"),
    ("T.nn.LazyLinear(2).weight.shape", f"Can't access the shape of {TOO_EARLY}"),
    ("T.nn.LazyLinear()", "missing 1 required positional argument: 'out_features'"),
    ("T.nn.LazyLinear(2)(T.tensor(1.0))", "tuple index out of range"),
    ("T.nn.LazyConv2d(4, 3)(T.ones(7, 7))", "Expected 3D (unbatched) or 4D (batched) input to"),
    ("T.nn.LazyConv2d(4, 3, groups=2)(T.ones(2, 3, 7, 7))", "in_channels must be divisible by"),
    ("T.nn.LazyBatchNorm1d()(T.ones(3, 4, 5, 6))", "expected 2D or 3D input (got 4D input)"),
    ("T.nn.LazyLinear(2).weight.foo", "'UninitializedParameter' object has no attribute 'foo'"),
]


@pytest.mark.parametrize(("expression", "phrase"), MISTAKES)
def test_mistake(torch: Any, expression: str, phrase: str) -> None:
    def program(T: Any) -> Any:
        return caught(lambda: eval(expression, {"T": T}), phrase)

    same(torch, program)
