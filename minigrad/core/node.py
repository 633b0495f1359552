"""What a `grad_fn` is made of: nodes, edges and version counters.

An operation that has to be differentiated leaves a Node behind. The node knows which nodes produced
its inputs (`next_functions`: "next" in the direction of the backward pass), keeps what its formula
will need, and is what the result's `grad_fn` shows. A leaf has no such node; its gradient goes to
an AccumulateGrad, which adds it to `.grad`.

Nothing here computes a gradient. Read engine.py next for how nodes run, operation.py for how they
come to be.

Who keeps whom alive matters, because no graph may need the garbage collector: a tensor keeps its
node, a node keeps the nodes of its inputs and the inputs that it saved. A node never keeps its own
output (see saved.py), and a leaf refers to its AccumulateGrad weakly. So there is no cycle, and
a graph is freed the moment its last tensor goes.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from functools import cached_property
from itertools import count
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np

from ..arrays.dtypes import dtype, from_numpy_dtype
from ..arrays.memory_order import check_no_repeats
from ..arrays.words import INFERENCE_WRITTEN
from .code_lines import CodeLine, Place, line_at, users_place, users_stack
from .hooks import NO_HOOKS, Hooks, NodeHooks, RemovableHandle
from .modes import Modes, modes

Array = Any
"""A NumPy or CuPy array. A 0-d result may also be a NumPy scalar (np.float32 and its like), which
is five times cheaper to compute with; `TensorBase.shared_array` turns it into a 0-d array before
anyone could write through an alias of it."""

Edge = tuple["Node | None", int]
"""Where a gradient goes: a node, and which of its outputs the gradient is for. The node is None for
a constant."""

NO_EDGE: Edge = (None, 0)

LAST_SEQUENCE = 2**64 - 1
"""PyTorch's sequence number for AccumulateGrad: it runs as soon as it can."""

_next_sequence = count().__next__


Outputs = tuple[tuple[tuple[int, ...], np.dtype[Any]], ...]
"""Shape and type of each of a node's outputs, and so of the gradients that the node expects."""


class Metadata(NamedTuple):
    """What `Node._input_metadata` tells about one output."""

    shape: list[int]
    dtype: dtype


