"""backward() and grad(): their options, what they leave behind, the order in which nodes run."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.parity import caught, edge_of, order_of_execution, same, warn_always

Programs = list[Callable[[Any], Any]]


# --- Order


def chain(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    return (x.exp() * 2 + 1).sum()


def diamond(T: Any) -> Any:
    a = T.ones(3, requires_grad=True)
    b = a + a
    c = b + b
    return (c * b + a).sum()


def two_branches(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    w = T.ones(3, requires_grad=True)
    left = (x * w).exp()
    right = (x + w).sin()
    return (right * left).sum()


def late_leaf(T: Any) -> Any:
    x = T.ones(2, 3, requires_grad=True)
    w = T.ones(3, requires_grad=True)
    b = T.ones(2, requires_grad=True)
    return ((x @ w + b).tanh() + b).mean()


def newest_first(T: Any) -> Any:
    """The branch that was computed last runs first, whatever the order of the operands."""
    x = T.ones((), requires_grad=True)
    a = x.exp()
    b = x.sin()
    c = x.cos()
    return b + (c + a)


def several_outputs(T: Any) -> Any:
    x = T.ones(3, 2, requires_grad=True)
    first, second, third = x.unbind(0)
    return (first * third + second).sum()


def repeated_input(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    return (T.stack([x, x * 2, x]) * x).sum()


GRAPHS = [
    chain,
    diamond,
    two_branches,
    late_leaf,
    newest_first,
    several_outputs,
    repeated_input,
]


@pytest.mark.parametrize("build", GRAPHS, ids=lambda build: build.__name__)
def test_nodes_run_in_the_same_order(torch: Any, build: Any) -> None:
    def program(T: Any) -> Any:
        root = build(T)
        return order_of_execution([root], root.backward), root

    same(torch, program)


def test_order_with_two_roots(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.ones(3, requires_grad=True)
        first = x.exp().sum()
        second = x.sin().sum() * 2
        return order_of_execution(
            [first, second], lambda: T.autograd.backward([first, second])
        ), x.grad

    same(torch, program)


def test_order_of_roots_on_one_path(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.ones(3, requires_grad=True)
        inner = x.exp().sum()
        outer = inner * inner
        order = order_of_execution([outer, inner], lambda: T.autograd.backward([inner, outer]))
        return order, x.grad

    same(torch, program)


def test_only_needed_nodes_run(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.ones(3, requires_grad=True)
        w = T.ones(3, requires_grad=True)
        loss = (x.exp() * w.sin()).sum()
        seen = order_of_execution([loss], lambda: T.autograd.grad(loss, x))
        return seen, x.grad, w.grad

    same(torch, program)


def test_inputs_restricts_nodes_and_accumulation(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.ones(3, requires_grad=True)
        w = T.ones(3, requires_grad=True)
        loss = (x.exp() * w.sin()).sum()
        seen = order_of_execution([loss], lambda: loss.backward(inputs=[w]))
        return seen, x.grad, w.grad

    same(torch, program)


def test_create_graph_runs_in_the_same_order(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.ones(3, requires_grad=True)
        loss = (x * x * x).sum()
        return order_of_execution([loss], lambda: T.autograd.grad(loss, x, create_graph=True))

    same(torch, program)


# --- backward


def accumulates(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    (x * 2).sum().backward()
    kept = x.grad
    first = kept.clone()
    (x * 3).sum().backward()
    return first, x.grad, kept is x.grad, kept._version


def starts_at_a_leaf(T: Any) -> Any:
    x = T.tensor(2.0, requires_grad=True)
    x.backward()
    before = x.grad.clone()
    x.backward(T.tensor(5.0))
    return before, x.grad


def gradient_of_another_type(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    (x * 2).backward(T.ones(3, dtype=T.float64))
    return x.grad


def gradient_argument_stays_its_own(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    seed = T.ones(3)
    (x * 1).backward(seed)
    x.grad.add_(1)
    y = T.ones(3, requires_grad=True)
    y.backward(seed)
    y.grad.add_(1)
    return x.grad, y.grad, seed


def sum_of_roots(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    a, b = (x * 2).sum(), x * 3
    T.autograd.backward([a, b], [None, T.tensor([1.0, 2.0, 3.0])])
    return x.grad


def same_root_twice(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    a = (x * 2).sum()
    T.autograd.backward([a, a])
    return x.grad


def root_without_gradient_among_others(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    return caught(
        lambda: T.autograd.backward([(x * 2).sum(), T.ones(())]),
        "element 1 of tensors does not require grad",
    )


def nothing_saved_twice(T: Any) -> Any:
    """A graph that saved nothing can be walked again."""
    x = T.ones(3, requires_grad=True)
    y = (x + 1).sum()
    y.backward()
    y.backward()
    return x.grad


def shared_part_after_freeing(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * x
    a, b = y.sum(), (y * 2).sum()
    a.backward()
    return caught(b.backward, "backward through the graph a second time"), x.grad


def shared_part_kept(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * x
    a, b = y.sum(), (y * 2).sum()
    a.backward(retain_graph=True)
    b.backward()
    return x.grad


def inputs_that_are_results(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * 2
    (y * 3).sum().backward(inputs=[y])
    return x.grad, y.grad


def inputs_results_and_leaves(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * 2
    (y * 3).sum().backward(inputs=[x, y])
    return x.grad, y.grad


def inputs_one_tensor(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    w = T.ones(3, requires_grad=True)
    (x * w).sum().backward(inputs=x)
    return x.grad, w.grad


def create_graph(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], requires_grad=True)
    (x**3).sum().backward(create_graph=True)
    first = x.grad
    x.grad = None
    first.sum().backward()
    return first, x.grad


def create_graph_accumulates(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], requires_grad=True)
    (x**3).sum().backward(create_graph=True)
    first = x.grad
    (x**2).sum().backward(create_graph=True)
    same_tensor = first is x.grad
    result = x.grad.detach().clone(), x.grad.requires_grad, same_tensor
    x.grad = None
    return result


def gradient_dtype_follows_the_leaf(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    w = T.ones(3, dtype=T.float64, requires_grad=True)
    (x * w).sum().backward()
    return x.grad, w.grad


def float16(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], dtype=T.float16, requires_grad=True)
    (x * x).sum().backward()
    return x.grad


def retain_grad_twice(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.retain_grad()
    y.sum().backward(retain_graph=True)
    first = y.grad.clone()
    y.sum().backward()
    return first, y.grad, x.grad


def retain_grad_after_backward(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * 2
    y.sum().backward(retain_graph=True)
    before = y.grad
    y.retain_grad()
    y.sum().backward()
    return before, y.grad


def retain_grad_of_a_leaf(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    x.retain_grad()
    (x * 2).sum().backward()
    return x.retains_grad, x.grad


def retain_grad_of_a_view(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    y = (x * 2)[0]
    before = y.retains_grad
    y.retain_grad()
    y.backward()
    return before, y.retains_grad, y.grad, x.grad


def grad_of_a_view_that_is_not_kept(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    views = [x[0], x.detach()[0], (x * 2)[0], (x * 2).view(1, 2)]
    views[-1].retain_grad()
    told = []
    for view in views:
        with warnings.catch_warnings(record=True) as caught_warnings:
            warnings.simplefilter("always")
            told.append((view.grad, len(caught_warnings)))
    return told


def grad_can_be_replaced(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    x.grad = T.full((3,), 10.0)
    (x * 2).sum().backward()
    kept = x.grad
    x.grad = None
    (x * 2).sum().backward()
    return kept, x.grad


def non_contiguous_leaf(T: Any) -> Any:
    x = T.ones(2, 3).t().detach().requires_grad_()
    (x * T.arange(6.0).view(3, 2)).sum().backward()
    return x.grad, x.grad.is_contiguous()


def deprecated_name(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    with warnings.catch_warnings(record=True) as caught_warnings:
        warnings.simplefilter("always")
        T.autograd.backward([x * 2], grad_variables=[T.ones(3)])
    return x.grad, [w.category.__name__ for w in caught_warnings]


BACKWARD: Programs = [
    accumulates,
    starts_at_a_leaf,
    gradient_of_another_type,
    gradient_argument_stays_its_own,
    sum_of_roots,
    same_root_twice,
    root_without_gradient_among_others,
    nothing_saved_twice,
    shared_part_after_freeing,
    shared_part_kept,
    inputs_that_are_results,
    inputs_results_and_leaves,
    inputs_one_tensor,
    create_graph,
    create_graph_accumulates,
    gradient_dtype_follows_the_leaf,
    float16,
    retain_grad_twice,
    retain_grad_after_backward,
    retain_grad_of_a_leaf,
    retain_grad_of_a_view,
    grad_of_a_view_that_is_not_kept,
    grad_can_be_replaced,
    non_contiguous_leaf,
    deprecated_name,
]


@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("program", BACKWARD, ids=lambda program: program.__name__)
def test_backward(torch: Any, program: Any) -> None:
    same(torch, program)


# --- grad


def one_input(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    result = T.autograd.grad((x * x).sum(), x)
    return result, type(result) is tuple, x.grad


def several_inputs(T: Any) -> Any:
    x, w = T.ones(3, requires_grad=True), T.full((3,), 2.0, requires_grad=True)
    return T.autograd.grad((x * w).sum(), [x, w])


def results_as_inputs(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * 2
    z = y.exp()
    return T.autograd.grad(z.sum(), [y, x, z])


def input_is_the_output(T: Any) -> Any:
    x = T.tensor(2.0, requires_grad=True)
    y = x * 3
    return T.autograd.grad(x, x), T.autograd.grad(y, [y, x])


def same_input_twice(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    return T.autograd.grad((x * 2).sum(), [x, x])


def several_outputs_to_grad(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    return T.autograd.grad([x * 2, (x * 3).sum()], x, [T.ones(3), None])


def unused(T: Any) -> Any:
    x, w = T.ones(3, requires_grad=True), T.ones(3, requires_grad=True)
    y = (x * 2).sum()
    return (
        caught(
            lambda: T.autograd.grad(y, [x, w]),
            "appears to not have been used in the graph. Set allow_unused=True",
        ),
        T.autograd.grad((x * 2).sum(), [x, w], allow_unused=True),
        T.autograd.grad((x * 2).sum(), [x, w], materialize_grads=True),
    )


def keeps_the_graph_on_request(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = (x * x).sum()
    first = T.autograd.grad(y, x, retain_graph=True)
    second = T.autograd.grad(y, x)
    return (
        first,
        second,
        caught(lambda: T.autograd.grad(y, x), "backward through the graph a second time"),
    )


def create_graph_keeps_the_graph(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = (x * x).sum()
    (first,) = T.autograd.grad(y, x, create_graph=True)
    (again,) = T.autograd.grad(y, x)
    return first, again


def third_order(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    g = (x**4).sum()
    found = []
    for _ in range(4):
        (g,) = T.autograd.grad(g.sum(), x, create_graph=True)
        found.append(g.detach())
    return found


def hessian_by_hand(T: Any) -> Any:
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = (x[0] * x[1] * x[2]) + (x**3).sum()
    (g,) = T.autograd.grad(y, x, create_graph=True)
    return T.stack([T.autograd.grad(row, x, retain_graph=True)[0] for row in g])


def gradient_penalty(T: Any) -> Any:
    x = T.tensor([[1.0, -2.0]], requires_grad=True)
    w = T.tensor([[0.5], [1.5]], requires_grad=True)
    (g,) = T.autograd.grad((x @ w).tanh().sum(), x, create_graph=True)
    ((g**2).sum() - 1).pow(2).backward()
    return x.grad, w.grad


def grad_does_not_touch_dot_grad(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = x * 2
    y.retain_grad()
    T.autograd.grad(y.sum(), x)
    return x.grad, y.grad is None


def grad_outputs_under_create_graph(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    v = T.full((3,), 2.0, requires_grad=True)
    (g,) = T.autograd.grad(x * x, x, v, create_graph=True)
    return g.detach(), T.autograd.grad(g.sum(), [x, v])


def flags_of_other_types(T: Any) -> Any:
    """A flag may be anything that counts as a whole number, and nothing else."""
    said: list[Any] = []
    for value in (None, 1, 0, 2, np.int64(0), T.tensor(1), T.tensor(True)):
        for name in ("retain_graph", "create_graph", "allow_unused", "materialize_grads"):
            x, other = T.tensor(2.0, requires_grad=True), T.ones(2, requires_grad=True)
            inputs = [x] if name.endswith("graph") else [x, other]
            y = x**3
            try:
                said.append(T.autograd.grad(y, inputs, **{name: value}))
            except (RuntimeError, TypeError) as error:
                said.append(f"{name} {type(error).__name__}")
            said.append([y.grad_fn._saved_self] if value == 1 and name == "retain_graph" else None)
    x = T.ones(2, requires_grad=True)
    y, no_integer = (x * x).sum(), "cannot be interpreted as an integer"
    for value in ("", "yes", [], 1.0, np.bool_(True)):
        said += [
            caught(lambda v=value: y.backward(retain_graph=v), no_integer),
            caught(lambda v=value: y.backward(create_graph=v), no_integer),
            caught(lambda v=value: T.autograd.backward(y, retain_graph=v), no_integer),
            caught(lambda v=value: T.autograd.grad(y, x, allow_unused=v), no_integer),
            caught(lambda v=value: T.autograd.grad(y, x, materialize_grads=v), no_integer),
        ]
    y.backward()
    return said, x.grad


def inputs_and_outputs_of_any_kind(T: Any) -> Any:
    """Inputs from any iterable, such as a model's parameters; a dictionary gives a dictionary."""
    grad, net = T.autograd.grad, T.nn.Linear(2, 1)
    x, unused = T.tensor([1.0, 2.0], requires_grad=True), T.ones(1, requires_grad=True)
    loss = net(x * x).sum()
    found = [
        grad(loss, net.parameters(), retain_graph=True),
        grad(loss, dict(net.named_parameters()), retain_graph=True),
        grad(loss, {"x": x, "unused": unused}, retain_graph=True, allow_unused=True),
        grad((t for t in (loss, loss)), x, iter([None, T.tensor(2.0)]), retain_graph=True),
        grad(loss, x, None, True, True, True, True),  # the relic only_inputs counts among them
        grad(loss, x, retain_graph=True, only_inputs=True),
    ]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        found.append(grad(loss, x, retain_graph=True, only_inputs=False))
    found += [str(w.message)[:68] for w in seen]
    T.autograd.backward(iter([loss]), retain_graph=True, inputs=net.parameters())
    loss.backward(retain_graph=True, inputs={x})
    any_kind = "all inputs have to be Tensors or GradientEdges, but got"
    found += [
        caught(lambda: grad(loss, {}), "`inputs` argument to `grad()` cannot be empty"),
        caught(lambda: loss.backward(inputs=iter(())), "argument to `backward()` cannot be empty"),
        caught(lambda: grad(loss, [x, None]), any_kind),
        caught(lambda: loss.backward(inputs=["x"]), any_kind),
        caught(lambda: grad(loss, 5), "'int' object is not iterable"),
        caught(lambda: grad([loss, 5], x), "Expected output to be a torch.Tensor"),
        caught(lambda: grad(loss, x, 5.0), "'float' object is not iterable"),
    ]
    return found, [p.grad for p in net.parameters()], x.grad


