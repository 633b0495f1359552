"""Losses of margins: of two scores in order, of signs, and of the distances of three rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...arrays.dtypes import get_default_dtype, to_numpy_dtype
from ...arrays.float16 import widened
from ...arrays.messages import cannot_cast, is_tensor
from ...core.node import TensorBase, new_tensor
from ...core.operation import ALWAYS, Operation, apply
from ..indexing.differences import times
from ..pointwise.arithmetic import neg, opposite
from ..pointwise.elementwise import SigmoidBackward0, where
from ..public.arguments import number
from ..public.dims import common_shape, truth_value
from ..public.functions import schema
from ..reductions.extremes import clamp_min, clamp_min_, minimum
from .losses import by_element, check_constant, number_of, one_number, reduce_values, reduction_of
from .similarity import pairwise_distance, shifted


@schema(
    "def margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0, "
    'bool? size_average=None, bool? reduce=None, str reduction="mean")',
    "input1.dim()",
    "input2.dim()",
    "target.dim()",
    "margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin, "
    "object reduction)",
    place="nn.functional",
)
def margin_ranking_loss(
    input1: Any,
    input2: Any,
    target: Any,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Compute max(0, margin - target (input1 - input2)), then reduce.

    A target of 1 asks for the greater score first, -1 for the smaller one.

    >>> import minigrad as mg
    >>> one, other = mg.tensor([2.0, 1.0]), mg.tensor([1.0, 3.0])
    >>> mg.nn.functional.margin_ranking_loss(one, other, mg.ones(2), reduction="none")
    tensor([0., 2.])
    """
    reduction = reduction_of(reduction, size_average, reduce)
    number_of(reduction)
    if not input1.dim() == input2.dim() == target.dim():
        sizes = f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        wanted = "All input tensors should have same dimension but got sizes"
        raise RuntimeError(f"margin_ranking_loss : {wanted}: {sizes}")
    difference = input1 - input2
    loss = shifted(-target * difference, float(number(margin)))
    return one_number(clamp_min_(loss, 0), reduction)


