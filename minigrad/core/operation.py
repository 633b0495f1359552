"""What every built-in operation is: a forward function on arrays, a backward formula, and what the
one saves for the other.

An operation is a class, named as PyTorch prints it. Its `forward` is a plain function of arrays.
Applying it to Tensors computes the result and, if a gradient will be wanted, makes an instance: the
node that the result's `grad_fn` shows, and the `ctx` that `backward` receives as its first
argument. `backward` is written once, in operators and functions that take arrays as well as
Tensors: an ordinary backward pass hands it arrays; `create_graph=True` hands it Tensors, and then
the formula is itself recorded, which is all there is to second derivatives.

    class MulBackward0(Operation):
        saves = {"other": 0, "self": 1}   # each factor, if the other's gradient is needed

        def forward(self, other, /):
            return self * other

        def backward(ctx, g):
            other, self = ctx.saved
            return (None if other is None else g * other, None if self is None else g * self)

What stands before the `/` are its inputs, which may need a gradient; behind it stand its params,
which may not. No formula undoes broadcasting: the engine sums each gradient back to the shape of
its input.

Where the gradient asks nothing of its ctx it is shorter to write `gradient`, whose arguments say by
their names what is to be saved for it, and may then ask for the `shape` of the input. It is told
the params as well. (`saves` can still say more precisely what is needed for which input; a param
that is saved is told just once.) What is worth working out only if an input needs it is returned as
a `lambda`.

    class SoftplusBackward0(Operation):
        def forward(self, /, beta):
            return np.log1p(np.exp(self * beta)) / beta

        def gradient(g, self, beta):
            return g * SigmoidBackward0.on(self * beta)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from inspect import unwrap
from types import FunctionType
from typing import Any, ClassVar, cast

import numpy as np

from ..arrays.devices import check_one_device, get_array_module
from ..arrays.words import INFERENCE_SAVED
from .modes import modes
from .node import (
    NO_EDGE,
    REFERENCES_OF_THE_WALK,
    UNCOUNTED,
    AccumulateGrad,
    Array,
    Edge,
    TensorBase,
    gradient_edge,
    new_node,
    new_tensor,
    raw,
)
from .saved import (
    FREED,
    PLAIN,
    PackedTensor,
    SavedSlot,
    SavedTensor,
    SavingNode,
    saved_input,
    saved_output,
)

DETACHED = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is "
    "not supported, please use out-of-place `.detach()` instead"
)

ALWAYS = -1
"""In `Operation.saves`: the tensor is kept whichever input needs a gradient."""


class Shown:
    """An attribute `_saved_...` of a node, made where the class is.

    (`__getattr__` could do the same for all of them, and would slow down every other attribute of
    a node.)
    """

    __slots__ = ("key",)

    def __init__(self, key: str) -> None:
        self.key = key

    def __get__(self, node: Operation | None, _: type[Operation]) -> Any:
        return self if node is None else node._shown(self.key)


class Raw(Shown):
    """An attribute `_raw_saved_...`: the same value as it is kept, to register hooks on."""

    __slots__ = ()

    def __get__(self, node: Operation | None, _: type[Operation]) -> Any:
        return self if node is None else SavedSlot(node, list(node.saves).index(self.key))


class Operation(SavingNode):
    """A differentiable operation: class attributes, `forward` and `backward`."""

    inputs: ClassVar[tuple[str, ...]] = ("self",)
    """The tensor arguments, which come first; "tensors*" stands for a whole list of them. They are
    read off `forward`, if it has a `/`, and so are the params."""
    params: ClassVar[tuple[str, ...]] = ()
    """The other arguments, kept in `ctx.args`. A tensor among them (a mask) has no gradient."""
    results: ClassVar[tuple[str, ...]] = ("result",)
    """The results; one with a leading underscore is for the formula alone, not returned."""
    saves: ClassVar[dict[str, int]] = {}
    """What to keep: the name, and the number of the input whose gradient needs it, or ALWAYS. In
    PyTorch's order, which hooks on saved tensors see: arguments by their names, then results."""
    fills_repeats: ClassVar[bool] = False
    """Whether the in-place form may write to an expanded tensor, whose elements share a place."""

    forward: ClassVar[Callable[..., Any]]
    gradient: ClassVar[Callable[..., Any]]
    """The gradient of the input, or of each. Given are that of each result; the inputs and results
    that it names, which are saved for it; the `shape` of the input, if asked for; the params."""
    numbers_are_operands = False
    """Where it is set, a number in the place of a tensor is an operand too: recorded as one, and
    computed with as it is, not rounded to float16 first."""
    gives_floats = False
    """Where it is set, integers are computed in the default floating type."""
    with_number: ClassVar[type[Operation] | None] = None
    """What PyTorch's formulas record in its place where the second operand is a constant."""
    forward_into: ClassVar[Callable[..., Any] | None] = None
    """`forward` that writes its result into its first argument, for in-place use without a copy."""

    args: tuple[Any, ...] = ()
    _plan: ClassVar[tuple[tuple[int, int], ...]] = ()

    def __init_subclass__(cls) -> None:
        forward, gradient = vars(cls).get("forward"), vars(cls).get("gradient")
        if isinstance(forward, FunctionType):
            cls._read_forward(forward)
        if gradient is not None:
            cls._read_gradient(getattr(gradient, "__func__", gradient))
        # (place, reader): where a saved tensor is found among the arguments, or ~i for result i;
        # and who needs it.
        arguments = cls.inputs + cls.params
        cls._plan = tuple(
            (arguments.index(name) if name in arguments else ~cls.results.index(name), reader)
            for name, reader in cls.saves.items()
        )
        for name in (*cls.saves, *cls.params):
            if not hasattr(cls, f"_saved_{name}"):
                setattr(cls, f"_saved_{name}", Shown(name))
                if name in cls.saves:
                    setattr(cls, f"_raw_saved_{name}", Raw(name))

    @classmethod
    def _read_forward(cls, forward: Callable[..., Any]) -> None:
        """The inputs and the params, if a `/` divides them."""
        code = unwrap(forward).__code__
        count = code.co_posonlyargcount
        if count:
            cls.inputs = code.co_varnames[:count]
            cls.params = code.co_varnames[count : code.co_argcount]

    @classmethod
    def _read_gradient(cls, gradient: Callable[..., Any]) -> None:
        """What is saved, unless the class says so itself, and `backward`."""
        code = unwrap(gradient).__code__
        names = code.co_varnames[len(cls.results) : code.co_argcount]
        if "saves" not in vars(cls):
            cls.saves = {name: ALWAYS for name in names if name not in (*cls.params, "shape")}
        unsaved = [place for place, name in enumerate(cls.params) if name not in cls.saves]
        shaped = "shape" in names
        simple = len(cls.inputs) == 1 and len(unsaved) == len(cls.params) and not shaped
        backward = of_one(gradient) if simple else of_several(gradient, unsaved, shaped)
        cls.backward = backward  # type: ignore[method-assign]

    # --- What a formula asks its ctx

    @property
    def saved(self) -> list[Any]:
        """What was saved, in the order of `saves`: arrays, or Tensors under create_graph.

        None stands for what was not needed, a Python number for itself.

        Raises:
            RuntimeError: it has been freed, or modified in place since.
        """
        if self._saved is None:
            if not all(map(self._never_saved, self.saves)):
                raise RuntimeError(FREED)
            return [None] * len(self.saves)
        with_tensors, expected = self._with_tensors, self._expected
        found: list[Any] = []
        for value in self._saved:
            if type(value) not in PLAIN:
                counter = value._counter
                if counter is not None:
                    version = expected[len(found)] if expected else 0
                    if counter.value != version or counter.detached:
                        self._check_saved()
                if with_tensors:
                    value = value if isinstance(value, TensorBase) else value.tensor(self)
                elif isinstance(value, PackedTensor):  # or one with a tangent
                    value = value.tensor(self)._array
                else:
                    value = value._array
            found.append(value)
        return found

    def _pass_nothing(self) -> None:
        _ = self.saved  # raises, as PyTorch does, if it is gone or was changed

    def _check_saved(self) -> None:
        """Raise for the first saved tensor that was changed, or lost its history since."""
        for place, value in enumerate(self._saved or ()):
            argument = self._plan[place][0]
            if isinstance(value, TensorBase) and 0 <= argument < len(self.next_functions):
                before = self.next_functions[argument][0]
                was_leaf = before is None or isinstance(before, AccumulateGrad)
                if not was_leaf and value._edge is None and value._view is None:
                    raise RuntimeError(DETACHED)
            self._check_version(place)

    def needs(self, index: int) -> bool:
        """Whether the gradient of input `index` will be used."""
        return self.next_functions[index][0] is not None

    def shape(self, index: int = 0) -> tuple[int, ...]:
        """The shape of input `index`, which must be one that needs a gradient."""
        node, place = self.next_functions[index]
        assert node is not None
        return node._outputs[place][0]

    def may_overwrite(self, references: int, g: Any) -> bool:
        """Whether the formula may write over the gradient `g`, because nobody will look at it
        again. `references`, `sys.getrefcount(g)`, is for `backward` itself to count."""
        return (
            references <= REFERENCES_OF_THE_WALK
            and modes.walk is not None
            and modes.walk.unseen(self)
            and g.base is None
            and not isinstance(g, np.generic)
        )

    # --- What others ask the node

    def _names_of_saved(self) -> Iterable[tuple[int, str]]:
        return as_read(type(self))  # type: ignore[arg-type]  # a class can be a key

    @classmethod
    def reading_order(cls) -> tuple[str, ...]:
        return cls.inputs + cls.params + cls.results

    def _shown(self, key: str) -> Any:
        """What PyTorch shows as `_saved_self`, `_saved_dim`, ..."""
        if key in self.saves:
            if self._saved is None and self._never_saved(key):
                return None
            return self._unpacked(list(self.saves).index(key))
        value = self.args[self.params.index(key)]
        without_sign = key.startswith(("dim", "start", "end")) or key == "padding"
        return unsigned(value) if without_sign else value

    def _never_saved(self, key: str) -> bool:
        """Whether nothing was kept as `key`: not needed, or None from the beginning."""
        reader = self.saves[key]
        if not read(self.next_functions, reader):
            return True
        return key in self.params and self.args[self.params.index(key)] is None

    def __dir__(self) -> list[str]:
        shown = [f"_saved_{name}" for name in (*self.saves, *self.params) if name[0] != "_"]
        others = [n for n in super().__dir__() if type(getattr(type(self), n, None)) is not Shown]
        return sorted({*others, *shown})

    # --- Applying it

    @classmethod
    def on(cls, *args: Any) -> Any:
        """Apply to Tensors or, for use inside formulas, compute on arrays."""
        for arg in args:
            if isinstance(arg, TensorBase):
                return apply(cls, *args)
        return cls.forward(*args)


