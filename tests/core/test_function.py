"""Operations that a user writes: Function, its ctx, and the error of every misuse."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import pytest

from tests.parity import caught, same


def function(T: Any, forward: Any, backward: Any, name: str = "Mine") -> Any:
    """A Function of these two static methods."""
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(name, (T.autograd.Function,), members)


def square(T: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * g

    return function(T, forward, backward, "Square")


def leaf(T: Any) -> Any:
    return T.tensor([1.0, 2.0, 3.0], requires_grad=True)


# --- What works


def value_gradient_graph(T: Any) -> Any:
    x = leaf(T)
    y = square(T).apply(x)
    (y * 2).sum().backward()
    return y, x.grad, y.grad_fn.name(), type(y.grad_fn).__name__


def printed(T: Any) -> None:
    print(square(T).apply(leaf(T)))
    print(square(T).apply(T.ones(2)))


def nothing_requires_grad(T: Any) -> Any:
    return square(T).apply(T.ones(3))


def second_derivative(T: Any) -> Any:
    x = leaf(T)
    (g,) = T.autograd.grad(square(T).apply(x).sum(), x, create_graph=True)
    g.sum().backward()
    return g.detach(), x.grad


def node_is_ctx(T: Any) -> Any:
    kept: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        ctx.note = "hello"
        kept.append(ctx)
        return x * 2

    def backward(ctx: Any, g: Any) -> Any:
        kept.append(ctx)
        return g * 2

    y = function(T, forward, backward).apply(leaf(T))
    y.sum().backward()
    return [kept[0] is y.grad_fn, kept[1] is y.grad_fn, y.grad_fn.note]


def any_name_may_be_noted(T: Any) -> Any:
    """ctx is also the node: what a user calls a note must not get in the way of the walk."""
    names = [
        *("function", "functions", "outputs", "inputs", "sequence", "line", "freed", "rule"),
        *("args", "params", "shape", "dtype", "size", "dim", "index", "view", "saves", "saved"),
        *("hooks", "node", "edges", "trace", "grad", "result", "results", "retained", "watched"),
        *("operation", "forward_node", "tensor_hooks", "pre_hooks", "post_hooks", "release"),
    ]

    def forward(ctx: Any, x: Any) -> Any:
        for number, name in enumerate(names):
            setattr(ctx, name, number)
        return x * 2

    def backward(ctx: Any, g: Any) -> Any:
        assert [getattr(ctx, name) for name in names] == list(range(len(names)))
        return g * 2

    x = leaf(T)
    y = function(T, forward, backward).apply(x)
    y.retain_grad()
    y.register_hook(lambda g: g * 3)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    return y, x.grad, y.grad


def modes_inside(T: Any) -> Any:
    """Forward runs without recording; backward records only under create_graph."""
    seen: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        y = x * 2
        seen.append([T.is_grad_enabled(), x.requires_grad, y.requires_grad])
        return y

    def backward(ctx: Any, g: Any) -> Any:
        seen.append([T.is_grad_enabled(), g.requires_grad])
        return g * 2

    x = leaf(T)
    mine = function(T, forward, backward)
    mine.apply(x).sum().backward()
    T.autograd.grad((mine.apply(x) ** 2).sum(), x, create_graph=True)
    return seen


def needs_input_grad(T: Any) -> Any:
    seen: list[Any] = []

    def forward(ctx: Any, a: Any, b: Any, c: Any, k: Any) -> Any:
        seen.append(list(ctx.needs_input_grad))
        return a * b * k

    def backward(ctx: Any, g: Any) -> Any:
        seen.append(list(ctx.needs_input_grad))
        return g, None, None, None

    y = function(T, forward, backward).apply(leaf(T), T.ones(3), leaf(T), 2.5)
    y.sum().backward()
    return seen, y


def non_tensor_arguments(T: Any) -> Any:
    def forward(ctx: Any, x: Any, power: Any, options: Any) -> Any:
        ctx.power = power
        ctx.save_for_backward(x)
        return x**power * options["scale"]

    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return g * ctx.power * x ** (ctx.power - 1), None, None

    x = leaf(T)
    y = function(T, forward, backward).apply(x, 3, {"scale": 1})
    y.sum().backward()
    return y, x.grad


def several_outputs(T: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2, x * 3, "text"

    def backward(ctx: Any, g: Any, h: Any, text: Any) -> Any:
        return g * 2 + h * 3

    x = leaf(T)
    a, b, text = function(T, forward, backward).apply(x)
    found = [a.output_nr, b.output_nr, a.grad_fn is b.grad_fn, text]
    b.sum().backward(retain_graph=True)
    only_second = x.grad.clone()
    (a * b).sum().backward()
    return found, only_second, x.grad, a, b


def unused_output_gets_zeros(T: Any) -> Any:
    seen: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        return x * 2, x[:1] * 3

    def backward(ctx: Any, g: Any, h: Any) -> Any:
        seen.extend([g, h])
        return g

    a, _ = function(T, forward, backward).apply(leaf(T))
    a.sum().backward()
    return seen


def unused_output_gets_none_on_request(T: Any) -> Any:
    seen: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(False)
        return x * 2, x[:1] * 3

    def backward(ctx: Any, g: Any, h: Any) -> Any:
        seen.extend([g, h])
        return g

    a, _ = function(T, forward, backward).apply(leaf(T))
    a.sum().backward()
    return seen


def saved_none(T: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x, None)
        return x * 2

    def backward(ctx: Any, g: Any) -> Any:
        x, nothing = ctx.saved_tensors
        assert nothing is None
        return g * x

    x = leaf(T)
    function(T, forward, backward).apply(x).sum().backward()
    return x.grad


def saved_is_the_input(T: Any) -> Any:
    found: list[Any] = []

    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.save_for_backward(x, y)
        return y

    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensors
        found.extend([x.requires_grad, y.requires_grad, x.grad_fn is None, y.grad_fn is ctx])
        return g * y

    x = leaf(T)
    y = function(T, forward, backward).apply(x)
    y.sum().backward()
    return found, x.grad


def saved_output_in_second_derivative(T: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    def backward(ctx: Any, g: Any) -> Any:
        (y,) = ctx.saved_tensors
        return g * y

    x = leaf(T)
    (g,) = T.autograd.grad(function(T, forward, backward).apply(x).sum(), x, create_graph=True)
    return T.autograd.grad(g.sum(), x)


def trailing_nones(T: Any) -> Any:
    x = leaf(T)
    function(T, lambda ctx, x: x * 2, lambda ctx, g: (g, None, None)).apply(x).sum().backward()
    return x.grad


def none_gradient(T: Any) -> Any:
    x = leaf(T)
    function(T, lambda ctx, x: x * 2, lambda ctx, g: None).apply(x).sum().backward()
    return x.grad


def gradient_is_reduced(T: Any) -> Any:
    """A gradient of a broadcast shape is summed back."""
    x = leaf(T)
    function(T, lambda ctx, x: x * 2, lambda ctx, g: T.ones(2, 3)).apply(x).sum().backward()
    return x.grad


def gradient_type_is_restored(T: Any) -> Any:
    x = leaf(T)
    function(T, lambda ctx, x: x * 2, lambda ctx, g: g.double()).apply(x).sum().backward()
    return x.grad


def integer_output(T: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2, (x > 1)

    a, b = function(T, forward, lambda ctx, g, h: g * 2).apply(leaf(T))
    return a, b, b.grad_fn


def non_differentiable(T: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        a, b = x * 2, x * 3
        ctx.mark_non_differentiable(b)
        return a, b

    x = leaf(T)
    a, b = function(T, forward, lambda ctx, g, h: g * 2 + h).apply(x)
    a.sum().backward()
    return a, b, x.grad


def dirty(T: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    x = leaf(T)
    y = x * 1
    z = function(T, forward, lambda ctx, g: g * 2).apply(y)
    z.sum().backward()
    return z is y, z, x.grad


def input_returned(T: Any) -> Any:
    x = leaf(T)
    y = function(T, lambda ctx, x: x, lambda ctx, g: g * 7).apply(x)
    y.sum().backward()
    return y is x, y, x.grad


def static_setup_context(T: Any) -> Any:
    class Cube(T.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(x: Any) -> Any:
            return x**3

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            (x,) = inputs
            ctx.save_for_backward(x)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return g * 3 * x**2

    x = leaf(T)
    y = Cube.apply(x)
    y.sum().backward()
    return y, x.grad


def arguments_by_name(T: Any) -> Any:
    """They come in forward's order; a `setup_context` sees the defaults as well."""
    told: list[Any] = []

    def with_ctx(ctx: Any, x: Any, k: float = 2.0, *more: Any, m: float = 1.0) -> Any:
        told.append([ctx.needs_input_grad, k])
        return x * k * m

    def without_ctx(x: Any, k: float = 2.0) -> Any:
        return x * k

    first = function(T, with_ctx, lambda ctx, g: (g, None, None)[: len(ctx.needs_input_grad)])
    second = function(T, without_ctx, lambda ctx, g: (g, None))
    second.setup_context = staticmethod(lambda ctx, inputs, output: told.append(inputs))
    x = leaf(T)
    results = [first.apply(x), first.apply(x, k=3.0), first.apply(x=x), first.apply(k=3.0, x=x)]
    results += [second.apply(x), second.apply(x, k=3.0), second.apply(k=1.0, x=x)]
    sum(result.sum() for result in results).backward()
    for wrong in (
        lambda: first.apply(x, m=2.0),
        lambda: first.apply(x, 2.0, k=2.0),
        lambda: second.apply(k=2.0),
        lambda: second.apply(x, j=2.0),
    ):
        told.append(caught(wrong, "argument"))
    return told, results, x.grad


