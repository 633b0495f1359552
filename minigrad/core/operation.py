"""Built-in operations: a forward function on arrays, a backward formula, and the saved tensors.

An operation is a class with the name that PyTorch prints. Its `forward` is a plain function of
arrays. Applying the operation to Tensors computes the result. If a gradient may be needed, it also
makes an instance: the node, which is the result's `grad_fn` and the `ctx` that `backward` receives
first. `backward` is written once, with operators and functions that accept arrays and Tensors. An
ordinary backward pass gives it arrays. `create_graph=True` gives it Tensors, so the formula itself
is recorded; second derivatives need nothing else.

    class MulBackward0(Operation):
        saves = {"other": 0, "self": 1}   # each factor, if the other's gradient is needed

        def forward(self, other, /):
            return self * other

        def backward(ctx, g):
            other, self = ctx.saved
            return (None if other is None else g * other, None if self is None else g * self)

Parameters before the `/` are inputs, which may need a gradient; the others are params, which may
not. No formula undoes broadcasting: the engine sums each gradient back to its input's shape.

If the formula does not need its ctx, write the shorter `gradient`. The names of its parameters
determine what is saved; it may also take the `shape` of the input, and gets the params. (`saves`
can still say which input needs a saved value; a saved param is passed once.) Return a lambda for a
gradient that should be computed only if its input needs it.

    class SoftplusBackward0(Operation):
        def forward(self, /, beta):
            return np.log1p(np.exp(self * beta)) / beta

        def gradient(g, self, beta):
            return g * SigmoidBackward0.on(self * beta)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from types import FunctionType
from typing import Any, ClassVar, cast

import numpy as np

from ..arrays.devices import check_one_device, get_array_module
from ..arrays.messages import FREED, INFERENCE_SAVED
from .edges import Edge
from .modes import modes, rare
from .node import UNCOUNTED, AccumulateGrad, TensorBase, gradient_edge, new_node, new_tensor, unwrap
from .saved import PLAIN, PackedTensor, RawSaved, SavedTensor, SavingNode, saved_input, saved_output

FUNCTIONS = (FunctionType, type(lambda: None))
"""The types of functions: the second is another one if this file is compiled."""

DETACHED = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is "
    "not supported, please use out-of-place `.detach()` instead"
)

ALWAYS = -1
"""In `Operation.saves`: the tensor is saved whichever input needs a gradient."""


class Shown:
    """An attribute `_saved_...` of a node, defined with its class.

    (A `__getattr__` for all of them would slow down every other attribute of a node.)
    """

    __slots__ = ("key",)

    def __init__(self, key: str) -> None:
        self.key = key

    def __get__(self, node: Operation | None, _: type[Operation]) -> Any:
        return self if node is None else node._shown(self.key)


class Raw(Shown):
    """An attribute `_raw_saved_...`: the stored value itself, on which hooks can be registered."""

    __slots__ = ()

    def __get__(self, node: Operation | None, _: type[Operation]) -> Any:
        return self if node is None else RawSaved(node, list(node.saves).index(self.key))


def saved_values(ctx: Context) -> list[Any]:
    """The saved values, in the order of `saves`: arrays, or Tensors under create_graph.

    None stands for a value that was not needed. A Python number stands for itself.

    Raises:
        RuntimeError: a value was freed, or modified in place since.
    """
    if ctx._saved is None:
        if not all(map(ctx._never_saved, ctx.saves)):
            raise RuntimeError(FREED)
        return [None] * len(ctx.saves)
    with_tensors, expected = ctx._with_tensors, ctx._expected
    found: list[Any] = []
    for value in ctx._saved:
        tensor = value if isinstance(value, TensorBase) else None  # a C struct if compiled
        if tensor is not None or type(value) not in PLAIN:
            counter = value._counter if tensor is None else tensor._counter
            if counter is not None:
                version = expected[len(found)] if expected else 0
                if counter.value != version or counter.detached:
                    ctx._check_saved()
            if tensor is not None:
                value = value if with_tensors else tensor._array
            elif with_tensors:
                value = value.tensor(ctx)
            elif isinstance(value, PackedTensor):  # or one with a tangent
                value = value.tensor(ctx)._array
            else:
                value = value._array
        found.append(value)
    return found


class Context(SavingNode):
    """The part of an operation that its formula receives: the `ctx`."""

    args: tuple[Any, ...] = ()
    params: ClassVar[tuple[str, ...]] = ()
    """The other arguments, kept in `ctx.args`. A tensor among them (a mask) has no gradient."""
    saves: ClassVar[dict[str, int]] = {}
    """By name, the number of the input whose gradient needs the saved value, or ALWAYS.

    Hooks on saved tensors run in this order, which is PyTorch's: arguments by name, then results.
    """
    _plan: ClassVar[tuple[tuple[int, int], ...]] = ()

    saved = property(saved_values)

    def _pass_nothing(self) -> None:
        _ = self.saved  # raises, as PyTorch does, if a value was freed or changed

    def _check_saved(self) -> None:
        """Raise for the first saved tensor that was changed or has lost its history since."""
        for place, value in enumerate(self._saved or ()):
            argument = self._plan[place][0]
            if isinstance(value, TensorBase) and 0 <= argument < len(self._edges):
                before = self._edges[argument]
                was_leaf = not before or isinstance(before, AccumulateGrad)
                if not was_leaf and value._edge is None and value._view is None:
                    raise RuntimeError(DETACHED)
            self._check_version(place)

    def needs(self, index: int) -> bool:
        """Return whether the gradient of input `index` will be used."""
        return bool(self._edges[index])

    def shape(self, index: int = 0) -> tuple[int, ...]:
        """Return the shape of input `index`, which must be one that needs a gradient."""
        edge: Any = self._edges[index]
        node, place = edge if isinstance(edge, tuple) else (edge, 0)
        return node._outputs[place][0]  # type: ignore[no-any-return]

    def may_overwrite(self, g: Any) -> bool:
        """Return whether a formula to which only the walk gave `g` may overwrite it.

        `backward` itself has to count the references to `g` (`count_references`).
        """
        return (
            modes.walk is not None
            and modes.walk.is_unobserved(self)
            and g.base is None
            and not isinstance(g, np.generic)
        )

    def _never_saved(self, key: str) -> bool:
        """Return whether nothing was saved as `key`: it was not needed, or always None."""
        reader = self.saves[key]
        if not is_needed(self._edges, reader):
            return True
        return key in self.params and self.args[self.params.index(key)] is None


class Operation(Context):
    """A differentiable operation: class attributes, `forward` and `backward`."""

    inputs: ClassVar[tuple[str, ...]] = ("self",)
    """The tensor arguments, which come first; "tensors*" stands for a whole list of them.

    If `forward` has a `/`, inputs and params are read from it.
    """
    results: ClassVar[tuple[str, ...]] = ("result",)
    """The results; one with a leading underscore is for the formula alone and not returned."""
    fills_repeats: ClassVar[bool] = False
    """Whether the in-place form may write to an expanded tensor, whose elements share memory."""

    forward: ClassVar[Callable[..., Any]]
    gradient: ClassVar[Callable[..., Any]]
    """The gradient of the input, or of each input.

    It receives the gradient of each result, the inputs and results that it names (which are saved),
    the `shape` of the input if it names it, and the params.
    """
    default_args: ClassVar[tuple[Any, ...]] = ()
    """`ctx.args` of a call without params."""
    numbers_are_operands = False
    """Whether a number in place of a tensor is recorded as an operand.

    It is then used as it is, not first rounded to float16.
    """
    gives_floats = False
    """Whether integers are computed in the default floating dtype."""
    with_number: ClassVar[type[Operation] | None] = None
    """The operation that PyTorch's formulas record instead if the second operand is a constant."""
    forward_into: ClassVar[Callable[..., Any] | None] = None
    """`forward` that writes its result into its first argument, for in-place use without a copy."""

    def __init_subclass__(cls) -> None:
        forward, gradient = vars(cls).get("forward"), vars(cls).get("gradient")
        if isinstance(forward, FUNCTIONS):
            cls._read_forward(forward)
        if gradient is not None:
            cls._read_gradient(getattr(gradient, "__func__", gradient))
        # (place, reader): the position of a saved tensor among the arguments, or ~i for result i,
        # and the input that needs it.
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
        """Set inputs and params, if a `/` divides them."""
        code = inspect.unwrap(forward).__code__
        count = code.co_posonlyargcount
        if count:
            cls.inputs = code.co_varnames[:count]
            cls.params = code.co_varnames[count : code.co_argcount]

    @classmethod
    def _read_gradient(cls, gradient: Callable[..., Any]) -> None:
        """Set `backward`, and `saves` unless the class has it."""
        code = inspect.unwrap(gradient).__code__
        names = code.co_varnames[len(cls.results) : code.co_argcount]
        if "saves" not in vars(cls):
            cls.saves = {name: ALWAYS for name in names if name not in (*cls.params, "shape")}
        unsaved = [place for place, name in enumerate(cls.params) if name not in cls.saves]
        shaped = "shape" in names
        simple = len(cls.inputs) == 1 and len(unsaved) == len(cls.params) and not shaped
        backward = of_one(gradient) if simple else of_several(gradient, unsaved, shaped)
        cls.backward = backward  # type: ignore[method-assign]

    # --- The node, for others

    def _names_of_saved(self) -> Iterable[tuple[int, str]]:
        return saved_in_order(type(self))  # type: ignore[arg-type]  # a class can be a key

    @classmethod
    def reading_order(cls) -> tuple[str, ...]:
        return cls.inputs + cls.params + cls.results

    def _shown(self, key: str) -> Any:
        """Return PyTorch's `_saved_self`, `_saved_dim`, ..."""
        if key in self.saves:
            if self._saved is None and self._never_saved(key):
                return None
            return self._unpacked(list(self.saves).index(key))
        value = self.args[self.params.index(key)]
        without_sign = key.startswith(("dim", "start", "end")) or key == "padding"
        return to_unsigned(value) if without_sign else value

    def __dir__(self) -> list[str]:
        shown = [f"_saved_{name}" for name in (*self.saves, *self.params) if name[0] != "_"]
        every = super().__dir__()  # outside of the comprehension, where a compiled one fails
        others = [n for n in every if type(getattr(type(self), n, None)) is not Shown]
        return sorted({*others, *shown})

    # --- Application

    @classmethod
    def on(cls, *args: Any) -> Any:
        """Apply the operation to Tensors or, inside formulas, compute it on arrays."""
        for arg in args:
            if isinstance(arg, TensorBase):
                return apply(cls, *args)
        return cls.forward(*args)


