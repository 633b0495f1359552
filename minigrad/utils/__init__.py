"""Tools for training: PyTorch's `torch.utils`."""

from typing import TYPE_CHECKING

from ..arrays.left_out import missing_from
from . import checkpoint, data, deterministic, dlpack

__all__ = ["checkpoint", "data", "deterministic", "dlpack"]

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
