"""The settings of `autocast`, and the conversion of arguments that it makes.

Inside of `autocast`, PyTorch converts the arguments of some functions: those of products to a short
dtype, those of losses and of long sums to float32, and those of `cat` to the widest among them.
`use` replaces the bodies of these functions while any thread is inside; elsewhere `autocast` costs
nothing. Each calls the old body with the mode turned off, so that only the outermost function
converts, as in PyTorch.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from typing import Any

from ..arrays.bfloat16 import bfloat16
from ..arrays.dtypes import dtype as Dtype
from ..arrays.dtypes import float16, float32, float64
from ..core.node import TensorBase
from ..ops.public.functions import Public, schema

Body = Callable[..., Any]

TO_SHORT = {
    "linear_algebra.matrix": "mm bmm addmm baddbmm matmul linear",
    "neural.attention": "scaled_dot_product_attention",
    "neural.convolution": "conv1d conv2d conv3d",
    "neural.transposed_convolution": "conv_transpose1d conv_transpose2d conv_transpose3d",
    "pointwise.piecewise": "prelu",
}
"""Functions that compute in the short dtype, by their module in `ops`."""

TO_FLOAT32 = {
    "linear_algebra.conditioning": "cond matrix_rank",
    "linear_algebra.distances": "cdist",
    "linear_algebra.factorizations": (
        "cholesky linalg_cholesky eigh eigvalsh linalg_svd svdvals qr svd"
    ),
    "linear_algebra.linalg": "inv inverse solve",
    "neural.alignment": "ctc_loss",
    "neural.grids": "grid_sample",
    "neural.likelihood": "nll_loss",
    "neural.losses": (
        "binary_cross_entropy binary_cross_entropy_with_logits huber_loss kl_div l1_loss mse_loss "
        "smooth_l1_loss"
    ),
    "neural.cross_entropy": "cross_entropy",
    "neural.margins": "margin_ranking_loss soft_margin_loss",
    "neural.averaging": "avg_pool3d",
    "neural.similarity": "cosine_embedding_loss triplet_margin_loss",
    "reductions.quantiles": "quantile nanquantile",
    "shapes.slicing": "trace",
}
"""Functions that compute in float32."""

TO_WIDEST = {"indexing.joining": "cat stack"}
"""Functions whose arguments are converted to the widest dtype among them."""

TYPES = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, "
    "mps, meta, hpu, mtia, privateuseone"
)
"""PyTorch's types of devices, as its error lists them."""


class Autocasting(threading.local):
    """The settings of a thread."""

    def __init__(self) -> None:
        self.enabled = {"cpu": False, "cuda": False}
        self.short = {"cpu": bfloat16, "cuda": float16}
        self.caching = True
        self.depth = 0
        self.cache: dict[int, tuple[Any, Any]] = {}
        """Converted parameters by `id`, with the parameter, until the outermost block ends."""


state = Autocasting()


def converted(value: Any, wanted: Callable[[str], Dtype]) -> Any:
    """Return an argument, or a list of them, with its floats in the dtype of their device."""
    if isinstance(value, (list, tuple)):
        return type(value)([converted(each, wanted) for each in value])
    if not is_convertible(value):
        return value
    goal = wanted(value.device.type)
    if value.dtype is goal:
        return value
    keeps = state.caching and value.is_leaf and value.requires_grad and value.dtype is float32
    if not keeps:
        return value.to(goal)
    if id(value) not in state.cache:
        state.cache[id(value)] = value, value.to(goal)
    return state.cache[id(value)][1]


def is_convertible(value: Any) -> bool:
    """Return whether `autocast` converts a value: a tensor of floats, on a device where it is on.

    Numbers of double precision stay as they are.
    """
    return (
        isinstance(value, TensorBase)
        and value.dtype.is_floating_point  # type: ignore[attr-defined]
        and value.dtype is not float64  # type: ignore[attr-defined]
        and state.enabled.get(value.device.type, False)  # type: ignore[attr-defined]
    )


def short(device: str, *args: Any) -> Dtype:
    return state.short[device]


def long(device: str, *args: Any) -> Dtype:
    return float32


