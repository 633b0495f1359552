"""Driving and watching automatic differentiation: PyTorch's `torch.autograd`, and `record`."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ..differentiate import backward, grad
from ..function import Function
from ..modes import (
    detect_anomaly,
    enable_grad,
    inference_mode,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
    set_track_lines,
    track_lines,
)
from ..suggestions import missing_from as _missing_from
from . import function, functional, graph
from .gradcheck import gradcheck, gradgradcheck

if _TYPE_CHECKING:
    from ..recording import record

__all__ = [
    "Function",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "function",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "no_grad",
    "record",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_track_lines",
    "track_lines",
]

_missing = _missing_from(__name__, __all__)


def __getattr__(name: str) -> object:
    if name == "record":  # later: its events take a sixth of the time of `import minigrad`
        from ..recording import record

        return record
    return _missing(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
