"""Watching a forward pass of PyTorch: which operations it takes, which line and module calls them.

A program is watched where it calls PyTorch: what a call like `cross_entropy` does inside is one
operation here, and a user's own Function is not seen, only that its node is there. Whoever looks on
also puts down the line of the call, which PyTorch's nodes do not remember, and the module.

Nodes are numbered in the order in which a thread makes them. So what a call has made is what is
behind its result and has a number that was still to come when it began.

PyTorch is never imported here: whoever has a tensor of it has imported it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

from minigrad.autograd.events import Event, Forward, Value

from . import lines, module_calls
from .frame_locals import variables_of
from .names import made_by
from .pytorch_modes import unseen
from .pytorch_passes import is_pytorch
from .values import value_of


@contextmanager
def note_pytorch() -> Iterator[None]:
    """Let the nodes that PyTorch makes inside the block know their line and module."""
    if "torch" not in sys.modules:
        yield
        return
    with modes()[0]():
        yield


@contextmanager
def watch_pytorch(events: list[Event]) -> Iterator[None]:
    """Note in `events` each call to PyTorch inside the block that leaves a node."""
    if "torch" not in sys.modules:
        yield
        return
    with modes()[1](events):
        yield


@cache
def modes() -> tuple[Any, Any]:
    """The two that PyTorch tells of each call: who notes lines and modules, who notes events."""
    torch: Any = sys.modules["torch"]
    compiling = torch.compiler.is_compiling
    next_number = torch.autograd._get_sequence_nr

    class Note(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self, function: Any, types: Any, args: Any, kwargs: Any = None
        ) -> Any:
            if compiling():  # who compiles reads this, too
                return function(*args, **(kwargs or {}))
            first = next_number()
            result = function(*args, **(kwargs or {}))
            if (end := next_number()) != first:
                in_place = args and (result is None or result is args[0])
                with torch._C.DisableTorchFunction():  # unseen(), of which this much is enough
                    made = written(args) if in_place else result
                    put_down(made, range(first, end), sys._getframe(1))
            elif not torch.is_grad_enabled():
                put_down_function(sys._getframe(1))
            return result

    class Listen(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __init__(self, events: list[Event]) -> None:
            super().__init__()
            self.events = events
            self.known: set[int] = set()

        def __torch_function__(
            self, function: Any, types: Any, args: Any, kwargs: Any = None
        ) -> Any:
            if compiling() or torch.jit.is_tracing():  # what reads numbers would be traced, too
                return function(*args, **(kwargs or {}))
            numbers = getattr(function, "__name__", "") in ARITHMETIC
            given = [*_flat(args, numbers), *_flat((kwargs or {}).values(), numbers=False)]
            with unseen():  # an operation in place changes what went in
                inputs = tuple([value_of(torch.as_tensor(each)) for each in given])
            result = function(*args, **(kwargs or {}))
            with unseen():
                self.note(inputs, result)
            return result

        def note(self, inputs: tuple[Value, ...], result: Any) -> None:
            made = [t for t in _flat((result,), numbers=False) if made_by(t)[0] is not None]
            if made and id(made[0].grad_fn) not in self.known:
                node = made[0].grad_fn
                self.known.add(id(node))  # the event keeps the node alive, and so its identity
                self.events.append(Forward(node, inputs, tuple(map(value_of, made))))

    return Note, Listen


def put_down(result: Any, numbers: range, frame: FrameType) -> None:
    """Let the nodes behind `result` that have these numbers know where they were made."""
    line, inside = lines.running_line(frame), module_calls.calls.inside()
    stack = [made_by(tensor)[0] for tensor in _flat((result,), numbers=False)]
    while stack:
        node = stack.pop()
        if node is None or node._sequence_nr() not in numbers:
            continue
        metadata = node.metadata
        if lines.NOTED not in metadata:
            metadata[lines.NOTED], metadata[module_calls.NOTED] = line, inside
            if len(numbers) > 1:
                stack += [n for n, _ in node.next_functions]


def written(args: Any) -> Any:
    """What an operation has changed in place. The history of a view that was written to is that of
    the tensor whose memory it is; its own is only made when somebody asks, and nobody may here.
    """
    return args[0]._base if is_pytorch(args[0]) and args[0]._is_view() else args[0]


def put_down_function(frame: FrameType | None) -> None:
    """Let the node of a user's Function know where it is made, if `frame` is inside its forward.

    PyTorch tells nobody of it, but its forward calls operations, and is given the node.
    """
    torch: Any = sys.modules["torch"]
    apply = torch.autograd.Function.apply.__func__.__code__
    while frame is not None and frame.f_back is not None:
        if frame.f_back.f_code is apply:
            node = next(iter(variables_of(frame).values()), None)
            if isinstance(node, torch.autograd.function.BackwardCFunction):
                node.metadata.setdefault(lines.NOTED, lines.running_line(frame.f_back))
                node.metadata.setdefault(module_calls.NOTED, module_calls.calls.inside())
            return
        frame = frame.f_back


def step_aside(module: Any, args: Any) -> Callable[[], None] | None:
    """Look away while `module` computes what leaves no node, if it then takes another path than
    where somebody looks on: the same numbers to the last bit. What is returned looks on again.
    """
    torch: Any = sys.modules["torch"]
    nn, overrides = torch.nn, torch.overrides
    if not isinstance(
        module, (nn.TransformerEncoder, nn.TransformerEncoderLayer, nn.MultiheadAttention)
    ):
        return None
    given = (*module.parameters(), *_flat(args, numbers=False))
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in given):
        return None
    away = []
    while isinstance(mode := overrides._get_current_function_mode(), modes()):
        mode.__exit__(None, None, None)
        away.append(mode)

    def look_again() -> None:
        for mode in reversed(away):
            mode.__enter__()

    return look_again


ARITHMETIC = frozenset(
    f"{before}{name}{after}"
    for name in ("add", "sub", "rsub", "mul", "div", "truediv", "radd", "rmul", "rdiv")
    for before, after in (("", ""), ("", "_"), ("__", "__"))
)
"""Functions of PyTorch whose numbers are operands, and no settings."""


def _flat(values: Any, numbers: bool) -> Iterator[Any]:
    """The tensors among `values` and in lists of them; also plain numbers, if they count."""
    for value in values:
        if is_pytorch(value) or (numbers and type(value) in (int, float)):
            yield value
        elif isinstance(value, tuple | list):
            yield from (each for each in value if is_pytorch(each))