@cache
def as_read(op: type[Operation]) -> list[tuple[int, str]]:
    """What `op` saves, place and name, in the order in which somebody reads it."""
    order = op.reading_order()
    return sorted(enumerate(op.saves), key=lambda each: order.index(each[1]))


def of_one(gradient: Callable[..., Any]) -> Callable[..., Any]:
    """The `backward` that `gradient` means for an operation with one input."""

    def backward(ctx: Operation, *gradients: Any) -> Any:
        return gradient(*gradients, *ctx.saved, *ctx.args)

    return backward


def of_several(
    gradient: Callable[..., Any], unsaved: list[int], shaped: bool
) -> Callable[..., Any]:
    """The `backward` that `gradient` means for several inputs, if params are saved as well, or if
    the shape of its input is asked for."""

    def backward(ctx: Operation, *gradients: Any) -> Any:
        shape = (ctx.shape(),) if shaped else ()
        params = [ctx.args[place] for place in unsaved]
        found = gradient(*gradients, *ctx.saved, *shape, *params)
        if type(found) is not tuple:
            return found
        # What is worth working out only for an input that needs it came as a function.
        return tuple(
            [
                each if type(each) is not FunctionType else each() if ctx.needs(place) else None
                for place, each in enumerate(found)
            ]
        )

    return backward


