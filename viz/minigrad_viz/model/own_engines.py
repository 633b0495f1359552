"""The reader's own engine, read like minigrad and PyTorch.

A reader who learns how an engine works writes one. Its results can be drawn and stepped through if
the engine has one of two forms:

    down every path     a result has `data`, `grad`, `backward()`, `inputs` (the results that it was
                        computed from; none for a leaf), and `walk(g)`, which calls `walk` of the
                        inputs. `name` is the name of its operation
    node by node        a result has `data`, `grad`, `backward()` and `grad_fn`, a node; a node has
                        `next_functions`, `receive(g)`, which sums the gradients in `incoming`, and
                        `backward(g)`, which returns a gradient for each edge. A leaf's node has the
                        leaf as its `variable`

These attributes are optional: `requires_grad`; `saved` (or `slopes`), the numbers saved for the
backward pass, or pairs of a result and its version, None when freed; `version`, a list of one
number; `keeps` or `node.result`, for a result that keeps its gradient.

Each result and each node gets one stand-in with PyTorch's attributes. passes/own_passes.py records
a backward pass of such an engine.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType
from typing import Any, TypeGuard

import numpy as np

import minigrad
from minigrad import Tensor

from .frame_locals import scopes_of
from .names import Names, is_tensor

DEVICE = minigrad.tensor(0.0).device


def is_own(value: object) -> TypeGuard[Any]:
    """Whether this is a result of the reader's own engine.

    Only the object's `__dict__` and its class are read: a variable may answer any attribute.
    """
    if is_tensor(value):
        return False
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return False
    if not isinstance(held, dict) or not {"data", "grad"} <= held.keys():
        return False
    kind = type(value)
    paths = "inputs" in held and callable(getattr(kind, "walk", None))
    return callable(getattr(kind, "backward", None)) and (paths or "grad_fn" in held)


def adopted(things: Sequence[Any]) -> list[Any]:
    """Return the things, with stand-ins in place of results of the reader's own engine."""
    known = [each.engine for each in things if type(each) is OwnTensor]
    engine = known[0] if known else OwnEngine()
    return [engine.tensor(each) if is_own(each) else each for each in things]


def own_names(engine: OwnEngine, names: object, frame: FrameType | None) -> Names:
    """Return the names of the results: as given, else those of the variables in `frame`."""
    if names is not None and not isinstance(names, Mapping):
        raise TypeError(f"names must be a dict such as {{'w': w}}, not a {type(names).__name__}")
    scopes: list[Mapping[Any, Any]] = [] if frame is None else [*scopes_of(frame)]
    if isinstance(names, Mapping):
        scopes = [names]
    pairs = [
        (str(name), engine.tensor(value))
        for scope in scopes
        for name, value in list(scope.items())
        if is_own(value) and not str(name).startswith("_")
    ]
    return Names(pairs)


