"""No tool disturbs a program of minigrad: after it everything is as a plain backward leaves it.

Each program is run twice, plainly and under each tool, and its state is compared to the bit
(untouched.py). In each of them, the reader's own code runs in the pass, or the engine may take a
faster path, so an observer could be noticed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import minigrad_viz as viz
import numpy as np
import pytest

import minigrad as mg
from minigrad.utils.checkpoint import checkpoint
from tests.sampling import drawn, in_this_run

from .untouched import TOOLS, Pass, Program, Seen, assert_untouched, image, left_by, plain, step

PROGRAMS: dict[str, Program] = {}


def program(build: Program) -> Program:
    """One that every tool is tried on."""
    PROGRAMS[build.__name__] = build  # type: ignore[attr-defined]
    return build


def leaf(lib: Any, seen: Seen, name: str = "x", *shape: int) -> Any:
    return seen.tensor(name, lib.randn(*(shape or (3,)), requires_grad=True))


# --- Saved tensors that hooks have packed


@program
def checkpointed(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    segment = seen.call("segment", lambda t: (t * w).sin() * t)
    return (checkpoint(segment, x, use_reentrant=False) * w).sum()


@program
def checkpointed_reentrant(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    segment = seen.call("segment", lambda t: (t * w).sin() * t)
    return (checkpoint(segment, x, use_reentrant=True) * w).sum()


@program
def checkpoint_within_a_checkpoint(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    inner = seen.call("inner", lambda t: (t * w).exp())
    outer = seen.call("outer", lambda t: checkpoint(inner, t * t, use_reentrant=False).sin())
    return checkpoint(outer, x, use_reentrant=False).sum()


@program
def checkpoint_of_both_kinds(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    inner = seen.call("inner", lambda t: (t * w).exp())
    outer = seen.call("outer", lambda t: checkpoint(inner, t * t, use_reentrant=False).sin())
    return checkpoint(outer, x, use_reentrant=True).sum()


@program
def checkpointed_dropout(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen, "x", 4, 5)
    segment = seen.call("segment", lambda t: lib.nn.functional.dropout(t * t, 0.5).sin())
    return checkpoint(segment, x, use_reentrant=False).sum()


@program
def checkpoint_that_changes(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    times: list[int] = []

    def segment(t: Any) -> Any:
        times.append(1)
        return t.sin() if len(times) > 1 else t.sin().cos()

    return checkpoint(seen.call("segment", segment), x, use_reentrant=False).sum()


@program
def hooks_that_pack(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    pack = seen.call("pack", lambda t: t.detach().numpy().copy())
    unpack = seen.call("unpack", lambda packed: lib.tensor(packed))
    with lib.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = x * x.exp()
    return (y * x).sum()


@program
def unpacking_once(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    kept: dict[int, Any] = {}

    def pack(t: Any) -> int:
        kept[len(kept)] = t
        return len(kept) - 1

    with lib.autograd.graph.saved_tensors_hooks(pack, seen.call("unpack", kept.pop)):
        return (x.sin() * x).sum()


@program
def unpacking_draws(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    noise = seen.call("unpack", lambda t: t + lib.rand(3) + float(np.random.rand()))  # noqa: NPY002
    with lib.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), noise):
        return (x * x.sin()).sum()


@program
def unpacking_fails(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)

    def fail(_: Any) -> Any:
        raise KeyError("gone")

    with lib.autograd.graph.saved_tensors_hooks(lambda t: t, seen.call("unpack", fail)):
        y = x.sin()
    return (y * x).sum()


@program
def unpacking_no_tensor(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    with lib.autograd.graph.saved_tensors_hooks(lambda t: t, seen.call("unpack", lambda t: 1)):
        return x.sin().sum()


@program
def one_saved_tensor_packed(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    y = x * x.exp()
    hooks = seen.call("pack", lambda t: t.detach()), seen.call("unpack", lambda t: t * 2)
    y.grad_fn._raw_saved_other.register_hooks(*hooks)
    return y.sum()


@program
def packed_and_never_asked_for(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    hooks = seen.call("pack", lambda t: t.detach()), seen.call("unpack", lambda t: t)

    class Twice(lib.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, t: Any) -> Any:
            ctx.save_for_backward(t)
            return t * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    with lib.autograd.graph.saved_tensors_hooks(*hooks):
        return Twice.apply(x).sum()


@program
def packed_positions(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen, "x", 4, 3)
    hooks = seen.call("pack", lambda t: t.detach()), seen.call("unpack", lambda t: t)
    with lib.autograd.graph.saved_tensors_hooks(*hooks):
        return x[lib.tensor([0, 2, 2]), lib.tensor([1, 1, 0])].sum()


@program
def saved_on_the_cpu(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    with lib.autograd.graph.save_on_cpu():
        return (x * x.exp()).sum()


@program
def packed_cross_entropy(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen, "x", 4, 3)
    hooks = seen.call("pack", lambda t: t.detach()), seen.call("unpack", lambda t: t)
    with lib.autograd.graph.saved_tensors_hooks(*hooks):
        return lib.nn.functional.cross_entropy(x, lib.tensor([0, 2, 1, 1]))


# --- The reader's own functions


def function(lib: Any, forward: Callable[..., Any], backward: Callable[..., Any]) -> Any:
    body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Own", (lib.autograd.Function,), body).apply


@program
def function_that_returns_none(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    own = function(lib, lambda ctx, a, b: a * b, seen.call("backward", lambda ctx, g: (g, None)))
    return (own(x, w) * w).sum()


@program
def function_that_returns_nothing_at_all(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    x.register_post_accumulate_grad_hook(seen.call("after"))
    x.register_hook(seen.call("hook"))
    own = function(lib, lambda ctx, a: a * 2, seen.call("backward", lambda ctx, g: None))
    return own(x).sum()


@program
def function_of_several_outputs(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)

    def forward(ctx: Any, a: Any) -> Any:
        ctx.save_for_backward(a)
        return a * 2, a * a, a.abs()

    def backward(ctx: Any, f: Any, g: Any, h: Any) -> Any:
        (a,) = ctx.saved_tensors
        return f * 2 + g * 2 * a + h

    first, second, _ = function(lib, forward, seen.call("backward", backward))(x)
    return (first * second).sum()


@program
def function_without_zeros(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)

    def forward(ctx: Any, a: Any) -> Any:
        ctx.set_materialize_grads(False)
        return a * 2, a * 3

    own = function(lib, forward, seen.call("backward", lambda ctx, g, h: g * 2 if h is None else h))
    return own(x)[0].sum()


@program
def function_that_is_dirty(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)

    def forward(ctx: Any, a: Any) -> Any:
        ctx.mark_dirty(a)
        return a.mul_(2)

    y = seen.tensor("y", x * 1)
    own = function(lib, forward, seen.call("backward", lambda ctx, g: g * 2))
    return (own(y) * x).sum()


@program
def function_with_a_constant_output(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)

    def forward(ctx: Any, a: Any) -> Any:
        places = a > 0
        ctx.mark_non_differentiable(places)
        ctx.save_for_backward(places)
        return a * places, places

    def backward(ctx: Any, g: Any, _: Any) -> Any:
        return g * ctx.saved_tensors[0]

    return function(lib, forward, seen.call("backward", backward))(x)[0].sum()


@program
def function_once_differentiable(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    once = lib.autograd.function.once_differentiable(lambda ctx, g: g * 2)
    own = function(lib, lambda ctx, a: a * 2, seen.call("backward", once))
    return Pass([(own(x) * x).sum()], None, {"create_graph": True})


@program
def function_with_a_backward_within(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")

    def forward(ctx: Any, a: Any) -> Any:
        ctx.save_for_backward(a)
        return a.sin()

    def backward(ctx: Any, g: Any) -> Any:
        (a,) = ctx.saved_tensors
        with lib.enable_grad():
            again = a.detach().requires_grad_()
            ((again * w).sin() * g).sum().backward()
        return again.grad

    return (function(lib, forward, seen.call("backward", backward))(x) * w).sum()


@program
def function_that_reads_after_a_pass_of_its_own(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    hooks = seen.call("pack", lambda t: t.detach()), seen.call("unpack", lambda t: t)

    def forward(ctx: Any, a: Any) -> Any:
        ctx.save_for_backward(a)
        return a * a

    def backward(ctx: Any, g: Any) -> Any:
        with lib.enable_grad():
            (lib.ones(2, requires_grad=True) * 2).sum().backward()
        return 2 * g * ctx.saved_tensors[0]

    with lib.autograd.graph.saved_tensors_hooks(*hooks):
        y = function(lib, forward, seen.call("backward", backward))(x)
    return y.sum()


@program
def function_that_writes_to_its_gradient(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    own = function(lib, lambda ctx, a: a * 2, lambda ctx, g: g.mul_(2))
    return (own(x) + w.view(3)).sum()


@program
def function_that_fails(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)

    def backward(ctx: Any, g: Any) -> Any:
        raise ZeroDivisionError("in a formula")

    return (function(lib, lambda ctx, a: a * 2, backward)(x * 3) * x).sum()


@program
def function_of_a_wrong_shape(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    return function(lib, lambda ctx, a: a * 2, lambda ctx, g: lib.ones(5))(x * 3).sum()


@program
def function_of_a_wrong_count(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    return function(lib, lambda ctx, a: a * 2, lambda ctx, g: (g, g))(x * 3).sum()


@program
def function_that_draws(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    return function(lib, lambda ctx, a: a * 2, lambda ctx, g: g * lib.rand(3))(x * 3).sum()


# --- Hooks


@program
def hooks_of_every_kind(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    y = x * w
    seen.tensor("y", y).retain_grad()
    y.register_hook(seen.call("on y", lambda g: g * 2))
    x.register_hook(seen.call("on x", lambda g: g + 1))
    y.grad_fn.register_prehook(seen.call("before", lambda gs: (gs[0] * 3,)))
    y.grad_fn.register_hook(seen.call("after", lambda into, out: (into[0] * 2, into[1])))
    x.register_post_accumulate_grad_hook(seen.call("accumulated"))
    return (y.sin() + y).sum()


@program
def hooks_that_write(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    y = x.view(3) + w.view(3)
    y.register_hook(seen.call("on y", lambda g: g.mul_(2)))
    z = y.view(3) + w
    w.register_post_accumulate_grad_hook(seen.call("after", quiet(lambda: w.grad.mul_(2))))
    return Pass([z], [lib.ones(3)])


def quiet(action: Callable[[], object]) -> Callable[..., None]:
    """A hook that does this and returns nothing."""

    def hook(*_: Any) -> None:
        action()

    return hook


@program
def a_hook_that_takes_itself_out(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    y = x * 2
    handle = y.register_hook(seen.call("once", quiet(lambda: handle.remove())))
    y.register_hook(seen.call("always", lambda g: g * 3))
    return (y * y).sum()


@program
def a_hook_that_adds_others(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    h = x.sin()
    y = h * 2
    times_ten = seen.call("added", lambda g: g * 10)
    after = seen.call("after", quiet(lambda: x.grad.mul_(7)))

    def add() -> None:
        h.register_hook(times_ten)
        x.register_hook(times_ten)
        h.grad_fn.register_prehook(seen.call("added before"))
        h.grad_fn.register_hook(seen.call("added after"))
        x.register_post_accumulate_grad_hook(after)

    y.register_hook(seen.call("adding", quiet(add)))
    return (y + x).sum()


@program
def a_post_accumulate_hook_that_adds_another(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    double = seen.call("double", quiet(lambda: w.grad is not None and w.grad.mul_(2)))
    x.register_post_accumulate_grad_hook(
        seen.call("adding", quiet(lambda: w.register_post_accumulate_grad_hook(double)))
    )
    return (x * w.sin()).sum()


@program
def an_optimizer_in_a_hook(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")

    def update(parameter: Any) -> None:
        with lib.no_grad():
            parameter.sub_(parameter.grad * 0.1)
        parameter.grad = None

    x.register_post_accumulate_grad_hook(seen.call("update", update))
    return (x.sin() * w).sum()


def raising(*_: Any) -> Any:
    raise ValueError("a hook's own")


@program
def a_tensor_hook_that_raises(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    y = x * x
    y.register_hook(seen.call("bad", raising))
    return y.sum()


@program
def a_hook_on_a_leaf_that_raises(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    x.register_hook(seen.call("bad", raising))
    return (x * w).sum()


@program
def a_node_hook_that_raises(lib: Any, seen: Seen) -> Any:
    y = leaf(lib, seen) * 2
    y.grad_fn.register_hook(seen.call("bad", raising))
    return y.sum()


@program
def a_node_prehook_that_raises(lib: Any, seen: Seen) -> Any:
    y = leaf(lib, seen) * 2
    y.grad_fn.register_prehook(seen.call("bad", raising))
    return y.sum()


@program
def a_post_accumulate_hook_that_raises(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    x.register_post_accumulate_grad_hook(seen.call("bad", raising))
    return (x * w).sum()


@program
def a_hook_of_a_wrong_shape(lib: Any, seen: Seen) -> Any:
    y = leaf(lib, seen) * 2
    y.register_hook(seen.call("bad", lambda g: g.sum()))
    return y.sum()


@program
def a_hook_that_returns_a_number(lib: Any, seen: Seen) -> Any:
    y = leaf(lib, seen) * 2
    y.register_hook(lambda g: 1.0)
    return y.sum()


@program
def a_hook_with_a_pass_of_its_own(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    y = x * w

    def nested() -> None:
        with lib.enable_grad():
            (w * w).sum().backward()

    y.register_hook(seen.call("nested", quiet(nested)))
    return (y * y).sum()


@program
def a_hook_that_runs_into_an_error_and_goes_on(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    inner = (w * w).sum()
    inner.backward()
    y = x * w

    def nested() -> None:
        with pytest.raises(RuntimeError):
            inner.backward()

    y.register_hook(seen.call("nested", quiet(nested)))
    return (y * y).sum()


@program
def a_hook_on_several(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    lib.autograd.graph.register_multi_grad_hook([x, w], seen.call("all"))
    return (x * w).sum()


@program
def hooks_on_modules(lib: Any, seen: Seen) -> Any:
    model = seen.module(lib.nn.Sequential(lib.nn.Linear(3, 4), lib.nn.ReLU(), lib.nn.Linear(4, 2)))
    model[0].register_full_backward_hook(seen.call("hook", lambda m, into, out: None))
    model[2].register_full_backward_pre_hook(seen.call("before", lambda m, out: (out[0] * 2,)))
    return model(leaf(lib, seen, "x", 5, 3)).sum()


@program
def undefined_gradients(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    w.register_post_accumulate_grad_hook(seen.call("after w"))
    w.register_hook(seen.call("on w"))
    y = w.sin()
    y.register_hook(seen.call("on y"))
    y.grad_fn.register_hook(seen.call("after y"))
    own = function(lib, lambda ctx, a, b: a + b, lambda ctx, g: (g, None))
    return own(x, y).sum()


# --- Calls that run a pass


@program
def several_roots(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    y = x * w
    return Pass([y.sum(), y.sin()], [None, lib.ones(3)])


@program
def one_root_twice(lib: Any, seen: Seen) -> Any:
    loss = (leaf(lib, seen) * 2).sum()
    return Pass([loss, loss])


@program
def a_gradient_given(lib: Any, seen: Seen) -> Any:
    seed = seen.tensor("seed", lib.ones(3))
    y = leaf(lib, seen) * 1
    y.register_hook(lambda g: g.mul_(2))
    return Pass([y], [seed])


@program
def graph_kept(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    return Pass([(x.exp() * x).sum()], None, {"retain_graph": True})


@program
def graph_created(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    x.register_hook(seen.call("on x", lambda g: g * x))
    return Pass([(x.exp() * x).sum()], None, {"create_graph": True})


@program
def gradients_there_already(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    (x * w).sum().backward()
    x.grad.mul_(3)
    return (x * w).sin().sum()


@program
def freed_already(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    y = (x * x).sum()
    y.backward()
    return y


@program
def changed_in_place(lib: Any, seen: Seen) -> Any:
    y = seen.tensor("y", leaf(lib, seen) * 1)
    z = (y * y).sum()
    y.add_(1)
    return z


@program
def in_anomaly_mode(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    with lib.autograd.detect_anomaly():
        return (x.exp() * x).sum()


@program
def shape_that_does_not_fit(lib: Any, seen: Seen) -> Any:
    return leaf(lib, seen) * 2


# --- What the tensors are


@program
def views_in_place(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen, "x", 3, 4)
    y = seen.tensor("y", x * 1)
    y[0].mul_(2)
    y[:, 1].copy_(x[:, 2])
    y.t()[2].zero_()
    y.retain_grad()
    return (y * x).sum()


@program
def unbound(lib: Any, seen: Seen) -> Any:
    first, second, _ = leaf(lib, seen, "x", 3, 4).unbind()
    return (first * second.exp()).sum()


@program
def empty(lib: Any, seen: Seen) -> Any:
    x = seen.tensor("x", lib.ones(0, 3, requires_grad=True))
    return (x.sin() * x).sum() + leaf(lib, seen, "w").sum()


@program
def inference_tensors(lib: Any, seen: Seen) -> Any:
    with lib.inference_mode():
        c = lib.randn(3)
    return (leaf(lib, seen) * c.clone()).sum()


@program
def of_every_type(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    halves, doubles = x.half() * 2, x.double().sin()
    return (halves.float() + doubles).sum()


@program
def results_without_names(lib: Any, seen: Seen) -> Any:
    def hidden(t: Any) -> Any:
        kept = t * 2
        kept.retain_grad()
        seen.tensor("kept", kept)
        return kept.sin()

    return hidden(leaf(lib, seen)).sum()


@program
def scalars(lib: Any, seen: Seen) -> Any:
    """A result of one element may be kept otherwise than an array; to look must not change that."""
    x = seen.tensor("x", lib.tensor(1.3, requires_grad=True))
    y = (x * lib.tensor(0.7)).sum()
    z = y**1.7 + y**-0.3 + y**x
    return (z * 1.1) ** 0.9


@program
def embedded(lib: Any, seen: Seen) -> Any:
    table = seen.module(lib.nn.Embedding(7, 3))
    return table(lib.tensor([[0, 2], [2, 5]])).sin().sum()


@program
def attended(lib: Any, seen: Seen) -> Any:
    q, k, v = (leaf(lib, seen, name, 2, 4, 3) for name in "qkv")
    scores = (q @ k.transpose(1, 2) / 3**0.5).masked_fill(lib.ones(4, 4).triu(1) > 0, float("-inf"))
    return (scores.softmax(-1) @ v).square().mean()


@program
def normalized_and_convolved(lib: Any, seen: Seen) -> Any:
    nn = lib.nn
    layers = nn.Conv2d(2, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2)
    model = seen.module(nn.Sequential(*layers, nn.Dropout(0.3), nn.Flatten(), nn.LayerNorm(16)))
    return model(leaf(lib, seen, "x", 3, 2, 4, 4)).square().sum()


@program
def classified(lib: Any, seen: Seen) -> Any:
    nn = lib.nn
    model = seen.module(nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 9)))
    loss = nn.functional.cross_entropy(model(lib.randn(32, 6)), lib.arange(32) % 9)
    return loss * 0.37


@program
def classified_by_weight(lib: Any, seen: Seen) -> Any:
    scores = leaf(lib, seen, "x", 40, 9)
    options = {"weight": lib.rand(9), "reduction": "sum", "ignore_index": 3}
    loss = lib.nn.functional.cross_entropy(scores, lib.arange(40) % 9, **options)
    return Pass([loss * 0.37], None, {"retain_graph": True})


@program
def looked_at(lib: Any, seen: Seen) -> Any:
    scores = leaf(lib, seen, "x", 40, 9)
    loss = lib.nn.functional.cross_entropy(scores * 1, lib.arange(40) % 9)
    assert loss.grad_fn._saved_self.shape == (40, 9)
    return loss


@program
def used_twice(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    y = x
    for _ in range(6):
        y = y + y * 0.3
    return y.sum()


@program
def hooks_in_a_pass_through_shared_memory(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    y = w.view(1, 3).view(3)
    z = x.view(3)
    z.register_hook(seen.call("on z", quiet(lambda: None)))
    seed = seen.tensor("seed", lib.ones(3))
    z.register_hook(seen.call("writes", quiet(lambda: seed.mul_(2))))
    return Pass([z + y], [seed])


@program
def the_same_segment_twice(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    segment = seen.call("segment", lambda t: (t * w).exp())
    y = checkpoint(segment, x, use_reentrant=False)
    z = checkpoint(segment, y, use_reentrant=True)
    return Pass([y.sum(), z.sum()], None, {"retain_graph": True})


@program
def a_checkpoint_with_hooks_inside(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")

    def segment(t: Any) -> Any:
        inner = t * w
        if inner.requires_grad:
            inner.register_hook(seen.call("inside", lambda g: g * 2))
        return inner.sin()

    first = checkpoint(segment, x, use_reentrant=False)
    return checkpoint(segment, first, use_reentrant=True).sum()


@program
def a_checkpoint_that_is_differentiated_twice(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    y = checkpoint(seen.call("segment", lambda t: t.exp() * t), x, use_reentrant=False)
    return Pass([y.sum()], None, {"create_graph": True})


@program
def hooks_that_draw(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen)
    y = x * 2
    y.register_hook(seen.call("noise", lambda g: g + lib.rand(3)))
    return (y * y.exp()).sum()


@program
def a_pass_within_that_fails(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    inner = (w * w).sum()
    inner.backward()
    y = x * w
    y.register_hook(seen.call("nested", quiet(inner.backward)))
    return (y * y).sum()


@program
def a_hook_that_stops_the_program(lib: Any, seen: Seen) -> Any:
    y = leaf(lib, seen) * 2

    def stop(_: Any) -> None:
        raise StopIteration("enough")

    y.register_hook(stop)
    return y.sum()


@program
def modes_that_a_hook_switches(lib: Any, seen: Seen) -> Any:
    y = leaf(lib, seen) * 2
    y.register_hook(seen.call("off", quiet(lambda: lib.set_grad_enabled(False))))
    return y.sum()


@program
def gradients_taken_within(lib: Any, seen: Seen) -> Any:
    """A physicist's program: the loss contains a derivative."""
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    (slope,) = lib.autograd.grad((w * x).tanh().sum(), x, create_graph=True)
    return (slope.square() + x).sum()


