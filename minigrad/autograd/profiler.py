"""Measure operations and backward passes: PyTorch's `torch.autograd.profiler`, for the CPU.

The engine tells a recorder when a node starts and when its formula is applied, which gives the
times of a backward pass. It tells of an operation when its result is there; the time of one begins
with the call of a public function, or where the last event ended. A function that is computed by
operations of other names has an event around theirs. Comparisons, and functions that make tensors
from nothing, have no events. On a GPU the times are those of the calls, which return before the GPU
has computed.

>>> import minigrad as mg
>>> from minigrad.autograd import profiler
>>> x = mg.ones(100, requires_grad=True)
>>> with profiler.profile() as prof:
...     with profiler.record_function("forward"):
...         y = (x * 2).sum()
...     y.backward()
>>> for event in prof.function_events:
...     print(event.thread, event.name)
1 forward
1 aten::mul
1 aten::sum
1 autograd::engine::evaluate_function: SumBackward0
1 SumBackward0
1 autograd::engine::evaluate_function: MulBackward0
1 MulBackward0
1 autograd::engine::evaluate_function: torch::autograd::AccumulateGrad
1 torch::autograd::AccumulateGrad
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ContextDecorator
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, cast

from ..arrays.left_out import missing_from
from ..core.events import SavedValue, Trace, recording
from ..core.modes import modes
from ..ops.aten import name_of
from ..ops.public.overriding import is_python, overriding, watchers
from .profiler_util import EventList, FunctionEvent, FunctionEventAvg, Interval


def kineto_available() -> bool:
    """Return False: PyTorch's library for traces of GPUs is not part of minigrad."""
    return False


