"""The parts of a `grad_fn`: nodes, edges and version counters.

An operation that has to be differentiated leaves a Node behind. The node refers to the nodes of its
inputs (`next_functions`: "next" in the direction of the backward pass). It keeps the values that
its formula needs, and is the result's `grad_fn`. A leaf has no such node; its gradient goes to an
AccumulateGrad, which adds it to `.grad`.

Nothing here computes a gradient. Read engine.py next for how nodes run, operation.py for how they
are made.

No graph may need the garbage collector, so references form no cycle. A tensor keeps its node; a
node keeps the nodes of its inputs and the inputs that it saved. A node never keeps its own output
(see saved.py), and a leaf refers to its AccumulateGrad weakly. So a graph is freed the moment its
last tensor goes.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from functools import lru_cache
from itertools import count
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..arrays.dtypes import dtype, from_numpy_dtype
from ..arrays.memory_order import check_no_repeats
from ..arrays.messages import INFERENCE_WRITTEN
from .code_lines import Call, CodeLine, Place, line_at, users_place, users_stack
from .edges import Edge, NodePlace, place_of
from .hooks import NO_HOOKS, Hooks, NodeHooks, RemovableHandle
from .modes import modes, rare

Array = Any
"""A NumPy or CuPy array.

A 0-d result may also be a NumPy scalar such as np.float32, with which computing is five times as
fast. `TensorBase.shared_array` turns it into a 0-d array before an alias could write to it.
"""

LAST_SEQUENCE = 2**64 - 1
"""PyTorch's sequence number for AccumulateGrad: it runs as soon as it is ready."""

_next_sequence = count().__next__


Outputs = tuple[tuple[tuple[int, ...], np.dtype[Any]], ...]
"""Shape and dtype of each of a node's outputs, and so of the gradients that the node expects."""


@lru_cache(4096)
def one_output(shape: tuple[int, ...], kind: np.dtype[Any]) -> Outputs:
    """Return the `_outputs` of a node with one output; equal ones are one object.

    Python's garbage collector visits every tuple of a graph, so these would double its work.
    """
    return ((shape, kind),)


class Metadata(NamedTuple):
    """An entry of `Node._input_metadata`: shape and dtype of one output."""

    shape: list[int]
    dtype: dtype


class Line:
    """`Node.line`: the line of the user's program that made the node, if it was recorded."""

    def __get__(self, node: Node | None, _: type[Node]) -> CodeLine | None:
        # Not a property: a user's function may assign to that name.
        return line_at(node._place) if node is not None and node._place else None


