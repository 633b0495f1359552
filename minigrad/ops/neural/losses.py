"""Losses: the distance of predictions from targets, by element or as one number.

A loss has one node here if it has one in PyTorch; the others (l1_loss, kl_div) decompose into the
same nodes as PyTorch's. The losses of classifiers are in likelihood.py and cross_entropy.py.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any, ClassVar, cast

import numpy as np

from ...arrays.devices import ON_CPU, check_one_device
from ...arrays.dtypes import promote_types, to_numpy_dtype
from ...arrays.float16 import widened
from ...arrays.messages import (
    cannot_cast,
    check_floating,
    check_output,
    check_same_type,
    not_implemented,
)
from ...core.node import TensorBase, unwrap
from ...core.operation import ALWAYS, Operation, apply, record
from ...core.views import requires_grad
from ..pointwise.arithmetic import NO_BOOLS, mul, pow, sub
from ..pointwise.elementwise import (
    AbsBackward0,
    ExpBackward0,
    Log1PBackward0,
    LogBackward0,
    ReluBackward0,
    SigmoidBackward0,
    SignBackward0,
    WhereBackward0,
    abs,
    exp,
)
from ..public.arguments import number
from ..public.dims import common_shape
from ..public.functions import schema
from ..reductions.reductions import mean, sum
from ..shapes.shapes import expand

REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}
"""PyTorch's numbers for the reductions, as its nodes show them."""


@widened
def reduce_values(values: Any, reduction: int) -> Any:
    """Return an array unchanged, its mean or its sum."""
    if reduction == 0:
        return values
    total = values.sum()
    return total / values.size if reduction == 1 else total


def by_element(g: Any, x: Any, weight: Any, reduction: int) -> Any:
    """Return the gradient of each element's weighted loss, from that of the reduced loss."""
    if weight is not None:
        g = g * weight
    return g / math.prod(x.shape) if reduction == 1 else g


# --- Pair losses: every element of the input has a target


class PairLoss(Operation):
    """A loss of the difference of `self` and `target`. Subclasses define `value` and `slope`."""

    inputs = ("self", "target")
    params: ClassVar[tuple[str, ...]] = ("reduction",)
    saves = {"self": ALWAYS, "target": ALWAYS}

    value: ClassVar[Callable[..., Any]]
    """The loss of each element, given the difference: an array."""
    slope: ClassVar[Callable[..., Any]]
    """Its derivative; a Tensor for a Tensor."""
    recorded: ClassVar[type[Operation]]
    """The gradient of `self` as an operation of its own."""

    @classmethod
    def forward(cls, self: Any, target: Any, reduction: int, *width: float) -> Any:
        return reduce_values(cls.value(self - target, *width), reduction)

    def backward(ctx, g: Any) -> Any:
        self, target = ctx.saved
        reduction, *width = ctx.args
        if isinstance(g, TensorBase):
            again = ctx.recorded.on
            return (
                again(g, self, target, *ctx.args) if ctx.needs(0) else None,
                again(g, target, self, *ctx.args) if ctx.needs(1) else None,
            )
        slope = type(ctx).slope(self - target, *width) * by_element(g, self, None, reduction)
        return slope if ctx.needs(0) else None, -slope if ctx.needs(1) else None


class PairLossGradient(Operation):
    """The gradient of a pair loss; subclasses define the loss and its curvature."""

    inputs = ("grad_output", "self", "target")
    params: ClassVar[tuple[str, ...]] = ("reduction", "_width")
    saves = dict.fromkeys(inputs, ALWAYS)
    rule = (
        r"\bar g = \sum \bar{\bar a} \cdot f'(d), \quad \bar a = g \cdot \bar{\bar a} \cdot f''(d)"
    )

    loss: ClassVar[type[PairLoss]]
    curvature: ClassVar[Callable[..., Any]]

    @classmethod
    def forward(cls, g: Any, self: Any, target: Any, reduction: int, *width: float) -> Any:
        return cls.loss.slope(self - target, *width) * by_element(g, self, None, reduction)

    def backward(ctx, h: Any) -> Any:
        g, self, target = ctx.saved
        reduction, *width = ctx.args
        h = by_element(h, self, None, reduction)
        bend = h * g * type(ctx).curvature(self - target, *width) if ctx.needs(1) else None
        return h * ctx.loss.slope(self - target, *width), bend, bend if bend is None else -bend


