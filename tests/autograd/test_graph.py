"""Edges in the place of tensors, what happens to modes and hooks in the middle of a pass, and what
may be done to saved tensors."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from tests.core.test_regressions import outcome
from tests.parity import same


def edges_in_the_place_of_tensors(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    z = y * 3
    edge, ones = T.autograd.graph.get_gradient_edge, T.ones(2)

    def grad(*args: Any, **options: Any) -> Any:
        return outcome(lambda: T.autograd.grad(*args, retain_graph=True, **options))

    seen = [
        grad(z, edge(y), ones),
        grad(edge(z), edge(x), ones),
        grad((edge(z), y), (edge(x), y), (ones, ones)),
        grad(edge(z), x),
        grad(edge(z.sum()), x),
        grad(edge(z), x, T.ones(3)),
        grad(z.sum(), {"x": edge(x)}),
        grad(T.autograd.graph.GradientEdge(z.grad_fn, 0), x, ones),
        grad(z.sum(), edge(T.ones(2, requires_grad=True)), allow_unused=True),
        grad(z.sum(), edge(T.ones(2, requires_grad=True)), materialize_grads=True),
        grad(z.sum(), edge(x), materialize_grads=True),
        outcome(lambda: edge(T.ones(1))),
    ]
    for backward in (
        lambda: T.autograd.backward(edge(z), ones, retain_graph=True),
        lambda: T.autograd.backward(z.sum(), inputs=edge(x), retain_graph=True),
        lambda: T.autograd.backward(z.sum(), inputs=[edge(y)], retain_graph=True),
        lambda: z.sum().backward(inputs=[edge(x)], retain_graph=True),
    ):
        seen += [outcome(backward), x.grad.clone()]
    return seen, edge(y) == edge(y), edge(y)._fields


def zeros_that_can_be_differentiated(T: Any) -> Any:
    x, y = T.ones(2, requires_grad=True), T.ones(3, requires_grad=True, dtype=T.float64)
    seen = []
    for create_graph in (False, True):
        how = {"create_graph": create_graph, "materialize_grads": True}
        seen += T.autograd.grad((x * x).sum(), (x, y, x * 2), **how)
    return seen


def callbacks_at_the_end(T: Any) -> Any:
    queue = T.autograd.Variable._execution_engine.queue_callback
    seen: list[Any] = []
    x = T.ones(2, requires_grad=True)

    def last() -> None:
        seen.append(("done", T.is_grad_enabled(), x.grad))
        queue(lambda: seen.append("after that"))

    def hook(gradient: Any) -> None:
        seen.append("hook")
        queue(last)

    def fails() -> None:
        raise ValueError("no")

    y = x * 2
    y.register_hook(hook)
    x.register_hook(lambda g: seen.append("leaf"))
    y.sum().backward()
    other = (x * 3).grad_fn

    def asks(gradient: Any) -> None:
        seen.append(other(gradient)[0])  # a node that is asked in between ends no pass
        queue(fails)

    z = x * 2
    z.register_hook(asks)
    return seen, outcome(lambda: z.sum().backward()), outcome(lambda: queue(last))


def grad_modes_left_in_a_pass(T: Any) -> Any:
    """Each node begins in the modes of the pass, whatever hooks and functions have left behind."""

    class Switching(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            T.set_grad_enabled(False)
            return g * 2

    seen: list[Any] = []
    x = T.ones(2, requires_grad=True)

    def hook(gradient: Any) -> None:
        seen.append(T.is_grad_enabled())
        T.set_grad_enabled(not T.is_grad_enabled())

    for create_graph in (False, True):
        a = Switching.apply(x.exp())
        b = a * a
        for tensor in (b, b, a):
            tensor.register_hook(hook)
        (g,) = T.autograd.grad(b.sum(), x, create_graph=create_graph)
        seen += ["end", T.is_grad_enabled(), g.requires_grad]
    return seen


def saved_hooks_entered_in_a_pass(T: Any) -> Any:
    seen: list[Any] = []

    def noted(name: str) -> Any:
        return lambda t: (seen.append(name), t)[1]

    x = T.tensor([1.0, 2.0], requires_grad=True)
    entered = T.autograd.graph.saved_tensors_hooks(noted("pack"), noted("unpack"))
    y = x.exp()
    z = y * y
    z.register_hook(lambda g: entered.__enter__())
    (g,) = T.autograd.grad(z.sum(), x, create_graph=True)
    seen.append("outside")
    w = x * x
    with T.autograd.graph.saved_tensors_hooks(noted("pack around"), noted("unpack around")):
        (h,) = T.autograd.grad((w * w).sum(), x, create_graph=True)
    seen.append("differentiated")
    (g + h).sum().backward()
    return seen, x.grad


def saved_hooks_disabled(T: Any) -> Any:
    graph, x = T.autograd.graph, T.tensor([1.0, 2.0], requires_grad=True)

    def hooked() -> None:
        with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            pass

    def moved() -> Any:
        with graph.save_on_cpu():
            return x * x

    def disabled_too_late() -> Any:
        with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            with graph.disable_saved_tensors_hooks("late"):
                return x * x

    def no_functions() -> Any:
        with graph.saved_tensors_hooks(1, 2):
            return x * x

    @graph.disable_saved_tensors_hooks("decorated")
    def decorated() -> None:
        hooked()

    seen = []
    with graph.disable_saved_tensors_hooks("no hooks"):
        seen.append(outcome(hooked))
        with graph.disable_saved_tensors_hooks("inner"):
            seen.append(outcome(hooked))
        checkpoint = T.utils.checkpoint.checkpoint
        seen += [outcome(hooked), outcome(moved)]
        seen.append(outcome(lambda: checkpoint(lambda t: t * t, x, use_reentrant=False)))
    seen += [outcome(hooked), outcome(moved), outcome(disabled_too_late), outcome(decorated)]
    return seen, outcome(no_functions)[0], x * x


def mutation_of_saved_tensors(T: Any) -> Any:
    allowed = T.autograd.graph.allow_mutation_on_saved_tensors
    x = T.tensor([1.0, 2.0], requires_grad=True)
    seen: list[Any] = []
    with allowed():
        b = x * 1
        c = b * b
        b.add_(5)
        d = b * b
        b.sin_()
        (c + d).sum().backward()
    seen.append(x.grad.clone())
    with allowed():
        b = x * 1
        c = b.sin()
        b.mul_(2)
        first = b[:1]
        e = first * first
        b.zero_()
        b[0] = 7.0
        f = c.exp()
        f.mul_(2)
        (f.sum() + e.sum()).backward()
    seen.append(x.grad.clone())
    with allowed():
        b = x * 1
        (g,) = T.autograd.grad((b * b * b).sum(), x, create_graph=True)
        b.mul_(3)
        g.sum().backward()
    seen.append(x.grad.clone())
    for write in (
        lambda w: w.add_(5),
        lambda w: w.detach().add_(5),
        lambda w: w[:1].fill_(3),
    ):
        with allowed():
            w = T.ones(2)
            y = x * w
            write(w)
            y.sum().backward()
        seen.append(x.grad.clone())
    places = T.tensor([0, 1])
    with allowed() as copies:
        y = x * x
        copies.clear()
        seen.append(outcome(lambda: y.sum().backward()))
    with allowed():
        y = (x * 2)[places]
        places.zero_()
        y.sum().backward()
    return seen, x.grad


def copies_of_saved_tensors(T: Any) -> Any:
    """Nodes that save one version of a tensor share a copy, as long as one of them lives."""
    x, seen = T.ones(2, requires_grad=True), []
    with T.autograd.graph.allow_mutation_on_saved_tensors() as copies:
        a = x.clone()
        b, c = a**2, a**2
        seen.append(len(copies.cloned))
        a.sin_()
        seen.append(len(copies.cloned))
        d = a**2
        a.sin_()
        seen.append(len(copies.cloned))
        del b, c
        seen.append(len(copies.cloned))
        d.sum().backward()
        seen.append(len(copies.cloned))
    return seen, x.grad


def mutation_and_its_limits(T: Any) -> Any:
    allowed = T.autograd.graph.allow_mutation_on_saved_tensors
    x = T.tensor([1.0, 2.0], requires_grad=True)
    before = x * 1
    square = before * before
    with allowed():
        inside = x * x
        before.add_(1)
        earlier = outcome(lambda: square.sum().backward())

    def nested() -> None:
        with allowed(), allowed():
            pass

    return earlier, outcome(lambda: inside.sum().backward()), outcome(nested), x.grad


def order_of_execution(T: Any) -> Any:
    """The youngest operation first; the AccumulateGrad of a leaf as soon as it is complete."""

    class Named(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, name):
            ctx.name_of_it = name
            return x * 1

        @staticmethod
        def backward(ctx, g):
            seen.append(ctx.name_of_it)
            return g, None

    seen: list[Any] = []
    x, other = T.ones(2, requires_grad=True), T.ones(2, requires_grad=True)
    x.register_hook(lambda g: seen.append("x"))
    other.register_hook(lambda g: seen.append("other"))
    a, b = Named.apply(x, "a"), Named.apply(x, "b")
    c, d = Named.apply(b, "c"), Named.apply(a, "d")
    (d + c).sum().backward()
    seen.append("two roots")
    a, b = Named.apply(x, "a"), Named.apply(other, "b")
    T.autograd.backward([a, b], [T.ones(2), T.ones(2)])
    seen.append("a root above a root")
    a = Named.apply(x, "a")
    b = Named.apply(a, "b")
    T.autograd.backward([a, b], [T.ones(2), T.ones(2)])
    return seen


def threads_are_only_a_flag(T: Any) -> Any:
    enabled, switch = T.autograd.is_multithreading_enabled, T.autograd.set_multithreading_enabled
    seen = [enabled()]
    with switch(False):
        seen.append(enabled())
        x = T.ones(2, requires_grad=True)
        (x * x).sum().backward()
    seen.append(enabled())
    switch(False)
    seen.append(enabled())
    switch(True)
    decorated = switch(False)(lambda: enabled())
    seen += [enabled(), decorated(), enabled()]
    switch(True)
    return seen, x.grad


def decorated_classes(T: Any) -> Any:
    seen = []
    for mode in (T.no_grad(), T.no_grad, T.enable_grad, T.inference_mode(), T.inference_mode):

        class Made:
            def __init__(self) -> None:
                self.made_in = T.is_grad_enabled(), T.is_inference_mode_enabled()

        with warnings.catch_warnings(record=True) as told, T.no_grad():
            warnings.simplefilter("always")
            made = mode(Made)()
        seen.append(([(w.category.__name__, str(w.message)) for w in told], made.made_in))
    return seen


def classes_of_nodes(T: Any) -> Any:
    kind, seen = T.autograd.graph.Node, []

    class Own(T.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            seen.append(isinstance(ctx, kind))
            return x.clone()

    x = T.ones(2, requires_grad=True)
    y, z = x.exp(), Own.apply(x)
    leaf = y.grad_fn.next_functions[0][0]
    seen += [isinstance(node, kind) for node in (y.grad_fn, z.grad_fn, leaf, None, kind, 1)]
    seen += [issubclass(each, kind) for each in (type(leaf), type(z.grad_fn), kind, int)]
    seen.append(issubclass(T.autograd.function.BackwardCFunction, kind))
    seen += [kind in type(node).mro() for node in (y.grad_fn, z.grad_fn)]
    saved = T.autograd.SavedTensor
    seen += [isinstance(y.grad_fn._raw_saved_result, saved), isinstance(y, saved)]
    return (
        seen,
        outcome(saved),
        Own.generate_vmap_rule,
        outcome(lambda: Own.vmap(None, None)),
    )


def hooks_on_one_of_the_saved_indices(T: Any) -> Any:
    x, order = T.ones(2, 3, requires_grad=True), []
    y = x[:, T.tensor([0, 2])]
    whole, places = y.grad_fn._raw_saved_indices
    hooks = (
        lambda t: (order.append("pack"), t)[1],
        lambda t: (order.append("unpack"), t)[1],
    )
    refused = [outcome(lambda: whole.register_hooks(*hooks))]
    places.register_hooks(*hooks)
    refused.append(outcome(lambda: places.register_hooks(*hooks)))
    order.append(y.grad_fn._saved_indices[1].tolist())
    y.sum().backward()
    freed = outcome(lambda: y.grad_fn._raw_saved_indices)
    return order, refused, freed, x.grad.tolist()


PROGRAMS = [
    classes_of_nodes,
    hooks_on_one_of_the_saved_indices,
    edges_in_the_place_of_tensors,
    zeros_that_can_be_differentiated,
    callbacks_at_the_end,
    grad_modes_left_in_a_pass,
    saved_hooks_entered_in_a_pass,
    saved_hooks_disabled,
    mutation_of_saved_tensors,
    copies_of_saved_tensors,
    mutation_and_its_limits,
    order_of_execution,
    threads_are_only_a_flag,
    decorated_classes,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)


@pytest.mark.parametrize("mode", ["all", "any"])
@pytest.mark.parametrize("given", ["no", "yes no", "no yes", "yes", "", "no no"])
def test_multi_grad_hook_skips_tensors_without_grad(torch: Any, mode: str, given: str) -> None:
    def program(T: Any) -> Any:
        x = T.ones(2, requires_grad=True)
        kinds = {"yes": x, "no": T.ones(2)}
        tensors, seen = [kinds[word] for word in given.split()], []
        try:
            handle = T.autograd.graph.register_multi_grad_hook(tensors, seen.append, mode=mode)
        except AssertionError as error:
            return str(error)
        (x * 2).sum().backward()
        handle.remove()
        (x * 2).sum().backward()
        return seen

    same(torch, program)


@pytest.mark.parametrize("kind", ["plain", "leaf", "result", "view"])
def test_unpacked_tensor_without_history_stays(torch: Any, kind: str) -> None:
    def program(T: Any) -> Any:
        made = {"plain": T.tensor([1.0]), "leaf": T.tensor([1.0], requires_grad=True)}
        made |= {"result": made["leaf"] * 2, "view": T.tensor([1.0, 2.0])[:1]}
        given, constant = made[kind], T.tensor([3.0])
        a = T.tensor([2.0], requires_grad=True)
        with T.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: given):
            product, power = a * constant, a.exp()
        kept, own = product.grad_fn._saved_other, power.grad_fn._saved_result
        return kept is given, kept.requires_grad, own is given, own.requires_grad

    same(torch, program)


@pytest.mark.parametrize("wants", [True, False])
def test_view_of_inference_tensor_is_leaf(torch: Any, wants: bool) -> None:
    def program(T: Any) -> Any:
        with T.inference_mode():
            x = T.ones(1, 2, requires_grad=wants)
        view = x.view(-1)
        return view.is_leaf, view.grad_fn, view.requires_grad, view.is_inference()

    same(torch, program)