class Node:
    """One step of the backward pass. The class has the name that PyTorch prints.

    Rarely set attributes are class attributes with an empty default, so that a usual node stays
    small.
    """

    _edges: tuple[Edge, ...] = ()
    """An edge for each input."""
    _outputs: Outputs = ()
    _sequence: int = 0
    _place: Place | None = None
    """The place in the user's program that made the node, if it was recorded."""
    _call: Call | None = None
    """The innermost module that was running then."""
    _hooks: NodeHooks = NO_HOOKS
    _with_tensors: bool = False
    """Whether the formula runs on Tensors (create_graph) instead of arrays."""
    _metadata: dict[Any, Any] | None = None
    _stack: str = ""
    """In anomaly mode: the traceback of the forward call that made the node."""
    _induced_by: Node | None = None
    """In anomaly mode: the node whose backward made this one."""

    rule: ClassVar[str] = ""
    """The backward formula as LaTeX: \\bar x is the gradient of x."""
    takes_undefined: ClassVar[bool] = False
    """Whether the formula also runs when no gradient has arrived."""
    all_or_none: ClassVar[bool] = False
    """Whether hooks get the gradients of all inputs if that of one is needed."""
    numbers_are_operands: ClassVar[bool] = True
    """Whether a number in the formula is recorded like any operand.

    Otherwise it is recorded as a constant, as in PyTorch's C++.
    """

    line = Line()

    @property
    def next_functions(self) -> tuple[NodePlace, ...]:
        """For each input a node and the index of its output; (None, 0) for a constant."""
        return tuple(map(place_of, self._edges))

    def backward(self, *gradients: Any) -> Any:
        """Return the gradients for `next_functions`, one each, given those of the outputs."""
        raise NotImplementedError

    def _recorded(self, *gradients: Any) -> Any:
        """Run `backward` on Tensors, and leave the same graph behind as PyTorch."""
        self._with_tensors, modes.in_formula = True, not self.numbers_are_operands
        try:
            return self.backward(*gradients)
        finally:
            self._with_tensors = modes.in_formula = False

    def __call__(self, *gradients: Any) -> Any:
        """Apply the backward formula to Tensors, outside of any backward pass."""
        count = len(self._outputs)
        if len(gradients) != count:
            raise TypeError(f"expected {count} arguments, got {len(gradients)} instead")
        for place, g in enumerate(gradients):
            if g is not None and not isinstance(g, TensorBase):
                raise TypeError(f"argument {place} is not a Variable")
        formula = self._recorded if modes.grad else self.backward
        given = gradients if modes.grad else tuple(map(unwrap, gradients))
        walk, modes.walk = modes.walk, None  # a hook may call this inside a pass
        try:
            found = formula(*given) if any(g is not None for g in given) else None
        finally:
            modes.walk = walk
        listed = found if type(found) is tuple else (found,) * len(self._edges)
        outs = tuple(
            None if g is None or not edge else g if modes.grad else new_tensor(g)
            for g, edge in zip(listed, self._edges, strict=False)
        )
        return outs[0] if len(outs) == 1 else outs

    def _release(self) -> None:
        """Free the saved values."""

    def _pass_nothing(self) -> None:
        """Handle a node to which no gradient came. Hooks are called nevertheless."""

    @classmethod
    def reading_order(cls) -> tuple[str, ...]:
        """Names of saved values, in the order in which they appear in `rule`."""
        return ()

    def _kept_values(self) -> list[tuple[str, Any, int, int]]:
        """Return for each saved value its name, array or packed value, and both versions."""
        return []

    def name(self) -> str:
        """Return PyTorch's name of this kind of node."""
        return type(self).__name__

    def _sequence_nr(self) -> int:
        return self._sequence

    @property
    def _input_metadata(self) -> list[Metadata]:
        return [Metadata(list(shape), from_numpy_dtype[kind]) for shape, kind in self._outputs]

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dictionary for the user's notes about the node."""
        if self._metadata is None:
            self._metadata = {}
        return self._metadata

    def register_hook(self, hook: Callable[[Any, Any], Any]) -> RemovableHandle:
        """Call `hook(grad_inputs, grad_outputs)` after the node; a result replaces grad_inputs."""
        return self._own_hooks().post.add(hook)

    def register_prehook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Call `hook(grad_outputs)` before the node runs; a result replaces grad_outputs."""
        return self._own_hooks().pre.add(hook)

    def _hook_output(self, index: int, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Register a tensor hook, called as `hook(gradient)` for the gradient of output `index`."""
        return self._own_hooks().tensor.setdefault(index, Hooks()).add(hook)

    def _retain(self, index: int, tensor: TensorBase) -> None:
        """Store the gradient of output `index` in `tensor.grad`, as long as the tensor lives."""
        self._own_hooks().retained[index] = weakref.ref(tensor)

    def _own_hooks(self) -> NodeHooks:
        if self._hooks is NO_HOOKS:
            self._hooks = NodeHooks()
        return self._hooks

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"


def new_node(kind: Any, edges: tuple[Edge, ...], value: Any) -> Any:
    """Return a node for the output `value`, or several, in its place in the graph.

    It has saved nothing yet.
    """
    node = kind.__new__(kind)
    node._edges = edges
    if type(value) is tuple:
        node._outputs = tuple([(each.shape, each.dtype) for each in value])
    else:
        node._outputs = one_output(value.shape, value.dtype)
    node._sequence = _next_sequence()
    if rare.used and modes.lines:
        node._place = users_place()
        if modes.call is not None:
            node._call = modes.call
        if modes.anomaly:
            node._stack = users_stack()
            node._induced_by = None if modes.walk is None else modes.walk.current
    return node