class MseLossBackward0(PairLoss):
    """The squared difference."""

    rule = r"\bar a = \frac{g}{n} \cdot 2 (a - t), \qquad \bar t = -\bar a"

    def value(difference: Any) -> Any:
        return difference * difference

    def slope(difference: Any) -> Any:
        return difference * 2


class SmoothL1LossBackward0(PairLoss):
    """d^2 / (2 beta) where |d| < beta, |d| - beta / 2 elsewhere."""

    params = ("reduction", "beta")
    rule = (
        r"\bar a = \frac{g}{n} \cdot \frac{d}{\beta} \text{ where } |d| < \beta, \text{ else } "
        r"\frac{g}{n} \cdot \operatorname{sgn} d, \quad d = a - t"
    )

    def value(difference: Any, beta: float) -> Any:
        size = np.absolute(difference)
        return np.where(size < beta, size * size * (0.5 / beta), size - 0.5 * beta)

    def slope(difference: Any, beta: float) -> Any:
        far = (difference >= beta) | (difference <= -beta)  # a nan is not
        return WhereBackward0.on(SignBackward0.on(difference), difference / beta, far)


class HuberLossBackward0(PairLoss):
    """d^2 / 2 where |d| < delta, delta * (|d| - delta / 2) elsewhere."""

    params = ("reduction", "delta")
    rule = (
        r"\bar a = \frac{g}{n} \cdot d \text{ where } |d| < \delta, \text{ else } "
        r"\frac{g}{n} \cdot \delta \operatorname{sgn} d, \quad d = a - t"
    )

    def value(difference: Any, delta: float) -> Any:
        size = np.absolute(difference)
        return np.where(size <= delta, size * size * 0.5, delta * (size - 0.5 * delta))

    def slope(difference: Any, delta: float) -> Any:
        far = (difference > delta) | (difference < -delta)
        return WhereBackward0.on(SignBackward0.on(difference) * delta, difference, far)


class MseLossBackwardBackward0(PairLossGradient):
    """The gradient of `mse_loss`."""

    loss = MseLossBackward0

    def curvature(difference: Any) -> Any:
        return 2


class SmoothL1LossBackwardBackward0(PairLossGradient):
    """The gradient of `smooth_l1_loss`."""

    loss = SmoothL1LossBackward0

    def curvature(difference: Any, beta: float) -> Any:
        return ((difference < beta) & (difference > -beta)) / beta


class HuberLossBackwardBackward0(PairLossGradient):
    """The gradient of `huber_loss`."""

    loss = HuberLossBackward0

    def curvature(difference: Any, delta: float) -> Any:
        return ((difference < delta) & (difference > -delta)) / 1.0


HuberLossBackward0.recorded = HuberLossBackwardBackward0
MseLossBackward0.recorded = MseLossBackwardBackward0
SmoothL1LossBackward0.recorded = SmoothL1LossBackwardBackward0


# --- Losses of probabilities


class BinaryCrossEntropyBackward0(Operation):
    """-(t ln x + (1 - t) ln(1 - x)). Logarithms are at least -100, so the loss is finite."""

    saves = {"self": ALWAYS, "target": ALWAYS, "weight": ALWAYS}
    rule = (
        r"\bar x = \frac{g}{n} \cdot \frac{x - t}{x (1 - x)}, \qquad "
        r"\bar t = \frac{g}{n} \cdot (\ln (1 - x) - \ln x)"
    )

    def forward(self: Any, target: Any, /, weight: Any, reduction: int) -> Any:
        yes = np.maximum(np.log(self), -100)
        no = np.maximum(np.log1p(-self), -100)
        loss = (target - 1) * no - target * yes
        weighted = loss if weight is None else (loss * weight).astype(loss.dtype, copy=False)
        return reduce_values(weighted, reduction)

    def gradient(g: Any, self: Any, target: Any, weight: Any, reduction: int) -> Any:
        g = by_element(g, self, weight, reduction)

        def wrt_self() -> Any:
            spread = (1 - self) * self
            spread = WhereBackward0.on(spread, spread * 0 + 1e-12, spread > 1e-12)
            return g * (self - target) / spread

        return wrt_self, lambda: g * (Log1PBackward0.on(-self) - LogBackward0.on(self))