def once_differentiable(T: Any) -> Any:
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * g

    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    once = T.autograd.function.once_differentiable(backward)
    x = leaf(T)
    (g,) = T.autograd.grad((function(T, forward, once).apply(x) ** 2).sum(), x, create_graph=True)
    (plain,) = T.autograd.grad(function(T, forward, once).apply(x).sum(), x, create_graph=True)
    error = caught(
        g.sum().backward,
        "trying to differentiate twice a function that was marked with @once_differentiable",
    )
    return error, plain, plain.requires_grad  # no history, where the incoming gradient has none


def inside_another(T: Any) -> Any:
    x = leaf(T)
    y = square(T).apply(square(T).apply(x) + x)
    y.sum().backward()
    return y, x.grad


def with_no_grad(T: Any) -> Any:
    with T.no_grad():
        return square(T).apply(leaf(T))


def outputs_that_are_no_tensors(T: Any) -> Any:
    x = leaf(T)
    backward = lambda ctx, *g: g[0]  # noqa: E731
    return [
        function(T, lambda ctx, x: 3.0, backward).apply(x),
        function(T, lambda ctx, x: None, backward).apply(x),
        function(T, lambda ctx, x: (x * 2, "two"), backward).apply(x),
    ]


def outputs_that_are_no_tensors_get_no_gradient(T: Any) -> Any:
    seen: list[Any] = []

    def backward(ctx: Any, g: Any, *others: Any) -> Any:
        seen.extend(others)
        return g

    x = leaf(T)
    function(T, lambda ctx, x: (x * 2, 3, None), backward).apply(x)[0].sum().backward()
    return seen, x.grad


