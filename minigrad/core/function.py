"""Operations that a user writes: `forward`, `backward`, and the ctx that both share.

As for built-in operations, the ctx is the node. Unlike them, a user's code always gets Tensors. The
engine checks the number, types and shapes of the gradients that it returns.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Protocol, TypeVar, cast

import numpy as np

from ..arrays.devices import get_array_module
from ..arrays.messages import FREED, INFERENCE_SAVED
from .edges import Edge, edge_to
from .inplace import check_in_place
from .modes import modes, no_grad
from .node import UNCOUNTED, TensorBase, gradient_edge, new_node, new_tensor, unwrap
from .saved import RawSaved, SavingNode, saved_input, saved_output
from .views import View, rebase_history, requires_grad

R = TypeVar("R", covariant=True)

NO_TENSOR = ((), np.dtype(np.float32))
"""In `_outputs`: an output that is not a tensor and gets no gradient."""


class FunctionCtx(SavingNode):
    """The node of a user's operation, and the first argument of its `forward` and `backward`."""

    takes_undefined = True
    all_or_none = True
    _function: ClassVar[type[Function]]

    needs_input_grad: tuple[bool, ...] = ()
    materialize_grads: bool = True
    _materialize_non_diff_grads: bool = True
    _to_save: tuple[Any, ...] = ()
    _dirty: tuple[Any, ...] = ()
    _non_differentiable: tuple[Any, ...] = ()
    _arrays: Any = np
    """The module of the output arrays: NumPy or CuPy."""
    _tensor_places: tuple[int, ...] = ()
    """Positions of the tensors among forward's arguments: only tensors have an edge."""

    def save_for_backward(self, *tensors: Any) -> None:
        """Save inputs or outputs of `forward` (or None) for `backward`."""
        self._to_save = tensors

    def mark_dirty(self, *tensors: Any) -> None:
        """Declare that `forward` wrote to these inputs in place."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Declare that these outputs have no gradient."""
        self._non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Choose what `backward` gets where no gradient arrived: zeros (the default) or None."""
        self.materialize_grads = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors that `forward` saved.

        Raises:
            RuntimeError: they were freed, or modified in place since.
        """
        if self._saved is None:
            raise RuntimeError(FREED)
        return tuple(map(self._unpacked, range(len(self._saved))))

    @property
    def _raw_saved_tensors(self) -> tuple[RawSaved, ...]:
        if self._saved is None:
            raise RuntimeError(FREED)
        return tuple([RawSaved(self, place) for place in range(len(self._saved))])

    def _names_of_saved(self) -> Iterable[tuple[int, str]]:
        return [(place, f"saved_tensors[{place}]") for place in range(len(self._saved or ()))]

    def backward(self, *gradients: Any) -> Any:
        """Call the user's `backward` on Tensors and check what it returns."""
        given = [self._shown(g, place) for place, g in enumerate(gradients)]
        state = modes.grad, modes.saved_hooks
        returned = formula_of(self._function)(self, *given)
        modes.grad, modes.saved_hooks = state  # the next node begins as this one did
        listed = returned if isinstance(returned, tuple) else (returned,)
        places = self._tensor_places
        count = len(self.needs_input_grad)
        if len(listed) < count or any(g is not None for g in listed[count:]):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected "
                f"{count}, got {len(listed)})"
            )
        for place, g in enumerate(listed[:count]):
            if g is not None and not isinstance(g, TensorBase):
                raise RuntimeError(f"expected Variable or None (got {type(g).__name__})")
            if g is not None and place not in places:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position "
                    f"{place + 1}, but the corresponding forward input was not a Variable"
                )
        chosen = tuple([listed[place] for place in places])
        return chosen if self._with_tensors else tuple(map(unwrap, chosen))

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{type(self).__name__} object at {id(self):#x}>"

    def _shown(self, g: Any, place: int) -> Any:
        if g is None:
            if not self.materialize_grads or self._outputs[place] is NO_TENSOR:
                return None
            shape, dtype = self._outputs[place]
            return new_tensor(self._arrays.zeros(shape, dtype))
        return g if self._with_tensors else new_tensor(g)


def formula_of(function: type[Function]) -> Callable[..., Any]:
    """Return the user's `backward`, or `vjp`, which is another name for it."""
    if function.vjp is Function.vjp:
        return function.backward
    if function.backward is not Function.backward:
        raise RuntimeError(
            "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You "
            "should only implement one of them."
        )
    return function.vjp


class Computes(Protocol[R]):
    """The type of `apply` for checkers: it returns what the user's `forward` returns."""

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> R: ...


class Function:
    """Base class of a user's operation. Call it with `apply`.

    The public class is `minigrad.autograd.Function`, which also has PyTorch's old methods.
    """

    _node: ClassVar[type[FunctionCtx]] = FunctionCtx
    _base: ClassVar[type[FunctionCtx]] = FunctionCtx

    def __init_subclass__(cls) -> None:
        # PyTorch names the node after the function, so each function gets a class of node.
        cls._node = type(f"{cls.__name__}Backward", (cls._base,), {"_function": cls})

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the result. Receives ctx first, unless the class has a `setup_context`."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Save what `backward` needs, if `forward` does not take a ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(*args: Any, **kwargs: Any) -> Any:
        """Return the gradients of forward's arguments, given ctx and the outputs' gradients."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    vjp = backward

    @classmethod
    def apply(cls: type[Computes[R]], *args: Any, **kwargs: Any) -> R:
        """Compute the operation on the arguments and record it."""
        function: Any = cls
        takes_ctx = function.setup_context is Function.setup_context
        if kwargs or not takes_ctx:
            args = bind_arguments(function.forward, takes_ctx, args, kwargs)
        places = tuple(i for i, arg in enumerate(args) if isinstance(arg, TensorBase))
        edges = tuple(gradient_edge(args[i]) for i in places)
        needed = {i for i, edge in zip(places, edges, strict=True) if edge is not None}
        recorded = bool(needed) and modes.grad
        # The node is made before forward runs, so its sequence number precedes those of inner
        # nodes.
        ctx: FunctionCtx = new_node(function._node, edges if recorded else (), ())
        ctx._tensor_places = places
        ctx.needs_input_grad = tuple(i in needed for i in range(len(args)))
        with unobserved():
            if takes_ctx:
                result = function.forward(ctx, *args)
            else:
                result = function.forward(*args)
                function.setup_context(ctx, args, result)
        results: tuple[Any, ...] = result if isinstance(result, tuple) else (result,)
        outs = wrap_outputs(ctx, args, results, recorded)
        if modes.watch is not None:
            modes.watch(ctx, [args[place] for place in places], outs)
        ctx._to_save = ()
        return cast(R, tuple(outs) if isinstance(result, tuple) else outs[0])


class unobserved(no_grad):
    """Compute a user's forward unrecorded and unobserved."""

    def switch(self) -> dict[str, Any]:
        return {**super().switch(), "watch": None}


def bind_arguments(
    forward: Callable[..., Any], takes_ctx: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
    """Return the arguments in the order of forward's parameters.

    For a `setup_context`, include the defaults of omitted arguments.
    """
    ctx = (None,) * takes_ctx
    try:
        bound = inspect.signature(forward).bind(*ctx, *args, **kwargs)
    except TypeError as error:
        raise TypeError("forward() " * (takes_ctx and "got" in str(error)) + str(error)) from None
    if not takes_ctx:
        bound.apply_defaults()
    for name in bound.kwargs:
        raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
    return bound.args[len(ctx) :]


def wrap_outputs(
    ctx: FunctionCtx, args: tuple[Any, ...], results: Sequence[Any], recorded: bool
) -> list[Any]:
    """Give each output of a user's forward its place in the graph, and store the saved tensors."""
    for tensor in ctx._dirty:  # also where nothing is recorded, and before errors
        tensor.version_counter().value += 1
    if not all(is_among(results, tensor) for tensor in ctx._dirty):
        raise RuntimeError(
            "Some elements marked as dirty during the forward method were not returned as output. "
            "The inputs that are modified inplace must all be outputs of the Function."
        )
    ctx._outputs = tuple(
        [
            (value._array.shape, value._array.dtype)
            if is_differentiable(ctx, value)
            or (ctx._materialize_non_diff_grads and isinstance(value, TensorBase))
            else NO_TENSOR
            for value in results
        ]
    )
    edges = [
        edge_to(ctx, index) if recorded and is_differentiable(ctx, value) else None
        for index, value in enumerate(results)
    ]
    outs = [
        wrap_output(ctx, args, value, edge) if isinstance(value, TensorBase) else value
        for value, edge in zip(results, edges, strict=True)
    ]
    several = sum(edge is not None for edge in edges) > 1
    for out, edge in zip(outs, edges, strict=True):
        view = out._view if isinstance(out, TensorBase) else None
        if view is not None and not (is_among(ctx._dirty, out) and is_among(args, out)):
            view.made_by(edge, several)
    if recorded:
        store_saved(ctx, results, outs)
    return outs


def wrap_output(ctx: FunctionCtx, args: tuple[Any, ...], value: Any, edge: Edge) -> Any:
    """Return an output of a user's forward, whose history begins at `edge`."""
    ctx._arrays = get_array_module(value._array)
    dirty, is_input = is_among(ctx._dirty, value), is_among(args, value)
    differentiable = edge is not None
    if is_input and not differentiable and requires_grad(value):
        return value.detach()  # the input itself keeps its history
    out = value
    if is_input and not dirty:
        # An input returned as it is becomes a view of itself: its history begins here.
        out = value.detach()
        out._view = View(value, None, None)
    if not differentiable:
        return out if is_input or out._view is not None else out.detach_()
    if dirty:
        leaf = requires_grad(value) and (value._view or value)._edge is None
        if value._view is not None and not leaf and len(ctx._outputs) > 1:
            raise RuntimeError(
                "If your Function modifies inplace an input that is a view of another Tensor, your "
                "Function cannot return more than one Tensor. Clone the input, or let the Function "
                "return one only."
            )
        value._grad = value._grad if leaf else None  # a leaf is refused and keeps its own
        check_in_place(value, args, passive=True)
        if not is_input:
            warnings.warn(
                "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that "
                "have been mutated should be passed to ctx.mark_dirty().",
                stacklevel=4,
            )
        rebase_history(value, ctx, edge)
    elif out._view is None:
        out._edge = edge
        out._requires_grad = False
    return out


def is_differentiable(ctx: FunctionCtx, value: Any) -> bool:
    """Return whether a result of a user's forward can have a gradient."""
    return (
        isinstance(value, TensorBase)
        and value._array.dtype.kind == "f"
        and not is_among(ctx._non_differentiable, value)
    )


def is_among(tensors: Iterable[Any], value: Any) -> bool:
    """Return `value in tensors`, comparing by identity."""
    return any(value is tensor for tensor in tensors)


def store_saved(ctx: FunctionCtx, results: Sequence[Any], outs: Sequence[Any]) -> None:
    """Store the arguments of `save_for_backward`: inputs, or outputs of the function itself.

    Raises:
        TypeError: an argument is something else.
    """
    for position, tensor in enumerate(ctx._to_save):
        if tensor is not None and not isinstance(tensor, TensorBase):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {position} is of type "
                f"{type(tensor).__name__}"
            )
    saved: list[Any] = []
    for tensor in ctx._to_save:
        place = next((i for i, value in enumerate(results) if value is tensor), None)
        if tensor is None:
            saved.append(None)
        elif place is not None and outs[place]._edge is not None:
            saved.append(saved_output(outs[place], place))
        else:
            saved.append(saved_input(tensor))
    counters = [None if value is None else value._counter for value in saved]
    if UNCOUNTED in counters:
        raise RuntimeError(INFERENCE_SAVED)
    ctx._saved = tuple(saved)
    ctx._expected = tuple([0 if counter is None else counter.value for counter in counters])
