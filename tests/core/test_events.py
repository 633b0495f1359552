"""The recorder: the events say what happened, in the order in which it happened, and nothing else.

Numbers in the events are compared with what PyTorch's own node hooks see of the same program.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import minigrad as mg
from minigrad.autograd import events
from tests.parity import node_name, nodes_of
from tests.record import answer


def record(root: Any, **options: Any) -> events.Trace:
    with mg.autograd.record() as trace:
        root.backward(**options)
    return trace


def short(trace: events.Trace) -> list[str]:
    """An event as "Kind node", hand-overs as "Accumulate node -> node"."""
    lines = []
    for event in trace:
        line = f"{type(event).__name__} {node_name(event.node)}"
        if isinstance(event, events.Accumulate):
            line += f" -> {node_name(event.target)}"
        lines.append(line)
    return lines


def broadcast_model(T: Any) -> Any:
    x = T.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    w = T.tensor([0.5, -1.5], requires_grad=True)
    b = T.tensor(0.1, requires_grad=True)
    hidden = (x * w + b).tanh()
    return (hidden * hidden + w).sum()


def reused(T: Any) -> Any:
    a = T.tensor([1.0, 2.0], requires_grad=True)
    b = a + a
    c = b * b
    return (c + b.exp()).sum()


def matrices(T: Any) -> Any:
    x = T.tensor([[1.0, 2.0, 3.0]])
    w = T.tensor([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], requires_grad=True)
    b = T.tensor([1.0, -1.0], requires_grad=True)
    return ((x @ w + b) ** 2).mean()


GRAPHS = [broadcast_model, reused, matrices]
each_graph = pytest.mark.parametrize("build", GRAPHS, ids=lambda build: build.__name__)


def test_the_events_of_a_square() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    assert short(record(x * x)) == [
        "Seed MulBackward0",
        "Start MulBackward0",
        "Formula MulBackward0",
        "Free MulBackward0",
        "Accumulate MulBackward0 -> AccumulateGrad",
        "Accumulate MulBackward0 -> AccumulateGrad",
        "Start AccumulateGrad",
        "LeafGradient AccumulateGrad",
    ]


def test_the_numbers_of_a_square() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = x * x
    seed, start, formula, free, first, second, leaf_start, leaf = record(y)
    assert (seed.node, seed.index, float(seed.gradient.data)) == (y.grad_fn, 0, 1.0)
    assert float(start.incoming[0].data) == 1.0
    saved = sorted((s.name, float(s.value.data), s.expected, s.version) for s in start.saved)
    assert saved == [("other", 3.0, 0, 0), ("self", 3.0, 0, 0)]
    assert [float(v.data) for v in formula.outgoing] == [3.0, 3.0]
    assert sorted(free.names) == ["other", "self"]
    assert (first.edge, first.before, float(first.added.data), float(first.after.data)) == (
        0,
        None,
        3.0,
        3.0,
    )
    assert (second.edge, float(second.before.data), float(second.after.data)) == (1, 3.0, 6.0)
    assert first.target is second.target is leaf.node
    assert float(leaf_start.incoming[0].data) == 6.0
    assert (leaf.before, float(leaf.added.data), float(leaf.after.data)) == (None, 6.0, 6.0)


def test_a_second_backward_adds_to_the_leaf() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    record(x * 2)
    leaf = record(x * 5).events[-1]
    assert (float(leaf.before.data), float(leaf.added.data), float(leaf.after.data)) == (2, 5, 7)


@each_graph
def test_node_event_has_the_incoming_gradient(build: Any) -> None:
    """Replaying the hand-overs gives every node's incoming gradients and every leaf's gradient."""
    waiting: dict[Any, Any] = {}
    started = set()
    for event in record(build(mg)):
        match event:
            case events.Seed():
                waiting[event.node, event.index] = event.gradient.data
            case events.Accumulate():
                assert event.target not in started, "handed on after the node had run"
                before = waiting.get((event.target, event.index))
                assert (event.before is None) == (before is None)
                total = event.added.data if before is None else before + event.added.data
                np.testing.assert_allclose(event.after.data, total)
                assert event.node.next_functions[event.edge] == (event.target, event.index)
                waiting[event.target, event.index] = event.after.data
            case events.Start():
                assert event.node not in started
                started.add(event.node)
                for index, value in enumerate(event.incoming):
                    np.testing.assert_array_equal(value.data, waiting[event.node, index])
            case events.LeafGradient():
                np.testing.assert_array_equal(event.after.data, event.node.variable.grad.numpy())


@each_graph
def test_every_node_that_is_reached_runs_once(build: Any) -> None:
    root = build(mg)
    reached = nodes_of([(root.grad_fn, 0)])
    ran = [event.node for event in record(root) if isinstance(event, events.Start)]
    assert len(ran) == len(set(ran)) == len(reached)
    assert set(ran) == set(reached)


@each_graph
def test_numbers_are_those_that_torch_sees(torch: Any, build: Any) -> None:
    """Incoming and outgoing gradients of each node against PyTorch's node hooks."""

    def seen(T: Any) -> list[Any]:
        root = build(T)
        found: list[Any] = []
        for number, node in enumerate(nodes_of([(root.grad_fn, 0)])):

            def hook(outgoing: Any, incoming: Any, number: int = number) -> None:
                found.append((number, listed(incoming), listed(outgoing)))

            if not hasattr(node, "variable"):
                node.register_hook(hook)
        root.backward()
        return found

    theirs = answer(torch, seen)

    root = build(mg)
    numbers = {node: number for number, node in enumerate(nodes_of([(root.grad_fn, 0)]))}
    mine: dict[Any, list[Any]] = {}
    for event in record(root):
        if isinstance(event, events.Start) and not hasattr(event.node, "variable"):
            mine[event.node] = [numbers[event.node], listed(event.incoming), []]
        elif isinstance(event, events.Accumulate):
            mine[event.node][2].append(event.added.data)

    assert [entry[0] for entry in mine.values()] == [entry[0] for entry in theirs]
    for (_, incoming, outgoing), (_, t_incoming, t_outgoing) in zip(
        mine.values(), theirs, strict=True
    ):
        for a, b in zip(incoming, t_incoming, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
        for a, b in zip(outgoing, [g for g in t_outgoing if g is not None], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def listed(values: Any) -> list[Any]:
    """Gradients of either library as arrays."""

    def array(value: Any) -> Any:
        return value.data if isinstance(value, events.Value) else value.numpy()

    return [None if value is None else array(value) for value in values]


@each_graph
def test_recording_changes_no_result(build: Any) -> None:
    def gradients(recording: bool) -> list[Any]:
        root = build(mg)
        leaves = [n.variable for n in nodes_of([(root.grad_fn, 0)]) if hasattr(n, "variable")]
        if recording:
            record(root)
        else:
            root.backward()
        return [leaf.grad.numpy() for leaf in leaves]

    for watched, plain in zip(gradients(True), gradients(False), strict=True):
        np.testing.assert_array_equal(watched, plain)


def test_undone_broadcasting_is_recorded() -> None:
    x = mg.ones(2, 3)
    b = mg.zeros(3, requires_grad=True)
    reductions = [e for e in record((x + b).sum()) if isinstance(e, events.Reduce)]
    assert [(node_name(e.node), e.index, e.before.shape, e.after.shape) for e in reductions] == [
        ("AddBackward0", 1, (2, 3), (3,))
    ]
    np.testing.assert_array_equal(reductions[0].after.data, [2.0, 2.0, 2.0])


def test_retain_graph_frees_nothing() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    y = (x * x).exp()
    assert not [e for e in record(y, retain_graph=True) if isinstance(e, events.Free)]
    freed = [e for e in record(y) if isinstance(e, events.Free)]
    assert [(node_name(e.node), sorted(e.names)) for e in freed] == [
        ("ExpBackward0", ["result"]),
        ("MulBackward0", ["other", "self"]),
    ]
    assert y.grad_fn._saved is None


def test_hooks_are_seen() -> None:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3

    def double(g: Any) -> Any:
        return g * 2

    y.register_hook(double)
    y.retain_grad()
    y.grad_fn.register_prehook(lambda gs: None)
    y.grad_fn.register_hook(lambda ins, outs: None)
    x.register_post_accumulate_grad_hook(lambda t: None)
    hooks = [e for e in record(y.sum()) if isinstance(e, events.Hook)]
    assert [(e.kind, node_name(e.node)) for e in hooks] == [
        ("tensor", "MulBackward0"),
        ("retain_grad", "MulBackward0"),
        ("node_pre", "MulBackward0"),
        ("node_post", "MulBackward0"),
        ("post_accumulate", "AccumulateGrad"),
    ]
    assert "double" in hooks[0].name
    assert [v.data.tolist() for v in (*hooks[0].before, *hooks[0].after)] == [[1, 1], [2, 2]]


@pytest.mark.parametrize("size", [2, events.FULL_VALUE_LIMIT + 1])
def test_hook_that_writes_gradient_is_seen(size: int) -> None:
    x = mg.ones(size, requires_grad=True)
    y = x * mg.full((size,), 3.0)

    def double(g: Any) -> None:
        g.mul_(2)

    y.register_hook(double)
    trace = record(y, gradient=mg.ones(size))
    (hook,) = [e for e in trace if isinstance(e, events.Hook)]
    (start,) = [e for e in trace if isinstance(e, events.Start) and e.saved]

    def largest(value: Any) -> float:
        return float(value.data.max() if value.summary is None else value.summary.maximum)

    assert [largest(v) for v in (*hook.before, *hook.after, *start.incoming)] == [1, 2, 2]


def test_hook_returning_no_gradient_raises() -> None:
    x = mg.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: 3.0)
    with mg.autograd.record() as trace, pytest.raises(TypeError, match="expected Variable"):
        y.sum().backward()
    assert isinstance(trace.events[-2], events.Hook)
    assert isinstance(trace.events[-1], events.Error)


def test_an_error_is_the_last_event() -> None:
    x = mg.tensor([1.0, 2.0], requires_grad=True) * 1
    y = (x * x).sum()
    x.add_(1)
    with mg.autograd.record() as trace, pytest.raises(RuntimeError, match="inplace operation"):
        y.backward()
    last = trace.events[-1]
    assert isinstance(last, events.Error)
    assert (last.node.name(), last.type) == ("MulBackward0", "RuntimeError")
    assert "expected version 0" in last.message
    start = [e for e in trace if isinstance(e, events.Start)][-1]
    assert {(s.expected, s.version) for s in start.saved} == {(0, 1)}


def test_events_are_facts() -> None:
    """Frozen, and not changed by what happens to the tensors afterwards."""
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    trace = record((x * x).sum())
    leaf = trace.events[-1]
    x.grad.zero_()
    with mg.no_grad():
        x.zero_()
    assert leaf.after.data.tolist() == [2.0, 4.0]
    start = next(e for e in trace if isinstance(e, events.Start) and e.saved)
    assert start.saved[0].value.data.tolist() == [1.0, 2.0]
    with pytest.raises(AttributeError):
        leaf.after = None  # type: ignore[misc]


def test_large_arrays_are_summarized() -> None:
    x = mg.ones(50, 50, requires_grad=True)
    leaf = record((x * 2).sum()).events[-1]
    assert leaf.after.data is None
    assert leaf.after.shape == (50, 50)
    assert leaf.after.summary == events.Summary(2.0, 2.0, 100.0, 0)


def test_summary_counts_non_finite_numbers() -> None:
    values = np.ones(2000)
    values[:3] = [np.nan, np.inf, 5.0]
    summary = events.snapshot(values).summary
    assert (summary.nonfinite, summary.minimum, summary.maximum) == (2, 1.0, 5.0)


def test_nothing_is_recorded_outside() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    with mg.autograd.record() as trace:
        pass
    (x * x).backward()
    assert len(trace) == 0


def test_recordings_nest() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    with mg.autograd.record() as outer:
        (x * 2).backward()
        with mg.autograd.record() as inner:
            (x * 3).backward()
        (x * 4).backward()
    values = [
        [float(e.added.data) for e in t if isinstance(e, events.LeafGradient)]
        for t in (outer, inner)
    ]
    assert values == [[2.0, 4.0], [3.0]]


def test_recording_ends_with_an_error() -> None:
    with pytest.raises(KeyError), mg.autograd.record() as trace:
        raise KeyError
    mg.tensor(3.0, requires_grad=True).backward()
    assert len(trace) == 0


def test_another_thread_is_not_recorded() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    with mg.autograd.record() as trace:
        thread = threading.Thread(target=lambda: (x * 2).backward())
        thread.start()
        thread.join()
    assert len(trace) == 0
    assert x.grad.item() == 2.0


def test_grad_and_inputs_are_recorded_too() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    w = mg.tensor(2.0, requires_grad=True)
    with mg.autograd.record() as trace:
        (g,) = mg.autograd.grad(x.exp() * w.exp(), x)
    ran = [node_name(e.node) for e in trace if isinstance(e, events.Formula)]
    assert ran == ["MulBackward0", "ExpBackward0"]
    assert not [e for e in trace if isinstance(e, events.LeafGradient)]
    assert g.item() == pytest.approx(np.exp(5.0), rel=1e-6)


def test_create_graph_is_recorded_with_numbers() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    with mg.autograd.record() as trace:
        (first,) = mg.autograd.grad(x**3, x, create_graph=True)
        mg.autograd.grad(first, x)
    assert all(
        isinstance(v, events.Value)
        for e in trace
        if isinstance(e, events.Formula)
        for v in e.outgoing
        if v is not None
    )


def test_user_functions_are_recorded() -> None:
    class Twice(mg.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    x = mg.tensor(3.0, requires_grad=True)
    trace = record(Twice.apply(x))
    assert short(trace)[:3] == [
        "Seed TwiceBackward",
        "Start TwiceBackward",
        "Formula TwiceBackward",
    ]
    start = trace.events[1]
    assert [float(s.value.data) for s in start.saved] == [3.0]
    assert "Free TwiceBackward" in short(trace)


def test_nodes_made_while_recording_know_their_line() -> None:
    x = mg.tensor(3.0, requires_grad=True)
    with mg.autograd.track_lines(False):  # the visualizer, once imported, tracks them always
        unknown = (x * 2).grad_fn
    with mg.autograd.record():
        known = (x * 3).grad_fn  # this very line
    assert unknown.line is None
    assert known.line.text == "known = (x * 3).grad_fn  # this very line"
    assert known.line.filename == __file__


def test_the_forward_pass_is_recorded_on_request() -> None:
    x = mg.tensor([1.0, 2.0], requires_grad=True)
    with mg.autograd.record(forward=True) as trace:
        y = 2 * x
        y.mul_(3)
        left, right = y.view(2, 1).split(1)
        mg.cat([left, right])
    assert short(trace) == [f"Forward {name}" for name in FORWARD]
    told = [
        (
            [[] if v is None else v.data.tolist() for v in e.inputs],
            [v.data.tolist() for v in e.outputs],
        )
        for e in trace
        if isinstance(e, events.Forward)
    ]
    assert told[:3] == [
        ([[1, 2], 2], [[2, 4]]),
        ([[2, 4], 3], [[6, 12]]),
        ([[6, 12]], [[[6], [12]]]),
    ]
    assert told[3:] == [([[[6], [12]]], [[[6]], [[12]]]), ([[[6]], [[12]]], [[[6], [12]]])]
    with mg.autograd.record() as alone:
        x.exp()
    assert not alone.events


FORWARD = ("MulBackward0", "MulBackward0", "ViewBackward0", "SplitBackward0", "CatBackward0")


def test_constant_computation_has_no_forward_event() -> None:
    x = mg.ones(2, requires_grad=True)
    with mg.autograd.record(forward=True) as trace:
        mg.ones(2) * 2
        with mg.no_grad():
            x.exp()
        x.argmax()
    assert not trace.events


def test_custom_function_is_one_forward_event() -> None:
    class Twice(mg.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(ctx: Any, factor: Any, x: Any) -> Any:
            return x * factor

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return None, g * 2

    x = mg.tensor(3.0, requires_grad=True)
    with mg.autograd.record(forward=True) as trace:
        Twice.apply(2, x)
    assert short(trace) == ["Forward TwiceBackward"]
    (event,) = trace
    assert isinstance(event, events.Forward)
    assert [None if v is None else float(v.data) for v in event.inputs] == [3.0]
    assert [float(v.data) for v in event.outputs] == [6.0]