@cache
def saved_in_order(op: type[Operation]) -> list[tuple[int, str]]:
    """Return position and name of each value that `op` saves, in reading order."""
    order = op.reading_order()
    return sorted(enumerate(op.saves), key=lambda each: order.index(each[1]))


def of_one(gradient: Callable[..., Any]) -> Callable[..., Any]:
    """Return the `backward` that calls `gradient`, for an operation with one input."""

    def backward(ctx: Operation, *gradients: Any) -> Any:
        return gradient(*gradients, *ctx.saved, *ctx.args)

    return backward


def of_several(
    gradient: Callable[..., Any], unsaved: list[int], shaped: bool
) -> Callable[..., Any]:
    """Return the `backward` that calls `gradient`, for the general case.

    That is: several inputs, saved params, or a `gradient` that takes the shape of its input.
    """

    def backward(ctx: Operation, *gradients: Any) -> Any:
        shape = (ctx.shape(),) if shaped else ()
        params = [ctx.args[place] for place in unsaved]
        found = gradient(*gradients, *ctx.saved, *shape, *params)
        if type(found) is not tuple:
            return found
        # A gradient that only some inputs need came as a function.
        return tuple(
            [
                each if type(each) not in FUNCTIONS else each() if ctx.needs(place) else None
                for place, each in enumerate(found)
            ]
        )

    return backward