def unsigned(value: Any) -> Any:
    """`value` with each negative integer as the 64-bit number without sign of the same bits."""
    if type(value) is tuple:
        return tuple([unsigned(item) for item in value])
    return value % 2**64 if type(value) is int else value


# --- For formulas, which take arrays and Tensors alike


def beside(g: Any, array: Any) -> Any:
    """`array` as a constant for a formula with `g`: on its device, and a Tensor if that is one."""
    array = get_array_module(raw(g)).asarray(array)
    return new_tensor(array) if isinstance(g, TensorBase) else array


def zeros_for(g: Any, shape: tuple[int, ...] | None = None) -> Any:
    """Zeros like `g`, which is an array or a Tensor; of another shape, if one is given."""
    if isinstance(g, TensorBase):
        return new_tensor(np.zeros_like(g._array, shape=shape))
    return np.zeros_like(g, shape=shape)


# --- Applying an operation


def apply(op: type[Operation], *args: Any) -> TensorBase:
    """Compute `op` on Tensors (first its inputs, then its parameters) and record it."""
    inputs, params = args[: len(op.inputs)], args[len(op.inputs) :]
    arrays = [t._array if isinstance(t, TensorBase) else t for t in args]
    try:
        value = op.forward(*arrays)
    except TypeError:
        check_one_device(arrays)
        raise
    return record(op, inputs, params, value)


