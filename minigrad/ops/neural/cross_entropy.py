"""Softmax cross-entropy, the loss of a classifier, as `log_softmax` and `nll_loss`.

For matrices of scores, the usual case, the two operations share their work; no other operations do.
Both save the result of `log_softmax`, but its gradient needs the exponentials. So these are saved
(`Softmax`), and the logarithms are computed only when they are read. The gradient of `nll_loss` is
zero except for one number in each row. `nll_loss` passes these numbers to `log_softmax`, which
computes its gradient in the memory of the exponentials, without the dense matrix.

The graph is that of the two operations. The dense matrix is computed where something else could
change the gradient: a hook, another loss on the same scores, create_graph. A recorder and anomaly
mode get the dense matrix and the logarithms. The results are the same to the last bit.

The work is done in blocks of rows that stay in the cache. On 4096 x 1000 scores, forward and
backward take a quarter of the time of the plain formulas.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...arrays.blocks import BLOCK
from ...arrays.messages import type_word
from ...core.hooks import NO_HOOKS
from ...core.modes import modes
from ...core.node import (
    Node,
    TensorBase,
    VersionCounter,
    gradient_edge,
    new_node,
    new_tensor,
    unwrap,
)
from ...core.operation import apply, attach, record
from ..pointwise import activations
from ..pointwise.activations import log_softmax
from ..pointwise.arithmetic import AddBackward1, DivBackward1, MulBackward1, add, div, mul, neg
from ..public.arguments import number, whole
from ..public.functions import schema
from ..reductions.reductions import sum
from ..shapes.shapes import view
from . import likelihood
from .losses import check_constant, number_of, reduction_of


class Softmax:
    """The saved result of log_softmax, as its exponentials.

    The logarithms are computed when they are first read. From then on there is a version counter,
    as the reader may write to them.
    """

    __slots__ = ("_counter", "exponentials", "highest", "logarithms", "totals")

    def __init__(self, scores: Any) -> None:
        self._counter: VersionCounter | None = None
        self.logarithms: Any = None
        self.exponentials = np.empty_like(scores, order="C")  # of scores - highest
        self.highest, self.totals = np.empty((2, len(scores), 1), scores.dtype)

    @classmethod
    def of(cls, scores: Any) -> Softmax | None:
        """Return the exponentials of the rows; None if the logarithms would be inexact."""
        self = cls(scores)
        tiny = np.finfo(scores.dtype).tiny
        for rows in blocks(scores.shape):
            part, highest = self.exponentials[rows], self.highest[rows]
            np.maximum.reduce(scores[rows], axis=1, keepdims=True, out=highest)
            np.exp(np.subtract(scores[rows], highest, out=part), out=part)
            np.add.reduce(part, axis=1, keepdims=True, out=self.totals[rows])
            if not np.minimum.reduce(part, axis=None) >= tiny:  # also where there is a nan
                return None
        return self

    @property
    def _array(self) -> Any:
        if self.logarithms is None:
            self._counter = VersionCounter()
            self.logarithms = np.log(self.exponentials)
            self.logarithms -= np.log(self.totals)
        return self.logarithms

    @property
    def in_memory(self) -> Any:
        """The array that is stored instead of the logarithms, for measuring memory."""
        return self.exponentials

    def tensor(self, node: Node) -> Any:
        """Return the result of log_softmax for one of the nodes: its own result, or its input."""
        own = isinstance(node, LogSoftmaxBackward0)
        out = new_tensor(self._array, node if own else node._edges[0])
        out._counter = self._counter
        return out


class LogSoftmaxBackward0(activations.LogSoftmaxBackward0):
    """log_softmax of the rows of a matrix."""

    _sparse_gradient: tuple[Any, Any] | None = None
    """Positions and values of the nonzero elements of the incoming gradient, set by the loss.

    If no recorder reads the dense gradient, the loss passes the exponentials in its place.
    """

    def backward(ctx, g: Any) -> Any:
        softmax = ctx._softmax
        if softmax is None:
            return super().backward(g)
        if ctx._sparse_gradient is None:
            op, dense = activations.LogSoftmaxBackwardDataBackward0, dense_gradient(g, softmax)
            return record(op, (g, *ctx.saved), ctx.args, dense) if ctx._with_tensors else dense
        where, values = ctx._sparse_gradient
        ctx._sparse_gradient = None
        e, factors = softmax.exponentials, (0 - values[:, None]) / softmax.totals  # 0 - 0: no sign
        gradient = np.empty_like(e) if modes.walk.keep_graph else e
        for rows in blocks(e.shape):
            np.multiply(e[rows], factors[rows], out=gradient[rows])
        gradient[where] += values
        return gradient

    @property
    def _softmax(ctx) -> Softmax | None:
        """The saved exponentials, if they were neither replaced nor written to."""
        found: Any = ctx._saved and ctx._saved[0]
        whole = type(found) is Softmax and (found._counter is None or not found._counter.value)
        return found if whole else None


def dense_gradient(g: Any, softmax: Softmax) -> Any:
    """Return the gradient of the scores, to the last bit as from the nonzero elements of `g`."""
    array = unwrap(g)
    factors = array.sum(axis=1, keepdims=True) / softmax.totals
    return array - softmax.exponentials * factors


class NllLossBackward0(likelihood.NllLossBackward0):
    """nll_loss of such scores."""

    def backward(ctx, g: Any) -> Any:
        scores: Any = ctx._edges[0]
        walk = modes.walk
        if walk is None or walk.with_tensors or not ctx._saved or not walk.only_way(scores):
            return super().backward(g)
        softmax, *others = ctx._saved
        if softmax is not scores._softmax or not ctx._hooks is scores._hooks is NO_HOOKS:
            return super().backward(g)
        for place in range(len(others)):
            ctx._check_version(1 + place)
        target, weight, total = map(unwrap, others)
        e = softmax.exponentials
        sparse = likelihood.at_targets(g, e, target, weight, *ctx.args[2:4], total)
        gradient = e if walk.is_unobserved(ctx) else super().backward(g)
        scores._sparse_gradient = sparse
        return gradient


def blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Yield the rows of a matrix in blocks."""
    height = max(1, BLOCK // shape[1])
    for start in range(0, shape[0], height):
        yield slice(start, start + height)


def applies(input: TensorBase, target: Any, weight: Any) -> bool:
    """Return whether the fused formulas apply.

    The scores have to be a matrix with a class for each row, without hooks on saved tensors.
    """
    x = input._array
    return (
        all(isinstance(unwrap(t), np.ndarray | None) for t in (input, target, weight))
        and x.ndim == 2
        and x.shape[1] > 0
        and x.dtype.kind == "f"
        and x.dtype != np.float16
        and target._array.shape == x.shape[:1]
        and modes.saved_hooks is None
        and modes.level is None
    )


def of_rows(
    input: TensorBase, target: Any, weight: Any, reduction: int, ignored: int
) -> TensorBase | None:
    """Return the cross-entropy of scores [N, C] and classes [N]; None if it cannot be fused."""
    if weight is not None:
        check_constant("nll_loss_forward", "weight", weight)
    x, t, w = unwrap(input), unwrap(target), unwrap(weight)
    likelihood.check_classes(x, t, weight, ignored)
    softmax = Softmax.of(x)
    if softmax is None:
        return None
    edge = gradient_edge(input) if modes.grad else None
    if edge is not None:
        node = new_node(LogSoftmaxBackward0, (edge,), x)
        node.args, node._saved = (1,), (softmax,)
        edge = node
        if modes.watch is not None:
            modes.watch(node, (input, 1), (softmax.tensor(node),))
    where, factors = likelihood.at_classes(x, t, w, reduction, ignored, None)
    total = x.dtype.type(0) if reduction == 0 else factors.sum().astype(x.dtype)
    chosen = x[where] - softmax.highest[:, 0] - np.log(softmax.totals)[:, 0]
    chosen = likelihood.counted(chosen, t, ignored)
    value = likelihood.reduce_loss(chosen, factors, reduction, total)
    args = (softmax, target, weight, reduction, ignored, new_tensor(total))
    return attach(NllLossBackward0, (edge,), args, value)


# --- The public function, and the plain formulas


@schema(
    "def cross_entropy(Tensor input, Tensor target, Tensor? weight=None, "
    "bool? size_average=None, int ignore_index=-100, bool? reduce=None, "
    'str reduction="mean", float label_smoothing=0.0)',
    "cross_entropy_loss(Tensor input, Tensor target, Tensor? weight, object reduction, "
    "int ignore_index, float label_smoothing)",
    place="nn.functional",
)
def cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """Compute `nll_loss` of log_softmax(input): the loss of a classifier.

    Args:
        input: unnormalized scores, [C], [N, C] or [N, C, ...].
        target: indices of classes, of the same shape without C; or probabilities, of the shape of
            `input`.
        weight: [C], a factor for each class.
        ignore_index: a target that does not count.
        label_smoothing: the part of the target that is spread evenly over all classes, 0 to 1.

    >>> import minigrad as mg
    >>> mg.nn.functional.cross_entropy(mg.zeros(2, 4), mg.tensor([0, 3]))
    tensor(1.3863)
    """
    if not (size_average is reduce is None):
        reduction = reduction_of(reduction, size_average, reduce)
    way = number_of(reduction)
    ignore_index, label_smoothing = whole(ignore_index), number(label_smoothing)
    shape = input._array.shape
    dim = 0 if len(shape) == 1 else 1
    if shape == target._array.shape:
        if target._array.dtype.kind != "f":
            kind = type_word(target._array.dtype)
            wanted = "Expected floating point type for target with class probabilities"
            raise RuntimeError(f"{wanted}, got {kind}")
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return against_probabilities(input, target, weight, reduction, label_smoothing, dim)
    if label_smoothing > 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    if not label_smoothing > 0 and applies(input, target, weight):
        loss = of_rows(input, target, weight, way, ignore_index)
        if loss is not None:
            return loss
    scores = log_softmax(input, dim)
    loss = likelihood.nll(scores, target, weight, way, ignore_index)
    if not label_smoothing > 0:
        return loss
    even = uniform_loss(scores, target, weight, reduction, ignore_index, dim)
    return add(
        apply(MulBackward1, loss, 1 - label_smoothing),
        apply(MulBackward1, even, label_smoothing / shape[dim]),
    )


def broadcast_weight(weight: Any, dim: int, rank: int) -> Any:
    """Return the weights of classes in a shape that broadcasts along `dim`."""
    return view(weight, [-1 if axis == dim else 1 for axis in range(rank)])


def uniform_loss(
    scores: Any, target: Any, weight: Any, reduction: str, ignored: int, dim: int
) -> Any:
    """Return the mean loss against all classes, for label smoothing."""
    rank = scores._array.ndim
    every = scores if weight is None else mul(scores, broadcast_weight(weight, dim, rank))
    ignore = target == ignored
    loss = neg(sum(every, dim)).masked_fill_(ignore, 0.0)
    if reduction == "none":
        return loss
    if reduction == "sum":
        return sum(loss)
    if weight is None:
        return sum(loss) / (~ignore).sum()
    counted = new_tensor(weight._array[target._array[~ignore._array]])
    return div(sum(loss), sum(counted))


def against_probabilities(
    input: TensorBase, target: Any, weight: Any, reduction: str, smoothing: float, dim: int
) -> TensorBase:
    """Compute `cross_entropy` with a probability for each class."""
    shape = input._array.shape
    if not shape:
        raise IndexError("Dimension specified as 1 but tensor has no dimensions")
    classes = shape[dim]
    likelihood.check_class_weights(weight, classes, "cross_entropy: ")
    scores = log_softmax(input, dim)
    if smoothing > 0:
        if smoothing > 1:
            raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {smoothing:g}")
        mixed = apply(MulBackward1, target, 1 - smoothing)
        target = apply(AddBackward1, mixed, smoothing / max(classes, 1))
    loss: TensorBase = mul(scores, target)
    if weight is not None:
        loss = mul(loss, broadcast_weight(weight, dim, len(shape)))
    total = sum(loss, dim) if reduction == "none" else sum(loss)
    if reduction == "mean" and not input._array.size:
        total = total.fill_(np.nan)
    negative: TensorBase = neg(total)
    if reduction != "mean" or not input._array.size:
        return negative
    return apply(DivBackward1, negative, input._array.size // classes)
