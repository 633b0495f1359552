"""Checkpointing: save no tensors in a segment of the forward pass and recompute them.

Inside a checkpointed function every saved tensor is packed as its number. The first unpacking runs
the function again, until it has saved as many tensors as the first time. Then it returns them by
number. The function's inputs are saved as a node saves its inputs. So inside another checkpointed
function they are numbers, too, and that function runs first.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from ..arrays import draws as random
from ..arrays.left_out import missing_from
from ..arrays.messages import INFERENCE_SAVED
from ..autograd.function import Function
from ..autograd.graph import saved_tensors_hooks
from ..autograd.line_tracking import track_lines
from ..core.backward import backward
from ..core.modes import Mode, enable_grad, modes
from ..core.node import TensorBase, new_node
from ..core.operation import DETACHED
from ..core.saved import SavingNode, saved_input
from ..core.views import requires_grad
from ..tensors.tensor import Tensor
from .selective import SAC_IGNORED_OPS as SAC_IGNORED_OPS
from .selective import CheckpointPolicy as CheckpointPolicy
from .selective import SelectiveCheckpointContext as SelectiveCheckpointContext
from .selective import create_selective_checkpoint_contexts as create_selective_checkpoint_contexts

Contexts = tuple[AbstractContextManager[Any], AbstractContextManager[Any]]


def noop_context_fn() -> Contexts:
    """Return contexts without effect, for both runs."""
    return nullcontext(), nullcontext()


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], Contexts] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Call `function(*args)` without saved tensors; the backward pass recomputes them.

    Args:
        use_reentrant: run the second forward inside a backward pass of its own (PyTorch's older
            way, the default with a warning) instead of through saved-tensor hooks. It accepts no
            keyword arguments, and of the options below only `preserve_rng_state`.
        context_fn: returns a context manager for the first run, and one for the second.
        determinism_check: "default" raises if the second run saves tensors of another shape, dtype
            or device than the first; "none" does not check.
        debug: list the operations of both runs in the error for a failed second run.
        early_stop: end the second run once it has saved all that the first one saved.
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
            "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an "
            f"exception. {EITHER_WAY}",
            stacklevel=2,
        )
        use_reentrant = True
    if use_reentrant:
        if kwargs:
            raise ValueError(f"Unexpected keyword arguments: {','.join(kwargs)}")
        if context_fn is not noop_context_fn or debug:
            raise ValueError(
                "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
            )
        if not any(isinstance(each, Tensor) and requires_grad(each) for each in args):
            warnings.warn(
                "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2
            )
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    if determinism_check not in CHECKS:
        allowed = list(CHECKS)
        raise ValueError(
            f"determinism_check should be one of {allowed}, but got {determinism_check}"
        )
    first, second = context_fn()
    if not modes.grad:
        return function(*args, **kwargs)
    recomputation = Recomputation(partial(function, **kwargs), args, second)
    recomputation.rng_state = random.states() if preserve_rng_state else None
    recomputation.early_stop = early_stop if settings.early_stop is None else settings.early_stop
    recomputation.check = CHECKS[determinism_check]
    recomputation.debug = debug if settings.debug is None else settings.debug
    with (
        saved_tensors_hooks(recomputation.number, recomputation.tensor),
        first,
        recomputation.noting(recomputation.first_run),
    ):
        result = function(*args, **kwargs)
    recomputation.complete = True
    return result


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """Apply `functions` (a list, or a Sequential) in `segments`, all but the last checkpointed.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, 2.0], requires_grad=True)
    >>> steps = [mg.exp, mg.sin, mg.neg]
    >>> y = mg.utils.checkpoint.checkpoint_sequential(steps, 3, x, use_reentrant=False)
    >>> y.sum().backward()
    >>> x.grad
    tensor([ 2.4784, -3.3129])
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be "
            "passed explicitly. In version 2.9 we will raise an exception if use_reentrant is not "
            f"passed. {EITHER_WAY}",
            stacklevel=2,
        )
        use_reentrant = True
    preserve_rng_state = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError(f"Unexpected keyword arguments: {','.join(kwargs)}")
    steps = list(functions)
    size = len(steps) // segments
    how = {"use_reentrant": use_reentrant, "preserve_rng_state": preserve_rng_state}
    last = size * (segments - 1)
    for start in range(0, last, size):
        input = checkpoint(partial(in_a_row, steps[start : start + size]), input, **how)
    return in_a_row(steps[last:], input)


