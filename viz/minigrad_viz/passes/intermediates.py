"""The results inside a function while it computes, and what it calls them: no graph keeps either.

The numbers are recorded as the operations run; the names are those of the function's own variables,
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

from .names import is_tensor
from .pytorch_forward import watch_pytorch
from .watch import watch

Output = tuple[int, int]
"""An autograd node, by identity, and which of its results."""


class Seen(NamedTuple):
    """What a function returned, its variables that are tensors, the numbers that its operations
    gave, and the record of these, which keeps the nodes alive that the numbers are known by.
    """

    result: Any
    variables: dict[str, Any]
    values: dict[Output, Value]
    events: list[Event]


def watched(function: Callable[..., Any], **arguments: Any) -> Seen:
    """Call the function and look on."""
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
    """The function's variables that are tensors, once it has returned inside the block."""
    variables: dict[str, Any] = {}
    code = getattr(function, "__code__", None)

    def at_event(frame: FrameType, event: str, value: Any) -> None:
        if event == "return" and frame.f_code is code:
            # Not by variables_of: after this call Python writes f_locals back into the frame.
            variables.update({k: v for k, v in frame.f_locals.items() if is_tensor(v)})

    before = sys.getprofile()
    sys.setprofile(at_event)
    try:
        yield variables
    finally:
        sys.setprofile(before)
