"""Kinds of values that a function may use if it is to run again."""

from __future__ import annotations

import collections
import re
import sys
import types
from typing import Any

from ..objects import is_installed

LIBRARIES = frozenset(
    ("torch", "minigrad", "numpy", "math", "random", "functools", "itertools", "operator", "copy",
     "typing", "collections", "contextlib", "dataclasses", "abc", "numbers", "statistics", "time",
     "warnings", "string", "enum", "builtins", "cmath", "fractions", "types")
)  # fmt: skip
"""Packages whose functions change only what they are given, apart from those of `WRITING`."""

IMMUTABLE = frozenset(
    (type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented), slice,
     range, types.CodeType)
)  # fmt: skip

CONTAINERS = (
    list, dict, set, tuple, frozenset, collections.deque, collections.OrderedDict,
    collections.defaultdict, collections.Counter,
)  # fmt: skip

WRITING = re.compile(
    r"save\w*|dump|tofile|write\w*|open|unlink|mkdir|load|loadtxt|fromfile|memmap|share_memory_?|"
    r"set_(default|num|print|flush|detect|autocast|float32|deterministic|warn|sharing)\w*|"
    r"use_deterministic_algorithms|register_(hook|post_accumulate\w*|multi_grad_hook|module_\w*|"
    r"optimizer_step_\w*)|distributed|multiprocessing|add_safe_globals|jit|compile|"
    r"all_reduce|broadcast_object_list|barrier|synchronize|Thread|simplefilter|filterwarnings"
)
"""Names of attributes that write elsewhere, read files, or change settings of a process."""

OBJECTS = re.compile(
    r"(torch|minigrad)\.(nn|optim|utils\.data|distributions)\b(?!\.parallel)|minigrad\.data\b|"
    r"(torch|minigrad)\.amp\b|torch\.ao\.nn|(argparse|types)\b"
)
"""Modules of the libraries' classes whose objects hold their state in their attributes."""


def root_of(value: Any) -> str:
    """Return the package of a class, a function or an object."""
    name = value.__name__ if isinstance(value, types.ModuleType) else module_of(value)
    return name.partition(".")[0]


def module_of(value: Any) -> str:
    if isinstance(value, types.FunctionType):  # functools.wraps copies __module__
        return str(value.__globals__.get("__name__", ""))
    name = getattr(value, "__module__", None) if is_named(value) else type(value).__module__
    if name is None and isinstance(value, types.BuiltinFunctionType):
        return type(value.__self__).__module__ if value.__self__ is not None else "builtins"
    return str(name)


def is_named(value: Any) -> bool:
    """Return whether a value knows its own module, as classes and built-in functions do."""
    return isinstance(value, type | types.BuiltinFunctionType)


def is_library(value: Any) -> bool:
    """Return whether a module, class, function or value of a library holds no state."""
    if root_of(value) not in LIBRARIES:
        return False
    if isinstance(value, types.ModuleType | type | types.FunctionType):
        return True
    if isinstance(value, types.BuiltinFunctionType):
        return value.__self__ is None or isinstance(value.__self__, types.ModuleType | type)
    return (callable(value) and not is_library_object(value)) or type(value).__name__ in FLAGS


FLAGS = ("dtype", "device", "layout", "memory_format", "Size", "finfo", "iinfo", "DType")
"""Immutable values of the libraries."""


def is_library_object(value: Any) -> bool:
    """Return whether a library's object holds all of its state in its attributes."""
    return OBJECTS.match(type(value).__module__) is not None


def of_installed(value: Any) -> bool:
    """Return whether a module, class or function comes with Python or an installed package."""
    module = value if isinstance(value, types.ModuleType) else None
    name = module_of(value) if module is None else module.__name__
    if name.partition(".")[0] in ("minigrad_viz", "builtins"):
        return True
    if name == "__main__":
        return False
    file = getattr(module or sys.modules.get(name), "__file__", None)
    if isinstance(value, types.FunctionType):
        file = value.__code__.co_filename
    elif file is None:
        return module is not None  # a compiled module, such as `sys`
    return is_installed(file)