def vjp_is_another_name(T: Any) -> Any:
    mine = type(
        "Mine",
        (T.autograd.Function,),
        {
            "forward": staticmethod(lambda ctx, x: x * 2),
            "vjp": staticmethod(lambda ctx, g: g * 5),
        },
    )
    x = leaf(T)
    mine.apply(x).sum().backward()
    return x.grad


def methods_that_are_not_static(T: Any) -> Any:
    """Old code has `forward(self, x)`: self is then the ctx."""

    def forward(self: Any, x: Any) -> Any:
        self.factor = 3
        return x * 3

    def backward(self: Any, g: Any) -> Any:
        return g * self.factor

    mine = type("Mine", (T.autograd.Function,), {"forward": forward, "backward": backward})
    x = leaf(T)
    y = mine.apply(x)
    y.sum().backward()
    return y, x.grad


WORKING = [
    value_gradient_graph,
    printed,
    nothing_requires_grad,
    second_derivative,
    node_is_ctx,
    any_name_may_be_noted,
    modes_inside,
    needs_input_grad,
    non_tensor_arguments,
    several_outputs,
    unused_output_gets_zeros,
    unused_output_gets_none_on_request,
    saved_none,
    saved_is_the_input,
    saved_output_in_second_derivative,
    trailing_nones,
    none_gradient,
    gradient_is_reduced,
    gradient_type_is_restored,
    integer_output,
    non_differentiable,
    dirty,
    input_returned,
    static_setup_context,
    arguments_by_name,
    once_differentiable,
    inside_another,
    with_no_grad,
    outputs_that_are_no_tensors,
    outputs_that_are_no_tensors_get_no_gradient,
    vjp_is_another_name,
    methods_that_are_not_static,
]