class Node:
    """One step of the backward pass. The class's name is the one that PyTorch prints.

    Rare things are class attributes with an empty default, so that the common node stays small.
    """

    next_functions: tuple[Edge, ...] = ()
    _outputs: Outputs = ()
    _sequence: int = 0
    _place: Place | None = None
    """Where in the user's program the node was made, if that is remembered."""
    _hooks: NodeHooks = NO_HOOKS
    _with_tensors: bool = False
    """Whether the formula is running on Tensors (create_graph) and not on arrays."""
    _stack: str = ""
    """Under anomaly mode: the traceback of the forward call that made the node."""
    _induced_by: Node | None = None
    """Under anomaly mode: the node whose backward made this one."""

    rule: ClassVar[str] = ""
    """The backward formula as LaTeX: \\bar x is the gradient of x."""
    takes_undefined: ClassVar[bool] = False
    """Whether the formula wants to be called when no gradient at all has arrived."""
    all_or_none: ClassVar[bool] = False
    """Whether hooks see the gradients of all inputs if that of one is needed."""
    numbers_are_operands: ClassVar[bool] = True
    """Whether a number in the formula is recorded as any operand is, and not as the constant that
    it would be in PyTorch's C++."""

    @cached_property  # not a property: a user's function may keep what it likes under that name
    def line(self) -> CodeLine | None:
        """The line of the user's program that made the node, if it is remembered."""
        return self._place and line_at(*self._place)

    def backward(self, *gradients: Any) -> Any:
        """The gradients for `next_functions`, one each, given those of the outputs."""
        raise NotImplementedError

    def _recorded(self, *gradients: Any) -> Any:
        """`backward` of Tensors. It leaves a graph behind: the one that PyTorch's does."""
        self._with_tensors, modes.in_formula = True, not self.numbers_are_operands
        try:
            return self.backward(*gradients)
        finally:
            self._with_tensors = modes.in_formula = False

    def __call__(self, *gradients: Any) -> Any:
        """Apply the backward formula to Tensors, outside of any backward pass."""
        if len(gradients) != len(self._outputs):
            raise TypeError(
                f"expected {len(self._outputs)} arguments, got {len(gradients)} instead"
            )
        for place, g in enumerate(gradients):
            if g is not None and not isinstance(g, TensorBase):
                raise TypeError(f"argument {place} is not a Variable")
        formula = self._recorded if modes.grad else self.backward
        given = gradients if modes.grad else tuple(map(raw, gradients))
        walk, modes.walk = modes.walk, None  # a hook may be asking, in the middle of one
        try:
            found = formula(*given) if any(g is not None for g in given) else None
        finally:
            modes.walk = walk
        listed = found if type(found) is tuple else (found,) * len(self.next_functions)
        outs = tuple(
            None if g is None or node is None else g if modes.grad else new_tensor(g)
            for g, (node, _) in zip(listed, self.next_functions, strict=False)
        )
        return outs[0] if len(outs) == 1 else outs

    def _release(self) -> None:
        """Let go of what was saved."""

    def _pass_nothing(self) -> None:
        """What a turn does to which no gradient came. Hooks are called all the same."""

    @classmethod
    def reading_order(cls) -> tuple[str, ...]:
        """The names of all that may be saved, as somebody reads them who compares with the rule."""
        return ()

    def _kept_values(self) -> list[tuple[str, Any, int, int]]:
        """For a recorder: name, array (or what a hook packed), version when saved, version now."""
        return []

    def name(self) -> str:
        """The name that PyTorch gives to this kind of node."""
        return type(self).__name__

    def _sequence_nr(self) -> int:
        return self._sequence

    @property
    def _input_metadata(self) -> list[Metadata]:
        return [Metadata(list(shape), from_numpy_dtype[kind]) for shape, kind in self._outputs]

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dictionary for whoever wants to note something about the node."""
        return cast("dict[Any, Any]", self.__dict__.setdefault("_metadata", {}))

    def register_hook(self, hook: Callable[[Any, Any], Any]) -> RemovableHandle:
        """Call `hook(grad_inputs, grad_outputs)` after the node; a result replaces grad_inputs."""
        return self._hooked().post.add(hook)

    def register_prehook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Call `hook(grad_outputs)` before the node runs; what it returns replaces grad_outputs."""
        return self._hooked().pre.add(hook)

    def _hook_output(self, index: int, hook: Callable[[Any], Any]) -> RemovableHandle:
        """A tensor hook: call `hook(gradient)` when the gradient of output `index` is complete."""
        return self._hooked().tensor.setdefault(index, Hooks()).add(hook)

    def _retain(self, index: int, tensor: TensorBase) -> None:
        """Store the gradient of output `index` in `tensor.grad`, as long as the tensor lives."""
        self._hooked().retained[index] = weakref.ref(tensor)

    def _hooked(self) -> NodeHooks:
        if self._hooks is NO_HOOKS:
            self._hooks = NodeHooks()
        return self._hooks

    def __lt__(self, other: Node) -> bool:
        # Only asked where two nodes of equal sequence number wait in the engine's heap: neither
        # comes first.
        return False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"


def new_node(kind: type[Any], next_functions: tuple[Edge, ...], outputs: Outputs) -> Any:
    """A node in its place in the graph, without anything saved yet."""
    node = object.__new__(kind)
    node.next_functions = next_functions
    node._outputs = outputs
    node._sequence = _next_sequence()
    if modes.lines:
        node._place = users_place()
        if modes.anomaly:
            node._stack = users_stack()
            node._induced_by = None if modes.walk is None else modes.walk.current
    return node


ADDING = threading.RLock()
"""Held while a leaf gets its gradient or its end: other threads may come to the same leaf."""


class AccumulateGrad(Node):
    """Where the walk ends: adds what arrives to the `.grad` of its leaf, `variable`."""

    _sequence = LAST_SEQUENCE
    rule = r"\bar x \leftarrow \bar x + g"

    def __init__(self, variable: TensorBase) -> None:
        self.variable = variable
        self._outputs = ((variable._array.shape, variable._array.dtype),)

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def backward(self, g: Any) -> Any:
        leaf = self.variable
        with ADDING:
            old: Any = leaf._grad
            edge = leaf._edge if leaf._view is None else leaf._view.edge()
            if edge is not None and edge[0] is not None:
                raise RuntimeError("leaf variable has been moved into the graph interior")
            if not leaf._requires_grad:
                pass  # any more: it wants no gradient
            elif self._with_tensors and old is None:
                leaf._grad = g.new_zeros(g.shape).copy_(g if modes.grad else g.detach())
            elif self._with_tensors:
                leaf._grad = old + g if modes.grad else old.add_(g)
            elif old is None:
                # An array that only the walk knows becomes the gradient; one that a formula handed
                # to several inputs, or that is part of someone else's memory, is copied.
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
                old._array += g  # in place, so that whoever holds x.grad sees the sum
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
        return sys.getrefcount(g)


def _count_references() -> int:
    # Called just as the engine calls: Python versions differ in what a call counts.
    gradients = [np.empty(1)]
    count: int = _Probe().backward(*gradients)
    return count


