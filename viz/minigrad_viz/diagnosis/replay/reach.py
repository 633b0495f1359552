"""Everything that a function can change when it runs, found without running it.

Every name that the function and the program's functions behind it use is followed to its value. A
value of an unknown kind makes the function one that must not run again.
"""

from __future__ import annotations

import builtins
import collections
import dis
import enum
import functools
import io
import random
import re
import sys
import types
import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...model.hooks import on_tensor
from ...model.names import is_tensor
from .allowed import (
    CONTAINERS,
    IMMUTABLE,
    WRITING,
    is_library,
    is_library_object,
    of_installed,
    root_of,
)

MOST_VALUES = 100_000
"""Values of programs with more are not followed."""

MOST_BYTES = 2**28
"""Tensors and arrays of more bytes are not copied."""

Cell = types.CellType


class RefusedError(Exception):
    """The function must not run again: `key` says why, `name` names the value."""

    def __init__(self, key: str, name: str) -> None:
        super().__init__(key, name)
        self.key = key
        self.name = name


def check_process() -> None:
    """Refuse where hooks or modes of the whole process would see the replay, or other processes."""
    for name in ("minigrad", "torch"):
        for place in ("nn.modules.module", "nn.global_hooks", "optim.optimizer"):
            found = vars(sys.modules.get(f"{name}.{place}", types)).items()
            hooks = [v for k, v in found if k.startswith(("_global", "EVERY"))]
            if any(isinstance(each, dict) and each for each in hooks):
                raise RefusedError("hook", f"{name}.{place}")
    if "torch" in sys.modules:
        from ..._pytorch import top_mode

        parallel: Any = sys.modules.get("torch.distributed")
        if parallel is not None and parallel.is_available() and parallel.is_initialized():
            raise RefusedError("other", "torch.distributed")
        if top_mode() is not None:
            raise RefusedError("other", type(top_mode()).__name__)


