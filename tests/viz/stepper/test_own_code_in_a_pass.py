"""Steps show the reader's own code in a pass of minigrad: hooks, and the values they packed."""

from __future__ import annotations

from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest

import minigrad as mg
from minigrad.autograd.events import Error, Hook, LeafGradient, Start
from minigrad.utils.checkpoint import checkpoint
from tests.speaking import speaking


def ones(requires_grad: bool = True) -> Any:
    return mg.ones(2, requires_grad=requires_grad)


def captions(stepper: Any) -> str:
    return "\n".join(event["caption"] for event in stepper.payload["events"])


def bad(*_: Any) -> None:
    raise ValueError("my own mistake")


def test_checkpoint_shows_recomputed_saves() -> None:
    x, calls = ones(), []

    def segment(t: Any) -> Any:
        calls.append(1)
        return t.exp()

    loss = checkpoint(segment, x * 0, use_reentrant=False).sum()
    str(viz.draw(loss)), viz.draw(loss).text, str(viz.explain(loss))
    assert len(calls) == 1
    stepper = viz.step(loss)
    assert len(calls) == 2 and stepper.error is None
    assert "reads       result = [1, 1] (version 0)" in stepper.text


@pytest.mark.parametrize(("language", "said"), [("en", "packed by a hook"), ("zh", "已由钩子打包")])
def test_picture_shows_packed_values(language: Any, said: str) -> None:
    with mg.autograd.graph.saved_tensors_hooks(lambda t: t, bad):
        y = ones().sin()
    with speaking(language):
        drawn = viz.draw(y)
    (node,) = [node for node in drawn.model.nodes if node.kind == "saved"]
    assert (node.name, node.saved, node.detail) == ("self", "packed", said)
    with speaking(language):
        assert said in viz.draw(y, saved=True).text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "self (packed by a hook: its numbers were not seen)"),
        ("zh", "self（已由钩子打包，没有看到其中的数）"),
    ],
)
def test_step_names_values_not_unpacked(language: Any, said: str) -> None:
    """The node fails before it comes to it."""
    x = ones()
    with mg.autograd.graph.saved_tensors_hooks(lambda t: t, bad):
        y = x.sin()
    y.grad_fn.register_prehook(bad)
    with speaking(language):
        stepper = viz.step(y.sum())
    assert said not in stepper.text  # it did not even start
    with mg.autograd.graph.saved_tensors_hooks(lambda t: t, bad):
        with speaking(language):
            stepper = viz.step(x.sin().sum())
    assert said in stepper.text and said in captions(stepper)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "A hook that MulBackward0 called (tensor: bad) fails with ValueError: my own mistake",
        ),
        ("zh", "MulBackward0 调用的钩子（tensor: bad）出错：ValueError: my own mistake"),
    ],
)
def test_raising_hook_is_named(language: Any, said: str) -> None:
    y = ones() * 2
    y.register_hook(bad)
    with speaking(language):
        stepper = viz.step(y.sum())
    last = stepper.payload["events"][-1]
    names = {node["id"]: node["name"] for node in stepper.payload["nodes"]}
    assert (last["kind"], names[last["node"]], last["hook"]) == (
        "error",
        "MulBackward0",
        "tensor: bad",
    )
    assert last["caption"] == said
    assert "tensor: bad: ValueError: my own mistake" in stepper.text
    assert isinstance(stepper.error, ValueError)


@pytest.mark.parametrize("place", ["node_pre", "node_post", "post_accumulate", "tensor"])
def test_recording_ends_with_failed_hook(place: str) -> None:
    x = ones()
    y = x * 2
    node = y.grad_fn
    if place == "node_pre":
        node.register_prehook(bad)
    elif place == "node_post":
        node.register_hook(bad)
    elif place == "tensor":
        y.register_hook(bad)
    else:
        node = y.grad_fn.next_functions[0][0]
        x.register_post_accumulate_grad_hook(bad)
    with mg.autograd.record() as trace, pytest.raises(ValueError, match="my own mistake"):
        y.sum().backward()
    assert trace.events[-1] == Error(node, "ValueError", "my own mistake", f"{place}: bad")
    assert len([event for event in trace if isinstance(event, Error)]) == 1


def test_misfitting_gradient_fails_at_its_origin() -> None:
    class Wrong(mg.autograd.Function):
        @staticmethod
        def forward(ctx: Any, t: Any) -> Any:
            return t * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return mg.ones(5)

    y = Wrong.apply(ones() * 1)
    with mg.autograd.record() as trace, pytest.raises(RuntimeError, match="invalid gradient"):
        y.sum().backward()
    assert isinstance(trace.events[-1], Error) and trace.events[-1].node is y.grad_fn


