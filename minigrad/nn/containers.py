"""Modules that hold other modules."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar, cast, overload

from ..tensors.tensor import Tensor
from .module import Module, block, type_of

L = TypeVar("L", bound="Numbered")


class Numbered(Module):
    """Modules under the names "0", "1", ..."""

    def _at(self, index: int) -> str:
        """The name of child `index`, which may be negative."""
        names = list(self._modules)
        if not -len(names) <= index < len(names):
            raise IndexError(f"index {index} is out of range")
        return names[index]

    def _fill(self, modules: Iterable[Any]) -> None:
        self._modules.clear()
        for number, module in enumerate(modules):
            self.add_module(str(number), module)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return cast(Iterator[Module], iter(self._modules.values()))

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._at(index), module)

    def __delitem__(self, index: int | slice) -> None:
        names = list(self._modules)
        for name in names[index] if isinstance(index, slice) else [self._at(index)]:
            delattr(self, name)
        self._fill(list(self))

    def append(self: L, module: Module) -> L:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> Any:
        """Add a module before the one that now is `index`."""
        modules = list(self)
        modules.insert(index, module)
        self._fill(modules)
        return self

    def extend(self: L, modules: Iterable[Module]) -> L:
        """Add several modules at the end."""
        if not isinstance(modules, Iterable):
            wanted = f"{type(self).__name__}.extend should be called with an iterable"
            raise TypeError(f"{wanted}, but got {type_of(modules)}")
        for module in list(modules):
            self.append(module)
        return self

    def pop(self, index: int) -> Module:
        """Take a module out."""
        module = cast(Module, self._modules[self._at(index)])
        del self[index]
        return module


class Sequential(Numbered):
    """Modules called one after the other, each on the result of the one before.

    >>> import minigrad as mg
    >>> mg.nn.Sequential(mg.nn.Linear(2, 3), mg.nn.ReLU())
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    """

    def __init__(self, *args: Any) -> None:
        """`args`: modules, or one dictionary of names and modules."""
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            self._fill(args)

    def forward(self, input: Any) -> Tensor:
        for module in self:
            input = module(input)
        return cast(Tensor, input)

    @overload
    def __getitem__(self, index: int) -> Module: ...
    @overload
    def __getitem__(self, index: slice) -> Sequential: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._at(index)]

    def __add__(self, other: Sequential) -> Sequential:
        return Sequential(*self, *other)


class ModuleList(Numbered):
    """Modules in a list."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self._fill(modules or ())

    @overload
    def __getitem__(self, index: int) -> Module: ...
    @overload
    def __getitem__(self, index: slice) -> ModuleList: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return self._modules[self._at(index)]

    def insert(self, index: int, module: Module) -> None:
        """Add a module before the one that now is `index`."""
        super().insert(index, module)

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def __repr__(self) -> str:
        """Neighbours that look alike share a line."""
        runs: list[tuple[int, int, str]] = []  # first number, last number, text
        for number, module in enumerate(self):
            text = repr(module)
            if runs and runs[-1][2] == text:
                runs[-1] = (runs[-1][0], number, text)
            else:
                runs.append((number, number, text))
        lines = []
        for first, last, text in runs:
            alone = (f"({first})", text)
            several = (f"({first}-{last})", f"{last - first + 1} x {text}")
            lines.append(alone if first == last else several)
        return block(self._get_name(), "", lines)