def record(
    op: type[Operation], inputs: Sequence[Any], params: tuple[Any, ...], value: Any
) -> TensorBase:
    """Wrap `value`, what `op.forward` made of `inputs`, and leave a node behind.

    No node is made if no input requires grad, or the thread's mode says so.
    """
    edges: tuple[Edge, ...] = ()
    if modes.grad:
        edges = tuple(
            [t._edge or gradient_edge(t) if isinstance(t, TensorBase) else NO_EDGE for t in inputs]
        )
    args = (*inputs, *params)
    if type(value) is tuple:
        # What several results are is known to who applies such an operation.
        return attach_all(op, edges, args, value)  # type: ignore[return-value]
    return attach(op, edges, args, value)


def edge_or_constant(operand: Any) -> Edge:
    """The edge of a tensor; a number has none."""
    return gradient_edge(operand) if isinstance(operand, TensorBase) else NO_EDGE


def attach(
    op: type[Operation], edges: tuple[Edge, ...], args: Sequence[Any], value: Array
) -> TensorBase:
    """Wrap the one result of `op` and, if a gradient may be wanted, leave a node behind. No `edges`
    are given where nothing is recorded."""
    for edge in edges:
        if edge[0] is not None:
            break
    else:
        if all(edge is NO_EDGE for edge in edges):
            out = new_tensor(value)
            if modes.watch is not None:
                modes.watch(op, args, (out,))
            return out
        op = leading_nowhere(op)
    dtype = value.dtype
    if dtype.kind != "f":
        return new_tensor(value)
    node = new_node(op, edges, ((value.shape, dtype),))
    if op.params:
        node.args = tuple(args[len(edges) :]) or op.args
    out = new_tensor(value, (node, 0))
    if op._plan:
        save(node, args, (out,))
    if modes.watch is not None:
        modes.watch(node, args, (out,))
    return out


def attach_all(
    op: type[Operation], edges: tuple[Edge, ...], args: Sequence[Any], values: tuple[Array, ...]
) -> tuple[TensorBase, ...]:
    """`attach` for an operation with several results."""
    node: Operation | None = None
    if any(edge is not NO_EDGE for edge in edges):
        kind = op if any(edge[0] is not None for edge in edges) else leading_nowhere(op)
        node = new_node(kind, edges, tuple([(v.shape, v.dtype) for v in values]))
        if op.params:
            node.args = tuple(args[len(edges) :])
    outs = []
    for index, v in enumerate(values):
        differentiable = node is not None and v.dtype.kind == "f"
        outs.append(new_tensor(v, (node, index) if differentiable else None))
    if node is not None and op._plan:
        save(node, args, outs)
    if modes.watch is not None:
        modes.watch(node or op, args, outs)
    if len(op.results) < len(outs):  # as many results as the arguments say: split, unbind
        return tuple(outs)
    return tuple([out for out, name in zip(outs, op.results, strict=True) if name[0] != "_"])


def _leading_nowhere(op: type[Any]) -> type[Any]:
    """`op` for inputs that are recorded and have no history (see views.NOWHERE): its backward pass
    ends here, whatever the formula says."""

    def backward(ctx: Operation, *gradients: Any) -> Any:
        return (None,) * len(ctx.next_functions)

    return type(op.__name__, (op,), {"backward": backward, "__doc__": op.__doc__, "leads": op})


leading_nowhere = cast("Callable[[type[Any]], type[Any]]", cache(_leading_nowhere))


def read(edges: tuple[Edge, ...], reader: int) -> bool:
    """Whether something is kept for the `reader`: that input needs a gradient, or it is ALWAYS."""
    return reader == ALWAYS or edges[reader][0] is not None


def save(node: Operation, args: Sequence[Any], outs: Sequence[TensorBase]) -> None:
    """Keep what `node`'s class says, as far as it will be needed; no results, without `outs`."""
    edges = node.next_functions
    kept: list[Any] = []
    versions: list[int] | None = None
    hooked = modes.saved_hooks is not None
    for place, reader in node._plan:
        if reader != ALWAYS and (
            edges[reader][0] is None if type(reader) is int else not read(edges, reader)
        ):
            kept.append(None)
            continue
        value: Any
        if place < 0:
            keep = saved_output if hooked else SavedTensor
            value = keep(outs[~place], ~place) if outs else None
        else:
            value = saved_input(args[place]) if hooked else args[place]
        if type(value) not in PLAIN and value._counter is not None:
            if versions is None:
                versions = [0] * len(node._plan)
            if value._counter is UNCOUNTED:
                raise RuntimeError(INFERENCE_SAVED)
            versions[len(kept)] = value._counter.value
        kept.append(value)
    node._saved = tuple(kept)
    if versions is not None:
        node._expected = tuple(versions)