REFERENCES_OF_THE_WALK = _count_references()
"""How many references an array has, inside a node's backward, that nobody but the walk holds."""


class VersionCounter:
    """How often memory has been written in place; shared by all tensors that share the memory."""

    __slots__ = ("detached", "value")
    value: int

    def __init__(self) -> None:
        self.value = 0
        self.detached = False  # whether one of the tensors was a result, and was detached in place


class Uncounted(VersionCounter):
    """The counter that all inference tensors share: it counts nothing, and lets them be written in
    inference mode only."""

    @property
    def value(self) -> int:
        return 0

    @value.setter
    def value(self, _: int) -> None:
        if not modes.inference:
            raise RuntimeError(INFERENCE_WRITTEN)


UNCOUNTED = object.__new__(Uncounted)


class TensorBase:
    """The part of a tensor that the graph and the operations know. Tensor, storeys above, adds all
    that a user sees.

    The defaults are class attributes so that making a tensor costs no more than setting what
    differs from them.
    """

    _array: Array
    _edge: Edge | None = None
    """Where the gradient goes. None for leaves and views: ask `gradient_edge`."""
    _requires_grad: bool = False
    """Set on leaves only; a result requires grad if it has a node to send its gradient to."""
    _grad: Any = None
    """A tensor, once a gradient has arrived."""
    _counter: VersionCounter | None = None
    """None as long as the memory has never been written in place and is not shared: version 0."""
    _view: Any = None
    """A View (views.py), if the memory belongs to another tensor."""
    _tangent: Any = None
    """A tensor: how this one moves, inside of a dual level (see autograd/forward_ad.py)."""
    _relaid: list[Any] | tuple[()] = ()
    """How to get from the tensor's shape back to earlier ones, if `t_` and its like changed it."""
    _accumulator: weakref.ref[AccumulateGrad] | None = None
    _hooks: Hooks | None = None
    """Tensor hooks of a leaf; those of a result live with its node, where the gradient arrives."""
    _post_hooks: Hooks | None = None
    _changed_at: CodeLine | None = None
    """Where the last in-place write happened, if lines are tracked."""

    result_type: ClassVar[type[TensorBase]]
    """The class of a result: Tensor, which stands storeys above and says so when it is made."""

    def __init_subclass__(cls, result: bool = False) -> None:
        if result:
            TensorBase.result_type = cls

    def version_counter(self) -> VersionCounter:
        """The counter itself, for someone to share or to raise."""
        counter = self._counter
        if counter is None:
            counter = self._counter = VersionCounter()
        return counter

    def version(self) -> int:
        return 0 if self._counter is None else self._counter.value

    def shared_array(self) -> Array:
        """The array as memory that can have aliases: a NumPy scalar becomes a 0-d array first."""
        if isinstance(self._array, np.generic):
            self._array = np.asarray(self._array)
        return self._array

    def write(self, values: Array) -> None:
        """Put `values` (anything that broadcasts) into the tensor's memory."""
        if isinstance(self._array, np.generic):
            self._array = self._array.dtype.type(values)  # unshared, so nobody else can tell
        else:
            self._array[...] = values


def new_tensor(array: Array, edge: Edge | None = None) -> TensorBase:
    """A Tensor around `array`; its gradient goes to `edge`."""
    out = object.__new__(TensorBase.result_type)
    out._array = array
    if edge is not None:
        out._edge = edge
    elif Modes.inference_used and modes.inference:
        out._counter = UNCOUNTED
    return out


def raw(value: Any) -> Array:
    """The array of a tensor. An array, or None, is what it is."""
    return value._array if isinstance(value, TensorBase) else value


def gradient_edge(tensor: TensorBase) -> Edge:
    """Where the gradient of `tensor` goes."""
    if tensor._edge is not None:
        return tensor._edge
    if tensor._view is not None:
        edge: Edge | None = tensor._view.edge()
        # Even a view that no gradient goes through may be made a leaf of its own.
        if edge is not None and (edge[0] is not None or not tensor._requires_grad):
            return edge
    if not tensor._requires_grad:
        return NO_EDGE
    known = tensor._accumulator
    node = None if known is None else known()
    if node is None:
        with ADDING:  # it may have come from another thread meanwhile
            node = None if tensor._accumulator is None else tensor._accumulator()
            if node is None:
                node = AccumulateGrad(tensor)
                tensor._accumulator = weakref.ref(node)
            if tensor._hooks is not None:
                node._hooked().tensor[0] = tensor._hooks
    return (node, 0)


class GradientEdge(NamedTuple):
    """Where the gradient of a tensor goes; `grad` and `backward` take it in the tensor's place."""

    node: Node
    output_nr: int
    ownership_token: Node | None = None