def test_gradientless_post_hook_is_shown() -> None:
    class Nothing(mg.autograd.Function):
        @staticmethod
        def forward(ctx: Any, t: Any) -> Any:
            return t * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> None:
            return None

    def called(t: Any) -> None:
        assert t.grad is None

    x = ones()
    x.register_post_accumulate_grad_hook(called)
    stepper = viz.step(Nothing.apply(x).sum())
    assert "hook        post_accumulate: called" in stepper.text


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", ".grad was [1, 1] and is [3, 3]"), ("zh", ".grad 原为 [1, 1]，现在是 [3, 3]")],
)
def test_post_accumulate_hook_result_is_shown(language: Any, said: str) -> None:
    """Apart from the sum, which is told as it was before the hook."""
    x = ones()

    def triple(t: Any) -> None:
        t.grad.mul_(3)

    x.register_post_accumulate_grad_hook(triple)
    with mg.autograd.record() as trace:
        (x + x).sum().backward()
    (leaf,) = [event for event in trace if isinstance(event, LeafGradient)]
    assert leaf.after.data is not None and leaf.after.data.tolist() == [2, 2]
    x.grad = None
    with speaking(language):
        assert said in captions(viz.step(x.sum()))


def test_self_removing_hook_is_shown() -> None:
    x = ones()

    def late(_: Any) -> None:
        raise AssertionError("was not there when the hooks were called")

    def once(_: Any) -> None:
        handle.remove()
        x.register_post_accumulate_grad_hook(late)

    handle = x.register_post_accumulate_grad_hook(once)
    with mg.autograd.record() as trace:
        x.sum().backward()
    assert [event.name for event in trace if isinstance(event, Hook)] == ["once"]


def test_hook_writing_shared_memory_is_seen() -> None:
    """The two gradients of the sum lie in one memory: the hook changes what waits elsewhere."""
    x, w = ones(), ones()
    y, z = w.view(1, 2).view(2), x.view(2)
    leaf = y.grad_fn.next_functions[0][0].next_functions[0][0]

    def write(g: Any) -> None:
        g.mul_(5)

    z.register_hook(write)
    with mg.autograd.record() as trace:
        (z + y).backward(mg.ones(2))
    (start,) = [event for event in trace if isinstance(event, Start) and event.node is leaf]
    (arrived,) = start.incoming
    assert arrived is not None and arrived.data is not None and w.grad is not None
    assert arrived.data.tolist() == w.grad.tolist()


def test_rehearsal_restores_writes_of_inner_pass() -> None:
    x, w = ones(), ones()
    w.grad = mg.tensor([5.0, 6.0])
    grad = w.grad
    loss = checkpoint(lambda t: t * w, x, use_reentrant=True).sum()
    viz.step(loss, keep_grad=False)
    assert x.grad is None
    assert w.grad is grad and grad.tolist() == [5, 6] and grad._version == 0


def test_rehearsal_restores_gradient_of_unnamed_result() -> None:
    kept = []

    def loss() -> Any:
        hidden = ones() * 2
        hidden.retain_grad()
        kept.append(hidden)
        return hidden.sin().sum()

    viz.step(loss(), names={}, keep_grad=False)
    assert kept[0].grad is None


def test_reading_cross_entropy_keeps_its_gradient() -> None:
    """Its two operations have a fast path, also while the stepper records."""
    found = []
    for look in (None, viz.draw, viz.step):
        mg.manual_seed(0)
        x = mg.randn(64, 10, requires_grad=True)
        loss = mg.nn.functional.cross_entropy(x, mg.arange(64) % 10) * 0.37
        if look is not None:
            look(loss)
        if look is not viz.step:
            loss.backward()
        assert x.grad is not None
        found.append(x.grad.numpy().tobytes())
    assert found == [found[0]] * 3


def test_write_to_saved_scores_is_noticed() -> None:
    loss = mg.nn.functional.cross_entropy(mg.randn(4, 3, requires_grad=True), mg.arange(4) % 3)
    loss.grad_fn._saved_self.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


@pytest.mark.parametrize("look", [viz.step, viz.draw, viz.explain])
def test_view_outside_graph_keeps_its_order(look: Any) -> None:
    """Its base has been written since: who asks it for `grad_fn` gives it another one."""

    def order(looking: bool) -> list[str]:
        found: list[str] = []
        x = mg.ones(4, requires_grad=True)
        base, loss = x * 1, (x * 3).sum()
        view = base.view(2, 2)
        base.mul_(2)
        if looking:
            look(loss)
        sine, exponential = base.sin(), view.exp()
        for name, tensor in (("sine", sine), ("view", view), ("base", base)):
            tensor.register_hook(lambda _, name=name: found.append(name))
        (sine.sum() + exponential.sum()).backward()
        return found

    assert order(looking=True) == order(looking=False)


@pytest.mark.parametrize("look", [viz.step, viz.draw, viz.explain])
def test_overflowing_numbers_do_not_warn(look: Any) -> None:
    """A program may have told NumPy to raise, for its own sums."""
    x = (mg.ones(50, 50) * 1e30).requires_grad_()
    y = (x * 2).sum() * 1e-30
    with np.errstate(all="raise"):
        str(look(y))
