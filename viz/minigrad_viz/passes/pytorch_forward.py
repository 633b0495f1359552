"""Watch a forward pass of PyTorch: its operations, and the line and the module that call them.

An observer sees the program's calls of PyTorch. A call such as `cross_entropy` is one operation,
and of a user's Function only the node is known. PyTorch's nodes do not remember the line and the
module of the call, so the observer notes them in the node's metadata.

A thread numbers its nodes in order. The nodes of a call are those behind its result whose number
is not smaller than the next number before the call.

PyTorch is never imported here: a program with a tensor of PyTorch has imported it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FrameType
from typing import Any

from minigrad.autograd.events import Event, Forward, Value

from ..model import lines, module_calls
from ..model.either_library import (
    is_pytorch,
    next_sequence_number,
    outside_modes,
    sequence_number,
    view_base,
)
from ..model.frame_locals import variables_of
from ..model.names import made_by
from ..model.values import value_of


@contextmanager
def note_pytorch() -> Iterator[None]:
    """Let the nodes that PyTorch makes inside the block know their line and module."""
    with observing(NodeNotes):
        yield


@contextmanager
def watch_pytorch(events: list[Event]) -> Iterator[None]:
    """Note in `events` each call of PyTorch inside the block that leaves a node."""
    with observing(lambda: ForwardRecorder(events)):
        yield


def observing(make: Callable[[], NodeNotes | ForwardRecorder]) -> AbstractContextManager[object]:
    """Return a context in which an observer sees PyTorch's calls, if PyTorch is imported."""
    if "torch" not in sys.modules:
        return nullcontext()
    from .._pytorch import CallMode

    return CallMode(make())


class NodeNotes:
    """Notes the line and the module of each call at the nodes that it makes."""

    def __init__(self) -> None:
        from .._pytorch import without_functions

        self.torch: Any = sys.modules["torch"]
        self.without_functions = without_functions

    def around(self, function: Any, args: Any, kwargs: Any, frame: FrameType) -> Any:
        first = next_sequence_number(self.torch)
        result = function(*args, **kwargs)
        if (end := next_sequence_number(self.torch)) != first:
            in_place = args and (result is None or result is args[0])
            with self.without_functions():
                made = written_tensor(args) if in_place else result
                note_origin(made, range(first, end), frame)
        elif not self.torch.is_grad_enabled():
            note_user_function(frame)
        return result


class ForwardRecorder:
    """Records each call that leaves a node as a Forward event."""

    def __init__(self, events: list[Event]) -> None:
        self.torch: Any = sys.modules["torch"]
        self.events = events
        self.known: set[int] = set()

    def around(self, function: Any, args: Any, kwargs: Any, frame: FrameType) -> Any:
        if self.torch.jit.is_tracing():  # it would trace what reads the numbers
            return function(*args, **kwargs)
        numbers = getattr(function, "__name__", "") in ARITHMETIC
        operands = [*_flat(args, numbers), *_flat(kwargs.values(), numbers=False)]
        with outside_modes():  # before the call, which may write to its operands
            inputs = tuple([value_of(self.torch.as_tensor(each)) for each in operands])
        result = function(*args, **kwargs)
        with outside_modes():
            self.record(inputs, result)
        return result

    def record(self, inputs: tuple[Value, ...], result: Any) -> None:
        made = [t for t in _flat((result,), numbers=False) if made_by(t)[0] is not None]
        if made and id(made[0].grad_fn) not in self.known:
            node = made[0].grad_fn
            self.known.add(id(node))  # the event keeps the node alive, and so its identity
            self.events.append(Forward(node, inputs, tuple(map(value_of, made))))


def note_origin(result: Any, numbers: range, frame: FrameType) -> None:
    """Note the line and the module at the nodes behind `result` that have these numbers."""
    line, inside = lines.running_line(frame), module_calls.calls.inside()
    place = lines.running_place(frame)
    stack = [made_by(tensor)[0] for tensor in _flat((result,), numbers=False)]
    while stack:
        node = stack.pop()
        if node is None or sequence_number(node) not in numbers:
            continue
        metadata = node.metadata
        if lines.NOTED not in metadata:
            metadata[lines.NOTED], metadata[module_calls.NOTED] = line, inside
            metadata[lines.PLACE] = place
            if len(numbers) > 1:
                stack += [n for n, _ in node.next_functions]


def written_tensor(args: Any) -> Any:
    """Return the tensor whose history an operation in place has changed.

    For a view that is its base: to read the view's own `grad_fn` would make a new node.
    """
    base = view_base(args[0]) if is_pytorch(args[0]) else None
    return args[0] if base is None else base


def note_user_function(frame: FrameType | None) -> None:
    """Note the origin of a user's Function at its node, if `frame` is inside its forward.

    No mode sees the call of `apply`, but forward calls operations, and its first argument is the
    node.
    """
    torch: Any = sys.modules["torch"]
    apply = torch.autograd.Function.apply.__func__.__code__
    while frame is not None and frame.f_back is not None:
        if frame.f_back.f_code is apply:
            node = next(iter(variables_of(frame).values()), None)
            if isinstance(node, torch.autograd.function.BackwardCFunction):
                node.metadata.setdefault(lines.NOTED, lines.running_line(frame.f_back))
                node.metadata.setdefault(lines.PLACE, lines.running_place(frame.f_back))
                node.metadata.setdefault(module_calls.NOTED, module_calls.calls.inside())
            return
        frame = frame.f_back


def step_aside(module: Any, args: Any) -> Callable[[], None] | None:
    """Remove the observers while `module` computes without a graph, and return what restores them.

    PyTorch's transformers take a faster path if no mode is active. Return None for other modules.
    """
    torch: Any = sys.modules["torch"]
    nn = torch.nn
    if not isinstance(
        module, (nn.TransformerEncoder, nn.TransformerEncoderLayer, nn.MultiheadAttention)
    ):
        return None
    given = (*module.parameters(), *_flat(args, numbers=False))
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in given):
        return None
    from .._pytorch import top_mode

    removed = []
    while isinstance(getattr(mode := top_mode(), "observer", None), NodeNotes | ForwardRecorder):
        mode.__exit__(None, None, None)
        removed.append(mode)

    def restore() -> None:
        for mode in reversed(removed):
            mode.__enter__()

    return restore


ARITHMETIC = frozenset(
    f"{before}{name}{after}"
    for name in ("add", "sub", "rsub", "mul", "div", "truediv", "radd", "rmul", "rdiv")
    for before, after in (("", ""), ("", "_"), ("__", "__"))
)
"""Functions of PyTorch whose numbers are operands and not settings."""


def _flat(values: Any, numbers: bool) -> Iterator[Any]:
    """Yield the tensors among `values` and in lists of them; with `numbers`, plain numbers, too."""
    for value in values:
        if is_pytorch(value) or (numbers and type(value) in (int, float)):
            yield value
        elif isinstance(value, tuple | list):
            yield from (each for each in value if is_pytorch(each))
