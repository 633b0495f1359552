"""Run a node's backward formula again, on other arrays. PyTorch has nothing like it.

An observer of a backward pass makes a `Replay` before a node runs, since the node then frees what
it has saved. Here the formula of exp runs in 64 bits:

>>> import minigrad as mg
>>> import numpy as np
>>> from minigrad.autograd.replay import Replay
>>> y = mg.tensor([0.5, 2.0], requires_grad=True).exp()
>>> formula = Replay(y.grad_fn).formula(lambda saved: saved.array.astype(np.float64))
>>> formula(np.ones(2)).dtype
dtype('float64')

The arrays may be of any type that NumPy's functions accept, such as one that notes every operation.
Two functions of the engine call no function of NumPy; they call a method of the array instead, if
its type has one: `erf()`, and `strided(shape, strides)` for memory read in other steps.

`import minigrad` does not load this module.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ..core.function import Function, FunctionCtx, formula_of
from ..core.modes import modes
from ..core.node import Node, TensorBase, new_tensor, unwrap
from ..core.saved import PackedTensor, SavingNode
from ..core.views import CopySlices, region
from ..tensors.tensor import Tensor

__all__ = ["Replay", "Saved", "UserFunction", "array_of"]

NOTHING: Mapping[int, Tensor] = MappingProxyType({})


class Saved(NamedTuple):
    """An array that a formula reads, its name there, and the saved tensor, if it is one."""

    name: str
    array: Any
    tensor: Tensor | None = None


class UserFunction(NamedTuple):
    """The `Function` of a node.

    It has the class, the name of its formula (`backward` or `vjp`), and which of the formula's
    results the node passes on.
    """

    function: type[Function]
    method: str
    places: tuple[int, ...]


Formula = Callable[..., Any]
"""Takes the gradients of a node's outputs; returns that of its input, or a tuple for several."""

Read = Callable[[Saved], Any]
"""Returns the array that a formula reads in place of a saved one."""


class Replay:
    """A node's formula, as it is before the node runs.

    node  the node
    copy  a copy of it that can still be called afterwards
    """

    def __init__(self, node: Node) -> None:
        self.node = node
        self.copy = copy.copy(node)

    def formula(self, read: Read, unpacked: Mapping[int, Tensor] = NOTHING) -> Formula | None:
        """Return the formula, which reads arrays of floats through `read`.

        Other saved values, such as masks, stay as they are. `unpacked` has the tensors that
        unpack hooks have returned, by the `id` of what was packed. Return None for a node that
        saves nothing in minigrad's way.

        Raises:
            LookupError: a saved tensor is packed, and is not in `unpacked`.
        """
        found = self._formula(read, unpacked)
        return found and outside_pass(found)

    def _formula(self, read: Read, unpacked: Mapping[int, Tensor]) -> Formula | None:
        state: Any = copy.copy(self.copy)
        inner = self.write
        if inner is not None:
            state.operation = copy.copy(state.operation)
            state.operation.backward = inner._formula(read, unpacked)
        elif getattr(state, "_sparse_gradient", None) is not None:
            return of_log_softmax(state, read)
        elif isinstance(state, SavingNode):
            replace_saved(self.node, state, read, unpacked)
        else:
            return None
        return state.backward  # type: ignore[no-any-return]

    @property
    def write(self) -> Replay | None:
        """For the node of a write through a view, return the operation that wrote."""
        operation = self.copy.operation if isinstance(self.copy, CopySlices) else None
        return None if operation is None else Replay(operation)

    def written_part(self, array: Any) -> Any:
        """For the node of a write through a view, return the view of `array` that was written."""
        assert isinstance(self.copy, CopySlices)
        return region(array, self.copy.steps)

    @property
    def user_function(self) -> UserFunction | None:
        """Return the user's `Function` of the node, if it has one."""
        if not isinstance(self.copy, FunctionCtx):
            return None
        function = self.copy._function
        return UserFunction(function, formula_of(function).__name__, self.copy._tensor_places)

    def zeros(self, place: int) -> Any:
        """Return the value for a missing gradient of output `place`: an array or None."""
        return unwrap(self.copy._shown(None, place)) if isinstance(self.copy, FunctionCtx) else None


def replace_saved(
    node: Node, state: SavingNode, read: Read, unpacked: Mapping[int, Tensor]
) -> None:
    """Let `state`, a copy of `node`, read its saved arrays of floats through `read`."""
    values = list(state._saved or ())
    for place, name in state._names_of_saved() if values else ():
        value = tensor = values[place]
        if isinstance(value, PackedTensor):
            tensor = unpacked.get(id(value))
            if tensor is None:
                raise LookupError("a hook has packed what it saved")
        elif hasattr(value, "tensor"):  # a saved output
            tensor = value.tensor(node)
        elif not isinstance(value, TensorBase):
            continue
        array = tensor._array
        if array.dtype.kind == "f":
            values[place] = new_tensor(read(Saved(name, array, tensor)))
            values[place]._counter = None  # in inference mode, too: it is never written to
    state._saved = state._saved and tuple(values)


def of_log_softmax(state: Any, read: Read) -> Formula:
    """Return the formula of log_softmax under its loss, which reads only nonzero gradients.

    See ops/neural/cross_entropy.py.
    """
    softmax, where = state._softmax, state._sparse_gradient[0]
    exponentials = read(Saved("exponentials", softmax.exponentials))
    totals = read(Saved("totals", softmax.totals))

    def formula(g: Any) -> Any:
        values = g[where]
        gradient = exponentials * ((0 - values[:, None]) / totals)
        gradient[where] = gradient[where] + values
        return gradient

    return formula


def outside_pass(formula: Formula) -> Formula:
    """Run `formula` outside of the current backward pass."""

    def function(*gradients: Any) -> Any:
        walk, modes.walk = modes.walk, None
        try:
            return formula(*gradients)
        finally:
            modes.walk = walk

    return function


def array_of(value: Any) -> Any:
    """Return the array of a tensor as the engine stores it; a NumPy scalar may be 0-d.

    An array or None is returned unchanged.

    >>> import minigrad as mg
    >>> array_of(mg.ones(2).sum())
    np.float32(2.0)
    """
    return unwrap(value)