def widest(device: str, *args: Any) -> Dtype:
    """Return float32 if one of the arguments has it, or else the short dtype."""
    each = [t for arg in args for t in (arg if isinstance(arg, (list, tuple)) else (arg,))]
    wide = any(is_convertible(t) and t.dtype is float32 for t in each)
    return float32 if wide else state.short[device]


def casting(body: Body, rule: Callable[..., Dtype]) -> Body:
    """Return `body` with its arguments converted where `autocast` is on."""

    @wraps(body)
    def converting(*args: Any, **kwargs: Any) -> Any:
        if not any(state.enabled.values()):
            return body(*args, **kwargs)
        every = (*args, *kwargs.values())
        before = state.enabled
        given = [converted(each, lambda device: rule(device, *every)) for each in every]
        state.enabled = dict.fromkeys(before, False)
        try:
            return body(*given[: len(args)], **dict(zip(kwargs, given[len(args) :], strict=True)))
        finally:
            state.enabled = before

    return converting


lock = threading.Lock()

old_bodies: list[tuple[Public, Body]] = []
"""The functions whose bodies are replaced, with their own bodies."""

users = 0
"""In how many blocks the threads are."""


def use(count: int) -> None:
    """Enter (1) or leave (-1) a block: the first replaces the bodies, the last restores them."""
    global users
    with lock:
        users += count
        if users and not old_bodies:
            for function, rule in converting_functions():
                old_bodies.append((function, function.body))
                function.body = casting(function.body, rule)
        elif not users:
            for function, body in old_bodies:
                function.body = body
            old_bodies.clear()


@cache
def converting_functions() -> list[tuple[Public, Callable[..., Dtype]]]:
    """Return the functions that convert their arguments, with the rule of each."""
    return [
        (getattr(import_module(f"minigrad.ops.{module}"), name), rule)
        for rule, table in ((short, TO_SHORT), (long, TO_FLOAT32), (widest, TO_WIDEST))
        for module, names in table.items()
        for name in names.split()
    ]


# --- Settings


def check_type(name: Any) -> None:
    """Raise for something that is no type of device."""
    if not isinstance(name, str):
        raise TypeError
    if name not in TYPES.split(", "):
        wanted = f"Expected one of {TYPES} device type at start of device string"
        raise RuntimeError(f"{wanted}: {name}")


@schema("is_autocast_enabled(str device_type)", "is_autocast_enabled()")
def is_autocast_enabled(device_type: Any = "cuda") -> bool:
    """Return whether `autocast` is on for a type of device.

    >>> import minigrad as mg
    >>> with mg.autocast("cpu", dtype=mg.float16):
    ...     mg.is_autocast_enabled("cpu")
    True
    """
    check_type(device_type)
    return state.enabled.get(device_type, False)


@schema("set_autocast_enabled(str device_type, bool enabled)", "set_autocast_enabled(bool enabled)")
def set_autocast_enabled(device_type: Any, enabled: Any = None) -> None:
    """Turn `autocast` on or off for a type of device."""
    if isinstance(device_type, bool) and enabled is None:
        device_type, enabled = "cuda", device_type
    check_type(device_type)
    if not isinstance(enabled, bool):
        raise TypeError
    before, state.enabled = state.enabled, {**state.enabled, device_type: enabled}
    use(sum(state.enabled.values()) - sum(before.values()))


@schema("get_autocast_dtype(str device_type)")
def get_autocast_dtype(device_type: Any) -> Dtype:
    """Return the short dtype of a type of device."""
    check_type(device_type)
    return state.short.get(device_type, float16)


@schema("set_autocast_dtype(str device_type, dtype dtype)")
def set_autocast_dtype(device_type: Any, dtype: Any) -> None:
    """Set the short dtype of a type of device."""
    check_type(device_type)
    if not isinstance(dtype, Dtype):
        raise TypeError
    state.short = {**state.short, device_type: dtype}


def is_autocast_cache_enabled() -> bool:
    """Return whether a converted parameter is kept until the outermost block ends."""
    return state.caching


def set_autocast_cache_enabled(enabled: bool, /) -> None:
    """Set whether a converted parameter is kept until the outermost block ends."""
    if not isinstance(enabled, bool):
        raise TypeError(f"enabled must be a bool (got {type(enabled).__name__})")
    state.caching = enabled


def clear_autocast_cache() -> None:
    """Forget the converted parameters."""
    state.cache.clear()
