"""Checkpointing: which code it runs again, how often, and what it refuses.

(That gradients come out right is in tests/autograd/test_functional.py.)
"""

from __future__ import annotations

import contextlib
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import minigrad as mg
from minigrad.ops.aten import operations
from minigrad.ops.linear_algebra.matrix import MmBackward0
from minigrad.ops.pointwise.trigonometry import SinBackward0
from tests.core.test_regressions import outcome
from tests.ops.tables.families import TABLES
from tests.parity import Case, caught, differentiable, make_inputs, same

Seen = list[Any]


def leaf(T: Any) -> Any:
    return T.tensor([1.0, 2.0], requires_grad=True)


def end_of_the_second_run(T: Any) -> Any:
    """As soon as all is there, unless one of two switches says otherwise."""
    seen: Seen = []

    def f(x: Any) -> Any:
        seen.append("a")
        y = x.sin()
        seen.append("b")
        z = y.exp()
        seen.append("c")
        return z + 1

    ck = T.utils.checkpoint
    for globally in (None, True, False):
        for here in (True, False):
            x = leaf(T)
            around = contextlib.nullcontext()
            if globally is not None:
                around = ck.set_checkpoint_early_stop(globally)
            with around:
                y = ck.checkpoint(f, x, use_reentrant=False, early_stop=here)
            seen.append("backward")
            y.sum().backward()
            seen.append(x.grad)
    return seen


def nested(T: Any) -> Any:
    """The outer checkpoint computes the inputs of the inner one again."""
    seen: Seen = []
    checkpoint = T.utils.checkpoint.checkpoint

    def a(x: Any) -> Any:
        seen.append("a")
        return x.sin() * x

    def b(x: Any) -> Any:
        seen.append("b")
        return checkpoint(a, x.exp(), use_reentrant=False).cos()

    def c(x: Any) -> Any:
        seen.append("c")
        return checkpoint(b, x * 0.5, use_reentrant=False) * 3

    for early_stop in (True, False):
        x = leaf(T)
        with T.utils.checkpoint.set_checkpoint_early_stop(early_stop):
            y = checkpoint(c, x, use_reentrant=False)
        for retain_graph in (True, False):
            seen.append("backward")
            y.sum().backward(retain_graph=retain_graph)
        seen.append(x.grad)
    return seen


def gradient_inside_a_checkpoint(T: Any) -> Any:
    """The backward pass inside recomputes a run that has not ended."""
    seen: Seen = []
    checkpoint, early = T.utils.checkpoint.checkpoint, T.utils.checkpoint.set_checkpoint_early_stop

    def f(x: Any) -> Any:
        return x.sin().exp().sin()

    def grad(f: Any) -> Any:
        def derivative(x: Any) -> Any:
            return T.autograd.grad(f(x).sum(), x, create_graph=True)[0]

        return derivative

    def again(f: Any) -> Any:
        return lambda x: checkpoint(f, x, use_reentrant=False)

    for stop in (True, False):
        for g in (again(grad(f)), grad(again(grad(again(f)))), again(grad(grad(again(f))))):
            with early(stop):
                seen.append(g(leaf(T)))
    return seen


def nested_in_both_ways(T: Any) -> Any:
    seen: Seen = []
    checkpoint = T.utils.checkpoint.checkpoint

    def inner(x: Any) -> Any:
        seen.append("inner")
        return x.sin().exp()

    for outer_way in (True, False):
        for inner_way in (True, False):

            def outer(x: Any, way: bool = inner_way) -> Any:
                seen.append("outer")
                return checkpoint(inner, x * 1, use_reentrant=way).cos()

            x = leaf(T)
            checkpoint(outer, x, use_reentrant=outer_way).sum().backward()
            seen.append(x.grad)
    return seen


def derivatives_of_any_order(T: Any) -> Any:
    seen: Seen = []

    def f(x: Any) -> Any:
        seen.append("f")
        return (x.sin() * x).exp()

    def with_a_gradient(x: Any) -> Any:
        (g,) = T.autograd.grad((x**3).sum(), x, create_graph=True)
        return g * x

    checkpoint, x = T.utils.checkpoint.checkpoint, leaf(T)
    (g,) = T.autograd.grad(checkpoint(f, x, use_reentrant=False).sum(), x, create_graph=True)
    seen.append("second")
    g.sum().backward()
    checkpoint(with_a_gradient, x, use_reentrant=False).sum().backward()
    return seen, x.grad


