"""PyTorch's error messages for arguments of a wrong kind, and for incompatible dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .dtypes import can_cast, from_numpy_dtype

Array = Any

FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)
INFERENCE_WRITTEN = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone "
    "to get a normal tensor before doing inplace update.See "
    "https://github.com/pytorch/rfcs/pull/17 for more details."
)
INFERENCE_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
    "inference mode in computation tracked by autograd. To work around this, you can make a clone "
    "to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
    "`torch.inference_mode()`."
)


IN_C = {"dtype": "torch", "device": "torch", "Size": "torch", "Generator": "torch._C"}
"""Our classes that PyTorch writes in C, and their modules there."""


def wrong_type(name: str, argument: str, position: int, wanted: str, value: Any) -> TypeError:
    """Return the error of the function `name` for `value`, given as its `argument`.

    >>> print(wrong_type("mm", "mat2", 2, "Tensor", 3))
    mm(): argument 'mat2' (position 2) must be Tensor, not int
    """
    return TypeError(
        f"{name}(): argument '{argument}' (position {position}) must be {wanted}, not "
        f"{type_name(value)}"
    )


def is_tensor(value: Any) -> bool:
    """Return whether `value` is a tensor. (The class itself is defined in a higher package.)"""
    return hasattr(value, "_array")


def type_name(value: object) -> str:
    """Return the name of a value's type in PyTorch's errors.

    >>> type_name(3), type_name(np.float64(3)), type_name(None)
    ('int', 'numpy.float64', 'NoneType')
    """
    kind = type(value)
    name = kind.__name__
    # PyTorch prints the module for classes written in C only.
    written_in_python = kind.__flags__ & 1 << 9
    if kind.__module__ == "minigrad" and name in IN_C:
        return f"{IN_C[name]}.{name}"
    if written_in_python or kind.__module__ == "builtins":
        return name
    return f"{kind.__module__}.{name}"


def check_tensor(value: Any, name: str, argument: str = "input", position: int = 1) -> None:
    """Raise if `value` is not a tensor.

    Raises:
        TypeError: `value` is something else.
    """
    if not is_tensor(value):
        raise wrong_type(name, argument, position, "Tensor", value)


# --- Incompatible dtypes


def type_word(dtype: np.dtype[Any]) -> str:
    """Return a dtype's name in PyTorch's errors: Float, Long, ..."""
    return from_numpy_dtype[dtype].tensor_class.removesuffix("Tensor")


def c_name(dtype: np.dtype[Any]) -> str:
    """Return a dtype's name in some of PyTorch's errors: float, double, long int, ..."""
    return from_numpy_dtype[dtype]._c_name


def check_output(shape: tuple[int, ...], wider: tuple[int, ...]) -> None:
    """Raise if the result's shape differs from that of the output."""
    if wider != shape:
        shapes = f"{list(shape)} doesn't match the broadcast shape {list(wider)}"
        raise RuntimeError(f"output with shape {shapes}")


def check_result(value: Array, x: Array) -> None:
    """Raise if `x` cannot hold `value`.

    Raises:
        RuntimeError: `value` has another shape, or a dtype of a higher category.
    """
    check_output(x.shape, value.shape)
    if not can_cast(from_numpy_dtype[value.dtype], from_numpy_dtype[x.dtype]):
        raise cannot_cast(value.dtype, x.dtype)


def cannot_cast(dtype: np.dtype[Any], wanted: np.dtype[Any]) -> RuntimeError:
    """Return PyTorch's error for an in-place result that its tensor cannot hold."""
    return RuntimeError(
        f"result type {type_word(dtype)} can't be cast to the desired output type "
        f"{type_word(wanted)}"
    )


def beyond(dtype: np.dtype[Any]) -> RuntimeError:
    """Return PyTorch's error for a number out of a dtype's range, where it does not wrap around."""
    name = c_name(dtype) if dtype.kind == "f" or dtype == np.int32 else f"{dtype.name}_t"
    return RuntimeError(f"value cannot be converted to type {name} without overflow")


def not_implemented(kernel: str, dtype: np.dtype[Any]) -> NotImplementedError:
    """Return PyTorch's error for a dtype that an operation does not support."""
    return NotImplementedError(f"\"{kernel}\" not implemented for '{type_word(dtype)}'")


def check_floating(kernel: str, dtype: np.dtype[Any]) -> None:
    """Raise for a dtype that is not floating, as PyTorch's `kernel` supports no other."""
    if dtype.kind != "f":
        raise not_implemented(kernel, dtype)


def check_not_bool(kernel: str, dtype: np.dtype[Any]) -> None:
    """Raise for bools, which PyTorch's `kernel` does not support."""
    if dtype.kind == "b":
        raise not_implemented(kernel, dtype)


def check_same_type(
    a: Array, b: Array, message: str, named: Callable[[np.dtype[Any]], str] = type_word
) -> None:
    """Raise for two arrays of different dtypes, where PyTorch does not promote.

    Raises:
        RuntimeError: the `message`, with the name of both dtypes by `named`.
    """
    if a.dtype != b.dtype:
        raise RuntimeError(message.format(named(a.dtype), named(b.dtype)))


# --- Forbidden writes to views


OVERLAP = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
    "single memory location. Please clone() the tensor before performing the operation."
)

FORBIDDEN_WRITES = {
    "no_grad": (
        "with grad mode enabled. Given that this use case is ambiguous and error-prone, it is "
        "forbidden. You can clarify your code by moving both the view and the inplace either both "
        "inside the no_grad block (if you don't want the inplace to be tracked) or both outside "
        "(if you want the inplace to be tracked)."
    ),
    "inference": (
        "in normal mode. Given that this use case is ambiguous and error-prone, it is forbidden. "
        "You can clarify your code by moving both the view and the inplace either both inside the "
        "inference_mode block (if you don't want the inplace to be tracked) or both outside (if "
        "you want the inplace to be tracked)."
    ),
    "several": (
        "This view is the output of a function that returns multiple views. Such functions do not "
        "allow the output views to be modified inplace. You should replace the inplace operation "
        "by an out-of-place one."
    ),
    "function": (
        "This view was created inside a custom Function (or because an input was returned as-is) "
        "and the autograd logic to handle view+inplace would override the custom backward "
        "associated with the custom Function, leading to incorrect gradients. This behavior is "
        "forbidden. You can fix this by cloning the output of the custom Function."
    ),
}
"""PyTorch's errors for writing to a view, by its origin."""
