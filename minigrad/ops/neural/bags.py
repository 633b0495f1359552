"""Bags: rows of a table, looked up and reduced to one row for each bag."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.messages import check_same_type, not_implemented, wrong_type
from ...arrays.waiting import on_host
from ...core.modes import no_grad
from ...core.node import TensorBase, new_tensor
from ...core.operation import ALWAYS, Operation, apply, constant_like
from ..indexing.gathering import add_rows
from ..pointwise.arithmetic import NotImplementedBackward
from ..public.arguments import number
from ..public.dims import type_in_error
from ..public.functions import schema
from ..public.kinds import Underived
from ..reductions.renorm import RenormBackward0

MODES = ("sum", "mean", "max")


class Bags:
    """Which rows are in which bag: the numbers of rows and bags that count, pair by pair."""

    def __init__(self, indices: Any, offsets: Any, padding_idx: int) -> None:
        self.count = len(offsets)
        sizes = np.diff(on_host(offsets), append=indices.size)
        bag = constant_like(offsets, np.repeat(np.arange(self.count), np.maximum(sizes, 0)))
        self.counts = indices != padding_idx
        self.rows, self.bag = indices[self.counts], bag[self.counts]

    def divisor(self, like: Any) -> Any:
        """Return the number of rows in each bag; 1 for a bag of none."""
        sizes = np.bincount(on_host(self.bag), minlength=self.count)
        return constant_like(like, np.maximum(sizes, 1).astype(like.dtype)[:, None])

    def greatest(self, table: Any) -> Any:
        """Return for each bag and column the row with the greatest number; -1 for no row."""
        found = np.full((self.count, table.shape[1]), -1)
        values, rows, bags = (on_host(each) for each in (table, self.rows, self.bag))
        for bag in np.unique(bags):
            own = rows[bags == bag]
            found[bag] = own[values[own].argmax(0)]
        return constant_like(table, found)


class EmbeddingBagBackward0(Operation):
    """The sum, mean or maximum of the rows in each bag."""

    inputs = ("weight", "per_sample_weights")
    params = ("indices", "offsets", "mode", "padding_idx")
    saves = {"weight": ALWAYS, "per_sample_weights": ALWAYS, "indices": ALWAYS, "offsets": ALWAYS}
    rule = r"\bar w[i] \mathrel{+}= g_b"

    def forward(
        weight: Any,
        per_sample_weights: Any,
        /,
        indices: Any,
        offsets: Any,
        mode: int,
        padding_idx: int,
    ) -> Any:
        bags = Bags(indices, offsets, padding_idx)
        if mode == 2:
            which = bags.greatest(weight)
            columns = np.arange(weight.shape[1], like=which)
            return np.where(which < 0, 0, weight[which, columns]).astype(weight.dtype)
        rows = weight[bags.rows]
        if per_sample_weights is not None:
            rows = rows * per_sample_weights[bags.counts][:, None]
        wide = np.float32 if weight.dtype == np.float16 else weight.dtype
        result = np.zeros_like(weight, wide, "C", shape=(bags.count, weight.shape[1]))
        add_rows(result, bags.bag, rows.astype(wide, copy=False))
        if mode == 1:
            result = result / bags.divisor(result)
        return result.astype(weight.dtype, copy=False)

    def gradient(
        g: Any,
        weight: Any,
        per_sample_weights: Any,
        indices: Any,
        offsets: Any,
        mode: int,
        padding_idx: int,
    ) -> Any:
        where = indices, offsets, mode, padding_idx

        def wrt_weight() -> Any:
            return EmbeddingBagBackwardBackward0.on(g, weight, per_sample_weights, *where)

        return wrt_weight, lambda: PerSampleWeights.on(g, weight, *where)


class EmbeddingBagBackwardBackward0(Underived):
    """The gradient of each bag, added to its rows in a table of zeros."""

    inputs = ("grad",)
    params = ("weight", "per_sample_weights", "indices", "offsets", "mode", "padding_idx")
    derivative_name = "_embedding_bag_backward"

    def forward(
        grad: Any,
        weight: Any,
        per_sample_weights: Any,
        indices: Any,
        offsets: Any,
        mode: int,
        padding_idx: int,
    ) -> Any:
        bags = Bags(indices, offsets, padding_idx)
        result = np.zeros_like(weight, order="C")
        if mode == 2:
            which = bags.greatest(weight)
            bag, column = np.nonzero(which >= 0)
            np.add.at(result, (which[bag, column], column), grad[bag, column])
            return result
        if mode == 1:
            grad = grad / bags.divisor(grad)
        rows = grad[bags.bag]
        if per_sample_weights is not None:
            rows = rows * per_sample_weights[bags.counts][:, None]
        add_rows(result, bags.rows, rows.astype(result.dtype, copy=False))
        return result


class PerSampleWeights(NotImplementedBackward):
    """The gradient of what each row counts: the gradient of its bag times the row."""

    inputs = ("grad",)
    params = ("weight", "indices", "offsets", "mode", "padding_idx")

    def forward(
        grad: Any, weight: Any, indices: Any, offsets: Any, mode: int, padding_idx: int
    ) -> Any:
        bags = Bags(indices, offsets, padding_idx)
        result = np.zeros_like(grad, shape=indices.shape)
        result[bags.counts] = (grad[bags.bag] * weight[bags.rows]).sum(1)
        return result

    def backward(ctx, *g: Any) -> Any:
        name = "_embedding_bag_per_sample_weights_backward"
        raise RuntimeError(f"derivative for aten::{name} is not implemented")


def shorten_rows(weight: Any, indices: Any, max_norm: float, norm_type: float) -> None:
    """Scale the rows that are looked up down to a greatest norm, in place."""
    with no_grad():
        rows = np.unique(on_host(indices._array))
        (wrong,) = np.nonzero((rows < 0) | (rows >= len(weight._array)))
        if wrong.size:
            size = list(weight._array.shape)
            found = f"index {rows[wrong[0]]} out of range for tensor of size {size}"
            raise IndexError(f"select(): {found} at dimension 0")
        chosen = weight._array[constant_like(weight._array, rows)]
        part = RenormBackward0.forward(chosen, norm_type, 0, max_norm)
        weight[rows.tolist()] = new_tensor(part)


def in_one_vector(input: Any, offsets: Any, per_sample_weights: Any) -> tuple[Any, Any, Any]:
    """Return the numbers of rows in one vector, where each bag begins, and what rows count."""
    if input.dim() == 2:
        if offsets is not None:
            wanted = "if input is 2D, then offsets has to be None, as input is treated is a"
            found = f"However, found offsets of type {type(offsets)}"
            raise ValueError(f"{wanted} mini-batch of fixed length sequences. {found}")
        if input._array.dtype.kind == "b":
            raise not_implemented("arange_cpu", input._array.dtype)
        starts = np.arange(0, input._array.size, input.shape[1], dtype=input._array.dtype)
        offsets = new_tensor(constant_like(input._array, starts))
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif input.dim() != 1:
        found = f"but got Tensor of dimension {input.dim()}"
        raise ValueError(f"input has to be 1D or 2D Tensor, {found}")
    elif offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    elif offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    return input, offsets, per_sample_weights


@schema(
    "def embedding_bag(Tensor input, Tensor weight, Tensor? offsets=None, float? max_norm=None, "
    'float norm_type=2, bool scale_grad_by_freq=False, str mode="mean", bool sparse=False, '
    "Tensor? per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None)",
    place="nn.functional",
)
def embedding_bag(
    input: Any,
    weight: Any,
    offsets: Any = None,
    max_norm: Any = None,
    norm_type: Any = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: Any = None,
) -> TensorBase:
    """Look up rows of `weight` and reduce those of each bag to their sum, mean or maximum.

    Args:
        input: the numbers of rows: a bag in each line of a matrix, or all bags in one vector.
        offsets: where each bag begins, for a vector.
        max_norm: shorten the rows that are looked up to this norm, in place; see `renorm`.
        mode: "sum", "mean" or "max".
        sparse: accepted; the gradient is dense in any case.
        per_sample_weights: what each row counts in a sum.
        include_last_offset: whether `offsets` ends with the length of `input`.
        padding_idx: a row that belongs to no bag.

    >>> import minigrad as mg
    >>> table = mg.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> mg.nn.functional.embedding_bag(mg.tensor([[0, 2], [1, 1]]), table)
    tensor([[3., 4.],
            [3., 4.]])
    """
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        found = f"If per_sample_weights ({per_sample_weights.shape}) is not None, then it must"
        raise ValueError(f"embedding_bag: {found} have the same shape as the input ({input.shape})")
    if weight.dim() != 2:
        found = f"but got Tensor of dimension {weight.dim()}"
        raise ValueError(f"weight has to be a 2D Tensor, {found}")
    if weight._array.dtype == np.int64 and input._array.dtype.kind == "f":
        weight, input = input, weight  # the order of old calls
    if input.dim() == 2:
        include_last_offset = False
    input, offsets, per_sample_weights = in_one_vector(input, offsets, per_sample_weights)
    if mode not in MODES:
        raise ValueError("mode has to be one of sum, mean or max")
    if max_norm is not None:
        shorten_rows(weight, input, float(number(max_norm)), float(number(norm_type)))
    if per_sample_weights is not None and mode != "sum":
        only = f"per_sample_weights is only supported for mode='sum' (got mode='{mode}')."
        raise NotImplementedError(
            f"embedding_bag: per_sample_weights was not None. {only} "
            "Please open a feature request on GitHub."
        )
    switches = ("scale_grad_by_freq", scale_grad_by_freq, 4), ("sparse", sparse, 6)
    for name, value, place in switches:
        if not isinstance(value, bool):
            raise wrong_type("embedding_bag", name, place, "bool", value)
    if scale_grad_by_freq:
        raise NotImplementedError("minigrad does not scale gradients by frequency.")
    check_bags(input._array, weight._array, offsets._array, per_sample_weights)
    if include_last_offset:
        offsets = offsets[:-1]
    return apply(
        EmbeddingBagBackward0,
        weight,
        per_sample_weights,
        input,
        offsets,
        MODES.index(mode),
        padding_row_of_bags(padding_idx, len(weight._array)),
    )


def padding_row_of_bags(padding_idx: Any, count: int) -> int:
    """Return the row that belongs to no bag, counted from the front; -1 if there is none."""
    if padding_idx is None:
        return -1
    if not -count <= padding_idx < count:
        limits = f"{-count} through {count - 1}"
        wanted = f"padding_idx must be within the number of embeddings, {limits}"
        raise RuntimeError(f"{wanted}, but got {padding_idx}")
    return int(padding_idx % count)


def check_bags(indices: Any, table: Any, offsets: Any, weights: Any) -> None:
    """Raise for numbers of rows, or beginnings of bags, that do not fit."""
    for array in (indices, offsets):
        if array.dtype.name not in ("int64", "int32"):
            raise RuntimeError(
                "Expected tensor for argument #1 'indices' to have one of the following scalar "
                f"types: Long, Int; but got {type_in_error(array.dtype)} instead (while checking "
                "arguments for embedding_bag)"
            )
    if table.dtype.kind != "f":
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: "
            f"Half, BFloat16, Float, Double; but got {type_in_error(table.dtype)} instead (while "
            "checking arguments for embedding_bag)"
        )
    if weights is not None:
        names = "'weight' to have the same type as tensor for argument #1 'per_sample_weights'"
        check_same_type(
            table,
            weights._array,
            f"Expected tensor for argument #1 {names}; but type {{}} does not equal {{}} (while "
            "checking arguments for embedding_bag)",
            type_in_error,
        )
    starts = on_host(offsets)
    if starts.size and starts[0] != 0:
        wanted = "the first sequence in the mini-batch has to start from position 0."
        raise RuntimeError(f"offsets[0] has to be 0, i.e., {wanted} However, got {starts[0]}")
    if starts.size and starts[-1] > indices.size:
        wanted = f"can not be greater than input's length {indices.size}"
        raise RuntimeError(f"offsets[-1] {wanted} but got offsets[-1] of {starts[-1]}")
    if bool((np.diff(starts) < 0).any()):
        raise RuntimeError("offsets must not fall")
    (wrong,) = np.nonzero(on_host((indices < 0) | (indices >= len(table))))
    if wrong.size:
        place = int(wrong[0])
        found = f"takes value {int(indices[place])} which is not in the valid range"
        raise RuntimeError(f"Index {place} of input {found} [0, {len(table)})")