@program
def hooks_on_the_node_of_a_leaf(lib: Any, seen: Seen) -> Any:
    x, w = leaf(lib, seen), leaf(lib, seen, "w")
    y = x * w
    node = y.grad_fn.next_functions[0][0]
    node.register_prehook(seen.call("before", lambda gs: (gs[0] * 2,)))
    node.register_hook(seen.call("after", quiet(lambda: None)))
    x.register_post_accumulate_grad_hook(seen.call("accumulated"))
    return (y + x).sum()


@program
def a_hook_without_a_name(lib: Any, seen: Seen) -> Any:
    class Hook:
        def __call__(self, g: Any) -> Any:
            return g * 2

        def __getattr__(self, name: str) -> Any:
            raise AttributeError(name)

    y = leaf(lib, seen) * 2
    y.register_hook(Hook())
    return y.sum()


@program
def large_and_not_finite(lib: Any, seen: Seen) -> Any:
    x = leaf(lib, seen, "x", 50, 50)
    return ((x * 1e30).exp() - (x * 3e38).square()).sum()


@program
def detached_in_place(lib: Any, seen: Seen) -> Any:
    y = leaf(lib, seen) * 1
    z = (y * y).sum()
    y.detach_()
    return z


@program
def an_exception_that_cannot_be_printed(lib: Any, seen: Seen) -> Any:
    class Wordless(ValueError):
        def __str__(self) -> str:
            raise RuntimeError("no words")

    def fail(g: Any) -> None:
        raise Wordless("a")

    h = leaf(lib, seen) * 2
    h.register_hook(fail)
    return h.sum()


