"""The running build: pure Python, or with the core compiled from the same files.

    >>> import minigrad as mg
    >>> mg.__config__.show().splitlines()[0].startswith("minigrad is built with:")
    True

`make compiled` puts compiled modules into the folder `_compiled`, with a list of the sources from
which they were made. `choose` reads that list before any other module is imported. It takes the
compiled modules only if all of them fit this Python and no source has changed since; otherwise all
modules are pure Python. Without the folder this costs one look at the file system. In a process
with MINIGRAD_PURE=1 in its environment, the pure modules run.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from types import FunctionType, ModuleType
from typing import Any

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
COMPILED = os.path.join(HERE, "_compiled")
LIST = os.path.join(COMPILED, "sources.txt")
"""The suffix of the compiled modules and their compiler, then a line for each source with its hash.
"""

ADVICE = "The pure Python files are used. `make compiled` compiles again, `make pure` removes it."


class Finder:
    """Finds the compiled form of some modules. They keep the `.py` file as their `__file__`."""

    def __init__(self, compiler: str, modules: dict[str, str]) -> None:
        self.compiler = compiler
        self.modules = modules
        """The path of the extension by the name of the module."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        extension = self.modules.get(name)
        if extension is None:
            return None
        source = os.path.join(HERE, *name.split(".")[1:]) + ".py"
        spec = ModuleSpec(name, Loader(name, extension), origin=source)
        spec.has_location = True
        return spec


class Loader(ExtensionFileLoader):
    """Loads a compiled module as if it were its source."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return super().create_module(ModuleSpec(spec.name, self, origin=self.path))

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = module.__spec__.origin if module.__spec__ else None
        super().exec_module(module)
        for value in list(vars(module).values()):
            if isinstance(value, type) and value.__module__ == module.__name__:
                for attribute in vars(value).values():
                    tell_source(attribute, module)
            else:
                tell_source(value, module)


class Source:
    """Stand-in that lets `inspect` find the text of a compiled function."""

    def __init__(self, function: Any, module: ModuleType) -> None:
        self.function, self.module = function, module

    @property
    def __wrapped__(self) -> FunctionType:
        """A function that has source and signature; it is made when `inspect` asks for it."""
        known, module = self.function, self.module
        code = known.__code__.replace(co_filename=module.__file__, co_name=known.__name__)
        made = FunctionType(code, vars(module), known.__name__, known.__defaults__)
        made.__kwdefaults__ = known.__kwdefaults__
        made.__annotations__ = known.__annotations__
        made.__qualname__ = known.__qualname__
        return made


def tell_source(value: Any, module: ModuleType) -> None:
    """Let `inspect` find the source of a compiled function, method or property of `module`."""
    if isinstance(value, property):
        value = value.fget
    elif isinstance(value, (classmethod, staticmethod)):
        value = value.__func__
    if type(value).__name__ == "cython_function_or_method" and value.__module__ == module.__name__:
        value.__wrapped__ = Source(value, module)


def changed(sources: dict[str, str]) -> str | None:
    """Return the first of these files whose text has another hash, or None."""
    from importlib.util import source_hash

    for name, found in sources.items():
        try:
            with open(os.path.join(HERE, name), "rb") as file:
                text = file.read()
        except FileNotFoundError:
            return name
        if source_hash(text).hex() != found:
            return name
    return None


def choose() -> Finder | None:
    """Return the finder of the compiled modules, installed; None for the pure build."""
    if os.environ.get("MINIGRAD_PURE"):
        return None
    try:
        with open(LIST, encoding="utf-8") as file:
            (suffix, compiler), *rows = [line.rstrip("\n").split("\t") for line in file]
    except FileNotFoundError:
        return None
    sources = dict(rows)
    if suffix not in EXTENSION_SUFFIXES:
        warnings.warn(f"minigrad is compiled for another Python ({suffix}). {ADVICE}", stacklevel=2)
        return None
    name = changed(sources)
    if name is not None:
        text = f"minigrad/{name} has changed since minigrad was compiled."
        warnings.warn(f"{text} {ADVICE}", stacklevel=2)
        return None
    paths = {name.removesuffix(".py"): name for name in sources if name.endswith(".py")}
    package = __name__.rpartition(".")[0]
    modules = {
        f"{package}.{path.replace('/', '.')}": os.path.join(COMPILED, *path.split("/")) + suffix
        for path in paths
    }
    finder = Finder(compiler, modules)
    sys.meta_path.insert(0, finder)
    return finder


FINDER = choose()


def build() -> str:
    """Return which build runs, in a few words."""
    if FINDER is None:
        return "pure Python"
    return f"{len(FINDER.modules)} modules compiled by {FINDER.compiler}"


def parallel_info() -> str:
    """Return how many threads compute one product of matrices."""
    from .tensors.kernels import get_num_threads

    return f"minigrad is parallel in NumPy's library of products:\n  {get_num_threads()} threads\n"


def show() -> str:
    """Return a description of the running build, as `torch.__config__.show` does."""
    return f"minigrad is built with:\n  - {build()}\n  - NumPy {numpy.__version__}\n"