def parts_of_the_graph(T: Any) -> Any:
    seen: Seen = []

    def two(x: Any, w: Any) -> Any:
        seen.append("two")
        return (x * w).sin(), x.exp() * w

    x, w = leaf(T), leaf(T)
    a, b = T.utils.checkpoint.checkpoint(two, x, w, use_reentrant=False)
    a.sum().backward(inputs=[x], retain_graph=True)
    seen.append(x.grad.clone())
    found = T.autograd.grad(a.sum(), w)
    seen.append("the other")
    b.sum().backward()
    return seen, found, x.grad, w.grad


def arguments_and_results(T: Any) -> Any:
    def f(x: Any, scale: float = 1.0, shift: Any = None) -> dict[str, Any]:
        return {"a": x.sin() * scale, "b": [x.exp() * shift, 3]}

    checkpoint, x, shift = T.utils.checkpoint.checkpoint, leaf(T), leaf(T)
    found = checkpoint(f, x, scale=3.0, shift=shift, use_reentrant=False)
    (found["a"] + found["b"][0]).sum().backward()
    with T.no_grad():
        quiet = checkpoint(f, x, shift=shift, use_reentrant=False)["a"]
    return x.grad, shift.grad, found["b"][1], quiet


def saved_tensors_read(T: Any) -> Any:
    x = leaf(T)
    y = T.utils.checkpoint.checkpoint(lambda x: x * x.exp(), x, use_reentrant=False)
    first = y.grad_fn._saved_self, y.grad_fn._saved_other, y.grad_fn._saved_self
    y.sum().backward()
    return first, x.grad


def hooks_around_and_inside(T: Any) -> Any:
    seen: Seen = []
    hooks, checkpoint = T.autograd.graph.saved_tensors_hooks, T.utils.checkpoint.checkpoint

    def noted(where: str) -> Any:
        return hooks(
            lambda t: (seen.append(f"pack {where}"), t)[1],
            lambda t: (seen.append(f"unpack {where}"), t)[1],
        )

    def inside(x: Any) -> Any:
        with noted("inside"):
            return x.sin().exp()

    x = leaf(T)
    with noted("around"):
        y = checkpoint(lambda x: x.sin().exp(), x, use_reentrant=False)
    y.sum().backward()
    checkpoint(inside, x, use_reentrant=False).sum().backward()
    return seen, x.grad


def contexts(T: Any) -> Any:
    seen: Seen = []

    @contextlib.contextmanager
    def around(name: str) -> Iterator[None]:
        seen.append(f"into the {name}")
        try:
            yield
        finally:
            seen.append(f"out of the {name}")

    def f(x: Any) -> Any:
        seen.append("f")
        return x.sin().exp()

    def pair() -> Any:
        return around("first"), around("second")

    checkpoint, x = T.utils.checkpoint.checkpoint, leaf(T)
    y = checkpoint(f, x, use_reentrant=False, context_fn=pair)
    seen.append("backward")
    y.sum().backward()
    noop = T.utils.checkpoint.noop_context_fn
    return (
        seen,
        x.grad,
        outcome(lambda: checkpoint(f, x, use_reentrant=True, context_fn=pair)),
        outcome(lambda: checkpoint(f, x, use_reentrant=True, debug=True)),
        outcome(lambda: checkpoint(f, x, use_reentrant=True, context_fn=noop).requires_grad),
        outcome(lambda: checkpoint(f, x, use_reentrant=False, determinism_check="all")),
        outcome(lambda: checkpoint(f, x, use_reentrant=True, scale=2)),
    )


def drawn_again_or_not(T: Any) -> Any:
    seen: Seen = []

    def f(x: Any) -> Any:
        seen.append(T.rand(2))
        return x.sin() * seen[-1]

    for preserve in (True, False):
        for way in (True, False):
            T.manual_seed(3)
            x = leaf(T)
            how = {"use_reentrant": way, "preserve_rng_state": preserve}
            T.utils.checkpoint.checkpoint(f, x, **how).sum().backward()
            seen += [x.grad, T.rand(1)]
    return seen


def segments_in_a_row(T: Any) -> Any:
    seen: Seen = []

    def step(k: int) -> Callable[[Any], Any]:
        def f(x: Any) -> Any:
            seen.append(k)
            return x * k + x.sin()

        return f

    sequential = T.utils.checkpoint.checkpoint_sequential
    steps = [step(k) for k in range(1, 6)]
    for way in (True, False):
        for segments in (1, 2, 3, 5, 7, 0):

            def run(way: bool = way, segments: int = segments) -> Any:
                x = leaf(T)
                y = sequential(steps, segments, x, use_reentrant=way)
                seen.append("backward")
                y.sum().backward()
                return x.grad

            seen.append(outcome(run))
    model = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
    x = T.ones(4, 2, requires_grad=True)
    sequential(model, 2, x, use_reentrant=False, preserve_rng_state=False).sum().backward()
    wrong = outcome(lambda: sequential(model, 2, x, use_reentrant=False, scale=1))
    return seen, x.grad, [p.grad for p in model.parameters()], wrong


