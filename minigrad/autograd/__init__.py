"""Driving and watching automatic differentiation: PyTorch's `torch.autograd`, and `record`, whose
events are described in `minigrad.autograd.events`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import import_module
from typing import TYPE_CHECKING

from ..arrays.left_out import missing_from
from ..arrays.places import found_here
from ..core.backward import backward
from ..core.modes import enable_grad, no_grad, set_track_lines, track_lines
from ..core.node import _next_sequence
from . import anomaly_mode, forward_ad, function, functional, grad_mode, graph
from .anomaly_mode import detect_anomaly, set_detect_anomaly
from .batched import grad
from .function import Function
from .grad_mode import (
    inference_mode,
    is_multithreading_enabled,
    set_grad_enabled,
    set_multithreading_enabled,
)
from .gradcheck import gradcheck, gradgradcheck
from .variable import Variable

if TYPE_CHECKING:
    from . import events
    from .events import Trace

__all__ = [
    "Function",
    "Variable",
    "anomaly_mode",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "events",
    "forward_ad",
    "function",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_multithreading_enabled",
    "no_grad",
    "record",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "set_track_lines",
    "track_lines",
]

_missing = missing_from(__name__)


def record(*, forward: bool = False) -> AbstractContextManager[Trace]:
    """Collect what the engine does inside the block (`minigrad.autograd.events` says what that is);
    with `forward`, also each operation that leaves a node for it.

    Recordings nest: the inner one gets the events while it is open.

    >>> import minigrad as mg
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> with mg.autograd.record() as trace:
    ...     (x * x).backward()
    >>> [type(event).__name__ for event in trace if hasattr(event.node, "variable")]
    ['Start', 'LeafGradient']
    """
    # Only who watches needs the events: they would take a sixth of the time of `import minigrad`.
    from .events import recording

    return recording(forward=forward)


def _get_sequence_nr() -> int:
    """A number between those of the nodes that are there and those of all that will be made."""
    return _next_sequence()


found_here(globals(), __all__)

if not TYPE_CHECKING:  # for a checker, a name that is not there is an error

    def __getattr__(name: str) -> object:
        """`events` is loaded when it is first asked for, for the same reason."""
        return import_module(f"{__name__}.events") if name == "events" else _missing(name)
