"""Modules that hold other modules, or parameters."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn, SupportsIndex, TypeVar, cast, overload

from ..tensors.tensor import Tensor
from .module import Module, block, type_of
from .parameter import Parameter

L = TypeVar("L", bound="Numbered")


class Numbered(Module):
    """Modules under the names "0", "1", ..."""

    def _at(self, index: SupportsIndex) -> str:
        """Return the name of child `index`, which may be negative."""
        names, place = list(self._modules), operator.index(index)
        if not -len(names) <= place < len(names):
            raise IndexError(f"index {place} is out of range")
        return names[place]

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
        """Insert a module before the current `index`."""
        modules = self._modules
        if index < 0:
            raise KeyError("-1")
        for place in range(len(modules), index, -1):
            modules[str(place)] = modules[str(place - 1)]
        modules[str(index)] = module

    def extend(self: L, modules: Iterable[Module]) -> L:
        """Add several modules at the end."""
        if not isinstance(modules, Iterable):
            wanted = f"{type(self).__name__}.extend should be called with an iterable"
            raise TypeError(f"{wanted}, but got {type_of(modules)}")
        for module in list(modules):
            self.append(module)
        return self

    def pop(self, index: int) -> Module:
        """Remove a module and return it."""
        module = cast(Module, self[index])  # type: ignore[index]  # each subclass defines it
        del self[index]
        return module


class Sequential(Numbered):
    """Modules called in sequence, each on the result of the previous one.

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

    def insert(self, index: int, module: Module) -> Sequential:
        """Insert a module before the current `index`, which may be negative."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        super().insert(index + len(self) if index < 0 else index, module)
        return self

    def __add__(self, other: Sequential) -> Sequential:
        return Sequential(*self, *self._checked(other))

    def __iadd__(self, other: Sequential) -> Sequential:
        return self.extend(list(self._checked(other)))

    def __mul__(self, other: int) -> Sequential:
        if not isinstance(other, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(other)}")
        if other <= 0:
            raise ValueError(f"Non-positive multiplication factor {other} for {type(self)}")
        return Sequential(*list(self) * other)  # the same modules several times

    def __rmul__(self, other: int) -> Sequential:
        return self * other

    def __imul__(self, other: int) -> Sequential:
        return self.extend(list((self * other)[len(self) :]))

    def _checked(self, other: Any) -> Sequential:
        """Return the second operand of `+`."""
        if isinstance(other, Sequential):
            return other
        kind = f"of Sequential class, but {type(other)} is given."
        raise ValueError(f"add operator supports only objects {kind}")


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

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def __repr__(self) -> str:
        """Return the text, in which equal neighbours share a line."""
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


class ModuleDict(Module):
    """Modules by name.

    >>> import minigrad as mg
    >>> mg.nn.ModuleDict({"in": mg.nn.Linear(2, 3), "act": mg.nn.ReLU()})
    ModuleDict(
      (in): Linear(in_features=2, out_features=3, bias=True)
      (act): ReLU()
    )
    """

    def __init__(self, modules: Any = None) -> None:
        """`modules`: a dictionary, or pairs of a name and a module."""
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Module:
        return cast(Module, self._modules[key])

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Module:
        """Remove a module and return it."""
        return cast(Module, self._modules.pop(key))

    def keys(self) -> Iterable[str]:
        """Return the names."""
        return self._modules.keys()

    def items(self) -> Iterable[tuple[str, Module]]:
        """Return names and modules."""
        return cast(Iterable[tuple[str, Module]], self._modules.items())

    def values(self) -> Iterable[Module]:
        """Return the modules."""
        return cast(Iterable[Module], self._modules.values())

    def update(self, modules: Any) -> None:
        """Add modules, and replace those of the same names."""
        for key, module in pairs(modules, "ModuleDict", "ModuleDict"):
            self[key] = module


def pairs(given: Any, called: str, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the pairs of a dictionary, or of an iterable of pairs."""
    if not isinstance(given, Iterable):
        wanted = f"{called}.update should be called with an iterable of key/value pairs"
        raise TypeError(f"{wanted}, but got {type_of(given)}")
    if isinstance(given, (Mapping, ModuleDict, ParameterDict)):
        yield from given.items()
        return
    for place, pair in enumerate(given):
        which = f"{name} update sequence element #{place}"
        if not isinstance(pair, Iterable):
            raise TypeError(f"{which} should be Iterable; is{type_of(pair)}")
        pair = tuple(pair)
        if len(pair) != 2:
            raise ValueError(f"{which} has length {len(pair)}; 2 is required")
        yield pair


