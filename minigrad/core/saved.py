"""Saved tensors: what a node keeps from the forward pass for its formula.

An input is kept as it is. An output is not: keeping the tensor itself would close a cycle (tensor,
node, tensor). Saved-tensor hooks may also replace a tensor with something else. In each case
`tensor(node)` makes a tensor of it again, and `_counter` tells whether its memory was written
since.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..arrays.dtypes import get_default_dtype, tensor_type_name
from ..arrays.messages import FREED, INFERENCE_SAVED
from .edges import Edge, edge_to, place_of
from .modes import modes, no_grad
from .node import UNCOUNTED, AccumulateGrad, Node, TensorBase, gradient_edge, new_tensor

NUMBERS = frozenset((int, float, bool))
PLAIN = NUMBERS | {type(None)}
"""Types of saved values that are not tensors and stand for themselves."""


class SavingNode(Node):
    """A node that keeps tensors for its formula."""

    _saved: tuple[Any, ...] | None = ()
    """Tensors, Nones and numbers; None once they are freed."""
    _expected: tuple[int, ...] | None = None
    """The version of each value when it was saved. None: no memory had ever been written."""

    def _names_of_saved(self) -> Iterable[tuple[int, str]]:
        """Return position and name of each saved value."""
        raise NotImplementedError

    def _release(self) -> None:
        if self._saved:
            self._saved = None

    def _version(self, place: int) -> int:
        """Return the version that the saved value at `place` had."""
        return self._expected[place] if self._expected else 0

    def _unpacked(self, place: int) -> Any:
        """Return the saved value at `place` as a Tensor, or None.

        Raises:
            RuntimeError: it was freed, or modified in place since.
        """
        if self._saved is None:
            raise RuntimeError(FREED)
        value = self._saved[place]
        if type(value) in PLAIN:
            return None if value is None else as_tensor(value)
        self._check_version(place)
        return value if isinstance(value, TensorBase) else value.tensor(self)

    def _check_version(self, place: int) -> None:
        """Raise if the saved tensor at `place` was changed."""
        value = (self._saved or ())[place]
        if type(value) in PLAIN or value._counter is None:
            return
        if value._counter.value != self._version(place):
            tensor = value if isinstance(value, TensorBase) else value.tensor(self)
            raise modified(self, tensor, self._version(place), tensor.version())

    def _kept_values(self) -> list[tuple[str, Any, int, int]]:
        found: list[tuple[str, Any, int, int]] = []
        kept = self._saved or ()
        for place, name in self._names_of_saved() if kept else ():
            value = kept[place]
            if type(value) in NUMBERS:
                found.append((name, np.asarray(value), 0, 0))
            elif value is not None:
                version = 0 if value._counter is None else value._counter.value
                kept_as = value if type(value) is PackedTensor else value._array
                found.append((name, kept_as, self._version(place), version))
        return found


class SavedTensor:
    """An output that a node keeps for its own formula, as exp keeps its result.

    Keeping the output tensor itself would close a cycle (tensor, node, tensor), so only its memory
    and version counter are kept. `tensor` makes a tensor with the same history again. The history
    is the node, or, if a view was written, the node that reads the view from its base. Like a saved
    input, it has an `_array` and a `_counter`.
    """

    __slots__ = ("_array", "_counter", "index", "reader")

    def __init__(self, output: TensorBase, index: int, reader: Node | None = None) -> None:
        array = output._array
        self._array = output.shared_array() if isinstance(array, np.generic) else array
        self._counter = output._counter or output.version_counter()
        self.index = index
        self.reader = reader and weakref.ref(reader)

    def tensor(self, node: Node) -> Any:
        """Return the output again, as a Tensor with its history."""
        edge = edge_to((self.reader and self.reader()) or node, self.index)
        out = new_tensor(self._array, edge if self._array.dtype.kind == "f" else None)
        out._counter = self._counter
        return out


HookPair = tuple[Any, ...]
"""The functions that pack and unpack a saved tensor come first."""


class PackedTensor:
    """A saved tensor as a saved-tensor hook packed it; unpacked at each use."""

    __slots__ = ("edge", "hooks", "output", "packed")

    _counter = None  # the hook owns the packed value: its changes are not counted

    def __init__(
        self, hooks: HookPair, tensor: TensorBase, edge: Edge, output: int | None = None
    ) -> None:
        """`edge` is the history of a saved input; a saved output knows only its index, `output`."""
        self.hooks = hooks
        version = tensor.version()
        with no_grad():
            self.packed = hooks[0](tensor)
        if tensor.version() != version:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as "
                "input to pack hook cannot be modified by in-place operations as this can lead to "
                "unexpected side-effects. Please open an issue if you need to perform in-place "
                "operations on the input to a pack hook."
            )
        self.edge, self.output = edge, output

    def tensor(self, node: Node) -> Any:
        """Return the unpack hook's result, with the history of the tensor that was packed."""
        result = self.hooks[1](self.packed)
        if not isinstance(result, TensorBase):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                f"{type(result).__name__}"
            )
        if modes.recorder is not None:
            modes.recorder.unpacked(self, result)
        edge = self.edge if self.output is None else edge_to(node, self.output)
        if not isinstance(edge, AccumulateGrad):
            return new_tensor(result._array, edge) if edge or gradient_edge(result) else result
        out = new_tensor(result._array)  # a leaf again, which shares the gradient of the first
        out._requires_grad, out._accumulator = True, weakref.ref(edge)
        return out