class OwnEngine:
    """The stand-ins for the results and nodes of one graph."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, int], Any] = {}
        self.results: dict[int, OwnTensor] = {}
        """The known results by the `id` of their nodes, which have no reference to them."""

    def tensor(self, result: Any) -> OwnTensor:
        key = ("tensor", id(result))
        if key not in self.known:
            self.known[key] = OwnTensor(self, result)
            made_by = getattr(result, "grad_fn", None)
            if made_by is not None:
                self.results.setdefault(id(made_by), self.known[key])
        found: OwnTensor = self.known[key]
        return found

    def node(self, thing: Any) -> OwnNode:
        """Return the stand-in of a node, or of a result that walks down every path."""
        key = ("node", id(thing))
        if key not in self.known:
            self.known[key] = OwnNode(self, thing)
        found: OwnNode = self.known[key]
        return found

    def constant(self, number: Any) -> OwnTensor:
        """Return the stand-in of a saved number."""
        return self.tensor(Constant(number))


class Constant:
    """A number or an array that no operation made."""

    requires_grad = False
    grad_fn = None

    def __init__(self, data: Any) -> None:
        self.data, self.grad = data, None


class OwnTensor:
    """Stands for a result of the reader's own engine, with the attributes of a PyTorch tensor."""

    output_nr = 0
    device = DEVICE

    def __init__(self, engine: OwnEngine, of: Any) -> None:
        self.engine = engine
        self.of = of

    @property
    def grad_fn(self) -> OwnNode | None:
        if hasattr(self.of, "inputs"):
            return self.engine.node(self.of) if self.of.inputs else None
        return None if self.of.grad_fn is None else self.engine.node(self.of.grad_fn)

    @property
    def requires_grad(self) -> bool:
        return bool(getattr(self.of, "requires_grad", True))

    @property
    def is_leaf(self) -> bool:
        return self.grad_fn is None

    @property
    def retains_grad(self) -> bool:
        kept = getattr(getattr(self.of, "grad_fn", None), "result", None)
        return bool(getattr(self.of, "keeps", False)) or kept is self.of

    @property
    def grad(self) -> Tensor | None:
        return None if self.of.grad is None else minigrad.tensor(array_of(self.of.grad))

    @property
    def dtype(self) -> str:
        """Empty for a Python number."""
        return "" if isinstance(self.of.data, int | float) else str(array_of(self.of.data).dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(array_of(self.of.data).shape)

    @property
    def _version(self) -> int:
        return version_of(self.of)

    def detach(self) -> Tensor:
        """Return its numbers as a tensor of minigrad."""
        return minigrad.tensor(array_of(self.of.data))

    def numel(self) -> int:
        return array_of(self.of.data).size

    def is_floating_point(self) -> bool:
        return True


class OwnNode:
    """Stands for a node of the reader's own engine, with the attributes of a PyTorch node.

    In an engine that walks down every path, a result is its own node, and a leaf an AccumulateGrad.
    """

    def __init__(self, engine: OwnEngine, of: Any) -> None:
        self.engine = engine
        self.of = of
        self.paths = not hasattr(of, "next_functions")

    def name(self) -> str:
        if self.paths and not self.of.inputs:
            return "AccumulateGrad"
        name = getattr(self.of, "name", None)
        return name if isinstance(name, str) and name else type(self.of).__name__

    @property
    def next_functions(self) -> tuple[tuple[OwnNode | None, int], ...]:
        if self.paths:
            asked = [getattr(each, "requires_grad", True) for each in self.of.inputs]
            pairs = zip(self.of.inputs, asked, strict=True)
            return tuple((self.engine.node(each) if yes else None, 0) for each, yes in pairs)
        edges = self.of.next_functions
        return tuple((n if n is None else self.engine.node(n), int(index)) for n, index in edges)

    @property
    def variable(self) -> OwnTensor:
        return self.engine.tensor(self.of if self.paths else self.of.variable)

    @property
    def _input_metadata(self) -> tuple[OwnTensor, ...]:
        """The node's result, if it is known."""
        known = self.engine.tensor(self.of) if self.paths else self.engine.results.get(id(self.of))
        return () if known is None else (known,)

    def saved(self) -> Iterator[tuple[str, OwnTensor, int, int]]:
        """Yield saved values: name, value, the version when saved, and the version now."""
        for name in ("saved", "slopes"):
            kept = getattr(self.of, name, None)
            for place, item in enumerate(kept or ()):
                if isinstance(item, tuple) and len(item) == 2 and has_numbers(item[0]):
                    tensor, version = self.engine.tensor(item[0]), int(item[1])
                    yield f"{name}[{place}]", tensor, version, version_of(item[0])
                else:
                    yield f"{name}[{place}]", self.as_tensor(item), 0, 0

    def as_tensor(self, item: Any) -> OwnTensor:
        if has_numbers(item):
            return self.engine.tensor(item)
        key = ("constant", id(item))
        if key not in self.engine.known:  # once, so that it is the same at each reading
            self.engine.known[key] = self.engine.constant(item), item
        found: OwnTensor = self.engine.known[key][0]
        return found

    @property
    def freed(self) -> bool:
        return getattr(self.of, "saved", ()) is None


def own_rule(node: OwnNode) -> str:
    """Return the expression that a node's `backward` returns, as the reader wrote it.

    Empty if the operation has no class of its own, if its text cannot be read, or if there are
    several `return` statements.
    """
    kind = type(node.of)
    if kind.__name__ != node.name() or "backward" not in vars(kind):
        return ""
    try:
        text = textwrap.dedent(inspect.getsource(kind.backward))
        returns = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Return)]
    except (OSError, TypeError, SyntaxError):
        return ""
    if len(returns) != 1 or returns[0].value is None:
        return ""
    return ast.get_source_segment(text, returns[0].value) or ""


def saved_by_own(node: OwnNode) -> Iterator[tuple[str, Any]]:
    """Yield names and tensors as `autograd_nodes.saved_tensors` does."""
    if node.freed:
        yield "saved", "freed"
    for name, tensor, expected, version in node.saved():
        yield name, tensor if expected == version else "changed"


def has_numbers(value: Any) -> bool:
    """Whether this is a result, not a number or an array, which has a `data`, too."""
    return not isinstance(value, np.ndarray | np.generic) and hasattr(value, "data")


def version_of(result: Any) -> int:
    version = getattr(result, "version", 0)
    return int(version[0] if isinstance(version, list) else version)


def array_of(value: Any) -> np.ndarray[Any, Any]:
    """Return the numbers of a result, a gradient or a number as an array."""
    return array_of(value.data) if has_numbers(value) else np.asarray(value)