GRAD: Programs = [
    inputs_and_outputs_of_any_kind,
    flags_of_other_types,
    one_input,
    several_inputs,
    results_as_inputs,
    input_is_the_output,
    same_input_twice,
    several_outputs_to_grad,
    unused,
    keeps_the_graph_on_request,
    create_graph_keeps_the_graph,
    third_order,
    hessian_by_hand,
    gradient_penalty,
    grad_does_not_touch_dot_grad,
    grad_outputs_under_create_graph,
]


@pytest.mark.parametrize("program", GRAD, ids=lambda program: program.__name__)
def test_grad(torch: Any, program: Any) -> None:
    same(torch, program)


# --- Hooks


def hooks_in_order(T: Any) -> Any:
    """Tensor hooks, retain_grad, node pre-hooks, the node, node hooks: who sees what when."""
    seen: list[Any] = []
    x = T.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: seen.append(["tensor hook 1", g.clone()]))
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    y.grad_fn.register_prehook(lambda gs: seen.append(["node pre-hook", gs[0].clone()]))
    y.grad_fn.register_hook(
        lambda ins, outs: seen.append(["node hook", ins[0].clone(), outs[0].clone()])
    )
    x.register_hook(lambda g: seen.append(["leaf hook", g.clone()]))
    x.register_post_accumulate_grad_hook(lambda t: seen.append(["accumulated", t.grad.clone()]))
    y.sum().backward()
    return seen, y.grad, x.grad


