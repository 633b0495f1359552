"""Trading time for memory: save nothing in a stretch of the forward pass and compute it again.

Within a checkpointed function every saved tensor is packed as its number. The first unpacking runs
the function again, until it has saved as many tensors as it did the first time, and serves them by
number.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from ..arrays import draws as random
from ..arrays.left_out import missing_from
from ..autograd.graph import saved_tensors_hooks
from ..core.backward import backward
from ..core.function import Function
from ..core.modes import enable_grad, modes
from ..core.node import TensorBase, new_node
from ..core.saved import SavingNode
from ..core.views import requires_grad
from ..tensors.tensor import Tensor


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """`function(*args)` without keeping what its backward pass needs; that is computed again.

    Args:
        use_reentrant: run the second forward inside a backward pass of its own (PyTorch's older
            way, the default with a warning) instead of through saved-tensor hooks. It cannot take
            keyword arguments.
        preserve_rng_state: draw the same random numbers again.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0], requires_grad=True)
    >>> y = mg.utils.checkpoint.checkpoint(lambda t: (t * t).sin(), x, use_reentrant=False)
    >>> y.sum().backward()
    >>> x.grad
    tensor([ 1.0806, -2.6146])
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. "
            "use_reentrant=False is recommended.",
            stacklevel=2,
        )
        use_reentrant = True
    if use_reentrant:
        if kwargs:
            raise ValueError(f"Unexpected keyword arguments: {','.join(kwargs)}")
        if not any(isinstance(each, Tensor) and requires_grad(each) for each in args):
            warnings.warn(
                "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2
            )
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    again = Again(partial(function, *args, **kwargs), preserve_rng_state, tensors_among(args))
    with saved_tensors_hooks(again.number, again.tensor):
        return again.function()


class Again:
    """A function's saved tensors, by number; computed when the first of them is asked for, anew in
    each backward pass."""

    def __init__(
        self, function: Callable[[], Any], preserve_rng_state: bool, inputs: tuple[Tensor, ...]
    ) -> None:
        self.function = function
        self.inputs: CheckpointInputs = new_node(CheckpointInputs, (), ())
        self.inputs._saved = inputs
        self.inputs._expected = tuple([tensor.version() for tensor in inputs])
        self.rng_state = random.get_rng_state() if preserve_rng_state else None
        self.expected: list[dict[str, Any]] = []
        self.found: list[Any] = []
        self.found_in: weakref.ref[Any] | None = None  # the backward pass

    def number(self, tensor: Any) -> int:
        self.expected.append(metadata(tensor))
        return len(self.expected) - 1

    def tensor(self, number: int) -> Any:
        walk = modes.walk
        if walk is None or self.found_in is None or self.found_in() is not walk:
            self.found = []
            for place in range(len(self.inputs._expected or ())):
                self.inputs._check_version(place)
            with replaying(self.rng_state), enable_grad(), suppress(FoundAll):
                with saved_tensors_hooks(self.collect, lambda packed: packed):
                    self.function()
            self.check()
            self.found_in = None if walk is None else weakref.ref(walk)
        return self.found[number]

    def collect(self, tensor: Any) -> Any:
        # (The tensor itself, if it is an output, would hold the node that holds it.)
        self.found.append(tensor.detach())
        if len(self.found) == len(self.expected):
            raise FoundAll
        return self.found[-1]

    def check(self) -> None:
        """Refuse what cannot be what was saved the first time."""
        first, second = self.expected, [metadata(tensor) for tensor in self.found]
        if len(second) < len(first):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the "
                f"original forward ({len(first)}) and recomputation ({len(second)})."
            )
        for place, (before, now) in enumerate(zip(first, second, strict=True)):
            if before != now:
                raise CheckpointError(
                    "torch.utils.checkpoint: Recomputed values for the following tensors have "
                    f"different metadata than during the forward pass.\ntensor at position {place}"
                    f":\nsaved metadata: {before}\nrecomputed metadata: {now}"
                )


class CheckpointInputs(SavingNode):
    """What a checkpointed function was given: no node of a graph, but looked after as if it were,
    so that a second run with other numbers is refused."""


def tensors_among(args: tuple[Any, ...]) -> tuple[Tensor, ...]:
    return tuple([each for each in args if isinstance(each, Tensor)])


class CheckpointError(RuntimeError):
    """The second run of a checkpointed function did not save what the first one did."""


class FoundAll(Exception):
    """Ends the second run of a checkpointed function: all that was saved is there again."""


def metadata(tensor: Any) -> dict[str, Any]:
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


@contextmanager
def replaying(state: Any) -> Iterator[None]:
    """Within it, the generator stands where it stood in `state` (if any)."""
    before = random.get_rng_state()
    try:
        if state is not None:
            random.set_rng_state(state)
        yield
    finally:
        if state is not None:
            random.set_rng_state(before)


class CheckpointFunction(Function):
    """The older way: one node that runs the function again and a backward pass through it."""

    @staticmethod
    def forward(ctx: Any, function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        ctx.function = function
        ctx.others = [None if isinstance(each, Tensor) else each for each in args]
        ctx.places = [place for place, each in enumerate(args) if isinstance(each, Tensor)]
        ctx.save_for_backward(*tensors_among(args))
        ctx.rng_state = random.get_rng_state() if preserve_rng_state else None
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        if modes.walk is not None and modes.walk.wanted is not None:
            text = "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or"
            raise RuntimeError(f"{text} passing an `inputs` parameter to .backward().")
        points = list(ctx.others)
        for place, each in zip(ctx.places, ctx.saved_tensors, strict=True):
            points[place] = each.detach().requires_grad_(requires_grad(each))
        with replaying(ctx.rng_state), enable_grad():
            outputs = ctx.function(*points)
        listed = outputs if isinstance(outputs, tuple) else (outputs,)
        live = [
            (out, g)
            for out, g in zip(listed, grad_outputs, strict=True)
            if isinstance(out, TensorBase) and requires_grad(out)
        ]
        if not live:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        backward([out for out, _ in live], [g for _, g in live])
        return (None, None, *(getattr(point, "grad", None) for point in points))


if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
