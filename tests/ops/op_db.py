"""Calls from PyTorch's own table of operations, `op_db`, which its wheel carries for its own tests,
with the same values for both libraries.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import minigrad
from tests.ops.refusals import Library
from tests.parity import type_name

Result = TypeVar("Result")
NUMPY_DIMENSIONS = 64  # as many as an array of NumPy's can have


class Unknown(Exception):
    """minigrad has no such value: a complex number, an element type."""


@dataclass(frozen=True)
class Sample:
    """One call of `op_db` with PyTorch's values; `name` is the operation's."""

    name: str
    args: tuple[Any, ...]
    named: dict[str, Any]
    seen: Callable[[Any], Any] = lambda result: result
    """The part of the result that is unique: the signs of singular vectors are not."""

    def __str__(self) -> str:
        named = (f"{key}={shown(value)}" for key, value in self.named.items())
        return f"{self.name}({', '.join([*map(shown, self.args), *named])})"

    def prepared(self, T: Library) -> tuple[Callable[..., Any], list[Any], dict[str, Any]]:
        """The function and its arguments in one of the libraries."""
        translate = Translation() if T is minigrad else (lambda value: value)
        args = [translate(value) for value in self.args]
        return at(T, self.name), args, {key: translate(item) for key, item in self.named.items()}

    def on(self, T: Library) -> Callable[[], Any]:
        """The call, ready to be made on one of the libraries."""
        function, args, named = self.prepared(T)
        return lambda: function(*args, **named)


def at(T: Library, name: str) -> Any:
    """The function `name`, or the method where there is no function. None if there is neither."""
    for home in (T, T.Tensor):
        try:
            found = operator.attrgetter(name)(home)
        except AttributeError:
            continue
        if callable(found):  # torch.bool is a type, and x.bool() an operation
            return found
    return None


class Translation:
    """From PyTorch's values to ours; one tensor given twice becomes one tensor given twice."""

    def __init__(self) -> None:
        self.made: dict[int, Any] = {}

    def __call__(self, value: Any) -> Any:
        import torch

        if isinstance(value, torch.Tensor):
            if id(value) not in self.made:
                self.made[id(value)] = self.tensor(value)
            return self.made[id(value)]
        if isinstance(value, torch.dtype):
            return dtype(value)
        if isinstance(value, (list, tuple)):
            return type(value)(self(item) for item in value)
        if isinstance(value, dict):
            return {key: self(item) for key, item in value.items()}
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        raise Unknown(f"value of type {type(value).__name__}")

    def tensor(self, value: Any) -> Any:
        """The same values with the same strides: some calls are refused for the memory alone."""
        if value.layout != value.new_empty(0).layout or value.device.type != "cpu":
            raise Unknown(f"tensor that is {value.layout} on {value.device}")
        if value.ndim > NUMPY_DIMENSIONS:
            raise Unknown(f"tensor of {value.ndim} dimensions")
        kind = dtype(value.dtype)
        memory = value.new_empty(0).set_(value.untyped_storage())
        made = minigrad.tensor(memory.numpy(), dtype=kind)
        made = made.as_strided(tuple(value.shape), value.stride(), value.storage_offset())
        return made.detach().requires_grad_(value.requires_grad)


def dtype(theirs: Any) -> Any:
    """Our element type of the same name."""
    try:
        return getattr(minigrad, type_name(theirs))
    except AttributeError:
        raise Unknown(f"element type {theirs}") from None


def shown(value: Any) -> str:
    """A value in a listing: of a tensor only type and shape."""
    if hasattr(value, "requires_grad"):
        return f"{type_name(value.dtype)}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(shown, value))}]"
    return repr(value)


def known_operations() -> Iterator[Any]:
    """The entries of the table that belong to a name that minigrad has.

    `__radd__` and its kind are no names that a program calls: an operator calls them, and `2 + 3`
    never comes to a tensor.
    """
    import torch
    from torch.testing._internal.common_methods_invocations import op_db

    # To import it forbids programs to set torch.backends' flags, for as long as Python runs.
    torch.backends.flags_frozen.__globals__["__allow_nonbracketed_mutation_flag"] = True
    torch.manual_seed(0)  # the table draws the values of its tensors
    for op in op_db:
        if not op.name.startswith("__") and at(minigrad, op.name) is not None:
            yield op


def why_not(sample: Sample) -> str:
    """Why a call is left out; "" if it is not."""
    parameters = inspect.signature(at(minigrad, sample.name)).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    for key in sample.named:
        if key == "out" or (key not in parameters and not takes_any):
            return f"minigrad has no argument {key!r}"
    try:
        inspect.signature(at(minigrad, sample.name)).bind(*sample.args, **sample.named)
    except TypeError:
        return "minigrad has fewer arguments"
    try:
        sample.on(minigrad)
    except Unknown as missing:
        return f"minigrad has no {missing}"
    return ""


def on_a_short_stack(function: Callable[[], Result]) -> Result:
    """Run what asks the table in a thread. For each sample and each seed, PyTorch writes down the
    stack, and below a test lie fifty calls of pytest: they would take two thirds of the time.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(function).result()
