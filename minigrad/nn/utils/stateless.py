"""Calls of a module with other parameters than its own, as if it were a function of them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...arrays.left_out import missing_from
from ...tensors.tensor import Tensor
from ..module import Module

MISSING: Any = object()
"""Stands for a missing attribute."""


def called_with(
    module: Module,
    given: dict[str, Any],
    args: Any,
    kwargs: dict[str, Any] | None,
    tie_weights: bool,
    strict: bool,
) -> Any:
    """Call the module with the parameters and buffers `given` by their paths.

    They replace its own for the time of the call.
    """
    if not isinstance(module, Module):
        raise TypeError(f"{module} is not an instance of torch.nn.Module")
    for value in given.values():
        if not isinstance(value, Tensor):
            raise TypeError(f"{value} is not an instance of torch.Tensor")
    own = {
        **dict(module.named_parameters(remove_duplicate=False)),
        **dict(module.named_buffers(remove_duplicate=False)),
    }
    if strict:
        check_names(module, own, given)
    wanted = dict(given)
    if tie_weights:  # a tensor in several places of the module is replaced in all of them
        for path, value in given.items():
            for other, tensor in own.items():
                if path in own and tensor is own[path]:
                    wanted.setdefault(other, value)
    before = {path: swap(module, path, value) for path, value in wanted.items()}
    try:
        return module(*(args if isinstance(args, tuple) else (args,)), **(kwargs or {}))
    finally:
        for path, value in before.items():
            after = swap(module, path, value)
            if path in given:
                given[path] = after


def check_names(module: Module, own: dict[str, Any], given: dict[str, Any]) -> None:
    """Raise for unexpected or missing names."""
    unexpected = [name for name in given if name not in own]
    tied = {id(own[name]) for name in given if name in own}
    missing = [name for name, tensor in own.items() if id(tensor) not in tied]
    text = f"Error(s) in reparametrizing for {module._get_name()}:"
    for word, names in (("Unexpected", unexpected), ("Missing", missing)):
        if names:
            quoted = ", ".join(map(repr, names))
            text += f"\n\t{word} key(s): {quoted}."
    if unexpected or missing:
        raise RuntimeError(text)


def swap(module: Module, path: str, value: Any) -> Any:
    """Put `value` at `path`, and return the previous value."""
    owner, _, name = path.rpartition(".")
    where = module.get_submodule(owner)
    for book in (where._parameters, where._buffers):
        if name in book:
            before, book[name] = book[name], value
            return before
    before = getattr(where, name, MISSING)
    if value is MISSING:
        delattr(where, name)
    else:
        setattr(where, name, value)
    return before


def functional_call(
    module: Module,
    parameters_and_buffers: dict[str, Any],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call `func.functional_call` under its old name: deprecated."""
    warnings.warn(
        "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be "
        "removed in a future version of PyTorch. Please use `torch.func.functional_call` instead "
        "which is a drop-in replacement.",
        FutureWarning,
        stacklevel=2,
    )
    args = () if args is None else args
    return called_with(module, parameters_and_buffers, args, kwargs, tie_weights, strict)


def merge(dictionaries: Any) -> dict[str, Any]:
    """Merge dictionaries, in which no name may occur twice."""
    what = "parameter_and_buffer_dicts"
    if isinstance(dictionaries, dict):
        return dictionaries
    if not isinstance(dictionaries, Sequence):
        wanted = f"Expected {what} to be a dict, or a list/tuple of dicts"
        raise ValueError(f"{wanted}, but got {type(dictionaries)}")
    if not all(isinstance(each, dict) for each in dictionaries):
        raise ValueError(f"Expected all elements of {what} to be dictionaries")
    names = [name for each in dictionaries for name in each]
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        ambiguous = "behavior of functional call is ambiguous"
        raise ValueError(f"{repeated} appeared in multiple dictionaries; {ambiguous}")
    return {name: value for each in dictionaries for name, value in each.items()}


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
