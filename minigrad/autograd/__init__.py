"""PyTorch's `torch.autograd`, and `record`, which collects the engine's events.

`minigrad.autograd.events` describes the events.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import import_module
from typing import TYPE_CHECKING

from ..arrays.left_out import missing_from
from ..arrays.places import set_places
from ..core.backward import backward
from ..core.modes import enable_grad, no_grad
from ..core.node import _next_sequence
from . import anomaly_mode, function, grad_mode, graph
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
from .line_tracking import set_track_lines, track_lines
from .variable import SavedTensor, Variable

if TYPE_CHECKING:
    from . import events, forward_ad, functional, profiler, profiler_util
    from .events import Trace

__all__ = [
    "Function",
    "SavedTensor",
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
    "profiler",
    "profiler_util",
    "record",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "set_track_lines",
    "track_lines",
]

_missing = missing_from(__name__)


def record(*, forward: bool = False) -> AbstractContextManager[Trace]:
    """Collect the engine's events inside the block (see `minigrad.autograd.events`).

    With `forward`, also collect each operation that leaves a node. Recordings nest: the innermost
    one gets the events.

    >>> import minigrad as mg
    >>> x = mg.tensor(3.0, requires_grad=True)
    >>> with mg.autograd.record() as trace:
    ...     (x * x).backward()
    >>> [type(event).__name__ for event in trace if hasattr(event.node, "variable")]
    ['Start', 'LeafGradient']
    """
    # Only recordings need the events, which take a sixth of the time of `import minigrad`.
    from .events import recording

    return recording(forward=forward)


def _get_sequence_nr() -> int:
    """Return a number between those of existing nodes and those of future ones."""
    return _next_sequence()


set_places(globals(), __all__)

if not TYPE_CHECKING:  # checkers report unknown names as errors

    def __getattr__(name: str) -> object:
        """Import these modules on first use, for the same reason."""
        later = name in ("events", "forward_ad", "functional", "profiler", "profiler_util")
        return import_module(f"{__name__}.{name}") if later else _missing(name)
