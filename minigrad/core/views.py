"""Views: how the history of shared memory changes when the memory is written.

`x[0]` shares the memory of `x`. Writing to one changes the other, so the graph has to change for
both. As in PyTorch, a view refers to its base. A write through the view adds a CopySlices node to
the history of the *base*: the written region comes from the in-place operation, all else is
unchanged. When its edge is next read, the view gets a new AsStridedBackward0 node, which reads its
region from the base's new history.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np

from ..arrays.memory_order import (
    check_no_repeats,
    element_offsets,
    memory_of,
    offset_of,
    read_strided,
    steps_of,
)
from ..arrays.messages import FORBIDDEN_WRITES, FREED
from .edges import Edge, place_of
from .modes import modes, rare
from .node import UNCOUNTED, Array, Node, TensorBase, gradient_edge, new_node, new_tensor, unwrap
from .operation import Operation, attach_all, constant_like, leading_nowhere, zeros_for

Step = tuple[Callable[..., Array], tuple[Any, ...]]
"""A function that makes a view of an array, with its arguments after the array."""


Way = tuple["Way | None", Step]
"""The path from a base to its view: the path of the view it was made of, and one more step.

(With a list in each view, a chain of n views would take n² steps.)
"""


NOWHERE: Edge = ()
"""The edge of a view made before its base required grad, or under no_grad.

Computing with the view is recorded, but no gradient passes it.
"""

WRITTEN = "is being modified inplace"
BASE_WRITTEN = "its base or another view of its base has been modified inplace"


class View:
    """The view relation of a tensor: its base, the path from it, and the edge of its gradient."""

    __slots__ = ("_edge", "_relaid", "_seen", "_way", "base", "origin")

    base: TensorBase
    origin: str
    """A key of FORBIDDEN_WRITES, or empty for an ordinary view."""

    def __init__(self, source: TensorBase, edge: Edge, step: Step | None, origin: str = "") -> None:
        outer = source._view
        inherited = "" if outer is None else outer.origin
        if not modes.grad:
            inference = modes.inference or inherited == "inference"
            origin = "inference" if inference else "no_grad"
        # A view of a view is a view of the same base.
        self.base = source if outer is None else outer.base
        self._relaid = len(source._relaid) if outer is None else outer._relaid
        before = None if outer is None else outer._way
        self._way = before if step is None else (before, step)
        self.origin = origin or inherited
        self._edge = edge
        counter = self.base._counter
        self._seen = 0 if counter is None else counter.value

    def edge(self) -> Edge:
        """Return the target of the view's gradient, updated if the memory was written since."""
        old, base = self._edge, self.base
        if old is None and not requires_grad(base):
            return None
        version = base.version()
        if version != self._seen:
            if self.origin:
                raise self.forbidden(BASE_WRITTEN)
            array, steps = base.shared_array(), self.steps()
            part = region(array, steps)
            if len(steps) > 1 and array.flags.c_contiguous and part.dtype == array.dtype:
                # From now on one step, so that the path is not walked twice.
                place = part.shape, steps_of(part), offset_of(part) - offset_of(array)
                self._way, self._relaid = (None, (place_strided, place)), len(base._relaid)
            self._edge, self._seen = reread(base, part), version
            move_retained(old, self._edge)
        return self._edge or NOWHERE

    def steps(self) -> list[Step]:
        """Return the steps from the base's array to the view's, the last step first.

        The first ones lead back to the shape that the base had.
        """
        steps, way = [], self._way
        while way is not None:
            way, step = way
            steps.append(step)
        return [*steps, *self.base._relaid[self._relaid :]]

    def reshaped(self, step: Step, node: Node | None) -> View:
        """Return the same view after its tensor changed shape; `node` may have recorded that."""
        view = copy(self)
        view._way = (self._way, step)
        if node is not None:
            view._edge, view._seen = node, self.base.version()
        return view

    def made_by(self, edge: Edge, several: bool) -> None:
        """Let the gradient go to the node of the user's function that returned the view."""
        if edge is not None:
            self._edge, self._seen = edge, self.base.version()
        self.origin = "several" if several else "function"

    def forbidden(self, what: str) -> RuntimeError:
        """Return the error for writing to this view's memory."""
        node, index = place_of(self._edge)
        name = "" if node is None else type(node).__name__.partition("Backward")[0]
        view = f"Output {index} of {name} is a view" if name else "A view"
        quiet = self.origin in ("no_grad", "inference")
        if quiet or not name:
            outer = f"{view} of a view which" if name else view
            mode = "inference" if self.origin == "inference" else "no_grad"
            message = f"{outer} was created in {mode} mode and {what}"
            message += "" if quiet else " with grad mode enabled."
        else:
            message = f"{view} and {what}."
        return RuntimeError(f"{message} {FORBIDDEN_WRITES[self.origin]}")


