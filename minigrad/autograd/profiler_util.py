"""The events that `minigrad.autograd.profiler` measures, their averages and their table.

The names and the table are those of PyTorch's `torch.autograd.profiler_util`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, cast

from ..arrays.left_out import missing_from


class Interval(NamedTuple):
    """A stretch of time, in microseconds."""

    start: float
    end: float

    def elapsed_us(self) -> float:
        return self.end - self.start


class Times:
    """Times of an event or an average, in microseconds."""

    count: int
    cpu_time_total: float
    self_cpu_time_total: float
    device_time_total = self_device_time_total = 0.0

    @property
    def cpu_time(self) -> float:
        """The time of one call."""
        return self.cpu_time_total / self.count if self.count else 0.0

    @property
    def device_time(self) -> float:
        return 0.0


class FunctionEvent(Times):
    """One call: an operation, a node of a backward pass, or a `record_function` block."""

    count = 1

    def __init__(
        self,
        id: int,
        name: str,
        thread: int,
        start_us: float,
        end_us: float,
        *,
        input_shapes: list[list[int]] | None = None,
        fwd_thread: int | None = None,
        sequence_nr: int = -1,
        node_id: int = -1,
    ) -> None:
        self.id, self.name, self.thread = id, name, thread
        self.time_range = Interval(start_us, end_us)
        self.input_shapes = input_shapes
        self.fwd_thread, self.sequence_nr, self.node_id = fwd_thread, sequence_nr, node_id
        self.cpu_children: list[FunctionEvent] = []
        self.cpu_parent: FunctionEvent | None = None

    @property
    def key(self) -> str:
        return self.name

    @property
    def cpu_time_total(self) -> float:  # type: ignore[override]
        return self.time_range.elapsed_us()

    @property
    def self_cpu_time_total(self) -> float:  # type: ignore[override]
        """The time outside of the calls inside this one."""
        return self.cpu_time_total - sum(each.cpu_time_total for each in self.cpu_children)

    def __repr__(self) -> str:
        start, end = self.time_range
        return (
            f"<FunctionEvent id={self.id} name={self.name} cpu_time={_format_time(self.cpu_time)} "
            f"start_us={start:.3f} end_us={end:.3f} thread={self.thread} "
            f"cpu_children={[each.id for each in self.cpu_children]} "
            f"input_shapes={self.input_shapes}>"
        )


class FunctionEventAvg(Times):
    """Several calls with one name."""

    def __init__(self) -> None:
        self.key: str | None = None
        self.count = 0
        self.cpu_time_total = self.self_cpu_time_total = 0.0
        self.input_shapes: list[list[int]] | None = None
        self.cpu_parent: FunctionEvent | None = None

    def add(self, other: FunctionEvent | FunctionEventAvg) -> FunctionEventAvg:
        """Add a call, or all calls of another average with this name."""
        if self.key is None:
            self.key, self.input_shapes = other.key, other.input_shapes
            self.cpu_parent = other.cpu_parent
        assert other.key == self.key
        self.cpu_time_total += other.cpu_time_total
        self.self_cpu_time_total += other.self_cpu_time_total
        self.count += other.count
        return self

    __iadd__ = add

    def __repr__(self) -> str:
        return (
            f"<FunctionEventAvg key={self.key} count={self.count} "
            f"self_cpu_time={_format_time(self.self_cpu_time_total)} "
            f"cpu_time={_format_time(self.cpu_time)}>"
        )


class EventList(list[Any]):
    """Events, in the order in which they began."""

    def _populate_cpu_children(self) -> None:
        """Find for each event the innermost one that contains it, in its thread."""
        around: list[FunctionEvent] = []
        for event in sorted(
            self, key=lambda each: (each.thread, each.time_range.start, -each.time_range.end)
        ):
            while around and not (
                around[-1].thread == event.thread
                and event.time_range.start < around[-1].time_range.end
                and event.time_range.end <= around[-1].time_range.end
            ):
                around.pop()
            if around:
                around[-1].cpu_children.append(event)
                event.cpu_parent = around[-1]
            around.append(event)

    _build_tree = _populate_cpu_children

    @property
    def self_cpu_time_total(self) -> float:
        return cast(float, sum(event.self_cpu_time_total for event in self))

    def key_averages(
        self,
        group_by_input_shapes: bool = False,
        group_by_stack_n: int = 0,
        group_by_overload_name: bool = False,
    ) -> EventList:
        """Return an average for each name, or for each name and shapes of inputs."""
        found: dict[Any, FunctionEventAvg] = {}
        for event in self:
            shapes = str(event.input_shapes) if group_by_input_shapes else ""
            found.setdefault((event.key, shapes), FunctionEventAvg()).add(event)
        averages = EventList(found.values())
        if not group_by_input_shapes:
            for each in averages:
                each.input_shapes = None
        return averages

    def total_average(self) -> FunctionEventAvg:
        """Return the average of all events."""
        total = FunctionEventAvg()
        for event in self:
            total.key = event.key
            total.add(event)
        total.key = "Total"
        return total

    def table(
        self,
        sort_by: str | None = None,
        row_limit: int = 100,
        max_src_column_width: int = 75,
        max_name_column_width: int = 55,
        max_shapes_column_width: int = 80,
        header: str | None = None,
        top_level_events_only: bool = False,
    ) -> str:
        """Return the events as a table.

        Args:
            sort_by: the attribute by which rows are sorted, the largest first.
            row_limit: the greatest number of rows; -1 for all.
            max_src_column_width: without effect.
            top_level_events_only: leave out events inside of others.
        """
        if not self:
            return ""
        rows = (
            sorted(self, key=lambda each: getattr(each, sort_by), reverse=True) if sort_by else self
        )
        shapes = any(each.input_shapes for each in self)
        columns = [Column("Name", max_name_column_width, lambda each: each.key), *times_of(self)]
        if shapes:
            columns.append(
                Column("Input Shapes", max_shapes_column_width, lambda each: str(each.input_shapes))
            )
        widths = [column.width(self) for column in columns]
        listed = [each for each in rows if not (top_level_events_only and each.cpu_parent)]
        listed = listed if row_limit < 0 else listed[:row_limit]
        lines = [[column.title for column in columns]]
        lines += [[column.cell(each) for column in columns] for each in listed]
        texts = [
            "".join(f"{cell:>{width}}  " for cell, width in zip(line, widths, strict=True))
            for line in lines
        ]
        rule = "".join(f"{'-' * width}  " for width in widths)
        top = ["=" * (len(rule) - 2), header] if header else []
        if top_level_events_only:
            top += ["=" * (len(rule) - 2), "This report only display top-level ops statistics"]
        total = _format_time(self.self_cpu_time_total)
        end = [rule, f"Self CPU time total: {total}"]
        return "\n".join([*top, rule, texts[0], rule, *texts[1:], *end]) + "\n"

    def __str__(self) -> str:
        return self.table()

    def export_chrome_trace(self, path: str) -> None:
        """Write the events to a file that the browser's page chrome://tracing shows."""
        found = [
            {
                "name": event.name,
                "ph": "X",
                "ts": event.time_range.start,
                "dur": event.time_range.elapsed_us(),
                "tid": event.thread,
                "pid": "CPU functions",
                "args": {},
            }
            for event in self
        ]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(found, file)