def hook_replaces(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    x.register_hook(lambda g: g * 5)
    x.register_hook(lambda g: g + 1)
    (x * 2).sum().backward()
    return x.grad


def hook_removed(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    handle = x.register_hook(lambda g: g * 5)
    (x * 2).sum().backward()
    handle.remove()
    handle.remove()
    (x * 2).sum().backward()
    return x.grad


def node_hooks_replace(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    w = T.ones(2, requires_grad=True)
    y = x * w
    y.grad_fn.register_prehook(lambda gs: (gs[0] * 3,))
    y.grad_fn.register_hook(lambda ins, outs: (ins[0] + 1, ins[1] * 2))
    y.sum().backward()
    return x.grad, w.grad


def what_a_node_hook_may_return(T: Any) -> Any:
    """As many gradients as it was given, of the same shapes and types, or None for any of them."""

    def backward_with(kind: str, other: Any, result: Any) -> Any:
        x = T.ones(2, requires_grad=True)
        y = x * (T.ones(2, requires_grad=True) if other is None else other)
        getattr(y.grad_fn, kind)(lambda *_: result)
        y.sum().backward()
        return x.grad

    one, three = T.ones(2), T.ones(3)
    said: list[Any] = []
    for kind in ("register_hook", "register_prehook"):
        for other in (None, 2):
            for result, key in (
                (one, "expected tuple, but hook returned"),
                ([one], "expected tuple, but hook returned"),
                ((), "has returned an incorrect number of values"),
                ((one, 5), "None gradient" if other else "expected Variable"),
                ((three, None), "has changed the size of value"),
                ((one.double(), None), "has changed the type of value"),
                ((one, None), ""),
                ((None, None), ""),
            ):
                given = result
                if kind == "register_prehook" and type(result) is tuple:
                    given = result[:1]
                    key = "" if key in ("None gradient", "expected Variable") else key
                run = partial(backward_with, kind, other, given)
                said.append(caught(run, key) if key else run())
    return said


def hook_sees_the_sum(T: Any) -> Any:
    """A tensor used twice: its hook runs once, on the whole gradient."""
    seen: list[Any] = []
    x = T.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: seen.append(g.clone()))
    (y * 3 + y * 4).sum().backward()
    return seen


def hook_of_what_is_not_needed(T: Any) -> Any:
    """grad runs the hooks on the way to its inputs and no others, and retains as little."""
    seen: list[str] = []
    x = T.ones(2, requires_grad=True)
    w = T.ones(2, requires_grad=True)
    y, z = x * 2, w * 3
    for name, t in (("x", x), ("w", w), ("y", y), ("z", z)):
        t.register_hook(lambda g, name=name: seen.append(name))
    y.retain_grad()
    z.retain_grad()
    T.autograd.grad((y * z).sum(), y)
    return seen, y.grad, z.grad, x.grad


def hook_under_create_graph(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    flags: list[Any] = []
    x.register_hook(lambda g: flags.append(g.requires_grad))
    T.autograd.grad((x**3).sum(), x, create_graph=True)
    T.autograd.grad((x**3).sum(), x)
    return flags


def hook_and_grad(T: Any) -> Any:
    """grad returns y's gradient from before y's hook if the walk goes on, else from after it."""
    x = T.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: g * 7)
    root = (y * 3).sum()
    return (
        T.autograd.grad(root, [y, x], retain_graph=True),
        T.autograd.grad(root, y, retain_graph=True),
        T.autograd.grad(root, x, retain_graph=True),
    )


def backward_inside_a_hook(T: Any) -> Any:
    """A backward pass may start another one."""
    x = T.ones(2, requires_grad=True)
    w = T.ones(2, requires_grad=True)

    def hook(g: Any) -> None:
        with T.enable_grad():
            (w * 3).sum().backward()

    y = x * 2
    y.register_hook(hook)
    y.sum().backward()
    return x.grad, w.grad


def hook_of_another_type(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    handle = x.register_hook(lambda g: g.double())
    words = "has changed the type of value (was torch.FloatTensor got torch.DoubleTensor)"
    said = caught(lambda: (x * 2).sum().backward(), words)
    handle.remove()
    return said, x.grad


def hook_after_accumulation_returns_nothing(T: Any) -> Any:
    said = []
    none, variable = "post accumulate grad hooks should return None", "expected Variable, but hook"
    for result, words in ((1, variable), (T.ones(2), none)):
        x = T.ones(2, requires_grad=True)
        x.register_post_accumulate_grad_hook(lambda leaf, result=result: result)
        said.append(caught((x * 2).sum().backward, words))
    return said, x.grad


HOOKS: Programs = [
    hook_after_accumulation_returns_nothing,
    hook_of_another_type,
    hooks_in_order,
    hook_replaces,
    hook_removed,
    node_hooks_replace,
    what_a_node_hook_may_return,
    hook_sees_the_sum,
    hook_of_what_is_not_needed,
    hook_under_create_graph,
    hook_and_grad,
    backward_inside_a_hook,
]


@pytest.mark.parametrize("program", HOOKS, ids=lambda program: program.__name__)
def test_hooks(torch: Any, program: Any) -> None:
    same(torch, program)


def test_only_backward_warns_of_create_graph(torch: Any) -> None:
    """Only backward does: what it adds to `.grad` keeps the graph, which keeps the leaf."""

    def program(T: Any) -> None:
        x = T.ones(2, requires_grad=True)
        with pytest.warns(UserWarning, match="create_graph=True will create a reference cycle"):
            (x * x).sum().backward(create_graph=True)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            T.autograd.grad((x * x).sum(), x, create_graph=True)

    with warn_always(torch):
        same(torch, program)


def test_sequence_numbers_grow(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.ones(3, requires_grad=True)
        a = x * 2
        b = x.exp()
        c = a + b
        numbers = [t.grad_fn._sequence_nr() for t in (a, b, c)]
        leaf, _ = edge_of(x)
        return [n - numbers[0] for n in numbers], leaf._sequence_nr() == 2**64 - 1

    same(torch, program)


def test_failed_pass_keeps_finished_gradients(torch: Any) -> None:
    """A backward that fails keeps no half-made gradient at the leaves it had not reached."""

    def program(T: Any) -> Any:
        class Fails(T.autograd.Function):  # type: ignore[misc,name-defined]
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x * 2

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                raise ValueError("mine")

        x = T.ones(2, requires_grad=True)
        y = Fails.apply(x)
        return caught(y.sum().backward, "mine"), x.grad

    same(torch, program)
