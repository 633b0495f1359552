"""The profiler's events and table. Times differ in every run, so the table is compared with given
ones."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

import minigrad as mg
from minigrad.autograd import profiler
from tests.parity import same
from tests.record import answer

CALLS = [
    ("aten::mul", 0, 10),
    ("aten::a_very_long_name_of_an_operation_that_is_cut_off_in_the_table", 2, 2005),
    ("aten::mul", 3000, 3000005.5),
    ("inside", 3100, 3200),
]


def events_of(library: Any) -> Any:
    """The same calls as events of a library, each in its place among the others."""
    util = importlib.import_module(f"{library.__name__}.autograd.profiler_util")
    more = {} if library is mg else {"stack": []}
    events = util.EventList(
        util.FunctionEvent(
            id=number, name=name, thread=1, start_us=start, end_us=end,
            input_shapes=[[2, 3], []], **more,
        )
        for number, (name, start, end) in enumerate(CALLS)
    )  # fmt: skip
    events._build_tree()
    return events


TABLES: list[dict[str, Any]] = [
    {},
    {"sort_by": "self_cpu_time_total"},
    {"row_limit": 1, "header": "HEAD"},
    {"row_limit": -1, "top_level_events_only": True},
]


@pytest.mark.parametrize("options", TABLES)
def test_table_is_that_of_pytorch(torch: Any, options: dict[str, Any]) -> None:
    def ask(library: Any) -> list[str]:
        events = events_of(library)
        averages = events.key_averages(), events.key_averages(group_by_input_shapes=True)
        return [each.table(**options) for each in (events, *averages)]

    assert ask(mg) == answer(torch, ask)


def test_averages_are_those_of_pytorch(torch: Any) -> None:
    def ask(library: Any) -> Any:
        events = events_of(library)
        total = events.total_average()
        rows = [(e.key, e.count, e.cpu_time_total, e.self_cpu_time_total, e.cpu_time)
                for e in (*events.key_averages(), total)]  # fmt: skip
        children = [[child.id for child in event.cpu_children] for event in events]
        return rows, children, events.self_cpu_time_total

    assert ask(mg) == answer(torch, ask)


def test_events_are_named_and_nested(torch: Any) -> None:
    def ask(library: Any) -> Any:
        found = importlib.import_module(f"{library.__name__}.autograd.profiler")
        x = library.ones(3, requires_grad=True)
        with found.profile() as prof:
            with found.record_function("forward"):
                y = (x.exp() + x).sum()
            y.backward()
        forward = next(event for event in prof.function_events if event.name == "forward")
        nodes = [e.name for e in prof.function_events if e.name.endswith(("Backward0", "Grad"))]
        inside = [child.name for child in forward.cpu_children]
        return inside, [name for name in nodes if "evaluate" not in name]

    assert ask(mg) == answer(torch, ask)


def test_times_add_up() -> None:
    x = mg.ones(4, requires_grad=True)
    with profiler.profile(record_shapes=True) as prof:
        for _ in range(3):
            (x * 2).sum().backward()
    assert prof is not None
    events = prof.events()
    assert all(event.cpu_time_total >= event.self_cpu_time_total >= 0 for event in events)
    roots = sum(event.cpu_time_total for event in events if event.cpu_parent is None)
    assert prof.self_cpu_time_total == pytest.approx(roots)
    rows = {each.key: each for each in prof.key_averages(group_by_input_shape=True)}
    assert (rows["aten::mul"].count, rows["aten::mul"].input_shapes) == (3, [[4]])
    assert rows["MulBackward0"].cpu_time * 3 == pytest.approx(rows["MulBackward0"].cpu_time_total)
    assert prof.table() == str(prof) != ""


def test_gradients_and_hooks_do_not_change() -> None:
    def run() -> list[Any]:
        seen: list[Any] = []
        x = mg.tensor([1.0, 2.0], requires_grad=True)
        x.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.tolist()))
        y = x * x
        y.register_hook(lambda g: 2 * g)
        y.retain_grad()
        y.sum().backward()
        assert x.grad is not None and y.grad is not None
        return [*seen, x.grad.tolist(), y.grad.tolist()]

    with profiler.profile():
        profiled = run()
    assert profiled == run()


def test_failed_pass_leaves_a_profile() -> None:
    class Broken(mg.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            raise ValueError

    with profiler.profile() as prof:
        with pytest.raises(ValueError):
            Broken.apply(mg.ones(2, requires_grad=True)).sum().backward()
    assert prof is not None
    names = [event.name for event in prof.events()]
    evaluated = "autograd::engine::evaluate_function: SumBackward0"
    assert names == ["Broken", "aten::sum", evaluated, "SumBackward0"]
    assert mg.autograd.profiler.profile(enabled=False).__enter__() is None


def test_unfinished_profile_has_no_events(torch: Any) -> None:
    prof = profiler.profile()
    with prof:
        assert str(prof) == "<unfinished torch.autograd.profile>"
        with pytest.raises(RuntimeError, match="Profiler didn't finish running"):
            prof.key_averages()
        with pytest.raises(RuntimeError, match="not reentrant"):
            prof.__enter__()


def test_trace_is_written_for_chrome(tmp_path: Path) -> None:
    with profiler.profile() as prof, profiler.record_function("block"):
        mg.ones(2).exp()
    assert prof is not None
    prof.export_chrome_trace(str(tmp_path / "trace.json"))
    events = json.loads((tmp_path / "trace.json").read_text("utf-8"))
    assert [event["name"] for event in events] == ["block", "aten::exp"]
    assert {event["ph"] for event in events} == {"X"}


def test_record_function_decorates() -> None:
    @profiler.record_function("mine")
    def double(x: mg.Tensor) -> mg.Tensor:
        return x * 2

    double(mg.ones(1))  # outside of a profile
    with profiler.profile() as prof:
        double(mg.ones(1))
    assert prof is not None
    assert [event.name for event in prof.events()] == ["mine", "aten::mul"]


def steps_of_a_schedule(T: Any) -> Any:
    plan = T.profiler.schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
    ready = []

    def on_trace_ready(prof: Any) -> None:
        names = {event.key for event in prof.key_averages()}
        ready.append((prof.step_num, "aten::mul" in names))

    activities = [T.profiler.ProfilerActivity.CPU]
    with T.profiler.profile(
        activities=activities, schedule=plan, on_trace_ready=on_trace_ready, record_shapes=True
    ) as prof:
        for _ in range(10):
            T.ones(2) * 2
            prof.step()
    refused = []
    for wrong in ({"wait": -1, "active": 1}, {"wait": 0, "active": 0}):
        try:
            T.profiler.schedule(warmup=0, **wrong)
        except AssertionError as error:
            refused.append(str(error))
    return [plan(step).name for step in range(11)], ready, refused


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_schedule_is_that_of_pytorch(torch: Any) -> None:
    same(torch, steps_of_a_schedule)


def test_profiler_measures_named_blocks() -> None:
    x = mg.ones(2, requires_grad=True)
    unfinished = mg.profiler.profile(schedule=mg.profiler.schedule(wait=9, warmup=0, active=1))
    with unfinished, pytest.raises(AssertionError, match="Profiler must be initialized"):
        unfinished.key_averages()
    with mg.profiler.profile() as prof, mg.profiler.record_function("block"):
        (x * 2).sum().backward()
    assert "block" in prof.key_averages().table(sort_by="cpu_time_total")
    assert [event.name for event in prof.events()][:2] == ["block", "aten::mul"]
