"""Stepping through a backward pass of PyTorch: the same programs, the same frames."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import minigrad_viz as viz
import pytest
from minigrad_viz.stepper.payload import Payload

import minigrad as mg
from tests.numbers import compare
from tests.record import answer


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
    """The payload without what only minigrad knows (lines, frames), with values for their places.

    What a broadcast is summed to is part of PyTorch's formula: the engine sums before a hook looks.
    """
    values = payload["values"]

    def shown(place: Any) -> Any:
        if isinstance(place, list):
            return [shown(each) for each in place]
        return None if place is None else numbers(values[place])

    own = ("line", "frame")
    nodes = [{k: v for k, v in node.items() if k not in own} for node in payload["nodes"]]
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
    return value | {"data": [f"{float(x):.5e}" for x in value["data"]]}


@pytest.mark.filterwarnings("ignore:Using backward.. with create_graph=True")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: str(program.__name__))
def test_the_same_program_gives_the_same_frames(
    program: Callable[[Any], Any], oracle: ModuleType
) -> None:

    def seen(lib: Any) -> list[Any]:
        steps = program(lib)
        captions = [event["caption"] for event in steps.payload["events"]]
        text = steps.text  # before `told` changes the payload
        found = json.dumps([told(steps.payload), text, captions])
        places_hidden = re.sub(r"line \d+ of", "line N of", found)  # of this very file
        return list(json.loads(places_hidden))

    ours, theirs = seen(mg), answer(oracle, seen)
    if "sums" in ours[1]:
        ours, theirs = ours[:1], theirs[:1]
    compare(ours, theirs)


def test_formula_has_the_reduced_gradient(torch: ModuleType) -> None:
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


def test_unnamed_hook_shows_by_its_effect(torch: ModuleType) -> None:
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


def test_wrong_calls_raise(torch: ModuleType) -> None:
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
    """The line of the program next to each operation, by the operation's name."""
    payload = stepper.payload
    found = {}
    for node in payload["nodes"]:
        if node["kind"] == "function":
            file = payload["files"][node["line"]["file"]] if "line" in node else None
            at = file and node["line"]["line"] - file["first"]
            found[node["name"]] = file["lines"][at].strip() if file else ""
    return found


def test_watched_forward_pass_has_lines(torch: ModuleType) -> None:
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


# --- What can only be seen without touching


def last_step(stepper: Any) -> tuple[str, str]:
    """The title of the last turn, and the first line of what it fails with."""
    payload = stepper.payload
    return payload["steps"][-1]["title"], payload["events"][-1]["message"]


def failing(g: Any) -> Any:
    raise KeyError("no such thing")


def test_failing_tensor_hook_names_its_node(torch: ModuleType) -> None:
    def named() -> Any:
        h = torch.ones(2, requires_grad=True) * 2
        h.register_hook(failing)
        return viz.step(h.exp().sum())

    def unnamed() -> Any:
        x = torch.ones(2, requires_grad=True)

        def loss() -> Any:
            h = x * 2
            h.register_hook(failing)
            return (h.exp() + x.sin()).sum()

        return viz.step(loss())

    def of_the_root() -> Any:
        def loss() -> Any:
            product = torch.ones((), requires_grad=True) * 2
            product.register_hook(failing)
            return product

        return viz.step([loss()])

    for program in (named, unnamed, of_the_root):
        stepper = program()
        assert last_step(stepper) == ("MulBackward0", "KeyError: 'no such thing'")
        assert stepper.payload["events"][-1]["hook"] == "tensor: failing"
        assert "A hook that MulBackward0 called" in stepper.payload["events"][-1]["caption"]


def test_failure_after_a_node_names_it(torch: ModuleType) -> None:
    x = torch.ones(2, requires_grad=True)
    h = x * 2
    h.grad_fn.register_hook(lambda out, g: failing(g))
    stepper = viz.step(h.exp().sum())
    assert last_step(stepper)[0] == "MulBackward0"
    assert stepper.payload["events"][-1]["hook"] == "node_post: <lambda>"
    with torch.autograd.detect_anomaly(check_nan=True):
        y = (torch.zeros(2, requires_grad=True) * 1).sqrt()
        stepper = viz.step(y.sum(), gradient=torch.tensor(float("nan")))
    title, message = last_step(stepper)
    assert title in message and "returned nan values" in message
    assert "hook" not in stepper.payload["events"][-1]


def saved_at(stepper: Any, node: str) -> dict[str, Any]:
    """Return the values that a node has read, by name."""
    names = {n["id"]: n["name"] for n in stepper.payload["nodes"]}
    for event in stepper.payload["events"]:
        if event["kind"] == "start" and names[event["node"]] == node:
            return {saved["name"]: saved for saved in event["saved"]}
    raise AssertionError(f"{node} has not run")


def test_changed_saved_result_is_marked(torch: ModuleType) -> None:
    y = torch.ones(2, requires_grad=True).exp()
    y.add_(1)
    stepper = viz.step(y.sum())
    saved = saved_at(stepper, "ExpBackward0")["result"]
    assert (saved["expected"], saved["version"]) == (0, 1)
    assert stepper.payload["values"][saved["value"]]["data"] == pytest.approx(
        [3.7183, 3.7183], abs=1e-4
    )
    assert "(saved at version 0, now at version 1)" in stepper.text


