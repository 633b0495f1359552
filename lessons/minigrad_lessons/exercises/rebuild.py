"""Rebuild a notebook's functions and classes in a namespace of their own.

A function that reads the notebook's `x` depends on whatever `x` happens to be, and is right or
wrong by accident. So an answer is rebuilt in a namespace with the notebook's modules, functions
and classes, without its computed values. Defaults and closures are copied: trying an answer must
not change a tensor's `.grad`.
"""

from __future__ import annotations

import builtins
import copy
import functools
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

import numpy as np

CODE = ModuleType | FunctionType | type | MethodDescriptorType | WrapperDescriptorType | np.ufunc
NOT_OF_THE_LEARNER = {"get_ipython", "exit", "quit", "In", "Out"}


class Rebuilt:
    """The code of a notebook in a namespace of its own, which is `names`.

    >>> notebook = {"__name__": "__main__"}
    >>> exec("x = 3\\ndef double(v): return 2 * v\\ndef f(): return double(x)", notebook)
    >>> rebuilt = Rebuilt(notebook)
    >>> rebuilt.names["double"](4)
    8
    >>> rebuilt.names["f"]()
    Traceback (most recent call last):
    NameError: name 'x' is not defined
    """

    def __init__(self, notebook: dict[str, Any]) -> None:
        self.notebook = notebook
        # C code that imports late, such as NumPy's printing, looks for __builtins__.
        self.names: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
        self._made: dict[int, Any] = {}
        self._originals: list[Any] = []  # while they are kept, no other object has their ids
        self._copies: dict[int, Any] = {}  # shared: a copied optimizer has copied parameters
        self._unfinished: dict[int, list[CellType]] = {}
        for name, value in list(notebook.items()):
            if name not in NOT_OF_THE_LEARNER and is_code(value):
                self.names[name] = self.again(value)

    def again(self, value: Any) -> Any:
        """Return a rebuilt function or class, or a copy of a value.

        A value that cannot be copied is returned as it is.
        """
        if id(value) in self._made:
            return self._made[id(value)]
        try:
            made = self._again(value)
        except Exception:
            made = value
        self._made[id(value)] = made
        self._originals.append(value)
        return made

    def _again(self, value: Any) -> Any:
        if isinstance(value, FunctionType):
            return self._function(value) if self._is_ours(value) else value
        if isinstance(value, type):
            return self._class(value) if self._of_notebook(value) else value
        if isinstance(value, MethodType):
            return MethodType(self.again(value.__func__), self.again(value.__self__))
        if isinstance(value, BuiltinFunctionType) and isinstance(value.__self__, type):
            return getattr(self.again(value.__self__), value.__name__)
        if isinstance(value, staticmethod | classmethod):
            return type(value)(self.again(value.__func__))
        if isinstance(value, property):
            return value.getter(self.again(value.fget)).setter(self.again(value.fset))
        if isinstance(value, functools.partial):
            given = {name: self.again(each) for name, each in value.keywords.items()}
            return functools.partial(self.again(value.func), *map(self.again, value.args), **given)
        if hasattr(value, "cache_parameters"):
            return functools.lru_cache(**value.cache_parameters())(self.again(value.__wrapped__))
        if type(value) in (list, tuple, set, frozenset):
            return type(value)(map(self.again, value))
        if type(value) is dict:
            return {key: self.again(each) for key, each in value.items()}
        if is_tensor(value) and not value.is_leaf:
            return value.detach().clone().requires_grad_(value.requires_grad)
        if self._of_notebook(type(value)):
            return self._instance(value)
        return value if is_code(value) else copy.deepcopy(value, self._copies)

    def _is_ours(self, function: FunctionType) -> bool:
        """Return whether a function was written in the notebook, or wraps one that was."""
        if self._from_notebook(function):
            return True
        inner = [cell.cell_contents for cell in function.__closure__ or () if not empty(cell)]
        return any(isinstance(each, FunctionType) and self._is_ours(each) for each in inner)

    def _from_notebook(self, function: FunctionType) -> bool:
        return bool(
            function.__globals__.get("__name__") == self.notebook.get("__name__", "__main__")
        )

    def _of_notebook(self, kind: type) -> bool:
        return bool(kind.__module__ == self.notebook.get("__name__", "__main__"))

    def _function(self, function: FunctionType) -> FunctionType:
        """Rebuild a function; its cells are filled afterwards, since they may refer to it."""
        cells = tuple(self._made.get(id(cell)) or CellType() for cell in function.__closure__ or ())
        made = FunctionType(
            function.__code__,
            self.names if self._from_notebook(function) else function.__globals__,
            function.__name__,
            None,
            cells,
        )
        self._made[id(function)] = made
        for old, new in zip(function.__closure__ or (), cells, strict=True):
            self._fill(old, new)
        made.__defaults__ = self.again(function.__defaults__)
        made.__kwdefaults__ = self.again(function.__kwdefaults__)
        made.__dict__.update(self.again(dict(function.__dict__)))
        made.__qualname__, made.__doc__ = function.__qualname__, function.__doc__
        made.__module__ = function.__module__
        return made

    def _fill(self, old: CellType, new: CellType) -> None:
        if id(old) in self._made or empty(old):
            return
        self._made[id(old)] = new
        self._originals.append(old)
        if id(old.cell_contents) in self._unfinished:
            self._unfinished[id(old.cell_contents)].append(new)
        else:
            new.cell_contents = self.again(old.cell_contents)

    def _class(self, kind: type) -> type:
        """Rebuild a class after its methods; `super()` finds the class in a cell."""
        if id(kind) in self._unfinished:
            return kind
        waiting = self._unfinished[id(kind)] = []
        made = kind
        try:
            made = self._class_with_methods(kind)
        finally:
            del self._unfinished[id(kind)]
            for cell in waiting:
                cell.cell_contents = made
        return made

    def _class_with_methods(self, kind: type) -> type:
        bases = tuple(self.again(base) for base in kind.__bases__)
        space = {
            name: self.again(value)
            for name, value in vars(kind).items()
            if name not in ("__dict__", "__weakref__")
            and not isinstance(value, MemberDescriptorType | GetSetDescriptorType)
        }
        made: type = type(kind)(kind.__name__, bases, space)
        return made

    def _instance(self, value: Any) -> Any:
        kind = self.again(type(value))
        made = self._made[id(value)] = object.__new__(kind)
        for name, each in getattr(value, "__dict__", {}).items():
            object.__setattr__(made, name, self.again(each))
        for base in type(value).__mro__:
            for name, slot in vars(base).items():
                if isinstance(slot, MemberDescriptorType) and hasattr(value, name):
                    object.__setattr__(made, name, self.again(getattr(value, name)))
        return made


def is_code(value: Any) -> bool:
    """Return whether a value is code: it holds nothing that the notebook has computed."""
    if isinstance(value, functools.partial):
        return is_code(value.func)
    if isinstance(value, MethodType | BuiltinFunctionType):
        return isinstance(value.__self__, ModuleType | type | None)
    return isinstance(value, CODE) or hasattr(value, "cache_parameters")


def is_tensor(value: Any) -> bool:
    """Return whether a value is a tensor of minigrad or of PyTorch."""
    return hasattr(type(value), "requires_grad_") and hasattr(type(value), "grad_fn")


def empty(cell: CellType) -> bool:
    """Return whether a closure cell is empty."""
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return True
    return False