class BinaryCrossEntropyWithLogitsBackward0(Operation):
    """Binary cross-entropy of sigmoid(self) against target.

    Computed as (1 - t) x + (1 + (p - 1) t) ln(1 + exp(-x)), which does not overflow (PyTorch's
    documentation of BCEWithLogitsLoss; p is pos_weight).
    """

    saves = dict.fromkeys(("pos_weight", "self", "target", "weight"), ALWAYS)
    rule = r"\bar x = \frac{g}{n} \cdot (\sigma(x) - t)"

    def forward(self: Any, target: Any, /, weight: Any, pos_weight: Any, reduction: int) -> Any:
        softplus = np.logaddexp(0, -self)
        if pos_weight is not None:
            softplus = (1 + (pos_weight - 1) * target) * softplus
        loss = (1 - target) * self + softplus
        return reduce_values(loss if weight is None else loss * weight, reduction)

    def gradient(
        g: Any, pos_weight: Any, self: Any, target: Any, weight: Any, reduction: int
    ) -> Any:
        def wrt_self() -> Any:
            probability = SigmoidBackward0.on(self)
            if pos_weight is None:
                slope = probability - target
            else:
                scale = pos_weight * target
                slope = (scale + 1 - target) * probability - scale
            return by_element(slope * g, self, weight, reduction)

        def wrt_target() -> Any:
            slope = -self
            if pos_weight is not None:
                slope = slope + (pos_weight - 1) * softplus_of_minus(self)
            return by_element(slope * g, self, weight, reduction)

        return wrt_self, wrt_target


def softplus_of_minus(x: Any) -> Any:
    """Compute ln(1 + exp(-x)) without overflow, of arrays or Tensors."""
    return ReluBackward0.on(-x) + Log1PBackward0.on(ExpBackward0.on(-AbsBackward0.on(x)))


class XlogyBackward0(Operation):
    """self * ln(other), and 0 where self is 0."""

    rule = r"\bar a = g \cdot \ln b, \qquad \bar b = g \cdot \frac{a}{b}"

    def forward(self: Any, other: Any, /) -> Any:
        return np.where((self == 0) & ~np.isnan(other), 0 * self, self * np.log(other))

    def gradient(g: Any, other: Any, self: Any) -> Any:
        def wrt_self() -> Any:
            nothing = (self == 0) & (other <= 0)
            return WhereBackward0.on(g * 0, g * LogBackward0.on(other), nothing)

        return wrt_self, lambda: g * self / other


# --- Arguments


def reduction_of(reduction: str, size_average: Any, reduce: Any, level: int = 4) -> str:
    """Return the reduction, also from the two old flags.

    Warn of these as PyTorch does; `level` is the stacklevel.
    """
    if size_average is None and reduce is None:
        return reduction
    found = "sum"
    if reduce is not None and not reduce:
        found = "none"
    elif size_average is None or size_average:
        found = "mean"
    warnings.warn(
        f"size_average and reduce args will be deprecated, please use reduction='{found}' instead.",
        UserWarning,
        stacklevel=level,
    )
    return found


def number_of(reduction: Any) -> int:
    """Return PyTorch's number for a reduction."""
    for name, way in REDUCTIONS.items():
        if reduction == name:
            return way
    raise ValueError(f"{reduction} is not a valid value for reduction")


