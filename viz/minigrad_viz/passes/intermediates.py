"""The intermediate results of a function, and their names: a graph holds neither.

The numbers are recorded while the operations run. The names are those of the function's variables,
read when it returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from minigrad.autograd import record
from minigrad.autograd.events import Event, Forward, Value

from .python_calls import variables_of_call
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
