"""What to call the tensors of a graph.

A graph knows operations, not variables: that a leaf is called `w` is known only to the program that
made it. So names come from the reader: from a dict, from a module's parameters, or, if nothing is
said, from the variables of the function (or the notebook) that asked for the picture. Tensors are
found by identity, and by the operation that made them, because a saved intermediate result comes
back as a new object around the same data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import FrameType
from typing import Any, TypeGuard, cast

from minigrad import Tensor
from minigrad.autograd.events import is_settled, said_by

from .frame_locals import scopes_of


def is_tensor(value: object) -> TypeGuard[Any]:
    """Is `value` a tensor of minigrad or of PyTorch?

    The class is asked, never the object: a variable of the reader's may answer any attribute, or
    compute for a while.
    """
    return hasattr(type(value), "grad_fn") and hasattr(type(value), "requires_grad")


class Names:
    """The names of tensors, by identity and by the operation that made them. The first name given
    to a tensor wins.
    """

    def __init__(self, pairs: Iterable[tuple[str, Any]] = ()) -> None:
        self._by_tensor: dict[int, str] = {}
        self._by_output: dict[tuple[int, int], str] = {}
        self._results: dict[int, list[Any]] = {}
        self._modules: dict[int, str] = {}
        # Identities are compared below, and an object must be alive for its identity to mean
        # anything.
        self._alive: list[object] = []
        for name, value in pairs:
            self.add(name, value)

    def add(self, name: str, tensor: Any) -> None:
        """Call `tensor` by `name`, unless it has a name already."""
        self._alive.append(tensor)
        seen = id(tensor) in self._by_tensor
        self._by_tensor.setdefault(id(tensor), name)
        node, index = made_by(tensor)
        if node is not None:
            if not seen:
                self._results.setdefault(id(node), []).append(tensor)
            self._alive.append(node)
            self._by_output.setdefault((id(node), index), name)

    def add_module(self, name: str, module: Any) -> None:
        """Call a module by `name`, and its parameters and inner modules by what follows from it."""
        self._alive.append(module)
        for inner, tensor in module.named_parameters():
            self.add(f"{name}.{inner}" if name else inner, tensor)
        for inner, part in getattr(module, "named_modules", tuple)():
            self._modules.setdefault(id(part), ".".join(filter(None, (name, inner))))

    def of_module(self, module: Any) -> str | None:
        """The name of this module; empty for the one that the reader gave in place of names."""
        return self._modules.get(id(module))

    def __iter__(self) -> Iterator[Any]:
        """The tensors that have a name."""
        return (thing for thing in self._alive if is_tensor(thing))

    def items(self) -> Iterator[tuple[Any, str]]:
        """The tensors that have a name, with it."""
        return ((tensor, self._by_tensor[id(tensor)]) for tensor in self)

    def results_of(self, node: Any) -> list[Any]:
        """The tensors with a name that the operation `node` made."""
        return self._results.get(id(node), [])

    def of(self, tensor: Any) -> str | None:
        """The name of this tensor, or of the tensor that it is an unpacked copy of."""
        name = self._by_tensor.get(id(tensor))
        if name is not None:
            return name
        node, index = made_by(tensor)
        return None if node is None else self.of_output(node, index)

    def of_output(self, node: Any, index: int) -> str | None:
        """The name of the tensor that is output `index` of the operation `node`."""
        return self._by_output.get((id(node), index))


def given_names(names: object, frame: FrameType | None) -> Names:
    """The names that a caller means: `names` if given, else the variables visible in `frame`.

    `names` is a dict of name to tensor, or a module (anything with `named_parameters`). TypeError
    for anything else.
    """
    if names is None:
        return _variables(frame)
    if issubclass(type(names), Mapping):
        try:
            pairs = [(str(name), value) for name, value in cast(Mapping[Any, Any], names).items()]
        except Exception as error:
            raise _unreadable(names, error) from None
        for name, value in pairs:
            if not is_tensor(value):
                raise TypeError(
                    "names must map names to tensors, "
                    f"but names[{name!r}] is a {type(value).__name__}"
                )
        return Names(pairs)
    if _is_module(names):
        found = Names()
        try:
            found.add_module("", names)
        except Exception as error:
            raise _unreadable(names, error) from None
        return found
    raise TypeError(
        "names must be a dict such as {'w': w}, or a module with named_parameters(), "
        f"not a {type(names).__name__}"
    )


def _unreadable(names: object, error: Exception) -> TypeError:
    words = f"{type(error).__name__}: {said_by(error)}".partition("\n")[0]
    return TypeError(f"names cannot be read from this {type(names).__name__}: {words}")


def _variables(frame: FrameType | None) -> Names:
    """The tensors among a frame's local and global variables, then the modules among them.

    Names with a leading underscore are left out: in a notebook they are IPython's (`_`, `_3`). So
    is a view of minigrad that would get another `grad_fn` by being asked for it.
    """
    names = Names()
    if frame is None:
        return names
    scopes = scopes_of(frame)
    modules = []
    for scope in scopes:
        for name, value in list(scope.items()):
            if not isinstance(name, str) or name.startswith("_"):
                continue
            if is_tensor(value):
                if not isinstance(value, Tensor) or is_settled(value):
                    names.add(name, value)
            elif _is_module(value):
                modules.append((name, value))
    for name, module in modules:
        # Nobody has asked about it, and it may raise anything.
        with suppress(Exception):
            names.add_module(name, module)
    return names


def _is_module(value: object) -> bool:
    kind = type(value)  # the class alone, as of a tensor
    return not issubclass(kind, type) and callable(getattr(kind, "named_parameters", None))


def made_by(tensor: Any) -> tuple[Any, int]:
    """The operation that made the tensor and which of its outputs it is; (None, 0) for a leaf."""
    try:
        node = tensor.grad_fn
        return (None, 0) if node is None else (node, int(tensor.output_nr))
    except Exception:  # PyTorch: a view whose history can no longer be told; or a class of its own
        return None, 0
