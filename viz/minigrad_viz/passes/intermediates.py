"""The intermediate results of a function, and their names: a graph holds neither.

The numbers are recorded while the operations run. The names are those of the function's variables,
read when it returns.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

from minigrad.autograd import record
from minigrad.autograd.events import Event, Forward, Value

from ..model.names import is_tensor
from .pytorch_forward import watch_pytorch
from .watch import watch

Output = tuple[int, int]
"""An autograd node, by identity, and which of its results."""


class Seen(NamedTuple):
    """An observed call of a function.

    variables  the function's variables that are tensors
    values     the results of its operations
    events     the recording, which keeps the nodes of `values` alive
    """

    result: Any
    variables: dict[str, Any]
    values: dict[Output, Value]
    events: list[Event]


def observe_call(function: Callable[..., Any], **arguments: Any) -> Seen:
    """Call the function, and record its operations and variables."""
    with (
        watch(),
        record(forward=True) as trace,
        watch_pytorch(trace.events),
        variables_of_call(function) as variables,
    ):
        result = function(**arguments)
    values = {
        (id(event.node), index): value
        for event in trace
        if isinstance(event, Forward)
        for index, value in enumerate(event.outputs)
    }
    return Seen(result, variables, values, trace.events)


@contextmanager
def variables_of_call(function: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    """Give the function's variables that are tensors, after it has returned inside the block."""
    variables: dict[str, Any] = {}
    code = getattr(function, "__code__", None)

    def at_event(frame: FrameType, event: str, value: Any) -> None:
        if event == "return" and frame.f_code is code:
            # variables_of would empty f_locals, which Python writes back into the frame after this.
            variables.update({k: v for k, v in frame.f_locals.items() if is_tensor(v)})

    before = sys.getprofile()
    sys.setprofile(at_event)
    try:
        yield variables
    finally:
        sys.setprofile(before)
