"""The part of PyTorch's `torch.func` for modules as functions of their parameters.

Derivatives of functions are in `minigrad.autograd.functional`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .arrays.left_out import missing_from
from .nn.module import Module
from .nn.utils.stateless import called_with, merge

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
    """Call `module` with the given parameters and buffers in place of its own.

    Args:
        parameter_and_buffer_dicts: tensors by the names of `named_parameters` and `named_buffers`;
            or several such dictionaries.
        args, kwargs: the arguments of the module.
        tie_weights: whether a tensor that the module uses twice stays one.
        strict: whether all must be given, and nothing else.

    >>> import minigrad as mg
    >>> layer = mg.nn.Linear(2, 1)
    >>> weights = {"weight": mg.ones(1, 2), "bias": mg.zeros(1)}
    >>> mg.func.functional_call(layer, weights, mg.tensor([1.0, 2.0]))
    tensor([3.])
    """
    args = () if args is None else args
    given = merge(parameter_and_buffer_dicts)
    return called_with(module, given, args, kwargs, tie_weights, strict)


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
