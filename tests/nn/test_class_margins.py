"""The losses of margins between classes: values, gradients, errors, layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.parity import same

MULTI = {
    f"{size} {options}": (size, options)
    for size in ((4,), (3, 4), (1, 1), (0, 4))
    for options in (
        {"p": 1, "margin": 1.0, "weighted": False, "reduction": "mean"},
        {"p": 2, "margin": 0.5, "weighted": True, "reduction": "none"},
        {"p": 1, "margin": 2, "weighted": True, "reduction": "sum"},
        {"p": 2, "margin": 1.0, "weighted": False, "reduction": "mean"},
    )
    if not (size == (0, 4) and options["reduction"] != "none")  # PyTorch returns any number
}


@pytest.mark.parametrize("name", MULTI)
def test_multi_margin_loss(torch: Any, name: str) -> None:
    size, options = MULTI[name]
    options = dict(options)
    weighted = options.pop("weighted")

    def program(T: Any) -> Any:
        T.manual_seed(3)
        x = T.randn(size, dtype=T.float64, requires_grad=True)
        target = T.randint(size[-1], size[:-1])
        weight = T.rand(size[-1], dtype=T.float64) if weighted else None
        loss = T.nn.functional.multi_margin_loss(x, target, weight=weight, **options)
        loss.square().sum().backward()
        return loss, x.grad, loss.grad_fn.name()

    same(torch, program)


LABELS = {
    "one sample": ((4,), [3, 0, -1, 1]),
    "several": ((3, 4), [[3, 0, -1, 1], [1, 2, 3, 0], [-1, -1, 0, 1]]),
    "twice the same": ((2, 3), [[1, 1, -1], [2, 0, 2]]),
    "no sample": ((0, 4), []),
    "a number": ((), 0),
}


@pytest.mark.parametrize(
    ("name", "reduction"),
    [
        (name, way)
        for name in LABELS
        for way in ("mean", "sum", "none")
        if name != "no sample" or way == "none"  # PyTorch returns any number
    ],
)
def test_multilabel_margin_loss(torch: Any, name: str, reduction: str) -> None:
    size, labels = LABELS[name]

    def program(T: Any) -> Any:
        T.manual_seed(3)
        x = T.randn(size, requires_grad=True)
        target = T.tensor(labels, dtype=T.int64).reshape(size)
        loss = T.nn.functional.multilabel_margin_loss(x, target, reduction=reduction)
        labelled = loss.grad_fn._saved_is_target
        loss.square().sum().backward()
        return loss, x.grad, loss.grad_fn.name(), labelled

    same(torch, program)


def multi(T: Any, x: Any = None, target: Any = None, **options: Any) -> Any:
    x = T.zeros(2, 4) if x is None else x
    return T.nn.functional.multi_margin_loss(
        x, T.tensor([3, 0]) if target is None else target, **options
    )


def multilabel(T: Any, x: Any = None, target: Any = None, **options: Any) -> Any:
    x = T.zeros(2, 4) if x is None else x
    target = T.zeros(2, 4, dtype=T.int64) if target is None else target
    return T.nn.functional.multilabel_margin_loss(x, target, **options)


ERRORS: dict[str, Callable[[Any], Any]] = {
    "power": lambda T: multi(T, p=3),
    "float target": lambda T: multi(T, target=T.zeros(2)),
    "class too great": lambda T: multi(T, target=T.tensor([0, 4])),
    "class too small": lambda T: multi(T, target=T.tensor([0, -1])),
    "fewer targets": lambda T: multi(T, target=T.tensor([0])),
    "matrix of targets": lambda T: multi(T, target=T.zeros(2, 4, dtype=T.int64)),
    "no classes": lambda T: multi(T, T.zeros(2, 0)),
    "rank": lambda T: multi(T, T.zeros(2, 3, 4)),
    "integers": lambda T: multi(T, T.zeros(2, 4, dtype=T.int32)),
    "half": lambda T: multi(T, T.zeros(2, 4, dtype=T.float16)),
    "weights": lambda T: multi(T, weight=T.ones(3)),
    "matrix of weights": lambda T: multi(T, weight=T.ones(1, 4)),
    "weights of another dtype": lambda T: multi(T, weight=T.ones(4, dtype=T.float64)),
    "weights with gradients": lambda T: multi(T, weight=T.ones(4, requires_grad=True)),
    "reduction": lambda T: multi(T, reduction="most"),
    "labels of another shape": lambda T: multilabel(T, target=T.zeros(4, dtype=T.int64)),
    "float labels": lambda T: multilabel(T, target=T.zeros(2, 4)),
    "label too great": lambda T: multilabel(T, target=T.full((2, 4), 4)),
    "label too small": lambda T: multilabel(T, target=T.full((2, 4), -2)),
    "labels, rank": lambda T: multilabel(T, T.zeros(2, 3, 4)),
    "labels, half": lambda T: multilabel(T, T.zeros(2, 4, dtype=T.float16)),
    "a layer's power": lambda T: T.nn.MultiMarginLoss(3),
    "a layer's weights": lambda T: T.nn.MultiMarginLoss(weight=T.ones(2, 2)),
    "second derivative": lambda T: twice(T, multi),
    "second derivative, labels": lambda T: twice(T, multilabel),
    "a layer": lambda T: (
        T.nn.MultiMarginLoss(2, 0.5, T.tensor([1.0, 2.0, 3.0, 4.0]), reduction="sum")(
            T.eye(4), T.arange(4)
        ),
        T.nn.MultiMarginLoss(weight=T.ones(2)).state_dict(),
        T.nn.MultiLabelMarginLoss(reduction="none")(T.eye(2), T.eye(2).long() - 1),
        repr(T.nn.MultiMarginLoss()),
        repr(T.nn.MultiLabelMarginLoss()),
    ),
}


def twice(T: Any, loss: Callable[..., Any]) -> Any:
    x = T.zeros(2, 4, requires_grad=True)
    (gradient,) = T.autograd.grad(loss(T, x), x, create_graph=True)
    print(gradient)
    return T.autograd.grad(gradient.sum(), x)


@pytest.mark.parametrize("name", ERRORS)
def test_errors_and_layers(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        try:
            return str(ERRORS[name](T))
        except (RuntimeError, ValueError, NotImplementedError) as error:
            return f"{type(error).__name__}: {error}"

    same(torch, program)
