"""Forward mode: each value has a tangent, which says how fast the value moves.

Backward mode finds how one result depends on everything; forward mode finds how everything depends
on one direction. Inside of a `dual_level` a tensor may have a tangent (`make_dual`), and every
operation computes the tangent of its result. No graph is walked: the derivative is known together
with the result.

No operation has a second formula for this. A backward formula is linear in the gradient g: it
multiplies g by the transposed Jacobian. Its derivative with respect to g, transposed again, is the
Jacobian, by which the tangent is multiplied. `transpose_formula` does that with `grad` itself. Two
kinds of operations are simpler. The Jacobian of an elementwise operation is diagonal, so its
backward formula also maps tangents. The tangent of a view is the same view of the tensor's tangent,
so that a write to one is a write to the other.

The core knows only that a tensor has a `_tangent`, and the callback for each operation
(`modes.watch`), which is the Level here. Without a level there is no callback.

>>> import minigrad as mg
>>> from minigrad.autograd import forward_ad
>>> with forward_ad.dual_level():
...     x = forward_ad.make_dual(mg.tensor([1.0, 2.0]), mg.tensor([1.0, 10.0]))
...     x * x
tensor([1., 4.], tangent=tensor([ 2., 40.]))
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from ..arrays.dtypes import from_numpy_dtype
from ..arrays.left_out import missing_from
from ..arrays.memory_order import offset_of, same_place, steps_of
from ..arrays.places import set_places
from ..core.backward import grad
from ..core.function import FunctionCtx, is_among, is_differentiable
from ..core.modes import Mode, modes
from ..core.node import Node, TensorBase, new_tensor
from ..core.operation import Operation, apply, save
from ..core.saved import PackedTensor, SavedTensor
from ..core.views import (
    AsStridedBackward0,
    CopySlices,
    View,
    ViewOperation,
    apply_view,
    apply_views,
    region,
    requires_grad,
)
from ..ops.indexing.gathering import EmbeddingBackward0
from ..ops.linear_algebra.matrix import BmmBackward0, DotBackward0, MmBackward0, MvBackward0
from ..ops.pointwise.arithmetic import NotImplementedBackward
from ..ops.pointwise.gamma import WithoutTangent
from ..ops.public.factories import ELEMENTWISE
from ..ops.reductions.reductions import MeanBackward0, MeanBackward1, SumBackward0, SumBackward1
from ..ops.shapes.copies import CloneBackward0
from ..ops.shapes.shapes import ViewBackward0
from ..tensors.tensor import Tensor

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]


# --- Public functions


class UnpackedDualTensor(NamedTuple):
    """The result of `unpack_dual`: the values, and the tangent or None."""

    primal: Tensor
    tangent: Tensor | None


def enter_dual_level() -> int:
    """Allow tangents from now on, in this thread. Prefer `dual_level`.

    Raises:
        RuntimeError: a level is active; levels do not nest.
    """
    level: int = dual_level().__enter__()
    return level


def exit_dual_level(*, level: int | None = None) -> None:
    """Drop all tangents.

    Raises:
        RuntimeError: there is no level, or it has another number.
    """
    if level not in (None, current_level()):
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is "
            "not supported."
        )
    if modes.level is None:
        raise RuntimeError("Dual level must be a positive number.")
    for tensor in list(modes.level.duals.values()):
        tensor._tangent = None
    if modes.watch is modes.level:
        modes.watch = None
    modes.level = None


def current_level() -> int:
    """Return the number of the level in PyTorch, which has one or none."""
    return -1 if modes.level is None else 0


class dual_level(Mode):
    """Allow tangents inside the block; they end with it."""

    _given = 0  # the level's number, as in PyTorch

    def switch(self) -> dict[str, Any]:
        if modes.level is not None:
            raise RuntimeError("Nested forward mode AD is not supported at the moment")
        level = Level()
        return {"level": level, "watch": modes.watch or level}  # an active recorder calls the level

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        exit_dual_level()


def make_dual(tensor: Any, tangent: Any, *, level: int | None = None) -> Tensor:
    """Return a view of `tensor` with `tangent`, which lasts as long as the dual level.

    Raises:
        RuntimeError: there is no dual level, `tangent` has another shape, or one of the two already
            has a tangent.
        ValueError: one of them is not floating.
    """
    level = current_level() if level is None else level
    if level < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
            "enter_dual_level() first."
        )
    for name, given in (("primal", tensor), ("tangent", tangent)):
        if not given.is_floating_point():
            found = f"floating point or complex, but got: {given.dtype}"
            raise ValueError(f"Expected {name} to be {found}")
    if modes.level is None or level != 0:
        raise RuntimeError("Invalid level given to _make_dual")
    if modes.level.tangent_of(tensor) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the "
            f"same level {level} is not supported."
        )
    dual: Any = apply_view(ViewBackward0, tensor, tuple(tensor.shape))
    modes.level.give(dual, tangent)
    return dual  # type: ignore[no-any-return]


def unpack_dual(tensor: Any, *, level: int | None = None) -> UnpackedDualTensor:
    """Return the values of `tensor`, and its tangent or None.

    >>> import minigrad as mg
    >>> from minigrad.autograd import forward_ad
    >>> with forward_ad.dual_level():
    ...     x = forward_ad.make_dual(mg.tensor([3.0]), mg.tensor([1.0]))
    ...     forward_ad.unpack_dual(x.exp().log()).tangent
    tensor([1.])
    """
    level = current_level() if level is None else level
    if level < 0:
        return UnpackedDualTensor(tensor, None)
    if not isinstance(tensor, TensorBase):
        kind = type(tensor).__name__
        raise TypeError(f"_unpack_dual(): argument 'dual' (position 1) must be Tensor, not {kind}")
    tangent = None if modes.level is None else modes.level.tangent_of(tensor)
    if tangent is not None and level != 0:
        raise RuntimeError("Invalid level given to _fw_primal")
    with pause():
        primal: Any = apply_view(Identity, tensor)
    if modes.level is not None:
        modes.level.still[id(primal)] = primal
    return UnpackedDualTensor(primal, tangent)


class Enabled(threading.local):
    """Whether tangents are computed in this thread."""

    now = True


enabled = Enabled()


def _is_fwd_grad_enabled() -> bool:
    return enabled.now


class _set_fwd_grad_enabled:
    """Compute tangents or not, from this call on; inside a `with`, until its end."""

    def __init__(self, mode: bool) -> None:
        self.before, enabled.now = enabled.now, mode

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        enabled.now = self.before


class Identity(ViewOperation):
    """The values of a dual tensor without its tangent."""

    rule = r"\bar a = g"

    def forward(self: Any) -> Any:
        return self.view()

    def backward(ctx, g: Any) -> Any:
        return g


# --- The level, which computes tangents


class Level:
    """The period in which tensors may have tangents.

    After each operation it computes the tangents of the results.
    """

    def __init__(self) -> None:
        self.duals: WeakValueDictionary[int, TensorBase] = WeakValueDictionary()
        """All tensors with a tangent, by their ids."""
        self.still: WeakValueDictionary[int, TensorBase] = WeakValueDictionary()
        """Views without a tangent although their base has one: `unpack_dual` makes them."""

    def __call__(self, node: Any, args: Sequence[Any], outs: Sequence[Any]) -> None:
        """Compute the tangents of `outs`, which an operation has made of `args`.

        `node` is the operation's node, or its class if it left none.
        """
        if modes.level is not self or modes.inference or not enabled.now:
            return
        tangents = [self.tangent_of(x) if isinstance(x, TensorBase) else None for x in args]
        if all(tangent is None for tangent in tangents):
            if any(id(arg) in self.still for arg in args):
                self.still.update((id(out), out) for out in outs if out._view is not None)
            return
        with pause() as recorded:
            if isinstance(node, FunctionCtx):
                with recording(recorded):
                    self.of_function(node, args, tangents, outs)
                self.remember(node, node._to_save)
                return
            while isinstance(node, CopySlices):
                node = node.operation
            op = node if isinstance(node, type) else type(node)
            op = getattr(op, "leads", op)
            found = tangents_of(op, args, tangents, outs, recorded)
            with recording(recorded):
                keep = self.note if issubclass(op, ViewOperation) else self.put
                for out, tangent in zip(outs, found, strict=True):
                    if tangent is not None:
                        keep(out, tangent)
            if isinstance(node, Operation):
                places = [place for place, _ in node._plan]
                self.remember(node, [args[p] if p >= 0 else outs[~p] for p in places])

    def tangent_of(self, tensor: TensorBase) -> Any:
        """Return the tangent of `tensor`, or None. A view may get its tangent through its base."""
        view = tensor._view
        if not enabled.now:
            return None
        if tensor._tangent is not None or view is None or id(tensor) in self.still:
            return tensor._tangent
        if view.base._tangent is not None:
            with pause() as recorded, recording(recorded):
                self.note(tensor, part_of(view.base._tangent, view))
        return tensor._tangent

    def tangent_before(self, tensor: TensorBase) -> Any:
        """Return a copy of the tangent of `tensor`, if both are about to be written."""
        tangent = self.tangent_of(tensor)
        with pause() as recorded, recording(recorded):
            return None if tangent is None else tangent.clone()

    def text_of(self, tensor: TensorBase) -> str | None:
        """Return the printed form of the tangent of `tensor`, if it has one."""
        tangent = self.tangent_of(tensor)
        return None if tangent is None else f"{tangent}"

    def note(self, tensor: TensorBase, tangent: Any) -> None:
        tensor._tangent, self.duals[id(tensor)] = tangent, tensor

    def give(self, tensor: TensorBase, tangent: Any) -> None:
        """Give `tensor` a `tangent` that a user has made.

        Raises:
            RuntimeError: the tangent has another shape, or a tangent itself.
        """
        if self.tangent_of(tangent) is not None:
            raise RuntimeError(
                "Setting a forward grad that itself has a forward gradient at the same level0 is "
                "not supported."
            )
        size, given = list(tensor._array.shape), list(tangent._array.shape)
        if size != given:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the "
                f"original Tensor, this is not supported. Tensor is of size {size} while the given "
                f"forward gradient is of size {given}."
            )
        with pause() as recorded, recording(recorded):
            self.note(tensor, lay_like_tensor(tensor, tangent))

    def put(self, tensor: TensorBase, tangent: Any) -> None:
        """Give a result its `tangent`.

        If the result was written in place, reuse the memory of its tangent; for a view, use that of
        its base's tangent.
        """
        view = tensor._view
        if self.tangent_of(tensor) is None and view is not None:
            self.still.pop(id(tensor), None)
            if view.base._tangent is None:
                self.note(view.base, new_tensor(np.zeros_like(view.base._array)))
            base = view.base._array
            whole = base.shape == tensor._array.shape and same_place(base, tensor._array)
            tangent_of_base = view.base._tangent
            self.note(tensor, tangent_of_base if whole else part_of(tangent_of_base, view))
        if tensor._tangent is None:
            self.note(tensor, lay_like_tensor(tensor, tangent))
        elif tensor._tangent is not tangent:
            tensor._tangent.copy_(tangent)

    def remember(self, node: Operation | FunctionCtx, sources: Sequence[Any]) -> None:
        """Let `node` also keep the tangents of saved values that it does not keep as tensors."""
        kept = list(node._saved or ())
        if not kept:
            return
        for place, (value, source) in enumerate(zip(kept, sources, strict=True)):
            if type(value) in (SavedTensor, PackedTensor) and isinstance(source, TensorBase):
                kind = SavedDual if type(value) is SavedTensor else PackedDual
                kept[place] = kind.of(value, self, self.tangent_of(source))
        node._saved = tuple(kept)

    def of_function(
        self, ctx: FunctionCtx, args: Sequence[Any], tangents: list[Any], outs: Sequence[Any]
    ) -> None:
        """Compute the tangents of outputs of a user's `forward` with its `jvp`."""
        given: list[Any] = [None] * len(ctx.needs_input_grad)
        for place, arg, tangent in zip(ctx._tensor_places, args, tangents, strict=True):
            if tangent is None and ctx.materialize_grads and arg._array.dtype.kind == "f":
                tangent = new_tensor(np.zeros_like(arg._array))
            given[place] = tangent
        versions = [None if tangent is None else tangent.version() for tangent in given]
        user: Any = ctx
        user._for_jvp = user._for_jvp or ()
        try:
            returned = user._function.jvp(ctx, *given)
        finally:
            user._for_jvp = None  # saved for `jvp` alone
        listed = returned if isinstance(returned, tuple) else (returned,)
        if len(listed) != len(outs):
            raise RuntimeError(
                "Function's jvp returned an invalid number of forward gradients (expected "
                f"{len(outs)} but got {len(listed)})"
            )
        for place, (out, tangent) in enumerate(zip(outs, listed, strict=True)):
            if tangent is None:
                continue
            if not isinstance(tangent, TensorBase):
                kind = type(tangent).__name__
                raise RuntimeError(
                    f"expected Variable or None (got {kind}) for grad output {place}."
                )
            if not is_differentiable(ctx, out):
                raise RuntimeError(
                    f"Function's jvp returned a gradient at position {place}, but  the "
                    "corresponding forward output is not a differentiable Tensor."
                    "You should return None at that position instead."
                )
            if is_among(ctx._dirty, out):
                if self.tangent_of(out) is not None:
                    pairs = zip(ctx._tensor_places, args, strict=True)
                    before = next(versions[n] for n, t in pairs if t is out)
                    check_written(out, tangent, before)
                self.put(out, tangent)
                continue
            if out._view is not None:
                check_view(out, tangent, args, tangents)
            self.give(out, tangent)


