"""Writing operations: PyTorch's `torch.autograd.function`."""

from ..core.function import Function, FunctionCtx, once_differentiable

__all__ = ["Function", "FunctionCtx", "once_differentiable"]
