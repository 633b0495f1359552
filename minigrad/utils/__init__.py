"""Tools around training: PyTorch's `torch.utils`."""

from ..arrays.left_out import missing_from
from . import checkpoint, data

__all__ = ["checkpoint", "data"]

__getattr__ = missing_from(__name__, __all__)
