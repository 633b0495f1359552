"""Stepping through a backward pass of PyTorch: the same programs, the same frames."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.stepper.payload import Payload

import minigrad as mg
from tests.numbers import Printed, alike


def square(lib: Any) -> Any:
    x = lib.tensor(3.0, requires_grad=True)
    y = x * x
    return viz.step(y)


def linear(lib: Any) -> Any:
    x, y = lib.ones(5), lib.zeros(3)
    w = lib.arange(15.0).reshape(5, 3).requires_grad_()
    b = lib.ones(3, requires_grad=True)
    z = lib.matmul(x, w) + b
    loss = lib.nn.functional.binary_cross_entropy_with_logits(z, y)
    return viz.step(loss)


def shared(lib: Any) -> Any:
    x = lib.tensor([0.5, 0.25], requires_grad=True)
    a = x.exp()
    b = a + a
    c = (b * a).log()
    return viz.step((c / b).sum())


def views(lib: Any) -> Any:
    x = lib.arange(6.0, requires_grad=True)
    m = x.view(2, 3)
    row, column = m[0], m.t()[1]
    return viz.step(row.sum() * column.sum() + m.reshape(3, 2)[2, 1])


def several_roots(lib: Any) -> Any:
    x = lib.ones(2, requires_grad=True)
    h = x * x
    y, z = h.sum(), (h * 3).sum()
    return viz.step([y, z, h], [None, None, lib.tensor([1.0, 2.0])])


def function(lib: Any) -> Any:
    class Cube(lib.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any, power: int) -> Any:
            y = x**power
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            x, y = ctx.saved_tensors
            return g * 3 * y / x, None

    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = Cube.apply(x, 3)
    return viz.step(y.sum())


def hooks(lib: Any) -> Any:
    def double(g: Any) -> Any:
        return g * 2

    def look(*given: Any) -> None:
        pass

    def one_more(given: Any) -> Any:
        return (given[0] + 1,)

    def tenfold(outgoing: Any, incoming: Any) -> Any:
        return tuple(g * 10 for g in outgoing)

    x = lib.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    h.register_hook(double)
    h.register_hook(look)
    h.retain_grad()
    h.grad_fn.register_prehook(one_more)
    h.grad_fn.register_prehook(look)
    h.grad_fn.register_hook(tenfold)
    x.register_hook(double)
    x.register_post_accumulate_grad_hook(look)
    return viz.step(h.sum())


def changed_in_place(lib: Any) -> Any:
    x = lib.ones(2, requires_grad=True)
    h = x * 2
    y = h * h
    h.add_(1)
    return viz.step(y.sum())


def twice(lib: Any) -> Any:
    x = lib.ones(2, requires_grad=True)
    y = (x * x).sum()
    return viz.step([y, y], in_turn=True)


def twice_retained(lib: Any) -> Any:
    x = lib.ones(2, requires_grad=True)
    y = (x * x).sum()
    return viz.step([y, y], in_turn=True, retain_graph=True)


def second_order(lib: Any) -> Any:
    x = lib.tensor(3.0, requires_grad=True)
    y = x.sin()
    viz.step(y, create_graph=True)
    slope = x.grad
    x.grad = None
    return viz.step(slope, names={"x": x, "slope": slope})


def no_gradient_for_a_part(lib: Any) -> Any:
    x = lib.ones(2, requires_grad=True)
    with lib.no_grad():
        mean = x.mean()
    return viz.step(((x - mean) * x.detach()).sum())


def broadcast(lib: Any) -> Any:
    a = lib.ones(2, 1, requires_grad=True)
    b = lib.tensor([1.0, 2.0, 3.0], requires_grad=True)
    return viz.step((a * b + 1).sum())


PROGRAMS: list[Callable[[Any], Any]] = [
    square,
    linear,
    shared,
    views,
    several_roots,
    function,
    hooks,
    changed_in_place,
    twice,
    twice_retained,
    second_order,
    no_gradient_for_a_part,
    broadcast,
]


def told(payload: Payload) -> dict[str, Any]:
    """The payload without what only minigrad knows (lines of code), with values for their places.

    What a broadcast is summed to is part of PyTorch's formula: the engine sums before a hook looks.
    """
    values = payload["values"]

    def shown(place: Any) -> Any:
        if isinstance(place, list):
            return [shown(each) for each in place]
        return None if place is None else numbers(values[place])

    nodes = [{k: v for k, v in node.items() if k != "line"} for node in payload["nodes"]]
    for node in nodes:
        if "value" in node:
            node["value"] = shown(node["value"])
    events: list[Any] = []
    for event in payload["events"]:
        plain: dict[str, Any] = {k: v for k, v in event.items() if k != "caption"}
        for key in {"incoming", "outgoing", "before", "added", "after"} & set(plain):
            plain[key] = shown(plain[key])
        if event["kind"] == "reduce":
            events[-1]["outgoing"][event["index"]] = plain["after"]
            continue
        for saved in plain.get("saved", ()):
            saved["value"] = shown(saved["value"])
        events.append(plain)
    steps = [(step["node"], step["title"]) for step in payload["steps"]]
    return {"nodes": nodes, "edges": payload["edges"], "events": events, "steps": steps}


def numbers(value: Any) -> Any:
    """A value with its numbers as texts of which the last digit may differ."""
    return value | {"data": [Printed(f"{float(x):.5e}") for x in value["data"]]}


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: str(program.__name__))
def test_the_same_program_gives_the_same_frames(
    program: Callable[[Any], Any], torch: ModuleType
) -> None:
    ours, theirs = program(mg), program(torch)
    assert told(ours.payload) == told(theirs.payload)
    if "sums" not in ours.text:
        assert alike(ours.text, theirs.text)
        captions = [
            [Printed(event["caption"]) for event in s.payload["events"]] for s in (ours, theirs)
        ]
        assert captions[0] == captions[1]


def test_what_a_broadcast_is_summed_to_comes_out_of_pytorchs_formula(torch: ModuleType) -> None:
    assert "gives       [[1, 2, 3], [1, 2, 3]], [[1, 1, 1]" in broadcast(mg).text
    assert "gives       [[6], [6]], [2, 2, 2]" in broadcast(torch).text


def test_the_readers_hooks_stay_and_ours_go(torch: ModuleType) -> None:
    calls: list[str] = []

    def call(name: str) -> Any:
        return lambda *given: calls.append(name)

    x = torch.ones(2, requires_grad=True)
    h = x * x
    handles = [
        h.register_hook(call("h")),
        h.grad_fn.register_prehook(call("pre")),
        h.grad_fn.register_hook(call("post")),
        x.register_hook(call("x")),
        x.register_post_accumulate_grad_hook(call("done")),
    ]
    viz.step(h.sum(), retain_graph=True)
    assert calls == ["h", "pre", "post", "x", "done"]
    assert [len(handle.hooks_dict_ref()) for handle in handles] == [1] * 5
    for handle in handles:
        handle.remove()
    h.sum().backward()
    assert calls == ["h", "pre", "post", "x", "done"]


def test_a_hook_without_a_variable_is_seen_by_what_it_changes(torch: ModuleType) -> None:
    def program() -> tuple[Any, Any]:
        x = torch.ones(2, requires_grad=True)
        hidden = x * 2
        hidden.register_hook(lambda g: g * 5)
        return x, hidden.sum()

    x, loss = program()
    text = viz.step(loss, names={"x": x}).text
    assert "hook        tensor\n" in text
    assert "comes in    [5, 5]" in text
    assert "x.grad      None -> [10, 10]" in text


def test_nothing_is_changed_by_watching(torch: ModuleType) -> None:
    def program() -> list[Any]:
        torch.manual_seed(0)
        model = torch.nn.Sequential(
            torch.nn.Linear(4, 8), torch.nn.LayerNorm(8), torch.nn.GELU(), torch.nn.Linear(8, 2)
        )
        model(torch.randn(3, 4)).log_softmax(1)[:, 0].sum()
        loss = -model(torch.randn(3, 4)).log_softmax(1)[:, 0].mean()
        return [loss, *model.parameters()]

    loss, *plain = program()
    loss.backward()
    loss, *watched = program()
    stepper = viz.step(loss)
    assert stepper.error is None
    assert all(torch.equal(a.grad, b.grad) for a, b in zip(plain, watched, strict=True))
    assert all(a.grad.stride() == b.grad.stride() for a, b in zip(plain, watched, strict=True))


def test_a_failing_hook_is_the_last_step(torch: ModuleType) -> None:
    def broken(g: Any) -> Any:
        raise KeyError("no such thing")

    x = torch.ones(2, requires_grad=True)
    h = x * 2
    h.register_hook(broken)
    stepper = viz.step(h.sum())
    assert isinstance(stepper.error, KeyError)
    last = [line.split(maxsplit=1)[0] for line in stepper.text.splitlines()[-2:]]
    assert last == ["fails", "because"]
    assert stepper.payload["steps"][-1]["title"] == "MulBackward0"
    x.grad = None
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_what_is_wrong_from_the_start_is_raised(torch: ModuleType) -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar"):
        viz.step(x * 2)
    with pytest.raises(RuntimeError, match="shape"):
        viz.step(x * 2, torch.ones(3))
    with pytest.raises(TypeError):
        viz.step(x * 2, "one")
    with pytest.raises(TypeError, match="tensors of one library, not of both"):
        viz.step([x * 2, mg.ones(2, requires_grad=True) * 2])
    assert x.grad is None


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float64", "complex64"])
def test_element_types_that_numpy_may_not_know(dtype: str, torch: ModuleType) -> None:
    x = torch.ones(2, dtype=getattr(torch, dtype), requires_grad=True)
    stepper = viz.step((x * 3).abs().sum())
    leaf = next(n for n in stepper.payload["nodes"] if n["kind"] == "leaf")
    assert leaf["dtype"] == dtype
    assert stepper.payload["values"][leaf["value"]]["dtype"] == dtype
    assert json.loads(json.dumps(stepper.payload, allow_nan=False))


def test_large_complex_and_sparse_gradients(torch: ModuleType) -> None:
    z = torch.ones(2000, dtype=torch.complex64, requires_grad=True)
    assert "[2000] with norm" in viz.step((z * 3j).abs().sum()).text
    rows = torch.nn.Embedding(5, 2, sparse=True)
    stepper = viz.step(rows(torch.tensor([1, 1, 3])).sum())
    assert "rows.weight.grad None -> [5, 2] with norm" in stepper.text
    assert rows.weight.grad.is_sparse


def test_no_pytorch_no_trouble() -> None:
    code = (
        "import sys, minigrad as mg, minigrad_viz as viz\n"
        "x = mg.tensor(3.0, requires_grad=True)\n"
        "viz.step(x * x)\n"
        "sys.exit('torch' in sys.modules)"
    )
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=env).returncode == 0


def lines_of(stepper: Any) -> dict[str, str]:
    """The line of the program beside each operation, by the operation's name."""
    payload = stepper.payload
    found = {}
    for node in payload["nodes"]:
        if node["kind"] == "function":
            file = payload["files"][node["line"]["file"]] if "line" in node else None
            at = file and node["line"]["line"] - file["first"]
            found[node["name"]] = file["lines"][at].strip() if file else ""
    return found


def test_a_forward_pass_that_is_watched_shows_its_lines(torch: ModuleType) -> None:
    class Double(torch.autograd.Function):  # type: ignore[name-defined,misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.line = 5  # an attribute as any other
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    layer = torch.nn.Linear(2, 2)

    def program() -> Any:
        h = torch.ones(1, 2)
        h = Double.apply(layer(h))
        h = h + 1
        return torch.nn.functional.cross_entropy(h, torch.tensor([0]))

    entropy = "return torch.nn.functional.cross_entropy(h, torch.tensor([0]))"
    assert lines_of(viz.step(program)) == {
        "NllLossBackward0": entropy,
        "LogSoftmaxBackward0": entropy,
        "AddBackward0": "h = h + 1",
        "DoubleBackward": "h = Double.apply(layer(h))",
        "AddmmBackward0": "h = Double.apply(layer(h))",
        "TBackward0": "h = Double.apply(layer(h))",
    }


@pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled")
def test_anomaly_mode_remembers_lines_for_the_stepper(torch: ModuleType) -> None:
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.detect_anomaly():
        y = x.exp()
    assert lines_of(viz.step(y.sum())) == {"SumBackward0": "", "ExpBackward0": "y = x.exp()"}
