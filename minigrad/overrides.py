"""Functions for classes that compute with tensors in their own way: PyTorch's `torch.overrides`.

>>> import minigrad as mg
>>> class Meters:
...     def __init__(self, value): self.value = value
...     @classmethod
...     def __torch_function__(cls, func, types, args=(), kwargs=None):
...         return func.__name__, args[0].value
>>> mg.exp(Meters(2.0))
('exp', 2.0)
>>> has_torch_function([Meters(1.0), mg.ones(2)]), is_tensor_like(Meters(1.0))
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from .arrays.left_out import missing_from
from .core.node import TensorBase
from .ops.public.overriding import TorchFunctionMode, ask, kinds_to_ask, overriding, refusal

__all__ = [
    "TorchFunctionMode",
    "handle_torch_function",
    "has_torch_function",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "wrap_torch_function",
]

F = TypeVar("F", bound=Callable[..., Any])


def has_torch_function(relevant_args: Iterable[Any], /) -> bool:
    """Return whether a mode is active, or a class among the arguments is asked."""
    kinds = kinds_to_ask(relevant_args) if overriding.classes else ()
    return bool(overriding.modes or kinds)


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any
) -> Any:
    """Return what the mode or the first class computes in place of `public_api`.

    Raises:
        TypeError: all who were asked return NotImplemented.
    """
    kinds = kinds_to_ask(relevant_args, tensors=True)
    found = ask(public_api, kinds, args, kwargs)
    if found is None:
        raise refusal(public_api, kinds)
    return found[0]


def is_tensor_like(inp: Any) -> bool:
    """Return whether this is a tensor, or of a class with a `__torch_function__`."""
    return type(inp) is TensorBase.result_type or hasattr(type(inp), "__torch_function__")


def is_tensor_method_or_property(func: Any) -> bool:
    """Return whether a function that a class was asked about belongs to Tensor."""
    name = func.__name__
    return name == "__get__" or getattr(TensorBase.result_type, name, None) is func


def wrap_torch_function(dispatcher: Callable[..., Iterable[Any]]) -> Callable[[F], F]:
    """Let a function ask the classes of those arguments that `dispatcher` returns."""

    def decorate(function: F) -> F:
        @wraps(function)
        def asking(*args: Any, **kwargs: Any) -> Any:
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(asking, relevant, *args, **kwargs)
            return function(*args, **kwargs)

        return asking  # type: ignore[return-value]

    return decorate


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
