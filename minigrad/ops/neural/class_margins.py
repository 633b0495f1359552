"""Losses of margins between classes: how little right classes score above the other ones."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from ...arrays.devices import ON_CPU, get_array_module
from ...arrays.messages import check_same_type, not_implemented, type_word
from ...arrays.positions import watch
from ...core.node import new_tensor
from ...core.operation import ALWAYS, Operation, apply
from ..pointwise.arithmetic import NotImplementedBackward
from ..public.arguments import number
from ..public.functions import schema
from .losses import check_constant, number_of, reduce_values, reduction_of


class MarginGradient(NotImplementedBackward):
    """The gradient of such a loss, which PyTorch does not differentiate again."""

    inputs = ("grad_output", "self")
    aten: str
    """The name in PyTorch's error."""

    def backward(ctx, *g: Any) -> NoReturn:
        raise RuntimeError(f"derivative for aten::{type(ctx).aten} is not implemented")


def in_rows(array: Any, rank: int) -> Any:
    """Return an array with a dimension for the samples: one without it is one sample."""
    return array.reshape(1, -1) if array.ndim < rank else array


def by_sample(g: Any, count: int, reduction: int) -> Any:
    """Return the gradient of each sample's loss in a column, from that of the reduced loss."""
    return g.reshape(-1, 1) / count if reduction == 1 else g.reshape(-1, 1)


def reduced(losses: Any, reduction: int) -> Any:
    """Return the losses of the samples reduced; the mean of none is 0."""
    return reduce_values(losses, 2 if reduction == 1 and not losses.size else reduction)


# --- One right class


def exceeded(x: Any, target: Any, margin: float) -> tuple[Any, Any]:
    """Return what the classes of [N, C] lack to the margin, at least 0, and the right ones."""
    classes = get_array_module(x).arange(x.shape[1])
    right = classes == target.reshape(-1, 1)
    own = np.where(right, x, 0).sum(1, keepdims=True)
    excess = margin - own + x
    return np.where(~right & (excess > 0), excess, 0).astype(x.dtype), right  # a NaN is not counted


class MultiMarginLossBackward0(Operation):
    """The mean over classes of max(0, margin - self[target] + self[i]) ** p, then reduced."""

    params = ("target", "p", "margin", "weight", "reduction")
    saves = {"self": ALWAYS, "target": ALWAYS, "weight": ALWAYS}
    rule = (
        r"\bar a_i = g \cdot \frac{w_t}{C} \, p \max(0, m - a_t + a_i)^{p - 1}, "
        r"\qquad \bar a_t = -\sum_{i \ne t} \bar a_i"
    )

    def forward(self: Any, target: Any, p: int, margin: float, weight: Any, reduction: int) -> Any:
        x = in_rows(self, 2)
        losses = (exceeded(x, target, margin)[0] ** p).sum(1) / max(x.shape[1], 1)
        if weight is not None:
            losses = losses * weight[target.reshape(-1)]
        return reduced(losses.reshape(target.shape), reduction)

    def gradient(
        g: Any, self: Any, target: Any, weight: Any, p: int, margin: float, reduction: int
    ) -> Any:
        return MultiMarginGradient.on(g, self, target, p, margin, weight, reduction)


class MultiMarginGradient(MarginGradient):
    """The gradient of multi_margin_loss."""

    params = ("target", "p", "margin", "weight", "reduction")
    aten = "multi_margin_loss_backward"

    def forward(
        g: Any, self: Any, target: Any, p: int, margin: float, weight: Any, reduction: int
    ) -> Any:
        x = in_rows(self, 2)
        excess, right = exceeded(x, target, margin)
        slope = (2 * excess if p == 2 else excess > 0) / x.dtype.type(x.shape[1])
        slope = slope * by_sample(g, len(x), reduction)
        if weight is not None:
            slope = slope * weight[target.reshape(-1, 1)]
        found = np.where(right, -slope.sum(1, keepdims=True), slope)
        return found.reshape(self.shape).astype(self.dtype, copy=False)


