"""The objects that names and calls in a text stand for.

No user code runs: attributes are looked up without running properties.
"""

from __future__ import annotations

import ast
import inspect
import sys
import sysconfig
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

from ..model.lines import LIBRARIES
from ..model.names import is_tensor
from ..model.program_text import Program
from .scope import Scope


class New:
    """A module that an expression makes, `Net()(x)`, and that no variable holds."""

    def __init__(self, kind: type) -> None:
        self.kind = kind


def function_called(tree: ast.Call, scope: Scope) -> tuple[FunctionType, Any] | None:
    """Return the function that a call enters and the object that it is bound to.

    Return None if the function is not written in Python.
    """
    value: Any = resolve(tree.func, scope)
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
        # Follow the user's wrappers; the library's wrappers only set a mode.
        value = inspect.unwrap(value, stop=lambda f: not is_library_code(f))
    return (value, bound) if isinstance(value, FunctionType) else None


def resolve(tree: ast.expr, scope: Scope) -> Any:
    """Return the object behind a name or its attributes, without running user code."""
    if isinstance(tree, ast.Name):
        if tree.id in scope.own and not scope.running:
            return None
        return scope.objects.get(tree.id)
    if isinstance(tree, ast.Attribute) and ast.unparse(tree.value) == "super()":
        return above(scope.objects.get("super()"), tree.attr)
    if isinstance(tree, ast.Attribute):
        return member(resolve(tree.value, scope), tree.attr)
    if isinstance(tree, ast.Subscript):
        key = getattr(tree.slice, "value", None)
        if not isinstance(tree.slice, ast.Constant):
            key = resolve(tree.slice, scope)
        return element(resolve(tree.value, scope), key)
    if isinstance(tree, ast.Call):
        kind = resolve(tree.func, scope)
        if isinstance(kind, type) and hasattr(kind, "named_parameters"):
            return New(kind) if not is_library(kind) else None
    return None


def element(held: Any, key: Any) -> Any:
    """Return an element of a dict, a list, or a sequence of modules.

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
    """Return whether `self.q` is an argument of the class's __init__ or a constant."""
    start = inspect.getattr_static(new.kind, "__init__", None)
    for statement in Program.of(start).statements if isinstance(start, FunctionType) else ():
        if not isinstance(statement.tree, ast.Assign):
            continue
        for target in statement.tree.targets:
            if isinstance(target, ast.Attribute) and target.attr == attribute:
                return isinstance(statement.tree.value, ast.Name | ast.Constant)
    return False


def is_namespace(tree: ast.Attribute, scope: Scope) -> bool:
    """Return whether this is a function such as `T.sin`, not a tensor's method."""
    return isinstance(resolve(tree.value, scope), ModuleType | type)


def above(found: Any, name: str) -> Any:
    """Return `super().name` for a class and an object of it or of a subclass."""
    if found is None:
        return None
    kind, thing = found
    line = (thing.kind if isinstance(thing, New) else type(thing)).__mro__
    for each in line[line.index(kind) + 1 :] if kind in line else ():
        if isinstance(method := vars(each).get(name), FunctionType):
            return MethodType(method, thing)
    return None


def member(value: Any, name: str) -> Any:
    """Return an attribute without running a property."""
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
    # Do not run descriptors such as properties and fields of named tuples.
    return None if hasattr(type(found), "__get__") and not callable(found) else found


def is_library(function: Any) -> bool:
    top = str(getattr(function, "__module__", "")).partition(".")[0]
    return top in (*LIBRARIES, "numpy") or (top in sys.stdlib_module_names and top != "__main__")


def attributes_of(value: Any) -> dict[str, Any]:
    """Return an object's own attributes; a strange one may raise if it is asked itself."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return found if type(found) is dict else {}


def layer_kind(module: Any) -> str:
    """Return the name of a library's class, such as "LSTM", or "" of the program's own."""
    kind = type(module)
    return kind.__name__ if is_library(kind) else ""


INSTALLED = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})


def is_installed(file: str) -> bool:
    """Return whether a file comes with Python or an installed package."""
    return any(Path(file).is_relative_to(folder) for folder in INSTALLED)


def is_library_code(function: Any) -> bool:
    """Return whether the function is written in the library.

    functools.wraps gives a wrapper the `__module__` of the wrapped function, so globals decide.
    """
    if not hasattr(function, "__globals__"):  # of lru_cache
        return True
    top = str(function.__globals__.get("__name__", "")).partition(".")[0]
    return top in LIBRARIES or (top in sys.stdlib_module_names and top != "__main__")


def is_module(value: object) -> bool:
    kind = type(value)  # the class only, since the object may raise
    return not issubclass(kind, type) and callable(getattr(kind, "named_parameters", None))