def pair(input: Any, target: Any, level: int = 4) -> tuple[Any, Any]:
    """Broadcast both; warn as PyTorch does (`level` is the stacklevel)."""
    if target._array.shape != input._array.shape:
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}). This will likely lead to incorrect results due to broadcasting. "
            "Please ensure they have the same size.",
            UserWarning,
            stacklevel=level,
        )
        shape = common_shape(input._array.shape, target._array.shape)
        input, target = (
            x if x._array.shape == shape else expand(x, shape) for x in (input, target)
        )
    return input, target


def common_type(input: Any, target: Any) -> tuple[Any, Any]:
    """Return the arrays of both in their common dtype."""
    x, y = input._array, target._array
    if x.dtype is not y.dtype:
        dtype = to_numpy_dtype(promote_types(input.dtype, target.dtype))
        x, y = x.astype(dtype), y.astype(dtype)
    return x, y


def pair_loss(
    op: type[PairLoss], kernel: str, input: Any, target: Any, reduction: str, *width: float
) -> TensorBase:
    """Apply one of the pair losses."""
    input, target = pair(input, target, level=5)
    way = number_of(reduction)
    x, y = input._array, target._array
    if x.dtype is not y.dtype:
        x, y = common_type(input, target)
    if x.dtype.kind != "f":
        raise not_implemented(kernel, x.dtype)
    try:
        value = op.forward(x, y, way, *width)
    except TypeError:
        check_one_device((x, y))
        raise
    return record(op, (input, target), (way, *width), value)


def one_number(loss: TensorBase, reduction: str) -> Any:
    """Return the mean or the sum of a loss by elements, or the loss itself."""
    if reduction == "none":
        return loss
    if reduction == "mean":
        return mean(loss)
    if reduction != "sum":
        number_of(reduction)
    return sum(loss)


def weighted(loss: Any, input: Any, weight: Any, reduction: str) -> Any:
    """Return a loss by elements times the weights, reduced; a mean is one of the weights."""
    check_weight(input, weight)
    product = mul(loss, weight)
    if reduction not in REDUCTIONS:
        modes = "Expected one of 'none', 'mean', 'sum'."
        raise ValueError(f"Invalid reduction mode: {reduction}. {modes}")
    if reduction == "none":
        return product
    total: Any = sum(product)
    return total / sum(weight) if reduction == "mean" else total


def check_weight(input: Any, weight: Any) -> None:
    """Raise if there is not a weight for each element."""
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")


def check_constant(name: str, argument: str, tensor: Any) -> None:
    """Raise if a weight requires grad."""
    if requires_grad(tensor):
        what = f"with respect to argument '{argument}'"
        refused = f"The function '{name}' is not differentiable {what}."
        raise RuntimeError(f"{refused} This input cannot have requires_grad True.")


def weight_for(target: Any, weight: Any) -> Any:
    """Return a weight for each element of `target`."""
    shape, own = target._array.shape, weight._array.shape
    for place, (wanted, size) in enumerate(zip(shape[::-1], own[::-1], strict=False), 1):
        if size not in (1, wanted) and wanted != 1:
            found = f"Mismatching argument at index 1 had {weight.size()}"
            raise RuntimeError(
                f"Attempting to broadcast a dimension of length {size} at -{place}! {found}; but "
                f"expected shape should be broadcastable to {list(shape)}"
            )
    check_output(shape, common_shape(shape, own))
    return expand(weight, shape)


# --- Public functions


@schema(
    "def mse_loss(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, "
    'str reduction="mean", Tensor? weight=None)',
    "target.size()",
    "input.size()",
    place="nn.functional",
)
def mse_loss(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Any = None,
) -> TensorBase:
    """Compute the squared difference, elementwise, then reduced ("mean", "sum" or "none").

    With a `weight` for each element, "mean" divides by the sum of the weights.

    >>> import minigrad as mg
    >>> mg.nn.functional.mse_loss(mg.tensor([1.0, 2.0]), mg.tensor([1.0, 4.0]))
    tensor(2.)
    """
    if not (size_average is reduce is None):
        reduction = reduction_of(reduction, size_average, reduce)
    if weight is not None:
        given, wanted = pair(input, target)
        squares = pow(sub(given, wanted), 2)
        return cast(TensorBase, weighted(squares, input, weight, reduction))
    return pair_loss(MseLossBackward0, "mse_cpu", input, target, reduction)