class Reach:
    """The values that a function can change, by their kind."""

    def __init__(self, function: Any, others: Iterable[tuple[str, Any]] = ()) -> None:
        """Follow a function, and other values that a replay changes."""
        check_process()
        self.tensors: list[Any] = []
        self.arrays: list[np.ndarray[Any, Any]] = []
        self.containers: list[Any] = []
        self.objects: list[Any] = []
        self.classes: list[type] = []
        self.generators: list[Any] = []
        self.cells: list[Cell] = []
        self.stored: list[tuple[dict[str, Any], str]] = []
        """Names that the functions assign to, with the namespace."""
        self._bytes = 0
        self._known: dict[int, Any] = {}
        self._attributes: set[str] = set()
        self._namespaces: list[tuple[str, Any]] = []
        self._looked_up: set[tuple[int, str]] = set()
        self._queue: list[tuple[str, Any]] = [*others, ("function", function)]
        self._follow()

    def _follow(self) -> None:
        while self._queue:
            while self._queue:
                name, value = self._queue.pop()
                self._visit(name, value)
            # Attributes of classes and of modules count if any of the functions names them.
            for name, owner in list(self._namespaces):
                self._visit_namespace(name, owner)

    def _add(self, name: str, value: Any) -> None:
        if type(value) not in IMMUTABLE:
            self._queue.append((name, value))

    # --- Values

    def _visit(self, name: str, value: Any) -> None:
        if type(value) in IMMUTABLE or id(value) in self._known:
            return
        self._known[id(value)] = value
        if len(self._known) > MOST_VALUES:
            raise RefusedError("large", name)
        if isinstance(value, types.ModuleType):
            self._visit_module(name, value)
        elif isinstance(value, type):
            self._visit_class(name, value)
        elif isinstance(value, types.FunctionType | types.MethodType | functools.partial):
            self._visit_function(name, value)
        elif is_tensor(value):
            self._visit_tensor(name, value)
        elif type(value) in CONTAINERS or (isinstance(value, dict) and is_library(type(value))):
            self._visit_container(name, value)
        else:
            self._visit_object(name, value)

    def _visit_object(self, name: str, value: Any) -> None:
        if isinstance(value, types.GeneratorType | types.CoroutineType):
            raise RefusedError("generator", name)
        if isinstance(value, io.IOBase):
            raise RefusedError("file", name)
        if isinstance(value, np.ndarray):
            self._visit_array(name, value)
        elif isinstance(value, weakref.ref):
            self._add(name, value())
        elif hasattr(type(value), "__next__"):
            raise RefusedError("iterator", name)
        elif is_generator(value):
            self.generators.append(value)
        elif isinstance(value, np.generic | enum.Enum | re.Pattern) or is_library(value):
            return
        elif (own := attributes_of(value)) is not None:
            self._visit_instance(name, value, own)
        else:
            raise RefusedError("other", name)

    def _visit_instance(self, name: str, value: Any, own: dict[str, Any]) -> None:
        if of_installed(type(value)) and not is_library_object(value):
            raise RefusedError("other", name)
        if own.get("num_workers"):  # a loader of several processes
            raise RefusedError("other", name)
        self.objects.append(value)
        self._add(name, type(value))
        for attribute, inner in own.items():
            self._add(f"{name}.{attribute}", inner)

    def _visit_tensor(self, name: str, tensor: Any) -> None:
        if type(tensor).__name__ not in ("Tensor", "Parameter", "Buffer"):
            raise RefusedError("other", name)
        if tensor.grad_fn is not None:
            raise RefusedError("graph", name)
        if root_of(type(tensor)) == "torch" and str(tensor.layout) != "torch.strided":
            raise RefusedError("other", name)
        if any(n > 1 and s == 0 for n, s in zip(tensor.shape, tensor.stride(), strict=True)):
            raise RefusedError("other", name)  # expanded: it cannot be written
        self._count(name, tensor.numel() * tensor.element_size())
        self.tensors.append(tensor)
        if tensor.is_leaf and tensor.grad is not None:
            self._add(f"{name}.grad", tensor.grad)
        if on_tensor(tensor):
            raise RefusedError("hook", name)
        own = attributes_of(tensor) or {}
        for attribute in [each for each in own if not each.startswith("_")]:
            self.stored.append((own, attribute))
            self._add(f"{name}.{attribute}", own[attribute])

    def _visit_array(self, name: str, array: np.ndarray[Any, Any]) -> None:
        if type(array) is not np.ndarray or array.dtype.hasobject:
            raise RefusedError("file" if isinstance(array, np.memmap) else "other", name)
        self._count(name, array.nbytes)
        self.arrays.append(array)

    def _count(self, name: str, size: int) -> None:
        self._bytes += size
        if self._bytes > MOST_BYTES:
            raise RefusedError("large", name)

    def _visit_container(self, name: str, value: Any) -> None:
        if len(value) > MOST_VALUES:
            raise RefusedError("large", name)
        self.containers.append(value)
        if isinstance(value, dict):
            if isinstance(value, collections.defaultdict):
                self._add(name, value.default_factory)
            for key, each in value.items():
                self._add(name, key)
                self._add(f"{name}[{key!r}]" if type(key) in (str, int) else name, each)
        else:
            for place, each in enumerate(value):
                self._add(f"{name}[{place}]", each)

    # --- Code

    def _visit_function(self, name: str, function: Any) -> None:
        if isinstance(function, functools.partial):
            for each in (function.func, *function.args, *function.keywords.values()):
                self._add(name, each)
            return
        if isinstance(function, types.MethodType):
            self._add(name, function.__self__)
            self._add(name, function.__func__)
            return
        own = attributes_of(function) or {}
        if "_torchdynamo_orig_callable" in own:
            raise RefusedError("other", name)
        cells = function.__closure__ or ()
        for variable, cell in zip(function.__code__.co_freevars, cells, strict=True):
            self._visit_cell(variable, cell)
        if is_library(function):
            return  # a decorator's function: its closure has the program's function
        if of_installed(function):
            raise RefusedError("other", name)
        self.objects.append(function)
        for each in (*own.values(), *(function.__defaults__ or ())):
            self._add(name, each)
        for each in (function.__kwdefaults__ or {}).values():
            self._add(name, each)
        self._visit_code(function.__code__, function.__globals__)

    def _visit_cell(self, name: str, cell: Cell) -> None:
        try:
            value = cell.cell_contents
        except ValueError:  # not assigned yet
            value = None
        self.cells.append(cell)
        self._add(name, value)

    def _visit_code(self, code: types.CodeType, namespace: dict[str, Any]) -> None:
        module: str | None = None
        for each in dis.get_instructions(code):
            operation, argument = each.opname, each.argval
            if operation in ("LOAD_GLOBAL", "LOAD_NAME"):
                value = namespace.get(argument)
                module = argument if isinstance(value, types.ModuleType) else None
                self._visit_global(argument, namespace)
            elif operation in ("STORE_GLOBAL", "DELETE_GLOBAL"):
                self.stored.append((namespace, argument))
            elif operation in ("STORE_ATTR", "DELETE_ATTR") and module is not None:
                raise RefusedError("elsewhere", f"{module}.{argument}")
            elif operation in ATTRIBUTES:
                self._use_attribute(argument)
            elif operation == "IMPORT_NAME":
                self._visit_import(argument)
            if operation not in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_ATTR"):
                module = None
        for inner in code.co_consts:
            if isinstance(inner, types.CodeType):
                self._visit_code(inner, namespace)

    def _use_attribute(self, name: str) -> None:
        if WRITING.fullmatch(name):
            raise RefusedError("elsewhere", name)
        self._attributes.add(name)

    def _visit_global(self, name: str, namespace: dict[str, Any]) -> None:
        if name in namespace:
            self._add(name, namespace[name])
        elif name in FORBIDDEN or not hasattr(builtins, name):
            raise RefusedError("elsewhere", name)

    def _visit_import(self, name: str) -> None:
        module = sys.modules.get(name)
        if module is None:
            raise RefusedError("elsewhere", name)
        self._add(name, module)

    # --- Classes and modules, of which only the named attributes count

    def _visit_module(self, name: str, module: types.ModuleType) -> None:
        if is_library(module):
            return
        if of_installed(module):
            raise RefusedError("other", name)
        self._namespaces.append((name, module))

    def _visit_class(self, name: str, cls: type) -> None:
        for each in cls.__mro__:
            if is_library(each):
                continue
            if of_installed(each):
                raise RefusedError("other", name)
            if each not in self.classes:
                self.classes.append(each)
                self._namespaces.append((each.__name__, each))

    def _visit_namespace(self, name: str, owner: Any) -> None:
        for attribute, value in list(vars(owner).items()):
            special = attribute.startswith("__") and isinstance(value, types.FunctionType)
            special = special or attribute in ("forward", "backward", "step", "setup_context")
            if attribute not in self._attributes and not (isinstance(owner, type) and special):
                continue
            if (id(owner), attribute) in self._looked_up:
                continue
            self._looked_up.add((id(owner), attribute))
            if isinstance(owner, types.ModuleType):
                self.stored.append((vars(owner), attribute))
            if isinstance(value, staticmethod | classmethod):
                value = value.__func__
            if isinstance(value, property):
                for each in (value.fget, value.fset, value.fdel):
                    self._add(f"{name}.{attribute}", each)
            elif not isinstance(value, types.MemberDescriptorType | types.GetSetDescriptorType):
                self._add(f"{name}.{attribute}", value)


ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "STORE_ATTR", "DELETE_ATTR",
              "IMPORT_FROM")  # fmt: skip

FORBIDDEN = frozenset(
    ("open", "input", "exec", "eval", "compile", "__import__", "setattr", "delattr", "vars",
     "globals", "locals", "breakpoint", "exit", "quit")
)  # fmt: skip
"""Built-in functions that read or write anything."""


def attributes_of(value: Any) -> dict[str, Any] | None:
    """Return the attributes of an object that has no others, such as slots."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None
    slots = any(
        each.__dict__.get("__slots__") for each in type(value).__mro__ if not is_library(each)
    )
    return own if type(own) is dict and not slots else None


def is_generator(value: Any) -> bool:
    """Return whether a value draws random numbers, and has a state that can be kept."""
    if isinstance(value, random.Random):
        return type(value) is random.Random
    if isinstance(value, np.random.Generator | np.random.RandomState):
        return True
    return type(value).__name__ == "Generator" and root_of(type(value)) in ("torch", "minigrad")
