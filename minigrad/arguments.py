"""Arguments of a wrong type, refused in PyTorch's words."""

from __future__ import annotations

from typing import Any

from .graph import TensorBase


def wrong_type(name: str, argument: str, position: int, wanted: str, value: Any) -> TypeError:
    """The error of the function `name` for `value`, given as its `argument`.

    >>> print(wrong_type("mm", "mat2", 2, "Tensor", 3))
    mm(): argument 'mat2' (position 2) must be Tensor, not int
    """
    kind = "Tensor" if isinstance(value, TensorBase) else type(value).__name__
    return TypeError(
        f"{name}(): argument '{argument}' (position {position}) must be {wanted}, not {kind}"
    )


def check_tensors(name: str, *tensors: tuple[str, Any]) -> None:
    """Refuse what is no tensor among the first arguments of the function `name`.

    Raises:
        TypeError: a value, which comes with its argument's name, is something else.
    """
    for position, (argument, value) in enumerate(tensors, 1):
        if not isinstance(value, TensorBase):
            raise wrong_type(name, argument, position, "Tensor", value)


def check_tensor_list(name: str, argument: str, value: Any) -> None:
    """Refuse what is no list or tuple of tensors, as the first argument of the function `name`.

    Raises:
        TypeError: it is none, or something else is in it.
    """
    if not isinstance(value, (tuple, list)):
        raise wrong_type(name, argument, 1, "tuple of Tensors", value)
    for place, item in enumerate(value):
        if not isinstance(item, TensorBase):
            kind = type(item).__name__
            raise TypeError(f"expected Tensor as element {place} in argument 0, but got {kind}")