WITH_TOOLS = [pytest.param(name, tool, id=f"{name}-{tool}") for name in PROGRAMS for tool in TOOLS]


@pytest.mark.parametrize(("name", "tool"), drawn("PROOFS", "tool", WITH_TOOLS))
def test_a_tool_leaves_no_trace(name: str, tool: str) -> None:
    assert_untouched(PROGRAMS[name], mg, TOOLS[tool])


@pytest.mark.parametrize("name", [n for n in PROGRAMS if in_this_run("PROOFS", f"forward {n}")])
def test_watched_forward_pass_computes_same(name: str) -> None:
    def watched(lib: Any, seen: Seen) -> Any:
        with lib.autograd.record(forward=True):
            return PROGRAMS[name](lib, seen)

    assert left_by(watched, mg, step) == left_by(PROGRAMS[name], mg, plain)


def within(mode: Callable[[], Any], tool: Callable[[Any, Pass], Any]) -> Any:
    """The tool, called in a mode."""

    def inside(lib: Any, what: Pass) -> Any:
        with mode():
            return tool(lib, what)

    return inside


IN_MODES = [
    pytest.param(name, mode, id=f"{name}-{mode.__name__}")
    for name in PROGRAMS
    for mode in (mg.no_grad, mg.autograd.detect_anomaly)
]