def test_only_changed_saved_tensors_are_marked(torch: ModuleType) -> None:
    class Power(torch.autograd.Function):  # type: ignore[name-defined,misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x**2
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return 2 * g * ctx.saved_tensors[0]

    for changed in (0, 1):
        x = torch.ones(2, requires_grad=True) * 1
        y = Power.apply(x)
        (x, y)[changed].add_(1)
        saved = saved_at(viz.step(y.sum()), "PowerBackward")
        versions = [(s["expected"], s["version"]) for s in saved.values()]
        assert versions == [(0, int(changed == 0)), (0, int(changed == 1))]


def test_packed_tensors_are_not_read(torch: ModuleType) -> None:
    x = torch.ones(2, requires_grad=True)
    checkpoint = torch.utils.checkpoint.checkpoint
    y = checkpoint(lambda v: (v * 3).exp(), x, use_reentrant=False)
    stepper = viz.step(y.sum())
    assert stepper.error is None
    start = next(e for e in stepper.payload["events"] if e.get("packed"))
    assert (start["packed"], start["saved"]) == (["result"], [])
    assert "result (packed by a hook: its numbers were not seen)" in stepper.text
    assert "frees       result" in stepper.text
    assert "packed by a hook" in str(
        viz.draw(checkpoint(lambda v: v.exp(), x, use_reentrant=False))
    )


def test_hooks_changed_during_the_pass_are_recorded(torch: ModuleType) -> None:
    x = torch.ones(2, requires_grad=True)
    h = x * 2
    k = h * 3
    gone = [h.register_hook(lambda g: g * 100), h.grad_fn.register_hook(lambda out, g: None)]

    def change(g: Any) -> None:
        for handle in gone:
            handle.remove()
        h.grad_fn.register_prehook(lambda g: (g[0] + 1,))
        h.grad_fn.register_hook(lambda out, g: (out[0] * 5, None))
        x.register_post_accumulate_grad_hook(lambda t: None)

    k.register_hook(change)
    stepper = viz.step(k.sum())
    told = [
        (event["hook"], event["caption"].partition(": ")[2])
        for event in stepper.payload["events"]
        if event["kind"] == "hook"
    ]
    assert [hook for hook, _ in told] == [
        "tensor: change",
        "node_pre",
        "node_post: <lambda>",
        "post_accumulate: <lambda>",
    ]
    assert "[3, 3] becomes [4, 4]" in told[1][1]
    assert "comes in    [4, 4]" in stepper.text
    assert "x.grad      None -> [40, 40]" in stepper.text
    assert x.grad.tolist() == [40, 40]


def test_leaf_without_gradient_records_its_hooks(torch: ModuleType) -> None:
    class Nothing(torch.autograd.Function):  # type: ignore[name-defined,misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return None

    def done(leaf: Any) -> None:
        pass

    x = torch.ones(2, requires_grad=True)
    x.register_post_accumulate_grad_hook(done)
    stepper = viz.step(Nothing.apply(x).sum())
    assert stepper.error is None and x.grad is None
    assert stepper.text.splitlines()[-3:] == [
        "  4. AccumulateGrad (x)",
        "     comes in    nothing",
        "     hook        post_accumulate: done",
    ]


def test_hook_that_writes_its_gradient_is_recorded(torch: ModuleType) -> None:
    h = torch.ones(2, requires_grad=True) * 2
    h.register_hook(lambda g: [g.mul_(3)] and None)
    stepper = viz.step((h * 1).sum())
    text = [e["caption"] for e in stepper.payload["events"] if e["kind"] == "hook"]
    assert text == ["A hook runs (tensor: <lambda>): [1, 1] becomes [3, 3]."]


def test_inner_pass_is_not_recorded(torch: ModuleType) -> None:
    x = torch.ones(2, requires_grad=True)
    h = x * x
    other = (h * 7).sum()
    y = h * 2
    y.register_hook(lambda g: torch.autograd.grad(other, x, retain_graph=True) and None)
    plain = viz.step((x * x * 2).sum()).text.replace("result", "z")
    z = y.sum()
    told = viz.step(z, retain_graph=True).text
    assert "7" not in told
    assert told.count("AccumulateGrad (x) <-") == plain.count("AccumulateGrad (x) <-") == 2


def test_rehearsal_restores_leaves_outside_the_graph(
    torch: ModuleType,
) -> None:
    layer, inner = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    inner.weight.grad = old = torch.ones(2, 2)
    x = torch.ones(1, 2, requires_grad=True)
    checkpoint = torch.utils.checkpoint.checkpoint

    def segment(v: Any) -> Any:
        return checkpoint(inner, layer(v).tanh(), use_reentrant=True)

    loss = checkpoint(segment, x * 1, use_reentrant=True).sum()
    assert viz.step(loss, keep_grad=False).error is None
    assert (layer.weight.grad, layer.bias.grad, inner.bias.grad, x.grad) == (None,) * 4
    assert inner.weight.grad is old and bool((old == 1).all())