def without_saying_which_way(T: Any) -> Any:
    checkpoint = T.utils.checkpoint
    x = leaf(T)
    with pytest.warns(UserWarning) as told:
        y = checkpoint.checkpoint(T.exp, x)
        z = checkpoint.checkpoint_sequential([T.sin, T.cos], 2, x)
    return [str(w.message) for w in told], y, z


def the_older_way(T: Any) -> Any:
    checkpoint, x = T.utils.checkpoint.checkpoint, leaf(T)
    y = checkpoint(lambda x: (x * x, x.detach(), 3), x, use_reentrant=True)
    y[0].sum().backward()
    nothing = checkpoint(lambda x: x.detach() * 1, x, use_reentrant=True)
    listed = checkpoint(lambda xs: xs[0] * 2, [x], use_reentrant=True)
    return (
        *(x.grad, y[1].requires_grad, y[2], listed.requires_grad),
        outcome(lambda: T.autograd.grad(checkpoint(T.exp, x, use_reentrant=True).sum(), x)),
        outcome(lambda: nothing.sum().backward()),
    )


def other_shapes_the_second_time(T: Any) -> Any:
    def f(x: Any) -> Any:
        runs.append(1)
        y = x.sin() if len(runs) == 1 else T.cat([x, x]).sin()
        return y * 2 * y

    runs: Seen = []
    y = T.utils.checkpoint.checkpoint(f, leaf(T), use_reentrant=False)
    try:
        y.sum().backward()
    except RuntimeError as error:
        return type(error).__name__, str(error).partition("\n\nTip")[0].splitlines()[:10]


def not_looked_at(T: Any) -> Any:
    """A second run may save other numbers of another type, if that is not looked at."""

    def f(x: Any) -> Any:
        runs.append(1)
        return (x if len(runs) == 1 else x.double() * 3).sin()

    runs: Seen = []
    x = leaf(T)
    how = {"use_reentrant": False, "determinism_check": "none"}
    T.utils.checkpoint.checkpoint(f, x, **how).sum().backward()
    return x.grad


def fewer_or_more_the_second_time(T: Any) -> Any:
    seen = []
    for early_stop in (True, False):
        for longer_first in (True, False):
            runs: Seen = []

            def f(x: Any, runs: Seen = runs, longer_first: bool = longer_first) -> Any:
                runs.append(1)
                y = x.sin()
                return y.exp().cos() if (len(runs) == 1) is longer_first else y

            x = leaf(T)
            how = {"use_reentrant": False, "early_stop": early_stop}
            y = T.utils.checkpoint.checkpoint(f, x, **how)
            try:
                y.sum().backward()
                seen.append(x.grad)
            except RuntimeError as error:
                seen.append(str(error).partition("\n\nTip")[0])
    return seen


