"""Kinds of arguments: their names in schemas, the values that they accept, and PyTorch's errors.

Values are judged by PyTorch's kinds, not by Python's types: a NumPy number and a 0-d tensor are
numbers, and a bool is not an int. dtypes and devices are recognized by the names of their classes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from ...arrays.messages import is_tensor, type_name
from ...arrays.storages import Storage
from .argument_tests import (
    Test,
    any_of,
    has_class_name,
    instance_of,
    is_float,
    is_int,
    is_number_type,
    is_scalar,
)


@dataclass(frozen=True)
class Kind:
    """A kind of argument: PyTorch's word for it, its Python type, and the test for it."""

    word: str
    type: str
    takes: Test

    def complaint(self, value: Any) -> str | None:
        """Return PyTorch's complaint about a value that is not accepted."""
        return None if self.takes(value) else f"must be {self.word}, not {type_name(value)}"

    def element_error(self, argument: str, place: int, value: Any) -> str | None:
        """Return PyTorch's complaint about a wrong element of an accepted list, or None."""
        return None


@dataclass(frozen=True)
class Many(Kind):
    """A list or tuple of a kind. PyTorch first checks its first element only."""

    element: Kind
    or_one: bool
    """Whether one int stands for a list with an element for each dimension."""

    def complaint(self, value: Any) -> str | None:
        if not isinstance(value, (list, tuple)):
            return super().complaint(value)
        if not value or self.element.word == "Tensor" or self.element.takes(value[0]):
            return None
        found = f"found element of type {type_name(value[0])} at pos 0"
        return f"must be {self.word}, but {found}"

    def element_error(self, argument: str, place: int, value: Any) -> str | None:
        if isinstance(value, (list, tuple)):
            tensors = self.element.word == "Tensor"
            for index, item in enumerate(value):
                if tensors and not is_tensor(item):
                    found = f"in argument {place}, but got {type_name(item)}"
                    return f"expected Tensor as element {index} {found}"
                error = ""
                if not tensors and not self.element.takes(item) and not isinstance(item, bool):
                    error = f'"type must be {self.word},but got {type_name(item)}"'
                elif isinstance(item, int) and not -(2**63) <= item < 2**63:
                    error = '"Overflow when unpacking long long\n"'
                if error:
                    unpacked = f"failed to unpack the object at pos {index + 1} with error {error}"
                    return f"argument '{argument}' {unpacked}"
        return None


KINDS = {
    "Tensor": Kind("Tensor", "Tensor", is_tensor),
    "Scalar|Tensor": Kind("Tensor", "Tensor | float", any_of(is_tensor, is_scalar)),
    "Scalar": Kind("Number", "float", is_scalar),
    "int": Kind("int", "int", is_int),
    "float": Kind("float", "float", is_float),
    "bool": Kind("bool", "bool", instance_of(bool)),
    "str": Kind("str", "str", instance_of(str)),
    "dtype": Kind("torch.dtype", "dtype", any_of(has_class_name("dtype"), is_number_type)),
    "device": Kind(
        "torch.device",
        "device | str | int",
        any_of(has_class_name("device"), instance_of(str), is_int),
    ),
    "layout": Kind("torch.layout", "object", has_class_name("layout")),
    "memory_format": Kind("torch.memory_format", "object", has_class_name("memory_format")),
    "Generator": Kind("torch.Generator", "Generator", has_class_name("Generator")),
    "Storage": Kind("torch.Storage", "Storage", instance_of(Storage)),
    "object": Kind("object", "object", instance_of(object)),
}


@cache
def read_kind(text: str) -> Kind:
    """Return the kind that a schema writes as `int[2]`.

    >>> read_kind("int[2]").complaint("a")
    'must be tuple of ints, not str'
    """
    match = re.fullmatch(r"([\w|]+)(\[\d*\])?", text)
    if match is None or match[1] not in KINDS:
        raise ValueError(f"no kind of argument is called {text!r}")
    kind = KINDS[match[1]]
    if match[2] is None:
        return kind
    or_one = kind.word == "int" and match[2] != "[]"
    type_ = f"Sequence[{kind.type}]"
    return Many(
        f"tuple of {'Scalar' if kind.word == 'Number' else kind.word}s",
        f"{kind.type} | {type_}" if or_one else type_,
        kind.takes if or_one else lambda value: False,
        kind,
        or_one,
    )
