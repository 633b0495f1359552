"""Driving and watching automatic differentiation: PyTorch's `torch.autograd`, and `record`, whose
events are described in `minigrad.autograd.events`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ..differentiate import backward, grad
from ..function import Function
from ..modes import (
    detect_anomaly,
    enable_grad,
    inference_mode,
    no_grad,
    record,
    set_detect_anomaly,
    set_grad_enabled,
    set_track_lines,
    track_lines,
)
from ..suggestions import missing_from
from . import function, functional, graph
from .gradcheck import gradcheck, gradgradcheck

if TYPE_CHECKING:
    from . import events

__all__ = [
    "Function",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "events",
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

_missing = missing_from(__name__, __all__)

if not TYPE_CHECKING:  # for a checker, a name that is not there is an error

    def __getattr__(name: str) -> object:
        """`events` is loaded when it is first asked for: `import minigrad` has no need of it."""
        return import_module(f"{__name__}.events") if name == "events" else _missing(name)
