"""Driving and watching automatic differentiation: PyTorch's `torch.autograd`, and `record`."""

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

__getattr__ = missing_from(__name__, __all__)