def check_written(out: TensorBase, tangent: TensorBase, version: int | None) -> None:
    """Raise if a `jvp` did not write the tangent of an input that `forward` wrote."""
    rest = "If the forward is modifying an input inplace, then the jvp function must modify the"
    if tangent.version() == version:
        raise RuntimeError(
            "An inplace custom Function is not modifying the forward mode gradients inplace. "
            f"{rest} corresponding gradient inplace."
        )
    if out._tangent is not tangent:
        raise RuntimeError(
            "An inplace custom Function is not returning the forward mode gradients as-is. "
            f"{rest} gradient inplace and return it as-is."
        )


def check_view(
    out: TensorBase, tangent: TensorBase, args: Sequence[Any], tangents: Sequence[Any]
) -> None:
    """Raise if a `jvp` does not return a view of a tangent where `forward` returned one."""
    if tangent._view is None:
        raise RuntimeError(
            "A custom Function's forward is returning a view (or an input as-is) but the jvp is "
            "not returning a view."
        )
    for arg, given in zip(args, tangents, strict=True):
        origin = arg if arg._view is None else arg._view.base
        if given is None or out._view is None or origin is not out._view.base:
            continue
        base = given if given._view is None else given._view.base
        if tangent._view.base is not base:
            same = "" if given._view is None else "same base as the "
            raise RuntimeError(
                "A custom Function is returning a view but the jvp is not returning a view of the "
                f"{same}given grad input."
            )


