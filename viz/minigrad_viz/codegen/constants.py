"""Values as the text of a program writes them: numbers, shapes, types and functions of NumPy's."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np


class NotWritten(Exception):
    """A formula cannot be written as code; the message says why."""


def text_of(code: ast.AST) -> str:
    """An expression or a statement as text."""
    if isinstance(code, ast.stmt):
        code.lineno = 1  # unparse reads it
    return ast.unparse(code)


def constant(value: Any, code: Callable[[Any], ast.expr]) -> ast.expr:
    """Return the code of a value that is no array; `code` writes its parts.

    Raises:
        NotWritten: no code makes such a value.
    """
    if value is None or value is Ellipsis or isinstance(value, bool | str):
        return ast.Constant(value)
    if isinstance(value, np.generic):
        return ast.Call(numpy_name(type(value)), [number(value)], [])
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, tuple):
        return ast.Tuple([code(each) for each in value])
    if isinstance(value, list):
        return ast.List([code(each) for each in value])
    if isinstance(value, slice):
        return ast.Call(
            ast.Name("slice"), list(map(code, (value.start, value.stop, value.step))), []
        )
    if isinstance(value, np.dtype):
        return numpy_name(value.type)
    return numpy_name(value)


def number(value: Any) -> ast.expr:
    """Return the code of a number, which may be negative, infinite or nan."""
    if isinstance(value, bool | np.bool_):
        return ast.Constant(bool(value))
    if value != value or value in (np.inf, -np.inf):
        code: ast.expr = ast.Attribute(ast.Name("np"), "nan" if value != value else "inf")
    else:
        # The shortest text of a float32 is not that of the same number as Python's float.
        code = ast.Constant(abs(value) if isinstance(value, int) else float(str(abs(value))))
        if isinstance(value, np.integer):
            code = ast.Constant(abs(int(value)))
    return ast.UnaryOp(ast.USub(), code) if np.signbit(value) else code


NAMESPACES = (("np", np), ("np.linalg", np.linalg), ("np.lib.stride_tricks", np.lib.stride_tricks))


def numpy_name(thing: Any) -> ast.expr:
    """Return the name of a function or a type of NumPy's."""
    if thing is bool or thing is float or thing is int:
        return ast.Name(thing.__name__)
    name = getattr(thing, "__name__", "")
    for path, module in NAMESPACES:
        if name and getattr(module, name, None) is thing:
            return ast.parse(f"{path}.{name}", mode="eval").body
    raise NotWritten(f"{name or type(thing).__name__} is none of NumPy's names")
