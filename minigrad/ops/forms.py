"""Operations that come in two forms, `x.scatter(...)` and `x.scatter_(...)`, from one function that
checks the arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ..graph import Tensor
from ..inplace import inplace
from ..operation import Operation, apply
from .copying import check_writable

Row = tuple[type[Operation], tuple[Any, ...]]
"""An operation, and its arguments after the tensor itself."""


def both_forms(row: Callable[..., Row]) -> Any:
    """The public function that applies what `row` returns; its `in_place` writes the result into
    the tensor."""

    row.__annotations__["return"] = (
        "Tensor"  # what the function gives, for a reader of its signature
    )

    @wraps(row)
    def function(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        op, rest = row(input, *args, **kwargs)
        return apply(op, input, *rest)

    def function_(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        check_writable(input, *args, *kwargs.values())
        op, rest = row(input, *args, **kwargs)
        return inplace(op, input, *rest)

    function_.__name__ = function_.__qualname__ = f"{row.__name__}_"
    function_.__doc__ = f"`{row.__name__}` in place."
    both: Any = function
    both.in_place = function_
    return both