class Kept:
    """A saved tensor together with its tangent, as long as its level lasts."""

    __slots__ = ()
    level: Level
    tangent: Any

    @classmethod
    def of(cls, value: Any, level: Level, tangent: Any) -> Any:
        self: Any = object.__new__(cls)
        for name in type(value).__slots__:
            setattr(self, name, getattr(value, name))
        self.level, self.tangent = level, tangent
        return self

    def tensor(self, node: Node) -> Any:
        out = super().tensor(node)  # type: ignore[misc]  # of SavedTensor or PackedTensor
        if modes.level is self.level and self.tangent is not None:
            self.level.note(out, self.tangent)
        return out


class SavedDual(Kept, SavedTensor):
    """An output with its tangent."""

    __slots__ = ("level", "tangent")


class PackedDual(Kept, PackedTensor):
    """A value packed by a saved-tensor hook, with its tangent."""

    __slots__ = ("level", "tangent")


@contextmanager
def pause() -> Iterator[bool]:
    """Compute without a level: tangents have no tangents, and nothing observes them.

    Yield whether operations are recorded.
    """
    names = ("level", "watch", "walk", "recorder", "saved_hooks", "in_formula", "anomaly")
    before = {name: getattr(modes, name) for name in names}
    for name in names:
        setattr(modes, name, type(modes).__dict__[name])
    try:
        yield modes.grad
    finally:
        for name, value in before.items():
            setattr(modes, name, value)


