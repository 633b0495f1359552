"""Running extremes, and running sums of exponentials: cummax, cummin and logcumsumexp."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays.devices import ON_CPU
from ...arrays.messages import check_floating
from ...arrays.waiting import on_host
from ...core.node import TensorBase, new_tensor, unwrap
from ...core.operation import ALWAYS, Operation, constant_like, record, zeros_for
from ..indexing.gathering import ScatterAddBackward0
from ..indexing.joining import FlipBackward0
from ..indexing.reducing import constant
from ..pointwise.elementwise import ExpBackward0, LogBackward0, WhereBackward0
from ..public import return_types
from ..public.dims import whole_number, wrap_dim
from ..public.functions import Public, schema
from .sorting import Selection


class CummaxBackward0(Selection):
    """The greatest element so far along a dimension."""

    saves = {"indices": ALWAYS, "self": ALWAYS}
    params = ("dim", "indices")

    def forward(self: Any, dim: int, indices: Any) -> Any:
        return np.take_along_axis(self, indices, dim) if self.ndim else self.copy()

    def gradient(g: Any, indices: Any, self: Any, dim: int) -> Any:
        if not unwrap(self).size:
            return g
        return ScatterAddBackward0.on(zeros_for(g, self.shape), g, dim, indices)


class CumminBackward0(CummaxBackward0):
    """The smallest element so far along a dimension."""


def running(op: type[Operation], which: str) -> Public:
    """Make `cummax` or `cummin`."""
    name = op.__name__.removesuffix("Backward0").lower()
    extreme, reaches = (np.maximum, np.greater_equal) if which == "greatest" else (
        np.minimum, np.less_equal
    )  # fmt: skip

    def function(input: Any, dim: Any) -> Any:
        x, dim = input._array, whole_number(dim)
        axis = wrap_dim(dim, x.ndim)
        host = on_host(x)  # CuPy has no `maximum.accumulate`
        lines = np.moveaxis(host, axis, -1) if x.ndim else host.reshape(1)
        top = extreme.accumulate(lines, axis=-1)
        # The last position that reaches the extreme; nan reaches it and stays.
        found = reaches(lines, top) | (lines != lines)
        places = np.where(found, np.arange(lines.shape[-1]), 0)
        places = np.maximum.accumulate(places, axis=-1).astype(np.int64, copy=False)
        places = np.moveaxis(places, -1, axis) if x.ndim else places.reshape(())
        indices = new_tensor(constant_like(x, np.ascontiguousarray(places).reshape(x.shape)))
        values = record(op, (input,), (dim, indices), op.forward(x, dim, indices._array))
        return getattr(return_types, name)((values, indices))

    function.__name__ = name
    function.__doc__ = f"Return the {which} element so far along `dim`, with its index."
    function.__annotations__["return"] = f"return_types.{name}[TensorBase]"
    return schema(f"{name}(Tensor input, int dim, *, Tensor[2] out=None)")(function)


cummax = running(CummaxBackward0, "greatest")
cummin = running(CumminBackward0, "smallest")


class LogcumsumexpBackward0(Operation):
    """ln(sum of exp) of each element and all before it, without overflow."""

    rule = r"\bar a_i = \sum_{j \geq i} g_j \cdot e^{a_i - y_j}"

    def forward(self: Any, /, dim: int) -> Any:
        if not self.ndim:
            return self.copy()
        if not isinstance(self, ON_CPU):  # CuPy has no `logaddexp.accumulate`
            return constant_like(self, LogcumsumexpBackward0.forward(on_host(self), dim))
        with np.errstate(invalid="ignore"):
            value = np.logaddexp.accumulate(self, axis=dim, dtype=np.float64)
        return value.astype(self.dtype, order="C")

    def gradient(g: Any, self: Any, result: Any, dim: int) -> Any:
        if not (unwrap(self).ndim and unwrap(self).size):
            return g
        if not unwrap(g).any():  # so tangents are found, where ln |g| has no slope
            return of_each_pair(g, self, result, dim)
        size = LogBackward0.on(abs(g))

        def of_sign(sign: int) -> Any:
            """Return the gradient from those elements of `g` with this sign."""
            chosen = constant(g, unwrap(g) * sign > 0)
            lowest = np.finfo(unwrap(g).dtype).min  # -inf would give nan if it is subtracted
            nothing = constant(g, np.full_like(unwrap(g), lowest))
            log = WhereBackward0.on(size, nothing, chosen)
            total = LogcumsumexpBackward0.on(FlipBackward0.on(log - result, (dim,)), dim)
            return ExpBackward0.on(FlipBackward0.on(total, (dim,)) + self)

        return of_sign(1) - of_sign(-1)


def of_each_pair(g: Any, x: Any, y: Any, dim: int) -> Any:
    """Return the sums over j >= i of g_j e^(x_i - y_j), which are linear in `g`."""
    g, x, y = (each.swapaxes(dim, -1) for each in (g, x, y))
    later = constant(g, np.triu(np.ones_like(unwrap(x), shape=(x.shape[-1],) * 2)))
    far = (x[..., :, None] - y[..., None, :]) * later
    return (ExpBackward0.on(far) * later * g[..., None, :]).sum(-1).swapaxes(dim, -1)


@schema("logcumsumexp(Tensor input, int dim, *, Tensor out=None)")
def logcumsumexp(input: Any, dim: Any) -> TensorBase:
    """Compute ln(sum of exp) of each element and all before it along `dim`, without overflow.

    >>> import minigrad as mg
    >>> mg.logcumsumexp(mg.zeros(3), 0)
    tensor([0.0000, 0.6931, 1.0986])
    """
    x, dim = input._array, whole_number(dim)
    wrap_dim(dim, x.ndim)
    if x.ndim and x.size:
        check_floating("logcumsumexp_out_cpu", x.dtype)
    return record(LogcumsumexpBackward0, (input,), (dim,), LogcumsumexpBackward0.forward(x, dim))


class RunningMethods(TensorBase):
    """The methods of this file."""

    cummax, cummin, logcumsumexp = cummax.method, cummin.method, logcumsumexp.method