def asked_twice(T: Any) -> Any:
    """Within a pass each tensor is handed out once: it need not be kept until the pass is over."""

    class Square(T.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * (ctx.saved_tensors[0] + ctx.saved_tensors[0])

    x = leaf(T)
    y = T.utils.checkpoint.checkpoint(Square.apply, x, use_reentrant=False)
    before = [y.grad_fn.saved_tensors[0], y.grad_fn.saved_tensors[0]]
    try:
        y.sum().backward()
    except RuntimeError as error:
        return before, type(error).__name__, str(error).split(". ")[0]
    return before


PROGRAMS = [
    end_of_the_second_run,
    nested,
    gradient_inside_a_checkpoint,
    nested_in_both_ways,
    derivatives_of_any_order,
    parts_of_the_graph,
    arguments_and_results,
    saved_tensors_read,
    hooks_around_and_inside,
    contexts,
    drawn_again_or_not,
    segments_in_a_row,
    without_saying_which_way,
    the_older_way,
    other_shapes_the_second_time,
    not_looked_at,
    fewer_or_more_the_second_time,
    asked_twice,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)


@pytest.mark.parametrize("everywhere", [True, False])
def test_debug_tells_the_operations_of_both_runs(everywhere: bool) -> None:
    """PyTorch's log has its C++ frames; this one has the lines of the program."""
    runs: Seen = []
    ck = mg.utils.checkpoint

    def f(x: Any) -> Any:
        runs.append(1)
        y = x.sin()  # in both
        return y.exp().cos() if len(runs) == 1 else y.sqrt()

    with ck.set_checkpoint_debug_enabled(True) if everywhere else contextlib.nullcontext():
        y = ck.checkpoint(f, leaf(mg), use_reentrant=False, debug=not everywhere)
    with pytest.raises(ck.CheckpointError) as caught_error:
        y.sum().backward()
    _, why, first, second = str(caught_error.value).split("\n\n")
    assert why.startswith("You are seeing this error because you passed `debug=True`")
    names = [[line.partition(" (")[0] for line in run.splitlines()] for run in (first, second)]
    assert names == [
        ["Operations of the original forward:", "SinBackward0", "ExpBackward0", "CosBackward0"],
        ["Operations of the recomputation:", "SinBackward0", "SqrtBackward0"],
    ]
    assert "y = x.sin()  # in both" in first
    assert caught(lambda: ck.checkpoint(f, leaf(mg), use_reentrant=True, debug=True), "debug")


def test_recomputed_tensors_are_freed() -> None:
    kept: Seen = []

    def f(x: Any) -> Any:
        y = x.sin()
        kept.append(y)
        return y.exp()

    y = mg.utils.checkpoint.checkpoint(f, leaf(mg), use_reentrant=False)
    again = y.grad_fn._raw_saved_result.unpack_hook.__self__
    y.sum().backward(retain_graph=True)
    assert len(again.expected) == 2
    assert again.found == []


def test_recomputed_constant_is_the_same_object() -> None:
    seen: Seen = []

    class Keeps(mg.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(y)
            return x * 1

        @staticmethod
        def backward(ctx: Any, *g: Any) -> Any:
            seen.extend(ctx.saved_tensors)
            return g[0], None

    constant = mg.tensor(1.0)
    mg.utils.checkpoint.checkpoint(
        Keeps.apply, leaf(mg), constant, use_reentrant=False
    ).sum().backward()
    assert seen[0] is constant


# --- Selective checkpoints


def selecting(T: Any, chosen: Any, **options: Any) -> Any:
    """`checkpoint` with a list of operations, or with a policy."""
    contexts = T.utils.checkpoint.create_selective_checkpoint_contexts

    def call(function: Any, *args: Any) -> Any:
        def both() -> Any:
            return contexts(chosen, **options)

        how = {"use_reentrant": False, "context_fn": both}
        return T.utils.checkpoint.checkpoint(function, *args, **how)

    return call


def what_a_policy_sees(T: Any) -> Any:
    """Each operation of both runs, with its arguments; the second one ends early."""
    seen: Seen = []
    policies = T.utils.checkpoint.CheckpointPolicy

    def policy(context: Any, op: Any, *args: Any, **kwargs: Any) -> Any:
        seen.append(
            (context.is_recompute, str(op), [list(t.shape) for t in args if T.is_tensor(t)])
        )
        keeps = op in (T.ops.aten.mm.default, T.ops.aten.sin.default)
        return policies.MUST_SAVE if keeps else policies.PREFER_RECOMPUTE

    x, w = T.ones(2, 3, requires_grad=True), T.full((3, 2), 0.5, requires_grad=True)
    bias = T.ones(2)
    functions = (
        lambda v: (v @ w).exp().sin().tanh(),
        lambda v: v.sin().cos().sin().exp(),
        lambda v: T.addmm(bias, v, w).sin(),
    )
    for function in functions:
        seen.append("once more")
        selecting(T, policy)(function, x).sum().backward()
    return seen, x.grad, w.grad


def kept_results_of_every_kind(T: Any) -> Any:
    x = T.tensor([[0.5, 2.0], [1.5, 1.0]], requires_grad=True)
    functions = {
        "in place": (lambda v: v.exp().sin().mul_(2).cos(), ["exp"]),
        "a layer": (lambda v: T.addmm(v[0], v, v).exp(), ["addmm"]),
        "a number": (lambda v: v.exp().mean().sin(), ["exp", "mean"]),
        "means of images": (lambda v: T.avg_pool1d(v.exp(), 2).sin(), ["exp", "avg_pool2d"]),
        "two results": (lambda v: v.exp().aminmax(dim=0).max.sin(), ["aminmax"]),
        "a softmax": (lambda v: v.sin().softmax(0).exp(), ["exp"]),
        "a product with a number": (lambda v: (v * 3.0).sin() * v, ["sin", "cos"]),
    }
    found = []
    for name, (function, ops) in functions.items():
        overloads = [getattr(T.ops.aten, op).default for op in ops]
        found.append((name, *T.autograd.grad(selecting(T, overloads)(function, x).sum(), x)))
    return found


def selected_and_written_since(T: Any) -> Any:
    sin = [T.ops.aten.sin.default]

    def function(v: Any) -> Any:
        return v.sin().mul_(2).cos().exp()

    x = leaf(T)
    refused = caught(selecting(T, sin)(function, x).sum().backward, "has been mutated")
    selecting(T, sin, allow_cache_entry_mutation=True)(function, x).sum().backward()
    return refused, x.grad


def selected_for_one_pass(T: Any) -> Any:
    x = leaf(T)
    y = selecting(T, [T.ops.aten.sin.default])(lambda v: v.sin().cos().exp(), x).sum()
    y.backward(retain_graph=True)
    return x.grad.clone(), caught(lambda: y.backward(retain_graph=True), "an extra time")


def selected_inside_of_a_selected(T: Any) -> Any:
    x, inner, outer = leaf(T), selecting(T, [T.ops.aten.sin.default]), selecting(T, [])
    outer(lambda v: inner(lambda u: u.sin().exp(), v.cos()).tanh(), x).sum().backward()
    return x.grad


def refused_policies(T: Any) -> Any:
    contexts = T.utils.checkpoint.create_selective_checkpoint_contexts
    given = [2], [T.ops.aten.sin], 2
    return [caught(lambda each=each: contexts(each)).partition(" of type")[0] for each in given], [
        (str(each), repr(each)) for each in (T.ops.aten.sin, T.ops.aten.sin.default)
    ]


@pytest.mark.parametrize(
    "program",
    [
        what_a_policy_sees,
        kept_results_of_every_kind,
        selected_and_written_since,
        selected_for_one_pass,
        selected_inside_of_a_selected,
        refused_policies,
    ],
    ids=lambda program: program.__name__,
)
def test_selective_as_in_torch(torch: Any, program: Any) -> None:
    same(torch, program)


def test_a_kept_product_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    product, computed = MmBackward0.forward, []
    counting = staticmethod(lambda *args: (computed.append(1), product(*args))[1])
    monkeypatch.setattr(MmBackward0, "forward", counting)
    x = mg.ones(2, 2, requires_grad=True)
    for chosen, times in (([mg.ops.aten.mm.default], 1), ([mg.ops.aten.exp.default], 2)):
        computed.clear()
        selecting(mg, chosen)(lambda v: (v @ v).exp().sin(), x).sum().backward()
        assert len(computed) == times


def test_operations_are_restored_after_selecting() -> None:
    before = {op: vars(op).get("forward") for op in operations()}
    seen: Seen = []

    def fails(v: Any) -> Any:
        seen.append(vars(type(v.sin().grad_fn))["forward"])
        raise KeyError

    with pytest.raises(KeyError):
        selecting(mg, lambda *_: True)(fails, leaf(mg))
    assert seen[0] is not before[SinBackward0]
    assert {op: vars(op).get("forward") for op in before} == before


def test_other_threads_select_nothing() -> None:
    asked: Seen = []
    thread = threading.Thread(target=lambda: leaf(mg).sin())

    def function(v: Any) -> Any:
        thread.start()
        thread.join()
        return v.cos()

    selecting(mg, lambda context, op, *args: asked.append(str(op)))(function, leaf(mg))
    assert asked == ["aten.cos.default"]


def test_an_unknown_operation_has_no_name() -> None:
    with pytest.raises(AttributeError, match="minigrad has no operation 'aten::sine'"):
        _ = mg.ops.aten.sine


CASES = [case for cases in TABLES.values() for case in cases if not case.forward_only]


@pytest.mark.parametrize("start", range(20))
def test_operations_of_the_tables_are_kept(start: int) -> None:
    """A result that is kept gives the gradients of one that is computed again."""

    def gradients(case: Case, around: Any) -> list[Any]:
        inputs = make_inputs(mg, case, case.shapes[0], case.dtypes[0])
        leaves = [x for x in inputs if mg.is_tensor(x) and x.is_floating_point()]
        for x in leaves:
            x.requires_grad_()
        mg.manual_seed(0)
        outputs = differentiable(mg, around(lambda *xs: case.function(mg, *xs), *inputs))
        mg.autograd.backward(outputs, [mg.ones_like(out) for out in outputs])
        return [x.grad for x in leaves]

    for case in CASES[start::80]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = gradients(case, lambda function, *inputs: function(*inputs))
            keep_all = selecting(mg, lambda *_: True, allow_cache_entry_mutation=True)
            found = gradients(case, keep_all)
        if (
            "_(" not in case.name and "in place" not in case.name
        ):  # written results are written twice
            for one, other in zip(found, expected, strict=True):
                assert (one is None) == (other is None), case.name
                assert one is None or mg.allclose(one, other, equal_nan=True), case.name
