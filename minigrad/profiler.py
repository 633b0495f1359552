"""PyTorch's `torch.profiler`: the profiler of autograd, switched on and off by a schedule.

The events and their table are those of autograd/profiler.py.

>>> import minigrad as mg
>>> x = mg.ones(2, requires_grad=True)
>>> with mg.profiler.profile(activities=[mg.profiler.ProfilerActivity.CPU]) as prof:
...     (x * 2).sum().backward()
>>> [event.key for event in prof.key_averages()][:2]
['aten::mul', 'aten::sum']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any

from .arrays.left_out import missing_from
from .autograd import profiler as of_autograd
from .autograd.profiler import kineto_available, record_function
from .autograd.profiler_util import EventList

__all__ = [
    "ProfilerAction", "ProfilerActivity", "kineto_available", "profile", "record_function",
    "schedule", "supported_activities",
]  # fmt: skip


class ProfilerActivity(Enum):
    """What is measured. Here that is always the CPU."""

    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5

    def __str__(self) -> str:
        return f"ProfilerActivity.{self.name}"


class ProfilerAction(Enum):
    """What a profiler does in a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


RECORDING = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


def supported_activities() -> set[ProfilerActivity]:
    """Return what can be measured: the CPU."""
    return {ProfilerActivity.CPU}


def schedule(
    *,
    wait: int,
    warmup: int,
    active: int,
    repeat: int = 0,
    skip_first: int = 0,
    skip_first_wait: int = 0,
) -> Callable[[int], ProfilerAction]:
    """Return a schedule: after `skip_first` steps, wait, warm up and record, again and again.

    Args:
        repeat: how often; without end if 0.
        skip_first_wait: leave out the first wait if not 0.

    >>> import minigrad as mg
    >>> plan = mg.profiler.schedule(wait=1, warmup=0, active=2)
    >>> [plan(step).name for step in range(4)]
    ['NONE', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """
    given = {
        "wait": (wait, ">= 0"),
        "warmup": (warmup, ">= 0"),
        "active": (active, "> 0"),
        "repeat": (repeat, ">= 0"),
        "skip_first": (skip_first, ">= 0"),
    }
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        shown = ", ".join(f"{name}={value} (need {need})" for name, (value, need) in given.items())
        raise AssertionError(f"Invalid profiler schedule arguments. Got {shown}.")

    def action(step: int) -> ProfilerAction:
        step -= skip_first
        if step < 0:
            return ProfilerAction.NONE
        step += wait if skip_first_wait else 0
        round_, place = divmod(step, wait + warmup + active)
        if (repeat and round_ >= repeat) or place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        last = place == wait + warmup + active - 1
        return ProfilerAction.RECORD_AND_SAVE if last else ProfilerAction.RECORD

    return action


class profile:
    """Measure what happens inside the block, in the steps that a schedule chooses.

    Args:
        schedule: returns what to do in each step; by default everything is recorded.
        on_trace_ready: is called with the profiler when events are complete.
        record_shapes: keep the shapes of inputs.

    The other arguments are accepted as in PyTorch, and have no effect.
    """

    def __init__(
        self,
        *,
        activities: Iterable[ProfilerActivity] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[..., Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        with_modules: bool = False,
    ) -> None:
        self.schedule = schedule or (lambda step: ProfilerAction.RECORD)
        self.on_trace_ready, self.record_shapes = on_trace_ready, record_shapes
        self.step_num = 0
        self.current_action = self.schedule(0)
        self.profiler: of_autograd.profile | None = None
        self._running = False

    def __enter__(self) -> profile:
        self.start()
        return self

    def __exit__(self, *error: Any) -> None:
        self.stop()

    def start(self) -> None:
        """Begin with the first step."""
        if self.current_action in RECORDING:
            self.profiler = of_autograd.profile(record_shapes=self.record_shapes)
            self.profiler.__enter__()
            self._running = True

    def stop(self) -> None:
        """End what is being recorded."""
        if not self._running or self.profiler is None:
            return
        self.profiler.__exit__(None, None, None)
        self._running = False
        if self.on_trace_ready is not None:
            self.on_trace_ready(self)

    def step(self) -> None:
        """Say that a step is over."""
        before = self.current_action
        self.step_num += 1
        self.current_action = self.schedule(self.step_num)
        if before is ProfilerAction.RECORD_AND_SAVE or self.current_action not in RECORDING:
            self.stop()
        if not self._running:
            self.start()

    def events(self) -> EventList:
        """Return the events."""
        assert self.profiler, "Profiler must be initialized before accessing events"
        return self.profiler.events()

    def key_averages(
        self,
        group_by_input_shape: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> EventList:
        """Return an average for each name, or for each name and shapes of inputs."""
        assert self.profiler, "Profiler must be initialized before getting key averages"
        return self.profiler.key_averages(group_by_input_shape)

    def export_chrome_trace(self, path: str) -> None:
        """Write the events to a file that the browser's page chrome://tracing shows."""
        assert self.profiler, "Profiler must be initialized before exporting chrome trace"
        self.profiler.export_chrome_trace(path)


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