def in_a_row(steps: Sequence[Callable[[Any], Any]], value: Any) -> Any:
    for step in steps:
        value = step(value)
    return value


DEBUGGED = (
    "You are seeing this error because you passed `debug=True` to checkpoint and tensors to be "
    "saved during the original forward and differ between those saved during recomputation."
)

EITHER_WAY = (
    "use_reentrant=False is recommended, but if you need to preserve the current default behavior, "
    "you can pass use_reentrant=True. Refer to docs for more details on the differences between "
    "the two variants."
)


# --- Settings for all checkpoints of a block


class Settings:
    """The values of the switches below; None leaves the choice to each checkpoint."""

    early_stop: bool | None = None
    debug: bool | None = None


settings = Settings()


@contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """Set whether the second run ends early, for all checkpoints made inside."""
    before, settings.early_stop = settings.early_stop, enable
    try:
        yield
    finally:
        settings.early_stop = before


@contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """Set whether errors list the operations of both runs, for all checkpoints made inside."""
    before, settings.debug = settings.debug, enabled
    try:
        yield
    finally:
        settings.debug = before


# --- The second run


class Recomputation:
    """A function's saved tensors, by number, recomputed in each backward pass on first use."""

    rng_state: Any
    early_stop: bool
    check: Callable[[Any], Any]
    debug: bool
    complete = False
    """Whether the first run has ended. A backward pass inside it recomputes a run in progress."""
    incomparable = False
    """Whether a second run went on to where the first one had not yet been."""

    def __init__(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        context: AbstractContextManager[Any],
    ) -> None:
        self.function, self.context = function, context
        self.places = [place for place, each in enumerate(args) if isinstance(each, Tensor)]
        self.others = [None if isinstance(each, Tensor) else each for each in args]
        self.inputs: CheckpointInputs = new_node(CheckpointInputs, (), ())
        if any(args[place].is_inference() for place in self.places):
            raise RuntimeError(INFERENCE_SAVED)
        self.inputs._saved = tuple([saved_input(args[place]) for place in self.places])
        self.inputs._expected = tuple([args[place].version() for place in self.places])
        self.inputs.results = [args[place].grad_fn is not None for place in self.places]
        self.expected: list[Any] = []
        self.found: list[Any] = []
        self.found_in: weakref.ref[Any] | None = None  # the backward pass
        self.first_run: list[str] = []
        self.second_run: list[str] = []

    def number(self, tensor: Any) -> int:
        self.expected.append(self.check(tensor))
        return len(self.expected) - 1

    def tensor(self, number: int) -> Any:
        walk = modes.walk
        if walk is None or self.found_in is None or self.found_in() is not walk:
            self.found = []
            args = list(self.others)
            for at, place in enumerate(self.places):
                args[place] = self.inputs._unpacked(at)
            with replaying(self.rng_state), enable_grad(), suppress(FoundAll), self.context:
                with saved_tensors_hooks(self.collect, lambda packed: packed):
                    with self.noting(self.second_run):
                        self.function(*args)
            self.compare()
            if walk is not None:
                self.found_in = weakref.ref(walk)
                walk.callbacks.append(self.found.clear)
        # Return each once, so that it is freed before the pass ends.
        found, self.found[number] = self.found[number], None
        if found is None:
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already "
                "unpacked once. Call ctx.saved_tensors in backward only once."
            )
        return found

    def collect(self, tensor: Any) -> Any:
        if len(self.found) == len(self.expected):
            if not self.complete:
                self.incomparable = True
                return tensor.detach()
            raise self.refused(
                "trying to save more tensors during recomputation than during the original forward "
                "pass."
            )
        # (The tensor itself, if it is an output, would close a reference cycle.)
        self.found.append(tensor.detach() if requires_grad(tensor) else tensor)
        if self.early_stop and len(self.found) == len(self.expected):
            raise FoundAll
        return self.found[-1]

    def compare(self) -> None:
        """Raise if the tensors differ from those of the first run."""
        if self.incomparable:
            return
        first, second = self.expected, list(map(self.check, self.found))
        if len(second) != len(first):
            raise self.refused(
                "A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {len(first)}\nNumber of "
                f"tensors saved during recomputation: {len(second)}."
            )
        different = [
            f"tensor at position {place}:\nsaved metadata: {before}\nrecomputed metadata: {now}"
            for place, (before, now) in enumerate(zip(first, second, strict=True))
            if before != now
        ]
        if different:
            raise self.refused(
                "Recomputed values for the following tensors have different metadata than during "
                "the forward pass.\n" + "\n".join(different)
            )

    def refused(self, why: str) -> CheckpointError:
        message = f"torch.utils.checkpoint: {why}"
        if self.debug:
            message += f"\n\n{DEBUGGED}"
            runs = [("original forward", self.first_run), ("recomputation", self.second_run)]
            for name, operations in runs:
                message += "\n".join((f"\n\nOperations of the {name}:", *operations))
        return CheckpointError(message)

    def noting(self, operations: list[str]) -> AbstractContextManager[Any]:
        """Record the operations of a run, for `debug`."""
        return Noting(operations) if self.debug else nullcontext()


