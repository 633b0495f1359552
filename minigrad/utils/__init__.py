"""Tools around training: PyTorch's `torch.utils`."""

from typing import TYPE_CHECKING

from ..arrays.left_out import missing_from
from . import checkpoint, data

__all__ = ["checkpoint", "data"]

if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