@contextmanager
def recording(wanted: bool) -> Iterator[None]:
    """Turn recording of operations on or off."""
    before, modes.grad = modes.grad, wanted
    try:
        yield
    finally:
        modes.grad = before


# --- The tangents of results


LINEAR = {
    *(EmbeddingBackward0, MeanBackward0, MeanBackward1, SumBackward0, SumBackward1, CloneBackward0),
    *(MmBackward0, BmmBackward0, MvBackward0, DotBackward0),
}
"""Operations that are linear in each input: applied to a tangent, they return its contribution.

A matrix product takes a third of the time in this way, a sum a fifth. The mean of no elements is
nan, which no gradient shows. An embedding gives the row `padding_idx` no gradient, while its
tangent counts like any other.
"""


def tangents_of(
    op: type[Operation],
    args: Sequence[Any],
    tangents: Sequence[Any],
    outs: Sequence[Any],
    recorded: bool,
) -> Sequence[Any]:
    """Return the tangents of `outs`, which `op` has made of `args`, given those of `args`."""
    starred = op.inputs[0][-1] == "*"
    count = len(args) - len(op.params) if starred else len(op.inputs)
    duals = {place: t for place, t in enumerate(tangents[:count]) if t is not None}
    if not duals or all(out._array.dtype.kind != "f" for out in outs):
        return [None] * len(outs)
    if op is NotImplementedBackward or issubclass(op, WithoutTangent):
        name = getattr(op, "word", None) or f"aten::{args[-1]}"
        raise NotImplementedError(f"Trying to use forward AD with {name} that does not support it.")
    if issubclass(op, ViewOperation):
        with recording(recorded):
            made: Any
            if outs[0]._view is not None:
                made = apply_view(op, duals[0], *args[1:])
            elif isinstance(op.forward(args[0].shared_array(), *args[1:]), tuple):
                made = apply_views(op, duals[0], *args[1:])  # they become views afterwards
            else:
                made = apply(op, duals[0], *args[1:])  # a copy, whose node is that of a view
        return made if isinstance(made, tuple) else (made,)
    if op in LINEAR:
        shares = []
        with recording(recorded):
            for place, tangent in duals.items():
                own = expand_tangent(tangent, args[place]._array.shape, outs[0]._array.dtype)
                shares.append(op.on(*args[:place], own, *args[place + 1 :]))
            return [shares[0] if len(shares) == 1 else shares[0] + shares[1]]
    # The tangents have a history if a value that they depend on has one.
    recorded = recorded and any(
        requires_grad(t) for t in (*args, *duals.values()) if isinstance(t, TensorBase)
    )
    if op in ELEMENTWISE and len(outs) == 1:
        return [diagonal(op, args, count, duals, outs, recorded)]
    return transpose_formula(op, args, count, duals, outs, recorded)


