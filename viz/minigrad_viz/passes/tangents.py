"""Forward mode, recorded: the result of every operation, and its tangent.

Inside a dual level a tensor may have a tangent, and each operation computes the tangents of its
results (minigrad/autograd/forward_ad.py). They are lost when the level ends. So an observer reads
the inputs and results of each operation while the program runs. It notes them under the operation's
node, where the backward pass will bring a gradient.

Results inside a call of PyTorch (the logarithm in `cross_entropy`) cannot be observed. Their
tangents follow from the node's backward formula: it is linear in the gradient g, so its derivative
with respect to g maps the tangents of the inputs to that of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from minigrad.autograd.events import Trace, Value, recording

from ..model.autograd_nodes import results_of
from ..model.either_library import outside_modes, view_base
from ..model.names import is_tensor, made_by
from ..model.values import value_of
from .intermediates import Output
from .python_calls import variables_of_call
from .watch import watch


class Moving(NamedTuple):
    """A tensor's numbers and its tangent, or None if it did not move."""

    value: Value
    tangent: Any


class Ran(NamedTuple):
    """A program that has run: its result, its variables that are tensors, and the observer."""

    result: Any
    variables: dict[str, Any]
    seen: TangentNotes


class TangentNotes:
    """Notes tensors and their tangents under the nodes that made them."""

    def __init__(self, library: ModuleType) -> None:
        self.library = library
        self.moving: dict[Output, Moving] = {}
        self.alive: list[Any] = []  # keeps the nodes alive, so that their identities stay theirs

    def at(self, things: Iterable[Any]) -> None:
        if not self.library.is_grad_enabled():  # inside a user's forward, tensors have no tangents
            return
        for tensor in tensors_in(things):
            # A write through a view goes into the history of its base.
            for each in (tensor,) if (base := view_base(tensor)) is None else (base, tensor):
                node, index = made_by(each)
                if node is not None and (id(node), index) not in self.moving:
                    self.alive.append(node)
                    self.moving[id(node), index] = Moving(value_of(each), self.tangent(each))

    def around(self, function: Any, args: Any, kwargs: Any, frame: FrameType) -> Any:
        """Note a call of PyTorch (_pytorch.py)."""
        result = function(*args, **kwargs)
        with outside_modes():
            self.at((*args, *kwargs.values(), *tensors_in((result,))))
        return result

    def tangent(self, tensor: Any) -> Any:
        """Return a copy of the tangent, which an in-place operation would change."""
        with self.library.no_grad():
            tangent = self.library.autograd.forward_ad.unpack_dual(tensor).tangent
            return None if tangent is None else tangent.detach().clone()


def tensors_in(things: Iterable[Any]) -> Iterator[Any]:
    """Yield the tensors among `things`, and in lists of them."""
    for thing in things:
        if is_tensor(thing):
            yield thing
        elif isinstance(thing, tuple | list):
            yield from (each for each in thing if is_tensor(each))


def run_forward(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    tangents: Mapping[int, Any],
    library: ModuleType,
) -> tuple[Ran, list[Any]]:
    """Call `function` with copies of the arguments, of which some have tangents, by position.

    Return the run and the copies; those with floating-point elements are leaves.
    """
    forward_ad = library.autograd.forward_ad
    notes = TangentNotes(library)
    with forward_ad.dual_level():
        with outside_modes():
            given = [
                leaf(forward_ad, argument, tangents.get(place))
                for place, argument in enumerate(arguments)
            ]
        with watch(), observing(notes), variables_of_call(function) as variables:
            result = function(*given)
        with outside_modes():
            notes.at((result,))
    return Ran(result, variables, notes), given


def leaf(forward_ad: Any, argument: Any, tangent: Any) -> Any:
    """Return a copy of a tensor as a leaf; other arguments are returned as they are."""
    if not is_tensor(argument):
        return argument
    copy = argument.detach().clone()
    if not argument.is_floating_point():
        return copy
    if tangent is not None:
        copy = forward_ad.make_dual(copy, tangent)
    return copy.requires_grad_()


# --- Observers


@contextmanager
def observing(notes: TangentNotes) -> Iterator[None]:
    """Within the block, note the inputs and results of each operation."""
    if notes.library.__name__ == "torch":
        from .._pytorch import CallMode

        with CallMode(notes):
            yield
        return
    with recording(forward=True, kind=lambda: TangentTrace(notes)):
        yield


class TangentTrace(Trace):
    """A recording of minigrad that notes the tensors themselves."""

    def __init__(self, notes: TangentNotes) -> None:
        super().__init__()
        self.notes = notes
        self.busy = False

    def computed(self, node: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        if self.busy:  # an operation of the observer itself
            return
        super().computed(node, inputs, outputs)  # this gives the outputs their tangents
        self.busy = True
        try:
            self.notes.at((*inputs, *outputs))
        finally:
            self.busy = False


# --- Inside a call of PyTorch


def tangents_through(node: Any, moving: Mapping[int, Any], library: ModuleType) -> list[Any] | None:
    """Return the tangents of a node's results, given those of its inputs by their slots.

    None if its formula cannot be differentiated.
    """
    some = next(iter(moving.values()))
    try:
        with library.enable_grad():
            zeros = [
                library.zeros(
                    shape, dtype=getattr(library, dtype), device=some.device, requires_grad=True
                )
                for shape, dtype in results_of(node)
            ]
            given = node(*zeros)
            given = given if isinstance(given, tuple) else (given,)
            total = sum((given[slot] * tangent).sum() for slot, tangent in moving.items())
        found = library.autograd.grad(total, zeros, allow_unused=True)
    except Exception:  # a formula may refuse this use
        return None
    return [
        library.zeros_like(g) if tangent is None else tangent
        for g, tangent in zip(zeros, found, strict=True)
    ]
