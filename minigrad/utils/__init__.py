"""Tools around training: PyTorch's `torch.utils`."""

from . import checkpoint

__all__ = ["checkpoint"]