def node_of(
    op: type[Operation], args: Sequence[Any], count: int, duals: Sequence[int], outs: Sequence[Any]
) -> Operation:
    """Return the node of `op` for inputs at the places `duals` that need a gradient."""
    node = op.__new__(op)
    edges: list[Node | None] = [None] * count
    for place in duals:
        source = Node()
        source._outputs = ((args[place]._array.shape, args[place]._array.dtype),)
        edges[place] = source
    node._edges = tuple(edges)
    node._outputs = tuple([(out._array.shape, out._array.dtype) for out in outs])
    if op.params:
        node.args = tuple(args[count:]) or op.default_args
    if op._plan:
        save(node, args, outs)
        node._saved = tuple(
            [
                outs[value.index] if type(value) is SavedTensor else value
                for value in node._saved or ()
            ]
        )
    return node


def diagonal(
    op: type[Operation],
    args: Sequence[Any],
    count: int,
    duals: dict[int, Any],
    outs: Sequence[Any],
    recorded: bool,
) -> Any:
    """Return the tangent of an elementwise result: the backward formula, applied to tangents."""
    out = outs[0]._array
    total: Any = None
    for place, tangent in duals.items():
        node = node_of(op, args, count, [place], outs)
        tangent = expand_tangent(tangent, out.shape, out.dtype)
        with recording(recorded):
            if recorded:
                found = node._recorded(tangent)
            else:
                found = node.backward(tangent._array)
            each = found[place] if type(found) is tuple else found
            each = each if isinstance(each, TensorBase) else new_tensor(each)
            total = each if total is None else total + each
    return own_copy(expand_tangent(total, out.shape, out.dtype), duals.values())