class TensorGroup:
    """Several tensors that a node saves as one value."""

    _counter: Any = None  # each of the tensors has its own

    def packed(self) -> TensorGroup:
        """Return the group with each tensor packed by the saved-tensor hooks."""
        raise NotImplementedError


class RawSaved:
    """One of a node's saved values: `node._raw_saved_self` for `node._saved_self`."""

    def __init__(self, node: SavingNode, place: int) -> None:
        self._node, self._place = node, place

    @property
    def unpack_hook(self) -> Callable[[Any], Any] | None:
        """The unpack hook of a packed value. (Reading the value calls it.)"""
        value = self._node._saved and self._node._saved[self._place]
        return value.hooks[1] if isinstance(value, PackedTensor) else None

    def register_hooks(self, pack_hook: Callable[[Any], Any], unpack_hook: Any = None) -> None:
        """Replace the tensor with the result of `pack_hook`; `unpack_hook` restores it when needed.

        Raises:
            RuntimeError: nothing is saved (any more), or it has hooks already.
        """
        if not (callable(pack_hook) and callable(unpack_hook)):
            raise TypeError("register_hooks(): incompatible function arguments: two functions")
        node, place, start = self._node, self._place, "Calling register_hooks on a saved tensor"
        kept = node._saved
        if kept is None:
            raise RuntimeError(f"{start} after it has been freed.{FREED.partition('.')[2]}")
        value = kept[place]
        if value is None:
            raise RuntimeError(f"{start} with value None is forbidden")
        if isinstance(value, PackedTensor):
            raise RuntimeError(
                f"{start} whose hooks have already been set. Hint: only one pair of hooks is "
                "allowed at a time."
            )
        packed = pack_saved((pack_hook, unpack_hook), node._unpacked(place), value)
        node._saved = (*kept[:place], packed, *kept[place + 1 :])


def pack_saved(hooks: HookPair, tensor: TensorBase, value: Any) -> PackedTensor:
    """Return `tensor` packed; `value` is its form without hooks: itself, or a SavedTensor."""
    if tensor._counter is UNCOUNTED:
        raise RuntimeError(INFERENCE_SAVED)
    if isinstance(value, SavedTensor):
        return PackedTensor(hooks, tensor, None, value.index)
    return PackedTensor(hooks, tensor, gradient_edge(tensor) or None)


def saved_input(value: Any) -> Any:
    """Return an input in the form in which a node keeps it: unchanged, or packed by a hook."""
    hooks = modes.saved_hooks
    if hooks is not None and isinstance(value, TensorBase):
        return pack_saved(hooks, value, value)
    return value if hooks is None or not isinstance(value, TensorGroup) else value.packed()


def saved_output(tensor: TensorBase, index: int, reader: Node | None = None) -> Any:
    """Return an output in the form in which a node keeps it: its memory, or packed by a hook."""
    value, hooks = SavedTensor(tensor, index, reader), modes.saved_hooks
    return value if hooks is None else pack_saved(hooks, tensor, value)


def as_tensor(number: Any) -> TensorBase:
    """Return a Python number as a 0-d tensor."""
    array = np.asarray(number)
    return new_tensor(array.astype(get_default_dtype().numpy) if array.dtype.kind == "f" else array)


def modified(node: Node, tensor: TensorBase, expected: int, version: int) -> RuntimeError:
    """Return the error for a saved tensor that was written since; its notes name the place."""
    array = tensor._array
    maker, index = place_of(gradient_edge(tensor))
    of = ""
    if maker is not None and maker._sequence < 2**64 - 1:
        of = f", which is output {index} of {type(maker).__name__.partition('Backward')[0]},"
    error = RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [{tensor_type_name(array.dtype)} {list(array.shape)}]{of} is at version "
        f"{version}; expected version {expected} instead. Hint: "
        + (
            "the backtrace further above shows the operation that failed to compute its gradient. "
            "The variable in question was changed in there or anywhere later. Good luck!"
            if modes.anomaly
            else "enable anomaly detection to find the operation that failed to compute its "
            "gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
        )
    )
    saved_at = f" ({node.line})" if node.line else ""
    error.add_note(f"The tensor was saved by {node.name()}{saved_at}.")
    if tensor._changed_at is not None:
        error.add_note(f"It was last changed in place here: {tensor._changed_at}.")
    error.add_note("Clone the tensor before changing it, or change it after the backward pass.")
    return error