class ParameterDict(Module):
    """Parameters by name. A tensor becomes a parameter; any other value stays as it is.

    >>> import minigrad as mg
    >>> parameters = mg.nn.ParameterDict({"scale": mg.ones(2)})
    >>> parameters["scale"]
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    def __init__(self, parameters: Any = None) -> None:
        """`parameters`: a dictionary, or pairs of a name and a parameter."""
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        return getattr(self, attribute(key))

    def __setitem__(self, key: str, value: Any) -> None:
        name = attribute(key)
        self._keys[key] = None
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        if isinstance(value, Parameter):
            self.register_parameter(name, value)
        else:
            setattr(self, name, value)

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, attribute(key))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def __or__(self, other: ParameterDict) -> ParameterDict:
        both = self.copy()
        both.update(other)
        return both

    def __ior__(self, other: ParameterDict) -> ParameterDict:
        self.update(other)
        return self

    def __ror__(self, other: Any) -> Any:
        both = other.copy()
        both.update(self)
        return both

    def copy(self) -> ParameterDict:
        """Return another dictionary with the same parameters."""
        return ParameterDict(OrderedDict(self.items()))

    def clear(self) -> None:
        """Remove all parameters."""
        for key in list(self):
            del self[key]

    def pop(self, key: str) -> Any:
        """Remove a parameter and return it."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Remove the newest parameter, and return its name and itself."""
        key = list(self)[-1]
        return key, self.pop(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the parameter of that name, or `default`."""
        return self[key] if key in self else default

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Return the parameter of that name; if there is none, set it to `default`."""
        if key not in self:
            self[key] = default
        return self[key]

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """Return another dictionary, with `default` under each of the names."""
        return ParameterDict((key, default) for key in keys)

    def keys(self) -> Iterable[str]:
        """Return the names."""
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return names and parameters."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Iterable[Any]:
        """Return the parameters."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Add parameters, and replace those of the same names.

        Those of an ordinary dictionary are added in the order of their names.
        """
        given = pairs(parameters, "ParametersDict", "ParameterDict")
        plain = isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict)
        for key, value in sorted(given) if plain else given:
            self[key] = value

    def extra_repr(self) -> str:
        return "\n".join(f"  ({key}): {describe(value, True)}" for key, value in self.items())

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError("ParameterDict should not be called.")


def attribute(key: str) -> str:
    """Return the attribute name under which a dictionary stores a parameter."""
    if not isinstance(key, str):
        wanted = "cannot be used as a key as it is not a string"
        cure = "Open an issue on github if you need non-string keys."
        raise TypeError(
            f"Index given to ParameterDict {wanted} (type is '{type(key).__name__}'). {cure}"
        )
    return key


def describe(value: Any, by_type: bool) -> str:
    """Return a parameter in one line. PyTorch's two containers print its type differently."""
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    kind = value.type() if by_type else value.dtype
    size = "x".join(map(str, value.shape))
    name = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"{name} containing: [{kind} of size {size}]"


class ParameterList(Module):
    """Parameters in a list. A tensor becomes a parameter; any other value stays as it is."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        self.extend(values or ())

    def _at(self, index: SupportsIndex) -> str:
        place = operator.index(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"index {place} is out of range")
        return str(place % len(self))

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> ParameterList: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return ParameterList(list(self)[index])
        return getattr(self, self._at(index))

    def __setitem__(self, index: int, value: Any) -> None:
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        setattr(self, self._at(index), value)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def __iadd__(self, values: Iterable[Any]) -> ParameterList:
        return self.extend(values)

    def append(self, value: Any) -> ParameterList:
        """Add a parameter at the end."""
        self._size += 1
        self[-1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add several parameters at the end."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            wanted = "ParameterList.extend should be called with an iterable"
            raise TypeError(f"{wanted}, but got {type(values).__name__}")
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        each = enumerate(self)
        return "\n".join(f"  ({index}): {describe(value, False)}" for index, value in each)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError("ParameterList should not be called.")
