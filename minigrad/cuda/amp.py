"""PyTorch's old `torch.cuda.amp`: the parts of `torch.amp` for a GPU. It is deprecated."""

from __future__ import annotations

import warnings

from .. import amp
from ..arrays.dtypes import dtype as Dtype
from ..arrays.dtypes import float16
from ..arrays.left_out import missing_from

__all__ = ["GradScaler", "autocast"]


def warn(name: str) -> None:
    """Warn that `name` has moved to `torch.amp`."""
    new = f"`torch.amp.{name}('cuda', args...)`"
    text = f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use {new} instead."
    warnings.warn(text, FutureWarning, stacklevel=3)


class autocast(amp.autocast):
    """`torch.amp.autocast` on a GPU."""

    def __init__(
        self, enabled: bool = True, dtype: Dtype = float16, cache_enabled: bool = True
    ) -> None:
        warn("autocast")
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    """`torch.amp.GradScaler` on a GPU."""

    def __init__(
        self,
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        warn("GradScaler")
        super().__init__(
            "cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled
        )


__getattr__ = missing_from(__name__)
