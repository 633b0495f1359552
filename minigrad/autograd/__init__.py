"""Driving and watching automatic differentiation: PyTorch's `torch.autograd`, and `record`, whose
events are described in `minigrad.autograd.events`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ..arrays.left_out import missing_from
from ..arrays.places import found_here
from ..core.backward import backward, grad
from ..core.function import Function
from ..core.modes import (
    detect_anomaly,
    enable_grad,
    inference_mode,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
    set_track_lines,
    track_lines,
)
from . import function, functional, graph
from .gradcheck import gradcheck, gradgradcheck

if TYPE_CHECKING:
    from . import events
    from .events import record

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

found_here(globals(), __all__)

if not TYPE_CHECKING:  # for a checker, a name that is not there is an error

    def __getattr__(name: str) -> object:
        if name in ("events", "record"):
            # Only who watches needs them: they would take a sixth of the time of `import minigrad`.
            found = import_module(f"{__name__}.events")
            return found if name == "events" else found.record
        return _missing(name)
