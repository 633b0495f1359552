"""What programs with their own classes of tensors take from `torch._C`: how to ask none of them."""

from typing import TYPE_CHECKING

from .arrays.left_out import missing_from
from .ops.public.overriding import WithoutClasses as DisableTorchFunctionSubclass
from .ops.public.overriding import plain_results as _disabled_torch_function_impl

__all__ = ["DisableTorchFunctionSubclass", "_disabled_torch_function_impl"]

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