def region(array: Array, steps: list[Step]) -> Array:
    """Return the part of `array`, which has the base's shape, to which `steps` lead, last first."""
    for function, arguments in reversed(steps):
        array = function(array, *arguments)
    return array


def place_strided(
    array: Array, size: tuple[int, ...], stride: tuple[int, ...], offset: int
) -> Array:
    """Return the memory of `array` from element `offset` on; strides count elements."""
    return AsStridedBackward0.forward(array, size, stride, offset_of(array) + offset, ())


# --- Operations that make views


class ViewOperation(Operation):
    """An operation whose one result shares the memory of its one input."""

    @classmethod
    def on(cls, *args: Any) -> Any:
        view = isinstance(args[0], TensorBase)
        return apply_view(cls, *args) if view else cls.forward(*args)


def apply_view(op: type[Operation], source: Any, *params: Any) -> TensorBase:
    """Apply an operation whose one result shares the memory of its one input.

    This is written out because views are made all the time.
    """
    array = source._array
    value = op.forward(source.shared_array() if isinstance(array, np.generic) else array, *params)
    out = TensorBase.__new__(TensorBase.result_type)
    out._array = value
    edge: Any = None
    if modes.grad:
        before = source._edge or gradient_edge(source)
        if before is not None and value.dtype.kind == "f":
            kind = op if before else leading_nowhere(op)
            edge = new_node(kind, (before,), value)
            edge.args = params
    out._counter = source._counter or source.version_counter()
    out._view = View(source, edge, (op.forward, params))
    if rare.used and modes.watch is not None:
        modes.watch(edge or op, (source, *params), (out,))
    return out


def apply_views(op: type[Operation], source: Any, *params: Any) -> tuple[TensorBase, ...]:
    """`apply_view` for an operation with a tuple of results."""
    array = source._array
    values = op.forward(source.shared_array() if isinstance(array, np.generic) else array, *params)
    edges = (source._edge or gradient_edge(source),) if modes.grad else ()
    outs = attach_all(op, edges, (source, *params), values)
    counter = source._counter or source.version_counter()
    for index, out in enumerate(outs):
        out._counter = counter
        step = (pick, (op.forward, params, index))
        out._view, out._edge = View(source, out._edge, step, "several"), None
    return outs


def pick(array: Array, forward: Callable[..., Any], params: tuple[Any, ...], index: int) -> Array:
    """Return result `index` of a function that returns several views."""
    return forward(array, *params)[index]


class AsStridedBackward0(ViewOperation):
    """The tensor's memory, read in any shape and with any strides, which count elements.

    Elements may overlap and repeat, so the gradient is computed for each place in the memory.
    """

    rule = r"\bar a[p] = \sum_{\text{reads of } p} g"

    def forward(self: Any, /, size: Any, stride: Any, storage_offset: Any, _layout: Any) -> Any:
        if storage_offset is not None:
            self = memory_of(self)[storage_offset:]
        return read_strided(self, size, tuple([step * self.itemsize for step in stride]))

    def backward(ctx, g: Any) -> Any:
        size, stride, storage_offset, (own_stride, own_offset) = ctx.args
        if not math.prod(g.shape):
            return zeros_for(g, ctx.shape())
        start = own_offset if storage_offset is None else storage_offset
        first = min(start, own_offset)
        read = element_offsets(size, stride, start - first)
        own = element_offsets(ctx.shape(), own_stride, own_offset - first)
        extent = 1 + max(int(found.max(initial=0)) for found in (read, own))
        uses = np.bincount(own, minlength=extent)
        read, flat = constant_like(g, read), g.reshape(-1)
        if ctx._with_tensors:
            memory = g.new_zeros(extent).index_add(0, read, flat)
        else:
            memory = np.zeros_like(g, shape=extent)
            np.add.at(memory, read, flat)
        if uses.max(initial=0) > 1:  # elements that share a place share its gradient
            memory = memory / constant_like(g, np.maximum(uses, 1))
        where = ctx.shape(), own_stride, own_offset - first  # in the input's strides, as in PyTorch
        return memory.as_strided(*where) if ctx._with_tensors else type(ctx).on(memory, *where, ())