@schema(
    "def l1_loss(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, "
    'str reduction="mean", Tensor? weight=None)',
    "target.size()",
    "input.size()",
    place="nn.functional",
)
def l1_loss(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Any = None,
) -> Any:
    """Compute the absolute difference, elementwise, then reduced ("mean", "sum" or "none").

    With a `weight` for each element, "mean" divides by the sum of the weights.
    """
    if not (size_average is reduce is None):
        reduction = reduction_of(reduction, size_average, reduce)
    if weight is not None:
        return weighted(abs(sub(*pair(input, target))), input, weight, reduction)
    return one_number(abs(sub(*pair(input, target))), reduction)


@schema(
    "def smooth_l1_loss(Tensor input, Tensor target, bool? size_average=None, "
    'bool? reduce=None, str reduction="mean", float beta=1.0)',
    "target.size()",
    "input.size()",
    "smooth_l1_loss(Tensor input, Tensor target, object reduction, float beta)",
    place="nn.functional",
)
def smooth_l1_loss(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Any:
    """Compute d^2 / (2 beta) where the difference |d| < beta, else |d| - beta / 2; then reduce."""
    if not (size_average is reduce is None):
        reduction = reduction_of(reduction, size_average, reduce)
    if beta == 0:
        return one_number(abs(sub(*pair(input, target))), reduction)
    if type(beta) is not float:
        beta = number(beta)
    if not beta >= 0:
        number_of(reduction)
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return pair_loss(SmoothL1LossBackward0, "smooth_l1_cpu", input, target, reduction, beta)


@schema(
    'def huber_loss(Tensor input, Tensor target, str reduction="mean", float delta=1.0, '
    "Tensor? weight=None)",
    "target.size()",
    "input.size()",
    "huber_loss(Tensor input, Tensor target, object reduction, float delta)",
    place="nn.functional",
)
def huber_loss(
    input: Any, target: Any, reduction: str = "mean", delta: float = 1.0, weight: Any = None
) -> Any:
    """Compute d^2 / 2 where the difference |d| < delta, else delta (|d| - delta / 2); reduce.

    >>> import minigrad as mg
    >>> mg.nn.functional.huber_loss(mg.tensor([0.0, 4.0]), mg.zeros(2), reduction="none")
    tensor([0.0000, 3.5000])
    """
    if type(delta) is not float:
        delta = number(delta)
    if not delta > 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    if weight is None:
        return pair_loss(HuberLossBackward0, "huber_cpu", input, target, reduction, delta)
    check_weight(input, weight)
    found: Any = pair_loss(HuberLossBackward0, "huber_cpu", input, target, "none", delta)
    return one_number(mul(found, weight), reduction)


@schema(
    "def binary_cross_entropy(Tensor input, Tensor target, Tensor? weight=None, "
    'bool? size_average=None, bool? reduce=None, str reduction="mean")',
    "target.size()",
    "input.size()",
    "weight?.size()",
    place="nn.functional",
)
def binary_cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> TensorBase:
    """Compute the binary cross-entropy between probabilities `input` and `target`, then reduce.

    Raises:
        ValueError: the shapes differ.
        RuntimeError: an element is not between 0 and 1.
    """
    if not (size_average is reduce is None):
        reduction = reduction_of(reduction, size_average, reduce)
    way = number_of(reduction)
    if target._array.shape != input._array.shape:
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}) is deprecated. Please ensure they have the same size."
        )
    if weight is not None:
        check_constant("binary_cross_entropy", "weight", weight)
        weight = weight_for(target, weight)
    check_same_type(target._array, input._array, "Found dtype {} but expected {}")
    check_floating("binary_cross_entropy", input._array.dtype)
    for name, values in (("input", input._array), ("target", target._array)):
        # (On a GPU this is checked asynchronously, as in PyTorch.)
        if isinstance(values, ON_CPU) and not ((values >= 0) & (values <= 1)).all():
            raise RuntimeError(f"all elements of {name} should be between 0 and 1")
    return apply(BinaryCrossEntropyBackward0, input, target, weight, way)


