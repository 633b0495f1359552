"""The line that made a tensor, read off the program's text, for nodes that remember no line."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

from minigrad_viz.model.last_line import last_line


class Product:
    """A tensor whose node, like PyTorch's, has a name and no line."""

    grad_fn = SimpleNamespace(name=lambda: "torch::autograd::MulBackward0")

    def __mul__(self, other: Any) -> Product:
        return Product()


def line_above(tensor: Product, above: int) -> bool:
    """Return whether the tensor's line is this number of lines above the caller's."""
    caller = sys._getframe(1)
    found = last_line(tensor, caller)
    return found is not None and found.lineno == caller.f_lineno - above


def is_unknown(tensor: Product) -> bool:
    return last_line(tensor, sys._getframe(1)) is None


def test_line_of_single_assignment_is_found() -> None:
    x = Product()
    y = x * x
    assert line_above(y, 1)


def test_other_names_leave_the_line_certain() -> None:
    x = Product()
    y = x * x
    z = x * x
    print(x, z)
    assert line_above(y, 3)


def test_use_before_the_question_leaves_doubt() -> None:
    x = Product()
    y = x * x
    print(y)
    assert is_unknown(y)


def test_second_assignment_leaves_doubt() -> None:
    x = Product()
    y = x * x
    assert is_unknown(y)
    y = x * x


def test_operation_of_another_name_leaves_doubt() -> None:
    x = Product()
    y = (x * x, x)[0]
    assert is_unknown(y)