def reread(tensor: TensorBase, part: Array) -> Node:
    """Return a node for the history of `part` of the tensor's memory, as as_strided leaves it."""
    edge = gradient_edge(tensor)
    kind = AsStridedBackward0 if edge else leading_nowhere(AsStridedBackward0)
    node: AsStridedBackward0 = new_node(kind, (edge,), part)
    array = tensor.shared_array()
    layout = (steps_of(array), offset_of(array))
    node.args = (part.shape, steps_of(part), offset_of(part), layout)
    return node


# --- Writing through a view


class CopySlices(Node):
    """The history of a base after a write through a view.

    The region has the history of `operation`; all else is unchanged.
    """

    rule = r"\bar x = g \text{ outside the region}; \text{ inside, what the operation says}"
    operation: Node | None
    """None once it is freed."""
    steps: list[Step]
    strides: tuple[int, ...]
    """The base's strides, in elements."""

    def backward(self, g: Any) -> Any:
        if self.operation is None:
            raise RuntimeError(FREED)
        ends = [max(n - 1, 0) * step for n, step in zip(g.shape, self.strides, strict=True)]
        room = np.empty_like(unwrap(g), shape=(1 + sum(ends),))
        whole: Any = read_strided(room, g.shape, tuple([n * room.itemsize for n in self.strides]))
        part: Any = region(whole, self.steps)
        check_no_repeats(part)
        if self._with_tensors:  # the graph that PyTorch leaves
            whole = new_tensor(whole).copy_(g)  # type: ignore[attr-defined]
            part = whole.as_strided(part.shape, steps_of(part), offset_of(part))
            gradients = self.operation._recorded(part.clone())
        else:
            whole[...] = g
            gradients = self.operation.backward(part.copy())
        first, *others = gradients if isinstance(gradients, tuple) else (gradients,)
        part[...] = 0.0 if first is None else first
        return (whole, *others)

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def _release(self) -> None:
        self.operation = None

    def _kept_values(self) -> list[tuple[str, Array, int, int]]:
        return [] if self.operation is None else self.operation._kept_values()


def requires_grad(tensor: TensorBase) -> bool:
    """Return whether a gradient of `tensor` may be needed; a view also checks its base."""
    view = tensor._view
    if view is not None and (view._edge is not None or gradient_edge(view.base)):
        return tensor._counter is not UNCOUNTED
    return bool(gradient_edge(tensor))


def move_retained(old: Edge, new: Edge) -> None:
    """Move retain_grad to a tensor's new history; tensor hooks stay with the old one."""
    before, place = place_of(old)
    kept = before and before._hooks.retained.pop(place, None)
    tensor: Any = kept and kept()
    node, index = place_of(new)
    if tensor is not None and node is not None:
        node._retain(index, tensor)


def rebase_history(tensor: TensorBase, node: Node, edge: Edge = None) -> None:
    """Make `node`, which has written `tensor`, the tensor's history; `edge` leads to its output."""
    view = tensor._view
    if view is None:
        old = tensor._edge
        tensor._edge = edge or node
        tensor._requires_grad = False
        move_retained(old, tensor._edge)
        return
    base = view.base
    array = base._array
    edges = (gradient_edge(base), *node._edges[1:])
    slices: CopySlices = new_node(CopySlices, edges, array)
    slices.operation, slices.steps = node, view.steps()
    slices.strides = steps_of(array)
    rebase_history(base, slices)