@schema(
    "def multi_margin_loss(Tensor input, Tensor target, object p=1, float margin=1.0, "
    'Tensor? weight=None, bool? size_average=None, bool? reduce=None, str reduction="mean")',
    "multi_margin_loss(Tensor input, Tensor target, object p, Scalar margin, Tensor? weight, "
    "object reduction)",
    place="nn.functional",
)
def multi_margin_loss(
    input: Any,
    target: Any,
    p: int = 1,
    margin: float = 1.0,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Compute how much each wrong class scores above the right one less `margin`, then reduce.

    Args:
        input: scores of the classes, [N, C] or [C].
        target: the numbers of the right classes, [N] or [].
        p: 1, or 2 for squares.
        weight: a factor for each class, for the samples of which it is the right one.

    >>> import minigrad as mg
    >>> scores = mg.tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> mg.nn.functional.multi_margin_loss(scores, mg.tensor([3]))
    tensor(0.3250)
    """
    way = number_of(reduction_of(reduction, size_average, reduce))
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    for name, constant in (("target", target), ("weight", weight)):
        if constant is not None:
            check_constant("multi_margin_loss", name, constant)
    x, t = input._array, target._array
    check_scores(x)
    count = 1 if x.ndim < 2 else len(x)
    if t.ndim > 1 or t.size != count:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of "
            f"input samples (batch size). Expected target size [{count}], but got "
            f"{list(t.shape)}. Input has shape {list(x.shape)}."
        )
    classes = x.shape[-1] if x.ndim else 1
    if weight is not None and weight._array.size != classes:
        size = list(weight._array.shape)
        raise RuntimeError(f"inconsistent weight size, expected {classes} but got {size}")
    check_floats("multi_margin_loss_cpu_kernel", x.dtype)
    check_long(t)
    check_range(t, classes, "target out of range")
    if weight is not None:
        check_same_type(x, weight._array, "expected scalar type {} but found {}")
    options = target, int(p), float(number(margin)), weight, way
    return apply(MultiMarginLossBackward0, input, *options)


def check_scores(x: Any) -> None:
    """Raise unless `x` are scores of classes, for one sample or for several."""
    if x.ndim > 2 or (x.ndim and not x.shape[-1]):
        wanted = "Expected non-empty vector or matrix with optional 0-dim batch size"
        raise RuntimeError(f"{wanted}, but got: {list(x.shape)}")


def check_floats(kernel: str, dtype: Any) -> None:
    """Raise for dtypes other than float32 and float64."""
    if dtype not in (np.float32, np.float64):
        raise not_implemented(kernel, dtype)


def check_range(t: Any, classes: int, wrong: str, low: int = 0) -> None:
    """Raise unless `t` are numbers of classes."""
    if not isinstance(t, ON_CPU):
        return watch(t, classes, low)  # checked asynchronously, as in PyTorch
    if t.size and (t.min() < low or t.max() >= classes):
        raise RuntimeError(wrong)


def check_long(t: Any) -> None:
    """Raise unless targets have 64-bit integers."""
    if t.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {type_word(t.dtype)}")


# --- Several right classes


def chosen(target: Any) -> tuple[Any, Any]:
    """Return for rows of labels, each of which ends at -1, one-hot rows [N, L, C] and their sum."""
    classes = get_array_module(target).arange(target.shape[1])
    listed = np.cumsum(target < 0, 1) == 0
    rows = (target[:, :, None] == classes) & listed[:, :, None]
    return rows, rows.any(1)


def missing_to_margin(x: Any, rows: Any, right: Any) -> Any:
    """Return by how much each label of [N, L, C] lacks a margin of 1 to each wrong class."""
    own = np.where(rows, x[:, None, :], 0).sum(2, keepdims=True)
    apart = 1 - own + x[:, None, :]
    counted = rows.any(2, keepdims=True) & ~right[:, None, :] & (apart > 0)  # a NaN is not
    return np.where(counted, apart, 0).astype(x.dtype)


class MultilabelMarginLossBackward0(Operation):
    """The sum of max(0, 1 - self[label] + self[i]) / C over labels and wrong classes, reduced."""

    params = ("target", "reduction", "is_target")
    saves = {"self": ALWAYS, "target": ALWAYS, "is_target": ALWAYS}
    rule = (
        r"\bar a_i = \frac{g}{C} \sum_t [1 - a_t + a_i > 0], "
        r"\qquad \bar a_t = -\frac{g}{C} \sum_i [1 - a_t + a_i > 0]"
    )

    def forward(self: Any, target: Any, reduction: int, is_target: Any) -> Any:
        x = in_rows(self, 2)
        missing = missing_to_margin(x, *chosen(in_rows(target, 2)))
        losses = missing.sum((1, 2)) / max(x.shape[1], 1)
        return reduced(losses if self.ndim > 1 else losses.reshape(()), reduction)

    def gradient(g: Any, self: Any, target: Any, is_target: Any, reduction: int) -> Any:
        return MultilabelMarginGradient.on(g, self, target, reduction)


class MultilabelMarginGradient(MarginGradient):
    """The gradient of multilabel_margin_loss."""

    params = ("target", "reduction")
    aten = "multilabel_margin_loss_backward"

    def forward(g: Any, self: Any, target: Any, reduction: int) -> Any:
        x = in_rows(self, 2)
        rows, right = chosen(in_rows(target, 2))
        apart = missing_to_margin(x, rows, right) > 0
        found = apart.sum(1) - (apart.sum(2, keepdims=True) * rows).sum(1)
        found = found * by_sample(g, len(x), reduction) / x.dtype.type(x.shape[1])
        return found.reshape(self.shape).astype(self.dtype, copy=False)


@schema(
    "def multilabel_margin_loss(Tensor input, Tensor target, bool? size_average=None, "
    'bool? reduce=None, str reduction="mean")',
    "multilabel_margin_loss(Tensor input, Tensor target, object reduction)",
    place="nn.functional",
)
def multilabel_margin_loss(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Compute how much wrong classes score above each right one less 1, over C, then reduce.

    Args:
        input: scores of the classes, [N, C] or [C].
        target: the numbers of the right classes, as many places as `input`; -1 ends a row.

    >>> import minigrad as mg
    >>> scores = mg.tensor([0.1, 0.2, 0.4, 0.8])
    >>> mg.nn.functional.multilabel_margin_loss(scores, mg.tensor([3, 0, -1, 1]))
    tensor(0.8500)
    """
    way = number_of(reduction_of(reduction, size_average, reduce))
    check_constant("multilabel_margin_loss", "target", target)
    x, t = input._array, target._array
    check_scores(x)
    if t.shape != x.shape:
        sizes = f"{list(t.shape)} for input of size: {list(x.shape)}"
        raise RuntimeError(f"inconsistent target size: {sizes}")
    check_range(t, x.shape[-1] if x.ndim else 1, "argument #2 'target' is out of range", -1)
    check_floats("multilabel_margin_loss_forward_out_frame", x.dtype)
    check_long(t)
    right = chosen(in_rows(t, 2))[1].reshape(x.shape)
    is_target = new_tensor(right.astype(x.dtype))
    return apply(MultilabelMarginLossBackward0, input, target, way, is_target)
