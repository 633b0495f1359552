"""Writing operations: PyTorch's `torch.autograd.function`."""

from ..arrays.places import found_here
from ..core.function import Function, FunctionCtx, once_differentiable

__all__ = ["Function", "FunctionCtx", "once_differentiable"]

found_here(globals(), __all__)