class Timeline(Trace):
    """Records times instead of numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.began = self.last = perf_counter_ns()
        self.found: list[FunctionEvent] = []
        self.running: list[tuple[Any, float]] = []
        self.threads: dict[int, int] = {}
        """The thread of the forward operation, by its sequence number."""

    def now(self) -> float:
        """Return the time in microseconds, and begin the next event."""
        self.last = perf_counter_ns()
        return (self.last - self.began) / 1000

    def add(
        self, name: str, start: float, inputs: Sequence[Any] = (), number: int = -1, of: int = 0
    ) -> None:
        """Add an event that ends now; `of` is the thread of its forward operation."""
        shapes = [list(each._array.shape) for each in inputs if hasattr(each, "_array")]
        event = FunctionEvent(
            len(self.found), name, number_of_thread(), start, self.now(),
            input_shapes=shapes, sequence_nr=number, fwd_thread=of,
        )  # fmt: skip
        self.found.append(event)

    def call(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Call a public function; if other operations compute it, add an event around theirs."""
        before, start = len(self.found), self.now()
        result = function(*args, **kwargs)
        inside, name = self.found[before:], f"aten::{function.__name__}"
        same = [event for event in inside if event.name == name]
        if same:  # the operation itself, with what was computed before it
            same[-1].time_range = Interval(start, self.now())
        elif inside and hasattr(function, "schemas") and not is_python(function):
            self.add(name, start, (*args, *kwargs.values()))
        return result

    # --- Calls of the engine

    def computed(self, node: Any, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        if modes.level is not None:
            modes.level(node, inputs, outputs)
        number = -1 if isinstance(node, type) else node._sequence
        start = (self.last - self.began) / 1000
        self.threads[number] = number_of_thread()
        self.add(name_of(node if isinstance(node, type) else type(node)), start, inputs, number)

    def started(self, node: Any, gradients: Sequence[Any]) -> tuple[SavedValue, ...]:
        self.running.append((node, self.now()))
        return ()

    def applied(self, node: Any, outgoing: Sequence[Any]) -> None:
        while self.running:
            started, start = self.running.pop()
            if started is node:
                number = node._sequence
                name, of = node.name(), self.threads.get(number, number_of_thread())
                self.add(f"autograd::engine::evaluate_function: {name}", start, (), number, of)
                self.add(name, start, (), number, of)
                self.found[-2].time_range = self.found[-1].time_range
                return

    def accumulate(self, node: Any, run: Callable[..., object], gradients: Sequence[Any]) -> None:
        run(*gradients)
        self.applied(node, ())

    def hooked(self, node: Any, kind: str, hook: Any, *args: Any) -> Any:
        return hook(*args)

    def seeded(self, *_: Any) -> None: ...

    reduced = handed_over = retained = unpacked = released = failed = seeded  # type: ignore[assignment]


threads: dict[int, int] = {}


def number_of_thread() -> int:
    """Return 1 for the first thread that is measured, 2 for the next."""
    return threads.setdefault(threading.get_ident(), len(threads) + 1)


class profile:
    """Measure what happens inside the block.

    Args:
        enabled: measure at all.
        record_shapes: keep the shapes of inputs, for `key_averages(group_by_input_shape=True)`.

    The other arguments are accepted as in PyTorch, and have no effect.
    """

    def __init__(
        self,
        enabled: bool = True,
        *,
        use_device: str | None = None,
        record_shapes: bool = False,
        with_flops: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_modules: bool = False,
        use_kineto: bool = False,
        use_cpu: bool = True,
    ) -> None:
        self.enabled, self.record_shapes = enabled, record_shapes
        self.entered = False
        self.function_events: EventList | None = None

    def __enter__(self) -> profile | None:
        if not self.enabled:
            return None
        if self.entered:
            raise RuntimeError("Profiler context manager is not reentrant")
        self.entered = True
        lines = modes.lines
        self._recording = recording(forward=True, kind=Timeline)
        self._timeline = cast(Timeline, self._recording.__enter__())
        modes.lines = lines  # to look up lines would take longer than to compute
        self._outer, overriding.timer = overriding.timer, self._timeline.call
        watchers.append(self)
        return self

    def __exit__(self, *error: Any) -> None:
        if not self.enabled:
            return
        self._recording.__exit__(None, None, None)
        overriding.timer = self._outer
        watchers.remove(self)
        self.function_events = EventList(
            sorted(
                self._timeline.found, key=lambda event: (event.time_range[0], -event.time_range[1])
            )
        )
        for number, event in enumerate(self.function_events):
            event.id = number
            event.input_shapes = event.input_shapes if self.record_shapes else None
        self.function_events._populate_cpu_children()

    def events(self) -> EventList:
        """Return the events.

        Raises:
            RuntimeError: the block is not over.
        """
        if self.function_events is None:
            raise RuntimeError("Profiler didn't finish running")
        return self.function_events

    def key_averages(
        self,
        group_by_input_shape: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> EventList:
        """Return an average for each name, or for each name and shapes of inputs."""
        return self.events().key_averages(group_by_input_shape)

    def total_average(self) -> FunctionEventAvg:
        """Return the average of all events."""
        return self.events().total_average()

    def table(self, *args: Any, **kwargs: Any) -> str:
        """Return the events as a table; for the arguments see `EventList.table`."""
        return self.events().table(*args, **kwargs)

    def export_chrome_trace(self, path: str) -> None:
        """Write the events to a file that the browser's page chrome://tracing shows."""
        self.events().export_chrome_trace(path)

    @property
    def self_cpu_time_total(self) -> float:
        """The time of all events, in microseconds."""
        return self.events().self_cpu_time_total

    def __str__(self) -> str:
        if self.function_events is None:
            return "<unfinished torch.autograd.profile>"
        return str(self.function_events)

    __repr__ = __str__


class record_function(ContextDecorator):
    """Measure a block, or each call of a decorated function, as one event named `name`."""

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name = name
        self._started: list[tuple[Timeline, float]] = []

    def __enter__(self) -> record_function:
        timeline = modes.recorder
        if isinstance(timeline, Timeline):
            self._started.append((timeline, timeline.now()))
        return self

    def __exit__(self, *error: Any) -> None:
        if self._started:
            timeline, start = self._started.pop()
            timeline.add(self.name, start)


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
