"""The objects that names and calls in a text stand for.

No code of anybody's runs: attributes are looked up without their properties.
"""

from __future__ import annotations

import ast
import inspect
import sys
from types import FunctionType, MethodType, ModuleType
from typing import Any

from ..model.lines import LIBRARIES
from ..model.names import is_tensor
from ..model.program import Program
from .scope import Scope


class New:
    """A module that an expression makes, `Net()(x)`, and that nobody has kept."""

    def __init__(self, kind: type) -> None:
        self.kind = kind


def function_called(tree: ast.Call, scope: Scope) -> tuple[FunctionType, Any] | None:
    """The function that a call enters, with the object that it is bound to; None if it is not
    one that is written in Python.
    """
    value: Any = resolved(tree.func, scope)
    bound: Any = None
    if isinstance(value, New):
        value, bound = inspect.getattr_static(value.kind, "forward", None), value
    if is_module(value):
        value, bound = inspect.getattr_static(type(value), "forward", None), value
    call = inspect.getattr_static(type(value), "__call__", None)
    if isinstance(call, FunctionType) and not is_library(call):
        value, bound = call, value
    if isinstance(value, MethodType):
        value, bound = value.__func__, value.__self__
    if callable(value) and not isinstance(value, type):
        # A wrapper of the reader's own is entered; one of the library's only has its mode.
        value = inspect.unwrap(value, stop=lambda f: not is_library_code(f))
    return (value, bound) if isinstance(value, FunctionType) else None


def resolved(tree: ast.expr, scope: Scope) -> Any:
    """The object behind a name, or behind the attributes of one. No code of anybody's runs."""
    if isinstance(tree, ast.Name):
        if tree.id in scope.own and not scope.running:
            return None
        return scope.objects.get(tree.id)
    if isinstance(tree, ast.Attribute) and ast.unparse(tree.value) == "super()":
        return above(scope.objects.get("super()"), tree.attr)
    if isinstance(tree, ast.Attribute):
        return member(resolved(tree.value, scope), tree.attr)
    if isinstance(tree, ast.Subscript):
        key = getattr(tree.slice, "value", None)
        if not isinstance(tree.slice, ast.Constant):
            key = resolved(tree.slice, scope)
        return element(resolved(tree.value, scope), key)
    if isinstance(tree, ast.Call):
        kind = resolved(tree.func, scope)
        if isinstance(kind, type) and hasattr(kind, "named_parameters"):
            return New(kind) if not is_library(kind) else None
    return None


def element(held: Any, key: Any) -> Any:
    """An element of a dict, a list, or a row of modules.

    >>> element([1, 2], -1), element({"a": 3}, "a"), element((1,), 1)
    (2, 3, None)
    """
    if type(held) is dict:
        return held.get(key) if type(key) in (str, int) else None
    if is_module(held) and type(key) is int:
        held = [child for _, child in held.named_children()]
    if type(held) in (list, tuple) and type(key) is int and -len(held) <= key < len(held):
        return held[key]
    return None


def is_plain_in(new: New, attribute: str) -> bool:
    """Is `self.q` what a class's __init__ was given, or a constant, and no layer?"""
    start = inspect.getattr_static(new.kind, "__init__", None)
    for statement in Program.of(start).statements if isinstance(start, FunctionType) else ():
        if not isinstance(statement.tree, ast.Assign):
            continue
        for target in statement.tree.targets:
            if isinstance(target, ast.Attribute) and target.attr == attribute:
                return isinstance(statement.tree.value, ast.Name | ast.Constant)
    return False


def is_namespace(tree: ast.Attribute, scope: Scope) -> bool:
    """Is this `T.sin`, and not the method of a tensor?"""
    return isinstance(resolved(tree.value, scope), ModuleType | type)


def above(found: Any, name: str) -> Any:
    """What `super().name` is, of a class and an object of it or of one that inherits from it."""
    if found is None:
        return None
    kind, thing = found
    line = (thing.kind if isinstance(thing, New) else type(thing)).__mro__
    for each in line[line.index(kind) + 1 :] if kind in line else ():
        if isinstance(method := vars(each).get(name), FunctionType):
            return MethodType(method, thing)
    return None


def member(value: Any, name: str) -> Any:
    """An attribute, without running a property."""
    if value is None:
        return None
    if isinstance(value, ModuleType):
        return getattr(value, name, None)
    if is_tensor(value):
        return value.grad if name == "grad" and value.is_leaf else None
    if is_module(value):
        for named in (
            value.named_children(),
            value.named_parameters(recurse=False),
            value.named_buffers(recurse=False),
        ):
            if (found := dict(named).get(name)) is not None:
                return found
    if isinstance(value, New):
        method = inspect.getattr_static(value.kind, name, None)
        return MethodType(method, value) if isinstance(method, FunctionType) else None
    found = inspect.getattr_static(value, name, None)
    if isinstance(found, staticmethod):
        return found.__func__
    if isinstance(found, classmethod):
        return MethodType(found.__func__, value if isinstance(value, type) else type(value))
    if isinstance(found, FunctionType) and not isinstance(value, type):
        return MethodType(found, value)
    # What computes its value when it is asked (a property, a field of a named tuple) is not run.
    return None if hasattr(type(found), "__get__") and not callable(found) else found


def is_library(function: Any) -> bool:
    top = str(getattr(function, "__module__", "")).partition(".")[0]
    return top in (*LIBRARIES, "numpy") or (top in sys.stdlib_module_names and top != "__main__")


def is_library_code(function: Any) -> bool:
    """Is it written in the library? functools.wraps gives a wrapper the module of what it wraps."""
    if not hasattr(function, "__globals__"):  # lru_cache's
        return True
    top = str(function.__globals__.get("__name__", "")).partition(".")[0]
    return top in LIBRARIES or (top in sys.stdlib_module_names and top != "__main__")


def is_module(value: object) -> bool:
    kind = type(value)  # the class alone: the object may answer with an error
    return not issubclass(kind, type) and callable(getattr(kind, "named_parameters", None))
