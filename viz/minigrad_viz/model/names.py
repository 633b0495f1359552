"""Names for the tensors of a graph.

A graph knows operations, not variables: only the program knows that a leaf is called `w`. So names
come from the reader: from a dict, from a module's parameters, or from the variables of the function
(or the notebook) that called for the picture. Tensors are found by identity and by the operation
that made them, because a saved intermediate result comes back as a new object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import FrameType
from typing import Any, TypeGuard, cast

from minigrad import Tensor
from minigrad.autograd.events import is_settled, message_of

from .frame_locals import scopes_of


def is_tensor(value: object) -> TypeGuard[Any]:
    """Whether `value` is a tensor of minigrad or of PyTorch.

    Only its class is read: a variable of the reader's may answer any attribute, or compute for a
    while.
    """
    return hasattr(type(value), "grad_fn") and hasattr(type(value), "requires_grad")


class Names:
    """The names of tensors, by identity and by the operation that made them.

    The first name of a tensor counts. Those in `held`, such as `params[0]`, are for leaves that the
    code calls by no name either (leaf_names.py).
    """

    def __init__(self, pairs: Iterable[tuple[str, Any]] = ()) -> None:
        self._by_tensor: dict[int, str] = {}
        self._by_output: dict[tuple[int, int], str] = {}
        self._results: dict[int, list[Any]] = {}
        self._modules: dict[int, str] = {}
        self.held: list[tuple[str, Any]] = []
        # Keeps objects alive, so that their identities stay theirs.
        self._alive: list[object] = []
        for name, value in pairs:
            self.add(name, value)

    def add(self, name: str, tensor: Any) -> None:
        """Name `tensor`, unless it has a name."""
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
        """Name a module, its parameters and its inner modules."""
        self._alive.append(module)
        for inner, tensor in module.named_parameters():
            self.add(f"{name}.{inner}" if name else inner, tensor)
        for inner, part in getattr(module, "named_modules", tuple)():
            self._modules.setdefault(id(part), ".".join(filter(None, (name, inner))))

    def of_module(self, module: Any) -> str | None:
        """Return the name of this module; empty for the one that was given as `names`."""
        return self._modules.get(id(module))

    def __iter__(self) -> Iterator[Any]:
        """Yield the named tensors."""
        return (thing for thing in self._alive if is_tensor(thing))

    def items(self) -> Iterator[tuple[Any, str]]:
        """Yield the named tensors with their names."""
        return ((tensor, self._by_tensor[id(tensor)]) for tensor in self)

    def results_of(self, node: Any) -> list[Any]:
        """Return the named results of the operation `node`."""
        return self._results.get(id(node), [])

    def of(self, tensor: Any) -> str | None:
        """Return the name of this tensor, or of the tensor of which it is an unpacked copy."""
        name = self._by_tensor.get(id(tensor))
        if name is not None:
            return name
        node, index = made_by(tensor)
        return None if node is None else self.of_output(node, index)

    def of_output(self, node: Any, index: int) -> str | None:
        """Return the name of output `index` of the operation `node`."""
        return self._by_output.get((id(node), index))


def given_names(names: object, frame: FrameType | None) -> Names:
    """Return the caller's names: `names` if given, else the variables visible in `frame`.

    `names` is a dict of name to tensor, or a module (anything with `named_parameters`). TypeError
    for anything else.
    """
    if type(names) is Names:  # isinstance would ask a strange object for its class
        return names
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
    words = f"{type(error).__name__}: {message_of(error)}".partition("\n")[0]
    return TypeError(f"names cannot be read from this {type(names).__name__}: {words}")


def _variables(frame: FrameType | None) -> Names:
    """Return the names of the tensors among a frame's variables, then of its modules' parameters.

    Modules in lists, tuples and dicts come last: `layers[1].weight`. Names with a leading
    underscore are left out: in a notebook they are IPython's (`_`, `_3`). So is a view of minigrad
    whose `grad_fn` would be made anew by reading it.
    """
    names = Names()
    if frame is None:
        return names
    modules: list[tuple[str, Any]] = []
    inside: list[tuple[str, Any]] = []
    for scope in scopes_of(frame):
        for name, value in list(scope.items()):
            if not isinstance(name, str) or name.startswith("_"):
                continue
            if is_tensor(value):
                if is_readable(value):
                    names.add(name, value)
            elif _is_module(value):
                modules.append((name, value))
            elif name != "Out":  # IPython's results
                inside += _held(name, value)
    names.held = [pair for pair in inside if is_tensor(pair[1])]
    for name, module in modules + [pair for pair in inside if not is_tensor(pair[1])]:
        # A variable that the reader did not name may raise anything.
        with suppress(Exception):
            names.add_module(name, module)
    return names


MOST_ITEMS = 1000
"""A longer list is data."""


def _held(name: str, value: object, depth: int = 2) -> Iterator[tuple[str, Any]]:
    """Yield the modules and the leaves that require grad in a list, tuple or dict, with names."""
    if type(value) not in (list, tuple, dict) or len(cast(Any, value)) > MOST_ITEMS:
        return
    items = value.items() if isinstance(value, dict) else enumerate(cast(Any, value))
    for key, each in list(items):
        if type(key) is not int and not (type(key) is str and key.isidentifier()):
            continue  # such as a key with a dot, which the names of modules have
        item = f"{name}[{key!r}]"
        if is_tensor(each):
            if is_readable(each) and each.requires_grad and made_by(each)[0] is None:
                yield item, each
        elif _is_module(each):
            yield item, each
        elif depth > 1:
            yield from _held(item, each, depth - 1)


def is_readable(tensor: Any) -> bool:
    """Return whether reading the tensor's `grad_fn` leaves minigrad's graph as it is."""
    return not isinstance(tensor, Tensor) or is_settled(tensor)


def _is_module(value: object) -> bool:
    kind = type(value)  # read only the class, as for a tensor
    return not issubclass(kind, type) and callable(getattr(kind, "named_parameters", None))


def made_by(tensor: Any) -> tuple[Any, int]:
    """Return the operation that made the tensor and the output's index; (None, 0) for a leaf."""
    try:
        node = tensor.grad_fn
        return (None, 0) if node is None else (node, int(tensor.output_nr))
    except Exception:  # PyTorch: a view whose history is unknown, or a class of its own
        return None, 0
