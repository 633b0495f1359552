"""Driving and watching automatic differentiation: PyTorch's `torch.autograd`, and `record`."""

from ..arrays.left_out import missing_from
from ..core.backward import backward, grad
from ..core.function import Function
from ..core.modes import (
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
