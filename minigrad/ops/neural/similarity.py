"""Similarities and distances of rows, and the losses made of them. They leave PyTorch's nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.dtypes import from_numpy_dtype, result_dtype
from ...arrays.messages import type_word
from ...core.modes import no_grad
from ...core.node import TensorBase, new_tensor
from ...core.operation import apply, constant_like
from ...core.views import apply_view
from ..pointwise.arithmetic import AddBackward1, SubBackward1
from ..pointwise.elementwise import where
from ..public.arguments import number
from ..public.dims import common_shape, truth_value, whole_number, wrap_dim
from ..public.functions import schema
from ..reductions.extremes import clamp_min, minimum
from ..reductions.reductions import LinalgVectorNormBackward0, vector_norm
from ..shapes.copies import clone
from ..shapes.shapes import ExpandBackward0
from .losses import number_of, one_number, reduction_of


class NormBackward1(LinalgVectorNormBackward0):
    """(sum |self| ** p) ** (1 / p), of the rows of `pairwise_distance`."""

    params = ("p", "dim", "keepdim")


@schema("cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08)")
def cosine_similarity(x1: Any, x2: Any, dim: Any = 1, eps: Any = 1e-8) -> Any:
    """Return the cosine of the angle between vectors along `dim`.

    >>> import minigrad as mg
    >>> mg.nn.functional.cosine_similarity(mg.tensor([[3.0, 4.0]]), mg.tensor([[6.0, 8.0]]))
    tensor([1.])
    """
    dim, eps = whole_number(dim), number(eps)
    kind = result_dtype(x1._array, x2._array)
    if kind.kind != "f":
        wanted = "expected common dtype to be floating point, yet common dtype is"
        raise RuntimeError(f"{wanted} {type_word(kind)}")
    x1, x2 = (x if x._array.dtype == kind else x.to(from_numpy_dtype[kind]) for x in (x1, x2))
    shape = common_shape(x1._array.shape, x2._array.shape)
    wrap_dim(dim, len(shape))
    sides = [
        x if x._array.shape == shape else apply_view(ExpandBackward0, x, shape) for x in (x1, x2)
    ]
    scaled = []
    for x in sides:
        size: Any = clone(vector_norm(x, 2, dim, True))
        with no_grad():
            size.clamp_min_(eps)
        scaled.append(x / size)
    return (scaled[0] * scaled[1]).sum(dim)


def shifted(x: Any, number: float) -> Any:
    """Return x + number, with the node that PyTorch has for a number inside a function."""
    return apply(AddBackward1, x, number) if x._array.dtype.kind == "f" else x + number


def distance_of_rows(x1: Any, x2: Any, p: float, eps: float, keepdim: bool = False) -> Any:
    """Return the p-norm of x1 - x2 + eps along the last dimension."""
    if not isinstance(x1, TensorBase) or not isinstance(x2, TensorBase):
        raise TypeError
    one: Any = x1
    difference = shifted(one - x2, eps)
    last = difference._array.ndim - 1
    if not (difference._array.shape or (1,))[-1]:
        vector_norm(
            new_tensor(difference._array), p, last, keepdim
        )  # refuses norms without an identity
        p = abs(p) if p == p else 2.0
    return apply(NormBackward1, difference, p, (-1,), keepdim)


@schema("pairwise_distance(Tensor x1, Tensor x2, float p=2.0, float eps=1e-06, bool keepdim=False)")
def pairwise_distance(x1: Any, x2: Any, p: Any = 2.0, eps: Any = 1e-6, keepdim: Any = False) -> Any:
    """Return the p-norm of the difference of each pair of rows.

    >>> import minigrad as mg
    >>> mg.nn.functional.pairwise_distance(mg.tensor([[3.0, 4.0]]), mg.zeros(1, 2))
    tensor([5.0000])
    """
    return distance_of_rows(x1, x2, float(number(p)), number(eps), truth_value(keepdim))


@schema(
    "def cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0, "
    'bool? size_average=None, bool? reduce=None, str reduction="mean")',
    "cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin, "
    "object reduction)",
    place="nn.functional",
)
def cosine_embedding_loss(
    input1: Any,
    input2: Any,
    target: Any,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Compute 1 - cosine where the target is 1, and max(0, cosine - margin) where it is -1.

    >>> import minigrad as mg
    >>> x = mg.tensor([[1.0, 0.0]])
    >>> mg.nn.functional.cosine_embedding_loss(x, x, mg.tensor([-1.0]))
    tensor(1.)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    number_of(reduction)
    margin = float(number(margin))
    dim, rank = target._array.ndim, input1._array.ndim
    if dim > 1 or rank != dim + 1 or input2._array.ndim != dim + 1:
        sizes = f"sizes {list(input1.shape)} and {list(input2.shape)}."
        if dim > 1:
            wanted = "0D or 1D target tensor expected, multi-target not supported"
            raise RuntimeError(wanted)
        expected = f"{dim}D target tensor expects {dim + 1}D input tensors"
        raise RuntimeError(f"{expected}, but found inputs with {sizes}")
    product = (input1 * input2).sum(dim)
    squares: Any = [shifted((x * x).sum(dim), 1e-12) for x in (input1, input2)]
    cosine = product / (squares[0] * squares[1]).sqrt()
    zeros = constant_like(cosine, np.zeros_like(cosine._array))
    apart = clamp_min.body(apply(SubBackward1, cosine, margin), 0)
    choose: Any = where
    loss = choose(target == 1, (zeros + 1) - cosine, zeros) + choose(target == -1, apart, zeros)
    return one_number(loss, reduction)


@schema(
    "def triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, "
    "float p=2, float eps=1e-06, bool swap=False, bool? size_average=None, bool? reduce=None, "
    'str reduction="mean")',
    "triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin, float p, "
    "float eps, bool swap, object reduction)",
    place="nn.functional",
)
def triplet_margin_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Compute max(0, margin + distance to `positive` - distance to `negative`).

    With `swap`, the negative one is compared with the nearer of the other two.

    >>> import minigrad as mg
    >>> rows = [mg.tensor([[x]]) for x in (0.0, 1.0, 3.0)]
    >>> mg.nn.functional.triplet_margin_loss(*rows, margin=4.0)
    tensor(2.)
    """
    reduction = reduction_of(reduction, size_average, reduce)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    ranks = [each._array.ndim for each in (anchor, positive, negative)]
    if len({*ranks}) > 1:
        found = f"anchor {ranks[0]}D, positive {ranks[1]}D, and negative {ranks[2]}D inputs"
        wanted = "are expected to have the same number of dimensions"
        raise RuntimeError(f"The anchor, positive, and negative tensors {wanted}, but got: {found}")
    swap = truth_value(swap)
    near = distance_of_rows(anchor, positive, float(p), eps)
    far = distance_of_rows(anchor, negative, float(p), eps)
    if swap:
        far = minimum.body(far, distance_of_rows(positive, negative, float(p), eps))
    return one_number(clamp_min.body(shifted(near, margin) - far, 0), reduction)
