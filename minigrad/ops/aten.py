"""Operations by PyTorch's names, such as `aten.mm.default`: `torch.ops.aten`.

A name stands for all overloads of an operation, since minigrad has one class for several of them.
A profiler prints these names, and a selective checkpoint (utils/selective.py) chooses by them.

>>> from minigrad.ops import aten
>>> aten.mm.default
<OpOverload(op='aten.mm', overload='default')>
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from ..core.function import FunctionCtx
from ..core.operation import Operation


class OpOverload:
    """An operation, with all of its overloads."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __str__(self) -> str:
        return f"{self._name}.default"

    def __repr__(self) -> str:
        return f"<OpOverload(op='{self._name}', overload='default')>"


class OpOverloadPacket:
    """The name of an operation, without the name of an overload."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, overload: str) -> OpOverload:
        if overload.startswith("_"):
            raise AttributeError(overload)
        return overload_of(self._name)

    def __str__(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='{self._name}')>"


@cache
def overload_of(name: str) -> OpOverload:
    """Return the one object for a name such as "aten.mm"."""
    return OpOverload(name)


@cache
def name_of(kind: Any) -> str:
    """Return PyTorch's name of an operation: "aten::mul" for MulBackward0."""
    if issubclass(kind, FunctionCtx):
        return str(kind._function.__name__)
    words = re.sub(r"Backward\w*$", "", kind.__name__)
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[0-9]D)", "_", words)
    return f"aten::{words.lower()}".replace("_2d", "2d").replace("_3d", "3d").replace("_1d", "1d")


def operations(kind: Any = Operation) -> Iterator[Any]:
    """Generate all operations that are defined by now."""
    for each in kind.__subclasses__():
        yield each
        yield from operations(each)


def __getattr__(name: str) -> Any:
    """Return the operation of this name, such as `mm`."""
    if name.startswith("__") or not any(name_of(op) == f"aten::{name}" for op in operations()):
        raise AttributeError(f"minigrad has no operation 'aten::{name}'")
    return OpOverloadPacket(f"aten.{name}")
