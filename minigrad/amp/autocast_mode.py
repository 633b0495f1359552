"""`autocast`: products in a short dtype, losses and long sums in float32.

What each function converts is in tensors/autocasting.py.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping
from contextlib import ContextDecorator
from typing import Any

from ..arrays.devices import cuda_is_available
from ..arrays.dtypes import dtype as Dtype
from ..arrays.dtypes import float16
from ..arrays.left_out import missing_from
from ..tensors.autocasting import check_type, state, use
from ..tensors.tensor import Tensor

UNSUPPORTED = (
    "In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
    "CPU Autocast only supports dtypes of torch.float16 currently: NumPy has no bfloat16."
)


class autocast(ContextDecorator):
    """Compute products in a short dtype, as a context manager or as a decorator.

    Args:
        device_type: "cpu" or "cuda". Without a GPU the latter has no effect, with a warning.
        dtype: the short dtype, float16. PyTorch's default on a CPU is bfloat16, which NumPy lacks:
            then a warning says so, and everything is computed as without autocast.
        enabled: if not, nothing is converted, also inside of another block.
        cache_enabled: whether a parameter that is used twice is converted once.

    >>> import minigrad as mg
    >>> with mg.autocast("cpu", dtype=mg.float16):
    ...     mg.ones(2, 3) @ mg.ones(3, 1)
    tensor([[3.],
            [3.]], dtype=torch.float16)
    """

    def __init__(
        self,
        device_type: str,
        dtype: Dtype | None = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        check_named(device_type)
        check_type(device_type)
        if device_type not in state.short:
            raise RuntimeError(
                f"User specified an unsupported autocast device_type '{device_type}'"
            )
        self.device, self._enabled = device_type, enabled
        self.fast_dtype = state.short[device_type] if dtype is None else dtype
        self._cache_enabled = state.caching if cache_enabled is None else cache_enabled
        if not enabled:
            return
        if device_type == "cuda" and not cuda_is_available():
            warnings.warn(
                "CUDA is not available or torch_xla is imported. Disabling autocast.", stacklevel=2
            )
            self._enabled = False
        elif self.fast_dtype is not float16:
            warnings.warn(UNSUPPORTED, stacklevel=2)
            self._enabled = False

    def __enter__(self) -> autocast:
        use(1)
        self.prev = state.enabled, state.short, state.caching
        state.enabled = {**state.enabled, self.device: self._enabled}
        state.short = {**state.short, self.device: self.fast_dtype}
        state.caching = self._cache_enabled
        state.depth += 1
        return self

    def __exit__(self, *error: Any) -> None:
        state.depth -= 1
        if not state.depth:
            state.cache.clear()
        state.enabled, state.short, state.caching = self.prev
        use(-1)


def is_autocast_available(device_type: str) -> bool:
    """Return whether `autocast` knows a type of device."""
    check_type(device_type)
    return device_type in state.short


# --- For a user's own Function


def cast(value: Any, device_type: str, dtype: Dtype) -> Any:
    """Return floating tensors on a device, also in lists and dictionaries, in another dtype."""
    if isinstance(value, Tensor):
        alike = value.is_floating_point() and value.device.type == device_type
        return value.to(dtype) if alike and value.element_size() < 8 else value
    if isinstance(value, Mapping):
        return {name: cast(each, device_type, dtype) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([cast(each, device_type, dtype) for each in value])
    return value


def check_named(device_type: Any) -> None:
    if not isinstance(device_type, str):
        found = f"got: `{type(device_type)}`"
        raise ValueError(f"Expected `device_type` of type `str`, {found}")


def custom_fwd(
    fwd: Callable[..., Any] | None = None, *, device_type: str, cast_inputs: Dtype | None = None
) -> Any:
    """Decorate the `forward` of a Function that is used inside of `autocast`.

    Args:
        cast_inputs: the dtype of the arguments; `forward` then runs without autocast.
    """
    check_named(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        ctx._dtype = state.short[device_type]
        on = state.enabled[device_type]
        ctx._fwd_used_autocast = on and cast_inputs is None
        if not on or cast_inputs is None:
            return fwd(ctx, *args, **kwargs)
        with autocast(device_type=device_type, enabled=False):
            given = cast(args, device_type, cast_inputs)
            return fwd(ctx, *given, **cast(kwargs, device_type, cast_inputs))

    return forward


def custom_bwd(bwd: Callable[..., Any] | None = None, *, device_type: str) -> Any:
    """Decorate the `backward` of a Function: it runs in the `autocast` of its `forward`."""
    check_named(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def backward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        on, dtype = ctx._fwd_used_autocast, ctx._dtype
        with autocast(device_type=device_type, enabled=on, dtype=dtype):
            return bwd(ctx, *args, **kwargs)

    return backward


__getattr__ = missing_from(__name__)