@schema(
    "def hinge_embedding_loss(Tensor input, Tensor target, float margin=1.0, "
    'bool? size_average=None, bool? reduce=None, str reduction="mean")',
    "hinge_embedding_loss(Tensor input, Tensor target, float margin, object reduction)",
    place="nn.functional",
)
def hinge_embedding_loss(
    input: Any,
    target: Any,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Compute `input` for targets of 1, max(0, margin - input) for those of -1, then reduce.

    >>> import minigrad as mg
    >>> distances, target = mg.tensor([0.3, 0.6]), mg.tensor([1.0, -1.0])
    >>> mg.nn.functional.hinge_embedding_loss(distances, target, reduction="none")
    tensor([0.3000, 0.4000])
    """
    reduction = reduction_of(reduction, size_average, reduce)
    number_of(reduction)
    x = input._array
    edge, zeros = (new_tensor(np.full_like(x, n, shape=())) for n in (float(number(margin)), 0))
    far = clamp_min(edge - input, 0)
    apart: Any = where(target != 1, far, zeros)
    return one_number(apart + where(target != -1, input, zeros), reduction)


@schema(
    "def poisson_nll_loss(Tensor input, Tensor target, bool log_input=True, bool full=False, "
    'bool? size_average=None, float eps=1e-08, bool? reduce=None, str reduction="mean")',
    "poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, "
    "object reduction)",
    place="nn.functional",
)
def poisson_nll_loss(
    input: Any,
    target: Any,
    log_input: bool = True,
    full: bool = False,
    size_average: Any = None,
    eps: float = 1e-8,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Compute minus the logarithm of the probability of counts, of which `input` are expected.

    Args:
        log_input: whether `input` is the logarithm of that number.
        full: add Stirling's approximation of what depends on the target alone.

    >>> import minigrad as mg
    >>> mg.nn.functional.poisson_nll_loss(mg.tensor([0.0]), mg.tensor([2.0]))
    tensor(1.)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if not is_tensor(target):
        raise TypeError
    log_input, full, least = truth_value(log_input), truth_value(full), float(number(eps))
    # The term that is subtracted comes first, as in PyTorch's graph.
    if log_input:
        less = target * input
        loss = input.exp() - less
    else:
        loss = input - target * shifted(input, least).log()
    if full:
        half_log = times(times(target, 2 * math.pi).log(), 0.5)
        with_factorial = target * target.log() - target + half_log
        loss = loss + with_factorial.masked_fill(target <= 1, 0)
    return one_number(loss, reduction)


class SoftMarginLossBackward0(Operation):
    """ln(1 + exp(-target * self)), then reduced."""

    params = ("target", "reduction")
    saves = {"self": ALWAYS, "target": ALWAYS}
    rule = r"\bar a = -g \cdot t \cdot \sigma(-t a)"

    @widened
    def forward(self: Any, target: Any, reduction: int) -> Any:
        target = target.astype(self.dtype)
        return reduce_values(np.log1p(np.exp(-target * self)), reduction)

    def gradient(g: Any, self: Any, target: Any, reduction: int) -> Any:
        return SoftMarginLossBackwardBackward0.on(g, self, target, reduction)


class SoftMarginLossBackwardBackward0(Operation):
    """The gradient of soft_margin_loss."""

    inputs = ("grad_output", "self")
    params = ("target", "reduction")
    saves = {"grad_output": ALWAYS, "self": ALWAYS, "target": ALWAYS}
    rule = r"\bar g = -t \cdot \sigma(-t a), \qquad \bar a = g \cdot t^2 \cdot \sigma(1 - \sigma)"

    @widened
    def forward(grad_output: Any, self: Any, target: Any, reduction: int) -> Any:
        z = np.exp((opposite(target) * self).astype(self.dtype))
        return target * z / -(1 + z) * by_element(grad_output, self, None, reduction)

    def gradient(h: Any, g: Any, self: Any, target: Any, reduction: int) -> Any:
        share = SigmoidBackward0.on(-target * self)

        def wrt_g() -> Any:
            total = -(h * target * share)
            total = total if reduction == 0 else total.sum()
            return total / max(total_size(self), 1) if reduction == 1 else total

        curve = target * target * share * (1 - share)
        return wrt_g, lambda: h * by_element(g, self, None, reduction) * curve


def total_size(x: Any) -> int:
    """Return the number of elements of an array or a Tensor."""
    return int(np.prod(x.shape))


@schema(
    "def soft_margin_loss(Tensor input, Tensor target, bool? size_average=None, "
    'bool? reduce=None, str reduction="mean")',
    "soft_margin_loss(Tensor input, Tensor target, object reduction)",
    place="nn.functional",
)
def soft_margin_loss(
    input: Any,
    target: Any,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Compute ln(1 + exp(-target * input)), then reduce; targets are 1 and -1.

    >>> import minigrad as mg
    >>> mg.nn.functional.soft_margin_loss(mg.zeros(2), mg.tensor([1.0, -1.0]))
    tensor(0.6931)
    """
    way = number_of(reduction_of(reduction, size_average, reduce))
    check_constant("soft_margin_loss", "target", target)
    shape, dtype = input._array.shape, input._array.dtype
    common = common_shape(shape, target._array.shape)
    if common != shape:
        shapes = f"{list(shape)} doesn't match the broadcast shape {list(common)}"
        raise RuntimeError(f"output with shape {shapes}")
    if dtype == np.bool_:
        return neg(input)  # refuses
    if dtype.kind != "f":
        raise cannot_cast(to_numpy_dtype(get_default_dtype()), dtype)
    return apply(SoftMarginLossBackward0, input, target, way)


@schema(
    "def triplet_margin_with_distance_loss(Tensor anchor, Tensor positive, Tensor negative, *, "
    'object distance_function=None, float margin=1.0, bool swap=False, str reduction="mean")',
    place="nn.functional",
)
def triplet_margin_with_distance_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    *,
    distance_function: Callable[[TensorBase, TensorBase], TensorBase] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Any:
    """Compute max(0, margin + distance to `positive` - distance to `negative`), then reduce.

    Args:
        distance_function: of two tensors; `pairwise_distance` without it.
        swap: whether the negative one is compared with the nearer of the other two.

    >>> import minigrad as mg
    >>> rows = [mg.tensor([[x]]) for x in (0.0, 1.0, 3.0)]
    >>> mg.nn.functional.triplet_margin_with_distance_loss(*rows, margin=4.0)
    tensor(2.)
    """
    number_of(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    check_ranks(anchor, positive, negative)
    distance: Any = distance_function or pairwise_distance
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    return one_number(clamp_min(margin + near - far, 0), reduction)


def check_ranks(anchor: Any, positive: Any, negative: Any) -> None:
    """Raise if three tensors do not have the same number of dimensions."""
    ranks = [each.ndim for each in (anchor, positive, negative)]
    if len({*ranks}) > 1:
        found = f"anchor {ranks[0]}D, positive {ranks[1]}D, and negative {ranks[2]}D inputs"
        wanted = "are expected to have the same number of dimensions"
        raise RuntimeError(f"The anchor, positive, and negative tensors {wanted}, but got: {found}")
