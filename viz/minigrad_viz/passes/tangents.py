"""Forward mode, watched: what every operation of a program gave, and how that moves.

Inside a dual level a tensor may have a tangent beside its values, and each operation gives its
results theirs (minigrad/autograd/forward_ad.py). Nothing remembers a tangent when the level ends.
So who wants to see them all looks at what goes into each operation and what comes out of it, while
the program runs, and writes them down under the node that the operation left in the graph: the
place where the backward pass will bring a gradient.

What a call to PyTorch computes inside (the logarithm in `cross_entropy`) nobody hands round. Its
tangent follows from those of its inputs, by the node's own backward formula: that is linear in the
gradient g, so its derivative with respect to g is what a tangent is multiplied by.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

from minigrad.autograd.events import Trace, Value, recording

from .autograd_nodes import results_of
from .intermediates import Output, variables_of_call
from .names import is_tensor, made_by
from .pytorch_modes import unseen
from .values import value_of
from .watch import watch


class Moving(NamedTuple):
    """A tensor as it was: its numbers, and its tangent, which is None if it did not move."""

    value: Value
    tangent: Any


class Ran(NamedTuple):
    """A program that has run: its result, its variables that are tensors, and what was seen."""

    result: Any
    variables: dict[str, Any]
    seen: Look


class Look:
    """Looks at tensors and remembers them by the node that they come from."""

    def __init__(self, library: ModuleType) -> None:
        self.library = library
        self.moving: dict[Output, Moving] = {}
        self.alive: list[Any] = []  # an identity means nothing once its object is gone

    def at(self, things: Iterable[Any]) -> None:
        if not self.library.is_grad_enabled():  # nor have tensors tangents inside a user's forward
            return
        for tensor in tensors_in(things):
            # What is written to a view goes into the history of the tensor whose memory it is.
            for each in (tensor._base, tensor) if tensor._is_view() else (tensor,):
                node, index = made_by(each)
                if node is not None and (id(node), index) not in self.moving:
                    self.alive.append(node)
                    self.moving[id(node), index] = Moving(value_of(each), self.tangent(each))

    def tangent(self, tensor: Any) -> Any:
        """A copy: an operation in place changes the tangent, too."""
        with self.library.no_grad():
            tangent = self.library.autograd.forward_ad.unpack_dual(tensor).tangent
            return None if tangent is None else tangent.detach().clone()


def tensors_in(things: Iterable[Any]) -> Iterator[Any]:
    """The tensors among `things`, and in lists of them."""
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
    """Call `function` with the arguments, some of which move, by their place; and what it was
    called with: fresh leaves for all that have floating-point elements.
    """
    forward_ad = library.autograd.forward_ad
    look = Look(library)
    with forward_ad.dual_level():
        with unseen():
            given = [
                leaf(forward_ad, argument, tangents.get(place))
                for place, argument in enumerate(arguments)
            ]
        with watch(), listening(look), variables_of_call(function) as variables:
            result = function(*given)
        with unseen():
            look.at((result,))
    return Ran(result, variables, look), given


def leaf(forward_ad: Any, argument: Any, tangent: Any) -> Any:
    """A copy of an argument to differentiate by; what is none is handed on as it is."""
    if not is_tensor(argument):
        return argument
    copy = argument.detach().clone()
    if not argument.is_floating_point():
        return copy
    if tangent is not None:
        copy = forward_ad.make_dual(copy, tangent)
    return copy.requires_grad_()


# --- Looking on


@contextmanager
def listening(look: Look) -> Iterator[None]:
    """Inside the block, look at what goes into each operation and at what comes out."""
    if look.library.__name__ == "torch":
        with looking_on()(look):
            yield
        return
    with recording(forward=True, kind=lambda: Onlooker(look)):
        yield


class Onlooker(Trace):
    """A recording of minigrad's that looks at the tensors themselves."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self.busy = False

    def computed(self, node: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        if self.busy:  # to look takes operations, too
            return
        super().computed(node, inputs, outputs)  # where the outputs get their tangents
        self.busy = True
        try:
            self.look.at((*inputs, *outputs))
        finally:
            self.busy = False


@cache
def looking_on() -> Any:
    """What PyTorch tells of each call."""
    torch: Any = sys.modules["torch"]

    class LookingOn(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __init__(self, look: Look) -> None:
            super().__init__()
            self.look = look

        def __torch_function__(
            self, function: Any, types: Any, args: Any, kwargs: Any = None
        ) -> Any:
            result = function(*args, **(kwargs or {}))
            with unseen():
                self.look.at((*args, *(kwargs or {}).values(), *tensors_in((result,))))
            return result

    return LookingOn


# --- What nobody saw


def tangents_through(node: Any, moving: Mapping[int, Any], library: ModuleType) -> list[Any] | None:
    """The tangents of what the operation behind `node` computed, from those of its inputs, by
    their slots. None where its formula cannot be differentiated.
    """
    some = next(iter(moving.values()))
    try:
        with library.enable_grad():
            asked = [
                library.zeros(
                    shape, dtype=getattr(library, dtype), device=some.device, requires_grad=True
                )
                for shape, dtype in results_of(node)
            ]
            given = node(*asked)
            given = given if isinstance(given, tuple) else (given,)
            total = sum((given[slot] * tangent).sum() for slot, tangent in moving.items())
        found = library.autograd.grad(total, asked, allow_unused=True)
    except Exception:  # whatever a formula that was made for one use says to another
        return None
    return [
        library.zeros_like(g) if tangent is None else tangent
        for g, tangent in zip(asked, found, strict=True)
    ]
