"""Weight normalization: a direction `v` and a length `g` for each slice (Salimans, Kingma 2016)."""

from __future__ import annotations

from typing import Any

from ...arrays.float16 import widened
from ...core.operation import ALWAYS, Operation, record
from ..reductions.reductions import vector_norm


class WeightNormInterfaceBackward0(Operation):
    """g * v / |v|; `result1` holds the lengths |v| of the slices along `dim`."""

    inputs = ("v", "g")
    params = ("dim", "result1")
    saves = {"g": ALWAYS, "v": ALWAYS, "result1": ALWAYS}
    rule = (
        r"\bar g = \sum G \frac{v}{|v|}, \qquad "
        r"\bar v = \frac{g}{|v|} \left(G - v \frac{\sum G v}{|v|^2}\right)"
    )

    @widened
    def forward(v: Any, g: Any, /, dim: int, result1: Any) -> Any:
        return v * (g / result1)

    def gradient(grad: Any, g: Any, v: Any, result1: Any, dim: int) -> Any:
        others = tuple(axis for axis in range(v.ndim) if axis != dim % v.ndim)
        length = (v * v).sum(others, keepdims=True) ** 0.5  # again, since it depends on v
        along = (grad * v).sum(others, keepdims=True) / length
        return lambda: g / length * (grad - v * (along / length)), lambda: along


def lengths(v: Any, dim: int) -> Any:
    """Return the length of each slice of `v` along `dim`, or of all of it for -1."""
    if dim == -1:
        return vector_norm(v)
    return vector_norm(v, 2, tuple(axis for axis in range(v.dim()) if axis != dim), True)


def normalized(v: Any, g: Any, dim: int) -> Any:
    """Return the slices of `v` along `dim` with the lengths `g`; one node, as in PyTorch.

    For one length of all, and for dimensions in the middle, there are several nodes.
    """
    if dim in (0, v.dim() - 1):
        size = lengths(v.detach(), dim)
        value = WeightNormInterfaceBackward0.forward(v._array, g._array, dim, size._array)
        return record(WeightNormInterfaceBackward0, (v, g), (dim, size), value)
    return v * (g / lengths(v, dim))
