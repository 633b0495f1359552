"""Anomaly mode: find the operation behind a failing or nan gradient.

This is PyTorch's `torch.autograd.anomaly_mode`. core/anomaly.py has the engine's part.
"""

from __future__ import annotations

import warnings
from typing import Any

from ..core.modes import Mode, Modes, modes
from .grad_mode import LastingMode

__all__ = ["detect_anomaly", "set_detect_anomaly"]


class detect_anomaly(Mode):
    """Record where every node is made, and stop at the first NaN of a backward pass."""

    def __init__(self, check_nan: bool = True) -> None:
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging.",
            stacklevel=2,
        )

    def switch(self) -> dict[str, Any]:
        return {"anomaly": True, "anomaly_check_nan": self.check_nan, "lines": True}


class set_detect_anomaly(LastingMode):
    """Turn anomaly mode on or off, permanently by a call or as a context manager."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.mode, self.check_nan = mode, check_nan
        self._set()

    def switch(self) -> dict[str, Any]:
        lines = self.mode or Modes.lines
        return {"anomaly": self.mode, "anomaly_check_nan": self.check_nan, "lines": lines}


def is_anomaly_enabled() -> bool:
    """Return whether anomaly mode is on in this thread."""
    return modes.anomaly


def is_anomaly_check_nan_enabled() -> bool:
    """Return whether anomaly mode looks for nan in gradients."""
    return modes.anomaly_check_nan