@pytest.mark.parametrize(("name", "mode"), drawn("PROOFS", "mode", IN_MODES))
@pytest.mark.filterwarnings("ignore")
def test_step_in_mode_leaves_same_state(name: str, mode: Any) -> None:
    stepped = left_by(PROGRAMS[name], mg, within(mode, step))
    assert stepped == left_by(PROGRAMS[name], mg, within(mode, plain))


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.filterwarnings("ignore")
def test_a_rehearsal_puts_back_every_gradient(name: str) -> None:
    """The same tensor, with the same numbers, at the same version."""

    def gradients() -> dict[str, Any]:
        grads = {name: t.grad for name, t in seen.tensors.items() if t.is_leaf or t.retains_grad}
        return {
            name: None if g is None else (id(g), g._version, image(g)) for name, g in grads.items()
        }

    mg.manual_seed(0)
    seen = Seen()
    what = PROGRAMS[name](mg, seen)
    if not isinstance(what, Pass):
        what = Pass([what])
    for place, tensor in enumerate(seen.tensors.values()):
        if tensor.is_leaf and tensor.requires_grad and tensor.grad is None and place % 2:
            tensor.grad = mg.ones_like(tensor.detach())
    before = gradients()
    seeds = None if what.seeds is None else list(what.seeds)
    try:
        viz.step(list(what.roots), seeds, keep_grad=False, **what.options)
    except RuntimeError:  # the pass did not even begin
        assert name == "shape_that_does_not_fit"
    mg.set_grad_enabled(True)  # one of the programs turns it off
    assert gradients() == before


@pytest.mark.parametrize("name", ["checkpointed", "hooks_of_every_kind", "classified"])
def test_threads_do_not_see_each_other(name: str) -> None:
    """A recording belongs to the thread that makes the pass; others go on as if nothing were."""
    build, found = PROGRAMS[name], []

    def make(tool: Callable[[Any, Pass], Any]) -> None:
        seen = Seen()
        with lock:  # the random generators are common to all threads
            mg.manual_seed(0)
            what = build(mg, seen)
        made = what if isinstance(what, Pass) else Pass([what])
        built.wait(timeout=300)  # a checkpoint that computes again turns the generators back
        tool(mg, made)
        grads = {name: image(t.grad) for name, t in seen.tensors.items() if t.is_leaf}
        found.append((grads, seen.calls))

    lock = threading.Lock()
    tools = [plain, step, plain, step, plain, step]
    built = threading.Barrier(len(tools))
    threads = [threading.Thread(target=make, args=(tool,)) for tool in tools]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [found[0]] * len(tools)