def test_nan_search_changes_no_state(torch: ModuleType) -> None:
    class Noisy(torch.autograd.Function):  # type: ignore[name-defined,misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g + torch.rand(20)

    def program(look: bool) -> list[Any]:
        torch.manual_seed(0)
        x = torch.ones(20, requires_grad=True)
        kept = [x * 2]
        kept[0].retain_grad()
        h = kept[0].exp()
        h.retain_grad()
        loss = Noisy.apply(h).sum()
        if look:
            assert viz.explain(loss, nan=True).cause == "all_finite"
            assert kept[0].grad is None and h.grad is None and x.grad is None
        loss.backward()
        return [x.grad, kept[0].grad, h.grad, torch.rand(3)]

    for plain, looked in zip(program(False), program(True), strict=True):
        assert torch.equal(plain, looked)


def test_nan_search_unpacks_nothing(torch: ModuleType) -> None:
    x, store = torch.ones(2, requires_grad=True), {}

    def pack(tensor: Any) -> int:
        store[len(store)] = tensor.detach()
        return len(store) - 1

    with torch.autograd.graph.saved_tensors_hooks(pack, store.pop):  # works once
        loss = (x.exp() * x).sum()
    assert viz.explain(loss, nan=True).cause == "values_finite"
    loss.backward()
    assert x.grad is not None


def test_lstm_work_memory_has_no_numbers(torch: ModuleType) -> None:
    torch.manual_seed(0)
    layer, x = torch.nn.LSTM(2, 3), torch.randn(4, 1, 2)

    def memory() -> tuple[Any, Any]:
        out, _ = layer(x)
        stack = [out.grad_fn]
        while stack[-1].name() != "MkldnnRnnLayerBackward0":
            stack += [node for node, _ in stack.pop().next_functions if node is not None]
        return out, stack[-1]._saved_result3

    if not torch.backends.mkldnn.is_available():
        return
    out, kept = memory()
    saved = saved_at(viz.step(out.sum()), "MkldnnRnnLayerBackward0")
    value = viz.step(memory()[0].sum()).payload["values"][saved["result3"]["value"]]
    assert value == {"shape": list(kept.shape), "dtype": "uint8"}
    # Bytes that the forward pass has not written are never read: so they are no numbers.
    gradients = []
    for filled in (0, 255):
        layer.zero_grad()
        out, kept = memory()
        _, other = memory()
        kept.data[kept != other] = filled
        out.sum().backward()
        gradients.append(layer.weight_hh_l0.grad.clone())
    assert torch.equal(*gradients)


def test_recorder_error_leaves_the_pass_alone(
    torch: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(node: Any) -> Any:
        raise ZeroDivisionError("a mistake of the recorder")

    monkeypatch.setattr("minigrad_viz.passes.pytorch_passes.saved_values", broken)
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(
        RuntimeError, match=r"^the backward pass is over, but could not be recorded \(ZeroDiv"
    ):
        viz.step((x * x).exp().sum())
    assert x.grad.tolist() == pytest.approx([5.4366, 5.4366], abs=1e-4)


@pytest.mark.parametrize("library", ["minigrad", "torch"])
def test_only_nodes_before_inputs_run(library: str, request: pytest.FixtureRequest) -> None:
    lib = mg if library == "minigrad" else request.getfixturevalue("torch")
    x = lib.ones(2, requires_grad=True)
    w = lib.tensor([2.0, 3.0], requires_grad=True)
    h = x * w
    loss = (h * h).sum()
    leaf = viz.step(loss, inputs=x, retain_graph=True)
    assert x.grad.tolist() == [8, 18] and w.grad is None
    assert "AccumulateGrad (w)" not in leaf.text and "x.grad      None -> [8, 18]" in leaf.text
    result = viz.step(loss, inputs=[h], retain_graph=True, keep_grad=False)
    assert h.grad is None and x.grad.tolist() == [8, 18]
    assert "AccumulateGrad" not in result.text and "retain_grad" in result.text
    assert [turn["title"] for turn in result.payload["steps"]][-1] == "MulBackward0 (h)"
    (expected,) = lib.autograd.grad(loss, h, retain_graph=True)
    kept = next(e for e in result.payload["events"] if e.get("hook") == "retain_grad")
    assert result.payload["values"][kept["incoming"][0]]["data"] == expected.tolist()
    with pytest.raises(RuntimeError, match="cannot be empty"):
        viz.step(loss, inputs=[])
    with pytest.raises(TypeError, match="needs tensors as inputs, not a str"):
        viz.step(loss, inputs=[x, "w"])  # type: ignore[list-item]


def test_function_that_traces_a_module(torch: ModuleType) -> None:
    net, x = torch.nn.Linear(3, 2), torch.ones(2, 3)
    stepper = viz.step(lambda: torch.jit.trace(net, x)(x).sum())
    assert stepper.error is None
    assert set(stepper.changed) == {"net.weight", "net.bias"}