def to_unsigned(value: Any) -> Any:
    """Return `value` with each negative integer as the unsigned 64-bit number of the same bits."""
    if type(value) is tuple:
        return tuple([to_unsigned(item) for item in value])
    return value % 2**64 if type(value) is int else value


# --- Helpers of formulas, for arrays and Tensors


def constant_like(g: Any, array: Any) -> Any:
    """Return `array` on the device of `g`, and as a Tensor if `g` is one."""
    array = get_array_module(unwrap(g)).asarray(array)
    return new_tensor(array) if isinstance(g, TensorBase) else array


def zeros_for(g: Any, shape: tuple[int, ...] | None = None) -> Any:
    """Return zeros like `g`, an array or a Tensor, in `shape` if one is given."""
    if isinstance(g, TensorBase):
        return new_tensor(np.zeros_like(g._array, shape=shape))
    return np.zeros_like(g, shape=shape)


# --- Application of an operation


def apply(op: type[Operation], *args: Any) -> TensorBase:
    """Compute `op` on Tensors (first its inputs, then its params) and record it."""
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
    """Wrap `value`, the result of `op.forward` on `inputs`, and leave a node behind.

    No node is made if no input requires grad, or if recording is off.
    """
    of = inputs if modes.grad else ()
    edges = tuple([t._edge or gradient_edge(t) if isinstance(t, TensorBase) else None for t in of])
    wrap: Any = attach_all if type(value) is tuple else attach  # the caller knows how many results
    return wrap(op, edges, (*inputs, *params), value)  # type: ignore[no-any-return]