@schema(
    "def binary_cross_entropy_with_logits(Tensor input, Tensor target, Tensor? weight=None, "
    'bool? size_average=None, bool? reduce=None, str reduction="mean", '
    "Tensor? pos_weight=None)",
    "target.size()",
    "input.size()",
    "binary_cross_entropy_with_logits(Tensor input, Tensor target, Tensor? weight, "
    "Tensor? pos_weight)",
    place="nn.functional",
)
def binary_cross_entropy_with_logits(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
) -> TensorBase:
    """Compute the binary cross-entropy between sigmoid(input) and target, then reduced.

    Args:
        input: unnormalized scores.
        target: probabilities, of the same shape.
        weight: a factor for each element, broadcast.
        reduction: "mean", "sum" or "none".
        pos_weight: a factor for the positive part, broadcast.

    Raises:
        ValueError: the shapes differ, or the reduction is unknown.
    """
    if not (size_average is reduce is None):
        reduction = reduction_of(reduction, size_average, reduce)
    way = number_of(reduction)
    if target._array.shape != input._array.shape:
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    for argument, factor in (("weight", weight), ("pos_weight", pos_weight)):
        if factor is not None:
            check_constant("binary_cross_entropy_with_logits", argument, factor)
    x, t = common_type(input, target)
    check_floating("log_sigmoid_cpu", input._array.dtype)
    if target._array.dtype.kind == "b":
        raise RuntimeError(NO_BOOLS)
    if target._array.dtype.kind != "f":
        raise cannot_cast(x.dtype, target._array.dtype)
    if weight is not None:
        check_output(x.shape, common_shape(x.shape, weight._array.shape))
    if pos_weight is not None:
        check_output(x.shape, common_shape(pos_weight._array.shape, x.shape))
    op = BinaryCrossEntropyWithLogitsBackward0
    value = op.forward(x, t, unwrap(weight), unwrap(pos_weight), way)
    value = value.astype(target._array.dtype, copy=False)  # PyTorch computes in its place
    return record(op, (input, target), (weight, pos_weight, way), value)


@schema(
    "def kl_div(Tensor input, Tensor target, bool? size_average=None, bool? reduce=None, "
    'str reduction="mean", bool log_target=False)',
    "kl_div(Tensor input, Tensor target, object reduction, *, bool log_target)",
    place="nn.functional",
)
def kl_div(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Any:
    """Compute the Kullback-Leibler divergence t (ln t - input), where `input` holds logarithms.

    Args:
        reduction: "batchmean" divides the sum by the size of the first dimension.
        log_target: whether `target` holds logarithms too.
    """
    if not (size_average is reduce is None):
        reduction = reduction_of(reduction, size_average, reduce)
    by_batch = reduction == "batchmean"
    reduction = "sum" if by_batch else reduction
    if reduction == "mean" and size_average is reduce is None:
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size."
            "'batchmean' divides only by the batch size, and aligns with the KL div math "
            "definition.'mean' will be changed to behave the same as 'batchmean' in the next major "
            "release.",
            UserWarning,
            stacklevel=3,
        )
    if type(log_target) is not bool:
        raise TypeError
    if input._array.dtype.kind != "f" or target._array.dtype.kind != "f":
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        loss = exp(target) * sub(target, input)
    else:
        product = mul(target, input)  # first, in the order of PyTorch's compiled code
        loss = sub(apply(XlogyBackward0, target, target), product)
    total = one_number(loss, reduction)
    return total / input._array.shape[0] if by_batch and input._array.ndim else total