@pytest.mark.parametrize("marks", ["", "dirty", "constant", "dirty constant"])
@pytest.mark.parametrize("recorded", [True, False])
def test_an_input_returned(torch: Any, marks: str, recorded: bool) -> None:
    """A view of itself, itself if it was written, or else without history: never changed."""

    def program(T: Any) -> Any:
        class Same(T.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                if "dirty" in marks:
                    ctx.mark_dirty(x)
                if "constant" in marks:
                    ctx.mark_non_differentiable(x)
                return x

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return g

        seen = []
        leaf = T.ones(2, requires_grad=True)
        for x in (T.ones(2), leaf, leaf * 1, leaf[:1]):
            with T.enable_grad() if recorded else T.no_grad():
                try:
                    y = Same.apply(x)
                except RuntimeError as error:
                    seen.append([str(error)[:60], x._version])
                    continue
            kept = [y is x, y._is_view(), y.is_leaf, y.requires_grad, x.requires_grad]
            seen.append([*kept, x._version, repr(y.grad_fn).partition(" at ")[0]])
        return seen

    same(torch, program)


@pytest.mark.parametrize("how", ["once", "twice", "second", "as it came"])
def test_gradient_of_returned_input(torch: Any, how: str) -> None:
    """To the place at which it was returned; of two, to the last."""

    def program(T: Any) -> Any:
        class Returning(T.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                if how == "as it came":
                    return x, x
                if how == "once":
                    made = x * 2
                    return made, made
                ctx.mark_dirty(x)
                x.mul_(2)
                return (x, x) if how == "twice" else (x + 1, x)

            @staticmethod
            def backward(ctx: Any, g: Any, h: Any) -> Any:
                return g * 10 + h

        x = T.ones(2, requires_grad=True)
        y = x * 1
        a, b = Returning.apply(y)
        places = a is b, b is y, a.output_nr, b.output_nr
        (a * 3 + b).sum().backward()
        return places, x.grad

    same(torch, program)


def test_old_names(torch: Any) -> None:
    """`saved_variables` and `InplaceFunction` are kept for old programs, with a warning."""

    def program(T: Any) -> Any:
        class Old(T.autograd.function.InplaceFunction):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                (x,) = ctx.saved_variables
                return g * x * 2

        x = T.tensor([3.0], requires_grad=True)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            Old.apply(x).backward()
            made = Old(), Old(True), Old(inplace=True)
        told = [(w.category.__name__, str(w.message).partition("> ")[2]) for w in found]
        return x.grad, [each.inplace for each in made], told, str(found[0].message)

    same(torch, program)


@pytest.mark.parametrize("materialized", [True, False])
def test_outputs_without_a_gradient(torch: Any, materialized: bool) -> None:
    """`backward` gets zeros for them, or None if the ctx was told so."""

    def program(T: Any) -> Any:
        seen: list[Any] = []

        class Several(T.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                ctx._materialize_non_diff_grads = materialized
                constant = x * 2
                ctx.mark_non_differentiable(constant)
                return x * 2, constant, x > 0, x.long(), x * 3

            @staticmethod
            def backward(ctx: Any, *gradients: Any) -> Any:
                seen.append(gradients)
                return gradients[0]

        x = T.ones(2, requires_grad=True)
        Several.apply(x)[0].sum().backward()
        return seen, x.grad

    same(torch, program)


def test_once_differentiable_node_numbers_gradients(torch: Any) -> None:
    """It is one for all gradients, numbered by their places."""

    def program(T: Any) -> Any:
        class Once(T.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any, y: Any, z: Any) -> Any:
                return x * y * z

            @staticmethod
            @T.autograd.function.once_differentiable
            def backward(ctx: Any, g: Any) -> Any:
                return g * 3, None, g * 2

        leaves = [T.ones(2, requires_grad=True) for _ in range(3)]
        result = Once.apply(*leaves)
        how = {"create_graph": True, "allow_unused": True}
        first, none, last = T.autograd.grad((result * result).sum(), leaves, **how)
        assert none is None
        with pytest.raises(RuntimeError, match="marked with @once_differentiable"):
            first.sum().backward()
        name = type(first.grad_fn).__name__
        return first, last, first.output_nr, last.output_nr, first.grad_fn is last.grad_fn, name

    same(torch, program)


@pytest.mark.parametrize("program", WORKING, ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)


# --- What does not


def too_many_gradients(T: Any) -> Any:
    x = leaf(T)
    y = function(T, lambda ctx, x: x * 2, lambda ctx, g: (g, g)).apply(x)
    return caught(
        y.sum().backward,
        "function MineBackward returned an incorrect number of gradients (expected 1, got 2)",
    ), x.grad


def too_few_gradients(T: Any) -> Any:
    x, w = leaf(T), leaf(T)
    y = function(T, lambda ctx, x, w: x * w, lambda ctx, g: g).apply(x, w)
    return caught(
        y.sum().backward,
        "function MineBackward returned an incorrect number of gradients (expected 2, got 1)",
    ), x.grad


def gradient_of_wrong_shape(T: Any) -> Any:
    x = leaf(T)
    y = function(T, lambda ctx, x: x * 2, lambda ctx, g: T.ones(2)).apply(x)
    return caught(
        y.sum().backward,
        "Function MineBackward returned an invalid gradient at index 0 - got [2] but expected "
        "shape compatible with [3]",
    ), x.grad


def gradient_that_is_no_tensor(T: Any) -> Any:
    y = function(T, lambda ctx, x: x * 2, lambda ctx, g: 1.0).apply(leaf(T))
    return caught(y.sum().backward, "expected Variable or None (got float)")


def backward_returns_a_list(T: Any) -> Any:
    y = function(T, lambda ctx, x: x * 2, lambda ctx, g: [g]).apply(leaf(T))
    return caught(y.sum().backward, "expected Variable or None (got list)")


def saving_a_number(T: Any) -> Any:
    """It is refused only where a backward pass could come to it."""

    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(None, 3)
        return x * 2

    mine = function(T, forward, lambda ctx, g: g)
    with T.no_grad():
        quiet = mine.apply(leaf(T))
    refused = caught(
        lambda: mine.apply(leaf(T)), "save_for_backward can only save variables, but argument 1"
    )
    return quiet, mine.apply(T.ones(2)), mine.apply(3.0), refused


def called_like_a_function(T: Any) -> Any:
    return caught(lambda: square(T)()(leaf(T)))


def made_like_an_object(T: Any) -> Any:
    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        made = square(T)()
    return made.apply(leaf(T))


def dirty_but_not_returned(T: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x * 2

    mine = function(T, forward, lambda ctx, g: g)
    return caught(lambda: mine.apply(leaf(T) * 1), "marked as dirty", "were not returned as output")


def backward_and_vjp(T: Any) -> Any:
    mine = function(T, lambda ctx, x: x * 2, lambda ctx, g: g)
    mine.vjp = staticmethod(lambda ctx, g: g)
    return caught(mine.apply(leaf(T)).sum().backward, "both 'backward' and 'vjp'")


def views_returned_and_written(T: Any) -> Any:
    mine = function(T, lambda ctx, x: (x[0], x[1]), lambda ctx, g, h: T.stack([g, h, h]))
    first, _ = mine.apply(leaf(T) * 1)
    return caught(lambda: first.add_(1), "Output 0 of Mine", "returns multiple views")


def views_of_all_sorts_returned_and_written(T: Any) -> None:
    """Their errors depend on what could be differentiated."""
    w = T.ones(2, requires_grad=True)

    def view_and_constant(ctx: Any, x: Any) -> Any:
        view = x[:2]
        ctx.mark_non_differentiable(view)
        return view, x * 2

    def dirty_and_view(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        x.add_(1)
        return x, x[:1]

    for forward in (
        view_and_constant,
        dirty_and_view,
        lambda ctx, x: x,
        lambda ctx, x: x[:2],
        lambda ctx, x: (x[:2], x[1:]),
        lambda ctx, x: (x[:2], x.argmax()),
        lambda ctx, x: w,
    ):
        mine = function(T, forward, lambda ctx, *g: T.ones(3))
        for start, recorded in itertools.product((leaf(T) * 1, T.ones(3)), (True, False)):
            w.requires_grad_()
            with T.set_grad_enabled(recorded):
                results = mine.apply(start)
            print(results)
            for result in results if isinstance(results, tuple) else (results,):
                for factor in (2, T.ones(1, requires_grad=True)):
                    try:
                        print(result.mul_(factor), start)
                    except RuntimeError as error:
                        print(error)


def no_forward(T: Any) -> Any:
    mine = type("Mine", (T.autograd.Function,), {})
    return caught(lambda: mine.apply(leaf(T)), "forward")


def no_backward(T: Any) -> Any:
    mine = type("Mine", (T.autograd.Function,), {"forward": staticmethod(lambda ctx, x: x * 2)})
    y = mine.apply(leaf(T))
    return caught(y.sum().backward, "backward"), y


def saved_after_freeing(T: Any) -> Any:
    x = leaf(T)
    y = square(T).apply(x).sum()
    y.backward()
    return caught(y.backward, "backward through the graph a second time"), x.grad


def saved_and_changed(T: Any) -> Any:
    x = leaf(T)
    y = x * 1
    z = square(T).apply(y)
    y.add_(1)
    return caught(z.sum().backward, "modified by an inplace operation"), x.grad


def dirty_leaf(T: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    mine = function(T, forward, lambda ctx, g: g)
    return caught(
        lambda: mine.apply(leaf(T)),
        "a leaf Variable that requires grad has been used in an in-place",
    )


def view_returned_and_written(T: Any) -> Any:
    mine = function(T, lambda ctx, x: x.view(-1), lambda ctx, g: g.view(3))
    y = mine.apply(leaf(T) * 2)
    return caught(lambda: y.mul_(2), "Output 0 of Mine", "is a view and is being modified inplace")


def error_in_backward_travels(T: Any) -> Any:
    def backward(ctx: Any, g: Any) -> Any:
        raise KeyError("mine")

    x = leaf(T)
    y = function(T, lambda ctx, x: x * 2, backward).apply(x)
    return caught(y.sum().backward, "mine"), x.grad


def error_in_forward_travels(T: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        raise KeyError("mine")

    outcome = caught(lambda: function(T, forward, lambda ctx, g: g).apply(leaf(T)), "mine")
    return outcome, T.is_grad_enabled()


def applied_as_it_is(T: Any) -> Any:
    return caught(lambda: T.autograd.Function.apply(leaf(T)), "must implement the forward function")


MISUSED = [
    applied_as_it_is,
    too_many_gradients,
    too_few_gradients,
    gradient_of_wrong_shape,
    gradient_that_is_no_tensor,
    backward_returns_a_list,
    saving_a_number,
    called_like_a_function,
    made_like_an_object,
    dirty_but_not_returned,
    backward_and_vjp,
    views_returned_and_written,
    views_of_all_sorts_returned_and_written,
    no_forward,
    no_backward,
    saved_after_freeing,
    saved_and_changed,
    dirty_leaf,
    view_returned_and_written,
    error_in_backward_travels,
    error_in_forward_travels,
]


@pytest.mark.parametrize("program", MISUSED, ids=lambda program: program.__name__)
def test_misuse(torch: Any, program: Any) -> None:
    same(torch, program)


def test_ctx_attributes_and_repr(torch: Any) -> None:
    """Who needs a gradient does not depend on whether one is recorded."""

    def program(T: Any) -> Any:
        told: list[Any] = []

        def forward(ctx: Any, x: Any, y: Any) -> Any:
            told.append(ctx.needs_input_grad)
            return x * y

        mine = function(T, forward, lambda ctx, g: (g, None))
        print(mine.apply(leaf(T), 2.0).grad_fn)
        with T.no_grad():
            told.append(mine.apply(leaf(T), leaf(T).detach()))
        return told

    same(torch, program)