def transpose_formula(
    op: type[Operation],
    args: Sequence[Any],
    count: int,
    duals: dict[int, Any],
    outs: Sequence[Any],
    recorded: bool,
) -> Sequence[Any]:
    """Return the tangents of the results of any operation.

    The backward formula is linear in the gradients of the results, so it is differentiated with
    respect to them.
    """
    node = node_of(op, args, count, list(duals), outs)
    names = op.results if len(op.results) == len(outs) else ("result",) * len(outs)
    seeds: list[Any] = []
    for out, name in zip(outs, names, strict=True):
        moves = out._array.dtype.kind == "f" and name[0] != "_"
        seeds.append(new_tensor(np.zeros_like(out._array)) if moves else None)
        if moves:
            seeds[-1]._requires_grad = True
    live = [seed for seed in seeds if seed is not None]
    with recording(True):
        found = node._recorded(*seeds)
        listed = found if type(found) is tuple else (found,)
        places = [place for place in duals if listed[place] is not None]
        places = [place for place in places if requires_grad(listed[place])]
        got: dict[int, Any] = {}
        if places:
            exprs = [listed[place] for place in places]
            vectors = [
                expand_tangent(duals[place], expr._array.shape, expr._array.dtype)
                for place, expr in zip(places, exprs, strict=True)
            ]
            slopes = grad(exprs, live, vectors, create_graph=recorded, allow_unused=True)
            got = {id(seed): slope for seed, slope in zip(live, slopes, strict=True)}
    return [
        None
        if seed is None
        else new_tensor(np.zeros_like(seed._array))
        if got.get(id(seed)) is None
        else own_copy(got[id(seed)], duals.values())
        for seed in seeds
    ]


def expand_tangent(tangent: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Return `tangent` broadcast to `shape`, in `dtype`."""
    if tangent._array.dtype != dtype:
        tangent = tangent.to(from_numpy_dtype[dtype])
    return tangent if tangent._array.shape == shape else tangent.expand(shape)


def own_copy(tangent: Any, sources: Any) -> Any:
    """Return `tangent` in memory of its own, since a formula may return its argument itself."""
    array = tangent._array
    shared = array.base is not None or any(array is source._array for source in sources)
    return tangent.clone() if shared else tangent


def lay_like_tensor(tensor: TensorBase, tangent: Any) -> Any:
    """Return `tangent` in the memory order of `tensor`, so that both have the same views."""
    x, t = tensor._array, tangent._array
    if x.ndim < 2 or x.strides == t.strides or x.itemsize != t.itemsize:
        return tangent
    out: Any = new_tensor(np.empty_like(x, dtype=t.dtype))
    return tangent if out._array.strides == t.strides else out.copy_(tangent)


def part_of(tangent: Any, view: View) -> Any:
    """Return the part of a base's `tangent` that belongs to its `view`, in shared memory."""
    array = tangent.shared_array()
    part = region(array, view.steps())
    layout = (steps_of(array), offset_of(array))
    where = (part.shape, steps_of(part), offset_of(part), layout)
    return apply_view(AsStridedBackward0, tangent, *where)


set_places(globals(), __all__)

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