ADDING = threading.RLock()
"""Held while a leaf's gradient or node changes: several threads may use the same leaf."""


class AccumulateGrad(Node):
    """The end of the walk: adds incoming gradients to the `.grad` of the leaf `variable`."""

    rule = r"\bar x \leftarrow \bar x + g"

    def __init__(self, variable: TensorBase) -> None:
        self.variable, self._sequence = variable, LAST_SEQUENCE
        self._outputs = one_output(variable._array.shape, variable._array.dtype)

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def __lt__(self, other: Node) -> bool:
        # The engine's heap compares two nodes of equal sequence number: neither comes first.
        return False

    def backward(self, g: Any) -> Any:
        leaf = self.variable
        with ADDING:
            old: Any = leaf._grad
            if leaf._edge if leaf._view is None else leaf._view.edge():
                raise RuntimeError("leaf variable has been moved into the graph interior")
            if not leaf._requires_grad:
                pass  # the leaf no longer requires grad
            elif self._with_tensors and old is None:
                leaf._grad = g.new_zeros(g.shape).copy_(g if modes.grad else g.detach())
            elif self._with_tensors:
                leaf._grad = old + g if modes.grad else old.add_(g)
            elif old is None:
                # An array that only the walk refers to becomes the gradient. Copy one that a
                # formula gave to several inputs, or that is part of other memory.
                own = g.base is None and sys.getrefcount(g) <= REFERENCES_OF_THE_WALK
                if not (isinstance(g, np.generic) or (own and g.strides == leaf._array.strides)):
                    # In the leaf's own memory layout, unless `.data` has another shape by now.
                    like = leaf.shared_array()
                    fresh = np.empty_like(like if like.shape == g.shape else g)
                    fresh[...] = g
                    g = fresh
                leaf._grad = new_tensor(g)
            else:
                check_no_repeats(old._array)
                old._array += g  # in place, so that other references to x.grad see the sum
                old.version_counter().value += 1
        if leaf._post_hooks:
            self._pass_nothing()
        return ()

    def _pass_nothing(self) -> None:
        leaf, log = self.variable, modes.recorder
        for hook in leaf._post_hooks.now() if leaf._post_hooks else ():
            result = hook(leaf) if log is None else log.hooked(self, "post_accumulate", hook, leaf)
            if isinstance(result, TensorBase):
                raise RuntimeError("Tensor post accumulate grad hooks should return None.")
            if result is not None:
                kind = type(result).__name__
                raise TypeError(f"expected Variable, but hook returned '{kind}'")


class _Probe(Node):
    def backward(self, g: Any) -> Any:
        count = sys.getrefcount(g)
        g = None  # compiled, a function keeps a parameter that it assigns, as AccumulateGrad's does
        return count


def count_references(probe: Node) -> int:
    """Return the reference count of a gradient inside `probe.backward` if only the walk holds it.

    Python versions count differently, and so do compiled functions.
    """
    gradients = [np.empty(1)]  # called exactly as the engine calls
    count: int = probe.backward(*gradients)
    return count


REFERENCES_OF_THE_WALK = count_references(_Probe())
"""The reference count, inside AccumulateGrad, of an array that only the walk holds."""


class VersionCounter:
    """The number of in-place writes to memory; all tensors that share the memory share it."""

    __slots__ = ("detached", "value")
    value: int

    def __init__(self) -> None:
        self.value = 0
        self.detached = False  # whether a tensor with this counter was a result, detached in place


class Uncounted(VersionCounter):
    """The counter that all inference tensors share.

    It stays at 0 and allows writes in inference mode only.
    """

    @property
    def value(self) -> int:
        return 0

    @value.setter
    def value(self, _: int) -> None:
        if not modes.inference:
            raise RuntimeError(INFERENCE_WRITTEN)