class Noting(Mode):
    """Record each operation that leaves a node, with its line."""

    def __init__(self, operations: list[str]) -> None:
        self.operations = operations

    def switch(self) -> dict[str, Any]:
        outer = modes.watch
        self.operations.clear()

        def watch(node: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
            self.operations.append(f"{node.name()} ({node.line})")
            if outer is not None:
                outer(node, inputs, outputs)

        return {**track_lines().switch(), "watch": watch}


class CheckpointInputs(SavingNode):
    """Inputs of a checkpointed segment, held by the recomputation object.

    It is not in the graph, but checks saved tensors as a node does: a second run with changed
    inputs, or with inputs that lost their history, raises.
    """

    results: list[bool]
    """Which of the inputs are results of operations."""

    def _unpacked(self, place: int) -> Any:
        tensor = super()._unpacked(place)
        if self.results[place] and tensor.grad_fn is None:
            raise RuntimeError(DETACHED)
        return tensor

    def _names_of_saved(self) -> Iterable[tuple[int, str]]:
        return [(place, f"input {place}") for place in range(len(self._saved or ()))]


class CheckpointError(RuntimeError):
    """The second run of a checkpointed function saved other tensors than the first one."""


class FoundAll(BaseException):
    """Ends the second run of a checkpointed function once all tensors are saved again.

    It is not an error; a handler of errors would keep it, and its traceback holds the tensors.
    """


def metadata(tensor: Any) -> dict[str, Any]:
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


CHECKS: dict[str, Callable[[Any], Any]] = {"default": metadata, "none": lambda tensor: None}
"""The properties of a saved tensor that the second run must reproduce."""


@contextmanager
def replaying(state: Any) -> Iterator[None]:
    """Set the generators to `state` (if any) inside the block."""
    before = random.states()
    try:
        if state is not None:
            random.set_states(state)
        yield
    finally:
        if state is not None:
            random.set_states(before)


class CheckpointFunction(Function):
    """The older way: one node that runs the function again and a backward pass through it."""

    @staticmethod
    def forward(ctx: Any, function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        ctx.function = function
        ctx.others = [None if isinstance(each, Tensor) else each for each in args]
        ctx.places = [place for place, each in enumerate(args) if isinstance(each, Tensor)]
        ctx.save_for_backward(*[args[place] for place in ctx.places])
        ctx.rng_state = random.states() if preserve_rng_state else None
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        if modes.walk is not None and modes.walk.wanted is not None:
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or "
                "passing an `inputs` parameter to .backward(). To resolve this error, you can "
                "either set use_reentrant=False, or call .backward() without passing the `inputs` "
                "argument."
            )
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


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
