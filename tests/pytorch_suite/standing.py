"""Modules in which `torch` is minigrad: the tests see no other, and PyTorch stays as it is.

The code of a test file runs with an `__import__` of its own. `import torch...` gives a view of the
module of the same name in minigrad. `torch.testing` stays PyTorch's; what of it makes or compares
tensors is replaced by `helpers.py`.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import types
from pathlib import Path
from typing import Any

views: dict[str, View] = {}


class Loading:
    """Whether a test file is being imported: what it names then need not exist."""

    active = False


class Absent:
    """A name that minigrad lacks, while a test file is imported."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if not Loading.active:
            raise AttributeError(f"minigrad has no {self.__name__}")
        return Absent(f"{self.__name__}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not Loading.active:
            raise AttributeError(f"minigrad has no {self.__name__}")
        if len(args) == 1 and isinstance(args[0], types.FunctionType) and not kwargs:
            return args[0]  # as a decorator
        return Absent(f"{self.__name__}()")

    def __bool__(self) -> bool:
        return False

    def __iter__(self) -> Any:
        return iter(())

    def __mro_entries__(self, bases: Any) -> Any:
        return ()


class View(types.ModuleType):
    """A module of minigrad under its name in PyTorch."""

    def __init__(self, module: Any, name: str) -> None:
        super().__init__(name)
        self.__dict__["_module"] = module

    def __getattr__(self, name: str) -> Any:
        own = f"{self.__name__}.{name}"
        if own in EXTRA:
            return EXTRA[own]
        try:
            found = getattr(self._module, name)
        except AttributeError:
            found = imported(own)
            if found is None:
                if Loading.active and not (name.startswith("__") and name.endswith("__")):
                    return Absent(own)
                raise
        if isinstance(found, types.ModuleType) and found.__name__.startswith("minigrad"):
            return view(found.__name__.replace("minigrad", "torch", 1))
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._module, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._module, name)

    def __dir__(self) -> list[str]:
        return dir(self._module)


EXTRA: dict[str, Any] = {}
"""Names of `torch` that are given by helpers.py."""


def imported(name: str) -> Any:
    """Return the module of minigrad that stands for `name`; None if there is none."""
    try:
        return importlib.import_module(name.replace("torch", "minigrad", 1))
    except ImportError:
        return None


def view(name: str) -> View:
    """Return the view of the module that stands for `name`.

    Raises:
        ModuleNotFoundError: minigrad has none.
    """
    if name not in views:
        module = imported(name)
        if module is None:
            raise ModuleNotFoundError(f"minigrad has no module for {name!r}", name=name)
        views[name] = View(module, name)
    return views[name]


def import_here(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    """Import for test files, in place of `builtins.__import__`."""
    if level or name.partition(".")[0] != "torch":
        return import_there(name, globals, locals, fromlist, level)
    if name in EXTRA:
        return EXTRA[name] if fromlist else view("torch")
    if name.startswith("torch.testing"):
        if not fromlist:
            importlib.import_module(name)
        return Helpers(name) if fromlist else view("torch")
    try:
        module: Any = view(name)
    except ModuleNotFoundError:
        if not Loading.active:
            raise
        module = Absent(name)
    if not fromlist:
        return view("torch")
    return Names(module)


class OtherTests:
    """A file of tests, which runs on its own: none of its classes are tests here."""

    def __getattr__(self, name: str) -> Any:
        return type(name, (), {})


def import_there(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    """Import for test files that run on PyTorch. (There may be another package `autograd`.)"""
    if name.startswith(("autograd.", "optim.")) and fromlist and not level:
        return OtherTests()
    return builtins.__import__(name, globals, locals, fromlist, level)


class Names:
    """A module for `from ... import`: names that are missing may be imported, and not be used."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        try:
            return getattr(self._module, name)
        except AttributeError:
            if Loading.active or name.startswith("__"):
                raise
            raise ImportError(
                f"cannot import name {name!r} from {self._module.__name__!r}"
            ) from None


class Helpers:
    """A module of `torch.testing`, with the replacements of helpers.py."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        from . import helpers

        if hasattr(helpers, name):
            return getattr(helpers, name)
        if self._name.rpartition(".")[2] in helpers.REMADE:
            module = helpers.remade(self._name)
        else:
            try:
                module = importlib.import_module(self._name)
            except ImportError:
                return Absent(f"{self._name}.{name}")
        return getattr(module, name) if hasattr(module, name) else Absent(f"{self._name}.{name}")


def load(path: Path, name: str, minigrad_stands: bool) -> types.ModuleType:
    """Run a file as the module `name`, on minigrad or on PyTorch."""
    module = types.ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    imports = import_here if minigrad_stands else import_there
    module.__dict__["__builtins__"] = {**vars(builtins), "__import__": imports}
    code = compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True)
    Loading.active = minigrad_stands
    try:
        exec(code, module.__dict__)
    finally:
        Loading.active = False
    return module