UNCOUNTED = object.__new__(Uncounted)


class TensorBase:
    """The part of a tensor that the graph and the operations use.

    Tensor, three packages above, adds everything that a user sees. Defaults are class attributes,
    so that making a tensor sets only what differs from them.
    """

    _array: Array
    _edge: Edge = None
    """The target of the gradient. None for leaves and views: call `gradient_edge`."""
    _requires_grad: bool = False
    """Set on leaves only; a result requires grad if it has a node."""
    _grad: Any = None
    """A tensor, once a gradient has arrived."""
    _counter: VersionCounter | None = None
    """None while the memory is unshared and was never written in place: version 0."""
    _view: Any = None
    """A View (views.py), if the memory belongs to another tensor."""
    _tangent: Any = None
    """The tangent, a tensor, inside of a dual level (see autograd/forward_ad.py)."""
    _relaid: list[Any] | tuple[()] = ()
    """Steps from the tensor's shape back to earlier ones, if `t_` or a similar method changed it.
    """
    _accumulator: weakref.ref[AccumulateGrad] | None = None
    _hooks: Hooks | None = None
    """Tensor hooks of a leaf; those of a result belong to its node, where the gradient arrives."""
    _post_hooks: Hooks | None = None
    _changed_at: CodeLine | None = None
    """The line of the last in-place write, if lines are tracked."""

    result_type: ClassVar[type[TensorBase]]
    """The class of results. The file of Tensor sets it."""

    def version_counter(self) -> VersionCounter:
        """Return the counter itself, to share or increment it."""
        counter = self._counter
        if counter is None:
            counter = self._counter = VersionCounter()
        return counter

    def version(self) -> int:
        return 0 if self._counter is None else self._counter.value

    def shared_array(self) -> Array:
        """Return the array as memory that can have aliases: a NumPy scalar becomes a 0-d array."""
        if isinstance(self._array, np.generic):
            self._array = np.asarray(self._array)
        return self._array

    def write(self, values: Array) -> None:
        """Copy `values` (anything that broadcasts) into the tensor's memory."""
        if isinstance(self._array, np.generic):
            # the scalar is unshared, so replacing it is unobservable
            self._array = self._array.dtype.type(values)
        else:
            self._array[...] = values


def new_tensor(array: Array, edge: Edge = None) -> TensorBase:
    """Return a Tensor around `array`; its gradient goes to `edge`."""
    out = TensorBase.__new__(TensorBase.result_type)
    out._array = array
    if edge is not None:
        out._edge = edge
    elif rare.used and modes.inference:
        out._counter = UNCOUNTED
    return out


def unwrap(value: Any) -> Array:
    """Return the array of a tensor, and any other value unchanged."""
    return value._array if isinstance(value, TensorBase) else value


def gradient_edge(tensor: TensorBase) -> Edge:
    """Return the edge to which the gradient of `tensor` goes; None for a constant."""
    if tensor._edge is not None:
        return tensor._edge
    if tensor._view is not None:
        edge: Edge = tensor._view.edge()
        # Even a view that passes no gradient on may become a leaf of its own.
        if edge is not None and (edge or not tensor._requires_grad):
            return edge
    if not tensor._requires_grad:
        return None
    known = tensor._accumulator
    node = None if known is None else known()
    if node is None:
        with ADDING:  # another thread may have made it meanwhile
            node = None if tensor._accumulator is None else tensor._accumulator()
            if node is None:
                node = AccumulateGrad(tensor)
                tensor._accumulator = weakref.ref(node)
            if tensor._hooks is not None:
                node._own_hooks().tensor[0] = tensor._hooks
    return node


class GradientEdge(NamedTuple):
    """The target of a tensor's gradient; `grad` and `backward` accept it in place of the tensor."""

    node: Node
    output_nr: int
    ownership_token: Node | None = None
