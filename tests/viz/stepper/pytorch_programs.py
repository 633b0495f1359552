"""Programs of PyTorch that do everything to a backward pass that PyTorch offers: what a tool must
leave alone. Each is handed the library and says what is to be compared (untouched.py).
"""

from __future__ import annotations

import threading
from typing import Any

from .untouched import Pass, Program, Seen

PROGRAMS: dict[str, Program] = {}
"""All of them, by name."""


def program(function: Program) -> Program:
    PROGRAMS[function.__name__] = function  # type: ignore[attr-defined]
    return function


def double(g: Any) -> Any:
    return g * 2


def leaf(T: Any, seen: Seen, name: str = "x", *shape: int) -> Any:
    return seen.tensor(name, T.randn(*(shape or (3,)), requires_grad=True))


# --- Saved tensors that a hook has packed


@program
def checkpoint_without_reentry(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    segment = seen.call("segment", lambda v: (v * w).exp().sin())
    return T.utils.checkpoint.checkpoint(segment, x, use_reentrant=False).sum()


@program
def checkpoint_with_reentry(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    segment = seen.call("segment", lambda v: (v * w).exp().sin())
    return T.utils.checkpoint.checkpoint(segment, x * 1, use_reentrant=True).sum()


@program
def checkpoint_in_a_checkpoint(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    inner = seen.call("inner", lambda v: v.exp().sin())

    def outer(v: Any) -> Any:
        return T.utils.checkpoint.checkpoint(inner, v.cos(), use_reentrant=False) * v

    outer = seen.call("outer", outer)
    return T.utils.checkpoint.checkpoint(outer, x, use_reentrant=False).sum()


@program
def checkpoint_of_each_kind_in_the_other(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    inner = seen.call("inner", lambda v: (v * w).exp())

    def outer(v: Any) -> Any:
        return T.utils.checkpoint.checkpoint(inner, v.cos(), use_reentrant=False) * v

    return T.utils.checkpoint.checkpoint(outer, x * 1, use_reentrant=True).sum()


@program
def checkpoint_with_dropout(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen, "x", 20)
    segment = seen.call("segment", lambda v: T.nn.functional.dropout(v.exp(), 0.5) * v)
    return T.utils.checkpoint.checkpoint(segment, x, use_reentrant=False).sum()


@program
def checkpoint_that_draws_anew(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen, "x", 20)
    segment = seen.call("segment", lambda v: (v * T.rand(20)).exp())
    return T.utils.checkpoint.checkpoint(
        segment, x, use_reentrant=False, preserve_rng_state=False
    ).sum()


@program
def checkpoint_sequential(T: Any, seen: Seen) -> Any:
    layers = [T.nn.Linear(3, 3), T.nn.Tanh(), T.nn.Linear(3, 3), T.nn.Tanh()]
    model = seen.module(T.nn.Sequential(*layers))
    x = leaf(T, seen, "x", 2, 3)
    return T.utils.checkpoint.checkpoint_sequential(model, 2, x, use_reentrant=False).sum()


@program
def checkpoint_kept(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    segment = seen.call("segment", lambda v: v.exp().sin())
    loss = T.utils.checkpoint.checkpoint(segment, x, use_reentrant=False).sum()
    return Pass([loss], None, {"retain_graph": True})


@program
def checkpoint_that_computes_otherwise(T: Any, seen: Seen) -> Any:
    x, times = leaf(T, seen), [0]

    def segment(v: Any) -> Any:
        times[0] += 1
        return v.exp() if times[0] > 1 else v.exp().sin()

    return T.utils.checkpoint.checkpoint(segment, x, use_reentrant=False).sum()


@program
def selective_checkpoint(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen, "x", 3, 3), leaf(T, seen, "w", 3, 3)
    contexts = T.utils.checkpoint.create_selective_checkpoint_contexts
    mm = [T.ops.aten.mm.default]
    segment = seen.call("segment", lambda v: (v @ w).exp().sin())
    return T.utils.checkpoint.checkpoint(
        segment, x, use_reentrant=False, context_fn=lambda: contexts(mm)
    ).sum()


@program
def saved_tensors_hooks(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    pack, unpack = seen.call("pack", lambda t: t), seen.call("unpack", lambda t: t)
    with T.autograd.graph.saved_tensors_hooks(pack, unpack):
        return (x.exp() * x).sin().sum()


@program
def unpacking_once(T: Any, seen: Seen) -> Any:
    x, store = leaf(T, seen), {}

    def pack(tensor: Any) -> int:
        store[len(store)] = tensor.detach().clone()
        return len(store) - 1

    with T.autograd.graph.saved_tensors_hooks(pack, seen.call("unpack", store.pop)):
        y = (x.exp() * x).sum()
    return y


@program
def unpacking_that_draws(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    unpack = seen.call("unpack", lambda t: t + T.rand(t.shape))
    with T.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), unpack):
        return (x.exp() * x).sum()


@program
def unpacking_that_raises(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)

    def unpack(packed: Any) -> Any:
        raise OSError("the disk is gone")

    with T.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), seen.call("unpack", unpack)):
        y = x.exp()
    return y.sum()


@program
def quantised(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    pack = seen.call("pack", lambda t: t.half())
    with T.autograd.graph.saved_tensors_hooks(pack, seen.call("unpack", lambda t: t.float())):
        return (x.exp() * x).sum()


@program
def one_saved_tensor_with_hooks(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    y = (x * 1).exp() * x
    y.grad_fn._raw_saved_self.register_hooks(
        seen.call("pack", lambda t: t.detach()), seen.call("unpack", lambda t: t * 2)
    )
    return y.sum()


@program
def hooks_on_some_of_a_list(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen, "x", 5)
    y = x[T.tensor([[0, 1]]), T.tensor([[1], [2]])] if x.dim() > 1 else x[T.tensor([0, 1])]
    y.grad_fn._raw_saved_indices[0].register_hooks(
        seen.call("pack", lambda t: t.detach()), seen.call("unpack", lambda t: t)
    )
    return y.sum()


@program
def saved_on_cpu(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    with T.autograd.graph.save_on_cpu():
        return (x.exp() * x).sin().sum()


@program
def a_function_under_saved_tensors_hooks(T: Any, seen: Seen) -> Any:
    class Cube(T.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x**3
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            x, y = ctx.saved_tensors
            return g * 3 * y / x

    x = leaf(T, seen)
    pack, unpack = seen.call("pack", lambda t: t), seen.call("unpack", lambda t: t)
    with T.autograd.graph.saved_tensors_hooks(pack, unpack):
        return Cube.apply(x).sum()


# --- Functions


def function(T: Any, backward: Any, forward: Any = lambda ctx, *given: given[0] * 1) -> Any:
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Own", (T.autograd.Function,), members).apply


@program
def none_for_a_leaf(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    x.register_hook(seen.call("hook"))
    x.register_post_accumulate_grad_hook(seen.call("done"))
    return function(T, seen.call("backward", lambda ctx, g: None))(x).sum()


@program
def none_for_a_result(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = seen.tensor("h", x * 2)
    h.register_hook(seen.call("hook"))
    h.retain_grad()
    return (function(T, lambda ctx, g: None)(h) + x).sum()


@program
def none_and_a_gradient(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    return (function(T, lambda ctx, g, *rest: (None, g * 2))(x, w) + x).sum()


@program
def several_outputs_of_which_one_is_used(T: Any, seen: Seen) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2, x * 3

    backward = seen.call("backward", lambda ctx, a, b: a * 2 + b * 3)
    x = leaf(T, seen)
    y, _z = function(T, backward, forward)(x)
    return y.sum()


@program
def unmaterialised(T: Any, seen: Seen) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    backward = seen.call("backward", lambda ctx, a, b: a * 2 if b is None else b)
    x = leaf(T, seen)
    return function(T, backward, forward)(x)[0].sum()


@program
def marked_dirty(T: Any, seen: Seen) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x.mul_(2)

    x = leaf(T, seen)
    return function(T, seen.call("backward", lambda ctx, g: g * 2), forward)(x * 1).sum()


@program
def non_differentiable(T: Any, seen: Seen) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        values, places = x.sort()
        ctx.mark_non_differentiable(places)
        ctx.save_for_backward(places)
        return values, places

    def backward(ctx: Any, g: Any, _: Any) -> Any:
        return T.zeros_like(g).scatter(0, ctx.saved_tensors[0], g)

    x = leaf(T, seen)
    return (function(T, backward, forward)(x)[0] * T.arange(3.0)).sum()


@program
def once_differentiable(T: Any, seen: Seen) -> Any:
    once = T.autograd.function.once_differentiable
    x = leaf(T, seen)
    loss = function(T, once(lambda ctx, g: g * 2))(x).sum()
    return Pass([loss], None, {"create_graph": True})


@program
def a_backward_within(T: Any, seen: Seen) -> Any:
    w = leaf(T, seen, "w")

    def backward(ctx: Any, g: Any) -> Any:
        with T.enable_grad():
            v = ctx.kept.detach().requires_grad_()
            (v.exp() * w).sum().backward()
        return g * v.grad

    def forward(ctx: Any, x: Any) -> Any:
        ctx.kept = x.detach()
        return x.exp()

    x = leaf(T, seen)
    return (function(T, backward, forward)(x) * w).sum()


@program
def a_backward_within_through_the_same_nodes(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = x.exp()
    other = (h * 3).sum()

    def look(g: Any) -> None:
        seen.calls.append(("within", T.autograd.grad(other, x, retain_graph=True)[0].tolist()))

    y = h * 2
    y.register_hook(look)
    return Pass([(y * h).sum()], None, {"retain_graph": True})


@program
def a_backward_within_a_hook_to_the_same_leaf(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    x.register_post_accumulate_grad_hook(seen.call("done"))
    other, again = (x * x).sum(), [True]

    def once(g: Any) -> None:
        if again.pop() if again else False:
            other.backward(retain_graph=True)

    y = x.exp()
    y.register_hook(once)
    return y.sum()


@program
def a_function_that_raises(T: Any, seen: Seen) -> Any:
    def backward(ctx: Any, g: Any) -> Any:
        raise ValueError("no such formula")

    x, w = leaf(T, seen), leaf(T, seen, "w")
    return (function(T, backward)(x * 2) * w).sum()


@program
def a_gradient_of_a_wrong_shape(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    return (function(T, lambda ctx, g: T.ones(7))(x * 2) * 3).sum()


@program
def too_many_gradients(T: Any, seen: Seen) -> Any:
    return function(T, lambda ctx, g: (g, g))(leaf(T, seen)).sum()


@program
def a_function_that_writes_to_its_gradient(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    return (function(T, lambda ctx, g: g.mul_(2))(x * 2) + w).sum()


@program
def setup_context_and_dynamic_attributes(T: Any, seen: Seen) -> Any:
    class Power(T.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(x: Any, n: int) -> Any:
            return x**n

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(inputs[0], None, output)
            ctx.n, ctx.line = inputs[1], "----"

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            seen.calls.append(("needs", ctx.needs_input_grad))
            return g * ctx.n * ctx.saved_tensors[0] ** (ctx.n - 1), None

    return Power.apply(leaf(T, seen), 3).sum()


# --- Hooks


@program
def hooks_of_every_kind(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = seen.tensor("h", x * x)
    h.register_hook(seen.call("h", double))
    h.retain_grad()
    h.grad_fn.register_prehook(seen.call("pre", lambda g: (g[0] + 1,)))
    h.grad_fn.register_hook(seen.call("post", lambda out, g: tuple(each * 10 for each in out)))
    x.register_hook(seen.call("x", double))
    x.register_post_accumulate_grad_hook(seen.call("done"))
    leaf_node = h.grad_fn.next_functions[0][0]
    leaf_node.register_prehook(seen.call("leaf pre", lambda g: (g[0] * 3,)))
    leaf_node.register_hook(seen.call("leaf post"))
    return h.sum()


@program
def a_hook_that_removes_itself(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = x * 2
    handles: list[Any] = []
    handles.append(h.register_hook(seen.call("once", lambda g: handles.pop().remove())))
    h.register_hook(seen.call("second", double))
    return Pass([h.sum()], None, {"retain_graph": True})


@program
def a_hook_that_removes_the_others(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = x * 2
    y = h * 3
    others = [
        h.register_hook(seen.call("tensor", double)),
        h.grad_fn.register_prehook(seen.call("pre")),
        h.grad_fn.register_hook(seen.call("post")),
        x.register_hook(seen.call("leaf", double)),
        x.register_post_accumulate_grad_hook(seen.call("done")),
    ]
    y.register_hook(seen.call("remove", lambda g: [other.remove() for other in others] and None))
    return y.sum()


@program
def hooks_that_are_added_on_the_way(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = x * 2
    y = h * 3

    def add(g: Any) -> None:
        h.register_hook(seen.call("tensor", double))
        h.grad_fn.register_prehook(seen.call("pre", lambda g: (g[0] + 1,)))
        h.grad_fn.register_hook(seen.call("post", lambda out, g: (out[0] * 5, *out[1:])))
        x.register_hook(seen.call("leaf", double))
        x.register_post_accumulate_grad_hook(seen.call("done"))

    y.register_hook(seen.call("add", add))
    return y.sum()


@program
def a_hook_that_adds_to_its_own(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = x * 2
    h.register_hook(
        seen.call("first", lambda g: h.register_hook(seen.call("second", double)) and None)
    )
    return Pass([h.sum()], None, {"retain_graph": True})


@program
def hooks_that_write_in_place(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    h = x * 2
    h.register_hook(seen.call("write", lambda g: g.mul_(3) and None if g.numel() == 1 else None))
    (h + w).register_hook(lambda g: None)
    y = h + w
    y.register_hook(lambda g: [g.mul_(5)] and None)
    x.register_post_accumulate_grad_hook(lambda t: [t.grad.mul_(2)] and None)
    return y.sum()


@program
def a_hook_that_writes_where_the_gradient_is_shared(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    h, k = x * 2, w * 3
    h.register_hook(lambda g: [g.mul_(5)] and None)
    k.register_hook(lambda g: [g.mul_(7)] and None)
    return (h + k).sum()


@program
def a_hook_that_frees_the_gradient(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)

    def step_and_free(tensor: Any) -> None:
        with T.no_grad():
            tensor -= 0.1 * tensor.grad
        tensor.grad = None

    x.register_post_accumulate_grad_hook(seen.call("step", step_and_free))
    return (x * 2).sum()


def raising(kind: str) -> Program:
    def failing(T: Any, seen: Seen) -> Any:
        def fail(*_: Any) -> None:
            raise KeyError("no such thing")

        x, w = leaf(T, seen), leaf(T, seen, "w")
        h = x * 2
        y = (h * w).exp()
        register = {
            "tensor": h.register_hook,
            "unnamed tensor": lambda hook: None,
            "pre": h.grad_fn.register_prehook,
            "post": h.grad_fn.register_hook,
            "leaf": x.register_hook,
            "leaf pre": h.grad_fn.next_functions[0][0].register_prehook,
            "leaf post": h.grad_fn.next_functions[0][0].register_hook,
            "done": x.register_post_accumulate_grad_hook,
            "root": lambda hook: None,
        }[kind]
        register(seen.call("fail", fail))
        loss = y.sum()
        if kind == "root":
            loss.register_hook(seen.call("fail", fail))
        if kind == "unnamed tensor":
            (h * 1).sum()
            g = h.sin()
            g.register_hook(seen.call("fail", fail))
            loss = loss + g.sum()
        return loss

    failing.__name__ = f"a hook that raises ({kind})"
    return failing


for each in ("tensor", "unnamed tensor", "pre", "post", "leaf", "leaf pre", "leaf post"):
    program(raising(each))
for each in ("done", "root"):
    program(raising(each))


@program
def a_hook_that_returns_a_wrong_shape(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = x * 2
    h.register_hook(lambda g: T.ones(7))
    return h.sum()


@program
def a_hook_that_returns_no_tensor(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = x * 2
    h.register_hook(lambda g: "gradient")
    return h.sum()


@program
def a_node_hook_that_returns_none_for_a_gradient(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    x.register_post_accumulate_grad_hook(seen.call("done"))
    y = x * w
    y.grad_fn.register_hook(seen.call("post", lambda out, g: (None, out[1])))
    return y.sum()


@program
def a_pre_hook_that_returns_none_for_a_gradient(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = x * 2
    h.grad_fn.register_prehook(seen.call("pre", lambda g: (None,)))
    return (h.exp() + x).sum()


@program
def multi_grad_hooks(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    h = x * w
    register = T.autograd.graph.register_multi_grad_hook
    register((x, w, h), seen.call("all", lambda gs: None))
    register((x, h), seen.call("any", lambda g: None), mode="any")
    return h.sum()


@program
def module_hooks(T: Any, seen: Seen) -> Any:
    model = seen.module(T.nn.Sequential(T.nn.Linear(3, 2), T.nn.Tanh()))
    model[0].register_full_backward_hook(seen.call("full", lambda m, gi, go: (gi[0] * 2,)))
    model[1].register_full_backward_pre_hook(seen.call("full pre"))
    return model(leaf(T, seen, "x", 2, 3)).sum()


@program
def retained(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = seen.tensor("h", x * 2)
    h.retain_grad()
    y = seen.tensor("y", h.exp())
    y.retain_grad()
    return Pass([y.sum()], None, {"retain_graph": True})


@program
def retained_without_a_name(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    kept = [x * 2]
    kept[0].retain_grad()
    seen.tensor("kept", kept[0])
    return kept[0].exp().sum()


@program
def retained_between_hooks(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = seen.tensor("h", x * 2)
    h.register_hook(double)
    h.retain_grad()
    h.register_hook(double)
    return h.sum()


# --- Roots, seeds, options


@program
def several_roots(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = x * x
    return Pass([h.sum(), (h * 3).sum(), h, h], [None, None, T.ones(3), T.rand(3)])


@program
def a_gradient_that_is_taken_over(T: Any, seen: Seen) -> Any:
    x, g = leaf(T, seen, "x", 2, 3), seen.tensor("g", T.rand(6))
    return Pass([x.view(6)], [g])


@program
def a_gradient_for_two_leaves(T: Any, seen: Seen) -> Any:
    x, w, g = leaf(T, seen), leaf(T, seen, "w"), seen.tensor("g", T.rand(3))
    return Pass([x + w], [g])


@program
def a_gradient_of_strides_of_its_own(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen, "x", 3, 2)
    return Pass([x * 2, x.t() * 1], [T.rand(2, 3).t(), T.rand(2, 3)])


@program
def a_seed_that_requires_grad(T: Any, seen: Seen) -> Any:
    x, g = leaf(T, seen), leaf(T, seen, "g")
    return Pass([x * x], [g], {"create_graph": True})


@program
def no_scalar(T: Any, seen: Seen) -> Any:
    return leaf(T, seen) * 2


@program
def a_seed_of_a_wrong_shape(T: Any, seen: Seen) -> Any:
    return Pass([leaf(T, seen) * 2], [T.ones(7)])


@program
def gradients_that_are_there(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    x.grad = T.rand(3)
    return (x * x).sum()


@program
def retain_graph(T: Any, seen: Seen) -> Any:
    return Pass([(leaf(T, seen).exp() * 2).sum()], None, {"retain_graph": True})


@program
def create_graph(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    x.register_hook(seen.call("x"))
    return Pass([(x.exp() * x).sum()], None, {"create_graph": True})


@program
def second_order(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    (slope,) = T.autograd.grad((x.exp() * x).sum(), x, create_graph=True)
    return (slope * slope).sum()


@program
def inputs_that_are_leaves(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    w.register_hook(seen.call("w"))
    h = (x * w).exp()
    h.grad_fn.register_hook(seen.call("exp"))
    return Pass([(h * w).sum()], None, {"inputs": [x]})


@program
def inputs_that_are_results(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    h = seen.tensor("h", x * w)
    h.register_hook(seen.call("h", double))
    return Pass([(h.exp() * w).sum()], None, {"inputs": [h, w]})


@program
def an_input_that_is_not_reached(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    return Pass([(x * 2).sum()], None, {"inputs": [w]})


@program
def no_inputs(T: Any, seen: Seen) -> Any:
    return Pass([(leaf(T, seen) * 2).sum()], None, {"inputs": []})


@program
def freed_already(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    h = x.exp()
    h.sum().backward()
    return (h * 2).sum()


# --- In place, views


@program
def a_saved_input_that_is_changed(T: Any, seen: Seen) -> Any:
    h = leaf(T, seen) * 2
    y = h * h
    h.add_(1)
    return y.sum()


@program
def a_saved_result_that_is_changed(T: Any, seen: Seen) -> Any:
    y = leaf(T, seen).exp()
    y.add_(1)
    return y.sum()


@program
def a_result_of_a_function_that_is_changed(T: Any, seen: Seen) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.save_for_backward(x, y)
        return y

    y = function(T, lambda ctx, g: g * ctx.saved_tensors[1], forward)(leaf(T, seen))
    y.add_(1)
    return y.sum()


@program
def in_place_on_a_view(T: Any, seen: Seen) -> Any:
    h = leaf(T, seen, "x", 4) * 2
    h[:2].mul_(3)
    h.view(2, 2)[0].sin_()
    return (h * h).sum()


@program
def in_place_on_a_leaf_in_no_grad(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    y = x * 2
    with T.no_grad():
        x.add_(1)
    return y.sum()


@program
def unbind(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen, "x", 3, 2)
    a, _b, c = x.unbind()
    return (a * c).sum()


@program
def split_and_used_in_part(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen, "x", 6)
    a, b, _ = (x * 2).split(2)
    return (a.exp() + b).sum() + x.max()


@program
def in_place_on_one_of_several_views(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen, "x", 4)
    a, b = (x * 2).chunk(2)
    b = b.clone().mul_(2)
    return (a * b).sum()


# --- Kinds of tensors


@program
def sparse_embedding(T: Any, seen: Seen) -> Any:
    rows = seen.module(T.nn.Embedding(5, 2, sparse=True))
    return (rows(T.tensor([1, 1, 3])) * 2).sum()


@program
def sparse_and_dense(T: Any, seen: Seen) -> Any:
    w = leaf(T, seen, "w", 5, 2)
    embedding = T.nn.functional.embedding
    found = embedding(T.tensor([1, 3]), w, sparse=True).sum()
    return found + (w * w).sum() + embedding(T.tensor([0]), w, sparse=True).sum()


@program
def sparse_twice(T: Any, seen: Seen) -> Any:
    w = leaf(T, seen, "w", 5, 2)
    embedding = T.nn.functional.embedding
    return (
        embedding(T.tensor([1, 3]), w, sparse=True) * embedding(T.tensor([1, 2]), w, sparse=True)
    ).sum()


@program
def embedding_bag(T: Any, seen: Seen) -> Any:
    bag = seen.module(T.nn.EmbeddingBag(5, 2, sparse=True, mode="sum"))
    return bag(T.tensor([1, 1, 3, 4]), T.tensor([0, 2])).sum()


@program
def sparse_matrix(T: Any, seen: Seen) -> Any:
    m = T.eye(3).to_sparse().requires_grad_()
    return T.sparse.mm(seen.tensor("m", m), leaf(T, seen, "x", 3, 2)).sum()


@program
def complex_numbers(T: Any, seen: Seen) -> Any:
    z = seen.tensor("z", T.randn(3, dtype=T.complex64, requires_grad=True))
    return (z * z.conj() + z.exp()).abs().sum() + T.view_as_real(z).sum()


@program
def complex_of_parts(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    return T.fft.fft(T.complex(x, x * 2)).abs().sum() + (x + 0j).imag.sum()


@program
def zero_size(T: Any, seen: Seen) -> Any:
    x = seen.tensor("x", T.randn(0, 3, requires_grad=True))
    return (x.exp() * 2).sum() + (leaf(T, seen, "w") * 2).sum()


@program
def undefined_gradients(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    h = function(T, lambda ctx, g: None)(x.exp())
    return (h * w.detach() + (w * 2)).sum()


@program
def half_precision(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    return (x.bfloat16().exp().float() + x.half().sin().float() + x.double().cos().float()).sum()


@program
def without_numbers(T: Any, seen: Seen) -> Any:
    x = seen.tensor("x", T.ones(2, 3, device="meta", requires_grad=True))
    w = seen.tensor("w", T.ones(3, device="meta", requires_grad=True))
    h = x * w
    h.register_hook(seen.call("h"))
    return (h.exp() + x).sum()


@program
def nested_tensors(T: Any, seen: Seen) -> Any:
    a, b = leaf(T, seen, "a", 2, 3), leaf(T, seen, "b", 4, 3)
    n = T.nested.as_nested_tensor([a, b])
    return Pass([n * 2 + n.relu()], [T.nested.nested_tensor([T.ones(2, 3), T.ones(4, 3)])])


@program
def jagged_tensors(T: Any, seen: Seen) -> Any:
    a, b = leaf(T, seen, "a", 2, 3), leaf(T, seen, "b", 4, 3)
    n = T.nested.as_nested_tensor([a, b], layout=T.jagged)
    return (n * n).sin().values().sum()


@program
def autocast(T: Any, seen: Seen) -> Any:
    model = seen.module(T.nn.Sequential(T.nn.Linear(3, 4), T.nn.ReLU(), T.nn.Linear(4, 2)))
    with T.autocast("cpu", dtype=T.bfloat16):
        return model(leaf(T, seen, "x", 2, 3)).float().sum()


@program
def inference_tensors(T: Any, seen: Seen) -> Any:
    with T.inference_mode():
        kept = seen.tensor("kept", T.ones(3))
    return (leaf(T, seen) + kept).sum()


@program
def nan_and_infinity(T: Any, seen: Seen) -> Any:
    x = seen.tensor("x", T.tensor([0.0, -1.0, float("inf")], requires_grad=True))
    return x.log().sqrt().sum()


@program
def anomaly_mode(T: Any, seen: Seen) -> Any:
    with T.autograd.detect_anomaly(check_nan=False):
        x = leaf(T, seen)
        h = x.exp()
        h.register_hook(seen.call("h"))
        return (h * x).sum()


@program
def not_required_any_more(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")
    y = (x * w).sum()
    x.requires_grad_(False)
    return y


@program
def a_subclass(T: Any, seen: Seen) -> Any:
    class Named(T.Tensor):  # type: ignore[misc]
        pass

    x = seen.tensor("x", T.randn(3).as_subclass(Named).requires_grad_())
    return (x * x).sum()


# --- Modules


@program
def recurrent(T: Any, seen: Seen) -> Any:
    layer = seen.module(T.nn.LSTM(2, 3, num_layers=2))
    out, (h, _c) = layer(leaf(T, seen, "x", 4, 1, 2))
    return out.sum() + h.exp().sum()


@program
def gated(T: Any, seen: Seen) -> Any:
    layer = seen.module(T.nn.GRU(2, 3, bidirectional=True, batch_first=True))
    return layer(leaf(T, seen, "x", 2, 4, 2))[0].sum()


@program
def cells(T: Any, seen: Seen) -> Any:
    cell, state = seen.module(T.nn.LSTMCell(2, 3)), None
    for _ in range(3):
        state = cell(T.randn(1, 2), state)
    return state[0].sum()


@program
def packed_sequence(T: Any, seen: Seen) -> Any:
    layer = seen.module(T.nn.LSTM(2, 3))
    packed = T.nn.utils.rnn.pack_padded_sequence(leaf(T, seen, "x", 4, 2, 2), [4, 2])
    return layer(packed)[0].data.sum()


@program
def attention(T: Any, seen: Seen) -> Any:
    layer = seen.module(T.nn.MultiheadAttention(4, 2, dropout=0.5))
    x = leaf(T, seen, "x", 3, 1, 4)
    return layer(x, x, x)[0].sum()


@program
def scaled_dot_product(T: Any, seen: Seen) -> Any:
    q, k, v = (leaf(T, seen, name, 1, 2, 3, 4) for name in "qkv")
    attend = T.nn.functional.scaled_dot_product_attention
    return attend(q, k, v, is_causal=True).sum() + attend(q, k, v).exp().sum()


@program
def encoder(T: Any, seen: Seen) -> Any:
    layer = T.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.1)
    return seen.module(T.nn.TransformerEncoder(layer, 2))(leaf(T, seen, "x", 3, 1, 4)).sum()


@program
def convolution(T: Any, seen: Seen) -> Any:
    layers = (T.nn.Conv2d(1, 2, 3), T.nn.BatchNorm2d(2), T.nn.ReLU(), T.nn.MaxPool2d(2))
    return seen.module(T.nn.Sequential(*layers))(leaf(T, seen, "x", 2, 1, 6, 6)).sum()


@program
def spectral_norm(T: Any, seen: Seen) -> Any:
    layer = T.nn.utils.parametrizations.spectral_norm(T.nn.Linear(3, 3))
    return seen.module(layer)(leaf(T, seen, "x", 2, 3)).sum()


@program
def shared_weights(T: Any, seen: Seen) -> Any:
    layer = seen.module(T.nn.Linear(3, 3))
    return layer(layer(leaf(T, seen, "x", 2, 3)).tanh()).sum()


@program
def unused_parameters(T: Any, seen: Seen) -> Any:
    model = seen.module(T.nn.ModuleList([T.nn.Linear(3, 3), T.nn.Linear(3, 3)]))
    return model[0](leaf(T, seen, "x", 2, 3)).sum()


@program
def an_optimizer_in_the_backward_pass(T: Any, seen: Seen) -> Any:
    model = seen.module(T.nn.Sequential(T.nn.Linear(3, 3), T.nn.Linear(3, 1)))
    for parameter in model.parameters():
        optimizer = T.optim.SGD([parameter], lr=0.1)

        def update(_: Any, optimizer: Any = optimizer) -> None:
            optimizer.step()
            optimizer.zero_grad()

        parameter.register_post_accumulate_grad_hook(update)
    return model(leaf(T, seen, "x", 2, 3)).sum()


@program
def in_another_thread(T: Any, seen: Seen) -> Any:
    x, made = leaf(T, seen), []
    thread = threading.Thread(target=lambda: made.append((x.exp() * x).sum()))
    thread.start()
    thread.join()
    return made[0] + x.sin().sum()


@program
def deep(T: Any, seen: Seen) -> Any:
    y = leaf(T, seen)
    for _ in range(300):
        y = y * 1.001
    return y.sum()


@program
def wide_sums(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen, "x", 50)
    h = x * 1.1
    return sum(((h * k).sin() for k in range(20)), h).sum()


@program
def saved_tensors_that_are_cleared_when_they_are_read(T: Any, seen: Seen) -> Any:
    class Exp(T.autograd.Function):  # type: ignore[misc]
        clear_saved_tensors_on_access = True

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x.exp()
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.saved_tensors[1]

    return Exp.apply(leaf(T, seen)).sum()


@program
def saved_tensors_that_may_be_changed(T: Any, seen: Seen) -> Any:
    with T.autograd.graph.allow_mutation_on_saved_tensors():
        h = leaf(T, seen) * 1
        y = h * h
        h.mul_(5)
        (y * 1).sum().backward(retain_graph=True)
        loss = y.sum()
    return loss


@program
def module_hooks_that_come_first(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    layer = seen.module(T.nn.Linear(3, 3))
    layer.register_full_backward_hook(seen.call("full"), prepend=True)
    h = layer(x).tanh()
    return h.sum()


@program
def a_whole_step_in_a_hook(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen), leaf(T, seen, "w")

    def within(g: Any) -> Any:
        with T.enable_grad():
            inner = (w * g.detach()).exp().sum()
        inner.backward()
        return g * w.grad

    h = x * 2
    h.register_hook(seen.call("within", within))
    return (h * w.detach()).sum()


@program
def a_leaf_that_is_used_by_many(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen)
    x.register_hook(seen.call("x", double))
    return sum((x * k for k in range(5)), x.exp()).sum()


@program
def a_root_that_is_a_view_of_a_leaf(T: Any, seen: Seen) -> Any:
    x, g = leaf(T, seen, "x", 2, 3), seen.tensor("g", T.rand(3, 2))
    return Pass([x.t(), x.t()], [g, g])


@program
def a_gradient_that_shares_memory(T: Any, seen: Seen) -> Any:
    x, w, g = leaf(T, seen, "x", 6), leaf(T, seen, "w", 6), seen.tensor("g", T.rand(2, 3))
    return Pass([x.view(2, 3) + w.view(2, 3)], [g])


@program
def a_function_that_keeps_its_gradient(T: Any, seen: Seen) -> Any:
    kept: list[Any] = []

    def backward(ctx: Any, g: Any) -> Any:
        kept.append(seen.tensor(f"kept {len(kept)}", g * 2))
        return kept[-1]

    return function(T, backward)(leaf(T, seen)).sum()


@program
def conjugates_and_negatives(T: Any, seen: Seen) -> Any:
    z = seen.tensor("z", T.randn(3, dtype=T.complex64, requires_grad=True))
    return (z.conj().imag * z.real).sum() + T.view_as_complex(leaf(T, seen, "x", 3, 2)).abs().sum()


@program
def losses_with_indices(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen, "x", 2, 5)
    y = T.nn.functional.cross_entropy(x, T.tensor([1, 4]), label_smoothing=0.1)
    return y + T.nn.functional.ctc_loss(
        x.log_softmax(1).unsqueeze(1).expand(2, 1, 5), T.tensor([[1]]), (2,), (1,)
    )


@program
def sorted_gathered_and_scattered(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen, "x", 6), leaf(T, seen, "w", 6)
    values, places = x.topk(3)
    put = w.index_put((places,), values).cumsum(0)
    return (put.scatter_add(0, places, values) * T.where(x > 0, x, w)).sum() + x.var() + x.norm()


@program
def linear_algebra(T: Any, seen: Seen) -> Any:
    m = leaf(T, seen, "m", 3, 3)
    q, r = T.linalg.qr(m)
    return T.linalg.solve(m + 5 * T.eye(3), q).sum() + T.logdet(m @ m.t() + T.eye(3)) + r.det()


@program
def einsum_and_multi_dot(T: Any, seen: Seen) -> Any:
    a, b = leaf(T, seen, "a", 2, 3), leaf(T, seen, "b", 3, 4)
    return T.einsum("ij,jk->ki", a, b).sum() + T.linalg.multi_dot([a, b, b.t()]).sum()


@program
def every_second_gradient_is_undefined(T: Any, seen: Seen) -> Any:
    x = leaf(T, seen, "x", 6)
    parts = (x * 1).split(1)
    return sum((part.sum() for part in parts[::2]), parts[0].sum() * 0)


# --- Reading numbers, classes and exceptions must not be noticed


@program
def a_leaf_whose_memory_is_resized(T: Any, seen: Seen) -> Any:
    """As a sharded model does with a parameter that is not needed any more."""
    x = leaf(T, seen)

    def resize(tensor: Any) -> None:
        tensor.data.untyped_storage().resize_(0)
        tensor.data.untyped_storage().resize_(12)
        tensor.data.fill_(1)

    x.register_post_accumulate_grad_hook(seen.call("resize", resize))
    return (x * 2).sum()


@program
def a_saved_tensor_whose_memory_comes_back_in_a_hook(T: Any, seen: Seen) -> Any:
    x, w = leaf(T, seen, "x", 2, 3), leaf(T, seen, "w", 3, 3)
    numbers, out = w.detach().clone(), (x @ w) * 1
    w.untyped_storage().resize_(0)

    def gather(g: Any) -> None:
        w.untyped_storage().resize_(36)
        with T.no_grad(), T.autograd._unsafe_preserve_version_counter(w):
            w.copy_(numbers)

    out.register_hook(gather)
    return out.sum()


@program
def a_class_that_writes_down_what_is_done_with_it(T: Any, seen: Seen) -> Any:
    class Logged(T.Tensor):  # type: ignore[misc]
        @classmethod
        def __torch_function__(cls, function: Any, types: Any, args: Any = (), kw: Any = None):  # type: ignore[no-untyped-def]
            if function.__name__ != "backward":
                seen.calls.append((function.__name__,))
            return super().__torch_function__(function, types, args, kw or {})

    x = leaf(T, seen)
    y = (x.as_subclass(Logged).exp() * 2).sum()
    seen.calls.clear()
    return y


@program
def a_class_that_keeps_its_numbers_elsewhere(T: Any, seen: Seen) -> Any:
    flat = T.utils._pytree.tree_map

    class Wrapped(T.Tensor):  # type: ignore[misc]
        inner: Any

        @staticmethod
        def __new__(cls, inner: Any) -> Any:
            return T.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

        @classmethod
        def __torch_dispatch__(cls, function: Any, types: Any, args: Any = (), kw: Any = None):  # type: ignore[no-untyped-def]
            if "detach" not in str(function):  # which reading a saved tensor takes
                seen.calls.append((str(function),))
            bare = flat(lambda t: t.inner if isinstance(t, Wrapped) else t, (args, kw or {}))
            return flat(
                lambda t: wrap(t) if isinstance(t, T.Tensor) else t, function(*bare[0], **bare[1])
            )

    def wrap(inner: Any) -> Any:
        made = Wrapped(inner)
        made.inner = inner
        return made

    x = wrap(T.randn(3)).requires_grad_()
    return ((x * 2) * x + x).sum()


@program
def an_exception_that_cannot_be_printed(T: Any, seen: Seen) -> Any:
    class Wordless(ValueError):
        def __str__(self) -> str:
            raise RuntimeError("no words")

    def fail(g: Any) -> None:
        raise Wordless("a")

    h = leaf(T, seen) * 2
    h.register_hook(fail)
    return h.sum()


@program
def a_seed_of_another_type(T: Any, seen: Seen) -> Any:
    """The engine gives it the type of its tensor."""
    return Pass([leaf(T, seen) * 2], [T.ones(3).long()])


@program
def complex_seeds(T: Any, seen: Seen) -> Any:
    y = leaf(T, seen) * 2
    return Pass([y, y], [T.ones(3) + 1j, T.ones(3).double()])