class Column(NamedTuple):
    """A column of the table: a title, its greatest width and the text for an event."""

    title: str
    most: int
    text: Callable[[Any], str]

    def width(self, events: Iterable[Any]) -> int:
        if self.most == FIXED:
            return self.most
        return min(max(len(self.text(each)) for each in events) + 4, self.most)

    def cell(self, event: Any) -> str:
        text = self.text(event)
        return text if len(text) <= self.most else f"{text[: self.most - 3]}..."


FIXED = 12
"""The width of a column of numbers."""


def times_of(events: EventList) -> Sequence[Column]:
    """Return the columns of numbers; shares are of the time of all events."""
    total = events.self_cpu_time_total
    return [
        Column("Self CPU %", FIXED, lambda each: share(each.self_cpu_time_total, total)),
        Column("Self CPU", FIXED, lambda each: _format_time(each.self_cpu_time_total)),
        Column("CPU total %", FIXED, lambda each: share(each.cpu_time_total, total)),
        Column("CPU total", FIXED, lambda each: _format_time(each.cpu_time_total)),
        Column("CPU time avg", FIXED, lambda each: _format_time(each.cpu_time)),
        Column("# of Calls", FIXED, lambda each: str(each.count)),
    ]


def share(part: float, total: float) -> str:
    return f"{part * 100.0 / total:.2f}%" if total else "NaN"


def _format_time(microseconds: float) -> str:
    """Return a time in its largest unit, as PyTorch prints it."""
    for size, unit in ((1e6, "s"), (1e3, "ms")):
        if microseconds >= size:
            return f"{microseconds / size:.3f}{unit}"
    return f"{microseconds:.3f}us"


__getattr__ = missing_from(__name__)
