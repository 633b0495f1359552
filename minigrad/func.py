"""PyTorch's `torch.func`, as far as it is here: a module as a function of its parameters.

Derivatives of functions are in `minigrad.autograd.functional`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .arrays.left_out import missing_from
from .nn.module import Module
from .nn.utils.stateless import called_with, merged

__all__ = ["functional_call"]


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """The result of `module` with the given parameters and buffers in the place of its own.

    Args:
        parameter_and_buffer_dicts: tensors by the names of `named_parameters` and `named_buffers`;
            or several such dictionaries.
        args, kwargs: what the module is called with.
        tie_weights: whether what is one tensor in the module remains one.
        strict: whether all must be given, and nothing else.

    >>> import minigrad as mg
    >>> layer = mg.nn.Linear(2, 1)
    >>> weights = {"weight": mg.ones(1, 2), "bias": mg.zeros(1)}
    >>> mg.func.functional_call(layer, weights, mg.tensor([1.0, 2.0]))
    tensor([3.])
    """
    args = () if args is None else args
    given = merged(parameter_and_buffer_dicts)
    return called_with(module, given, args, kwargs, tie_weights, strict)


if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