def edge_or_constant(operand: Any) -> Edge:
    """Return the edge of a tensor; a number has none."""
    return gradient_edge(operand) if isinstance(operand, TensorBase) else None


def attach(
    op: type[Operation], edges: tuple[Edge, ...], args: Sequence[Any], value: Any
) -> TensorBase:
    """Wrap the one result of `op` and leave a node behind if a gradient may be needed.

    `edges` is empty where nothing is recorded.
    """
    if not any(edges):
        if () not in edges:
            out = new_tensor(value)
            if rare.used and modes.watch is not None:
                modes.watch(op, args, (out,))
            return out
        op = leading_nowhere(op)
    if value.dtype.kind != "f":
        return new_tensor(value)
    node = new_node(op, edges, value)
    if op.params:
        node.args = tuple(args[len(edges) :]) or op.default_args
    out = new_tensor(value, node)
    if op._plan:
        save(node, args, (out,))
    if rare.used and modes.watch is not None:
        modes.watch(node, args, (out,))
    return out


def attach_all(
    op: type[Operation], edges: tuple[Edge, ...], args: Sequence[Any], values: tuple[Any, ...]
) -> tuple[TensorBase, ...]:
    """`attach` for an operation with several results."""
    node: Any = None
    if any(edge is not None for edge in edges):
        kind = op if any(edges) else leading_nowhere(op)
        node = new_node(kind, edges, values)
        if op.params:
            node.args = tuple(args[len(edges) :])
    outs = []
    for index, v in enumerate(values):
        edge = (node, index) if index else node
        outs.append(new_tensor(v, edge if node is not None and v.dtype.kind == "f" else None))
    if node is not None and op._plan:
        save(node, args, outs)
    if rare.used and modes.watch is not None:
        modes.watch(node or op, args, outs)
    if len(op.results) < len(outs):  # the arguments determine the number of results: split, unbind
        return tuple(outs)
    return tuple([out for out, name in zip(outs, op.results, strict=True) if name[0] != "_"])


def _leading_nowhere(op: type[Any]) -> type[Any]:
    """Return `op` for inputs that are recorded but have no history (see views.NOWHERE).

    Its backward pass ends here, whatever the formula says.
    """

    def backward(ctx: Operation, *gradients: Any) -> Any:
        return (None,) * len(ctx._edges)

    return type(op.__name__, (op,), {"backward": backward, "__doc__": op.__doc__, "leads": op})


leading_nowhere = cast("Callable[[type[Any]], type[Any]]", cache(_leading_nowhere))


def is_needed(edges: tuple[Edge, ...], reader: int) -> bool:
    """Return whether the saved value is needed: the input `reader` needs a gradient, or ALWAYS."""
    return reader == ALWAYS or bool(edges[reader])


def save(node: Operation, args: Sequence[Any], outs: Sequence[TensorBase]) -> None:
    """Save the values of `node`'s plan that will be needed; without `outs`, no results."""
    edges = node._edges
    kept: list[Any] = []
    versions: list[int] | None = None
    hooked = rare.used and modes.saved_hooks is not None
    for place, reader in node._plan:
        if reader != ALWAYS and not edges[reader]:
            kept.append(None)
            continue
        value: Any
        if place < 0:
            keep = saved_output if hooked else SavedTensor
            value = keep(outs[~place], ~place) if outs else None
        else:
            value = saved_input(args[place]) if hooked else args[place]
        tensor = value if isinstance(value, TensorBase) else None  # a C struct if compiled
        counter = getattr(value, "_counter", None) if tensor is None else tensor._counter
        if counter is not None:
            if versions is None:
                versions = [0] * len(node._plan)
            if counter is UNCOUNTED:
                raise RuntimeError(INFERENCE_SAVED)
            versions[len(kept)] = counter.value
        kept.append(value)
    node._saved = tuple(kept)
    if versions is not None:
        node._expected = tuple(versions)
