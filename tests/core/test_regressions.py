"""Programs that random tests found, and in which minigrad once differed from PyTorch."""

from __future__ import annotations

import contextlib
import copy
import pickle
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import minigrad as mg
from minigrad.ops.public.functions import warn_of_old_order
from tests.parity import same


def outcome(action: Callable[[], Any]) -> Any:
    """Return the result of a call, or the type and the first line of its error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return action()
        except Exception as error:
            return type(error).__name__, str(error).splitlines()[0]


def gradient_of_data_that_was_replaced(T: Any) -> Any:
    """It has the shape of the data that was there in the forward pass."""
    seen = []
    for shape in ((0,), (3, 1)):
        for f in (lambda x: x.exp(), lambda x: x.mean(), lambda x: T.cat([x, x]), lambda x: x[1:]):
            x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
            y = f(x).sum()
            x.data = T.ones(shape)
            y.backward()
            seen.append(x.grad)
    return seen


def second_order_of_a_result_written_through_a_view(T: Any) -> Any:
    """The formula of exp saves its result, whose history is the view's."""
    seen = []
    for name in ("exp_", "sqrt_", "sigmoid_", "tanh_"):
        for hold in (True, False):
            x = T.tensor([1.0, 2.0], requires_grad=True)
            y = x * 0.1
            v = y.view(-1)
            getattr(v, name)()
            total = v.sum()
            if not hold:
                del v
            (g,) = T.autograd.grad(total, x, create_graph=True)
            (g * g).sum().backward()
            seen += [g.detach(), x.grad]
    return seen


def view_from_no_grad_becomes_a_leaf(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], requires_grad=True)
    with T.no_grad():
        v = x.squeeze()
        v.requires_grad_()
    (v * 2).sum().backward()
    return v.grad, x.grad, v.is_leaf


def view_of_what_came_to_require_grad_becomes_a_leaf(T: Any) -> Any:
    x = T.ones(3)
    v = x[:2]
    x.requires_grad_()
    v.requires_grad_()
    (v * 2).sum().backward()
    return v.grad, x.grad


def hooks_of_the_only_root_when_others_are_asked_for(T: Any) -> Any:
    seen: list[Any] = []

    def note(name: str, g: Any) -> None:
        seen.append((name, g))

    for several in (False, True):
        for begin in ("x", "y", "z"):
            x = T.tensor([1.0, 2.0], requires_grad=True)
            unrelated = T.tensor([1.0], requires_grad=True)
            y = x * 2
            y.retain_grad()
            z = y * 3
            for name, tensor in {"x": x, "y": y, "z": z}.items():
                tensor.register_hook(partial(note, name))
            y.grad_fn.register_hook(lambda *_: note("ran", None))
            root = {"x": x, "y": y, "z": z}[begin]
            roots = [root, y * 1] if several else [root]
            ones = [T.ones(2)] * len(roots)
            found = T.autograd.grad(roots, [unrelated], ones, allow_unused=True)
            T.autograd.backward(root, T.ones(2), inputs=[unrelated])
            seen += [found, y.grad, x.grad, unrelated.grad]
    return seen


def gradients_beside_the_one_that_was_asked_for(T: Any) -> Any:
    """A node that was asked for one output receives what comes to its other outputs as well."""
    seen: list[Any] = []
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    first, second, _ = x.unbind()
    first.retain_grad()
    second.register_hook(seen.append)
    for node in (first.grad_fn, (result := first * 2 * second.detach()).grad_fn):
        node.register_hook(lambda *_: None)
    found = T.autograd.grad(result, second, allow_unused=True)
    return found, first.grad, seen


def gradient_of_a_region_lies_as_its_input(T: Any) -> Any:
    """as_strided hands on a gradient in the steps of its input; here those of a transpose."""
    seen = []
    for create_graph in (False, True):
        x = T.arange(6.0).view(2, 3).requires_grad_()
        region = x.t().unsqueeze(0).as_strided((2,), (2,))
        total = (region * region).sum()
        (g,) = T.autograd.grad(total, x, create_graph=create_graph)
        seen += [g.detach(), g.stride(), g.detach().clone().view(-1)]
    return seen


def as_strided_of_memory_filled_by_masks(T: Any) -> Any:
    """`where` may compute on the bits of numbers; a view of the memory has the tensor's dtype."""
    x = T.tensor([[0.1, 0.2], [0.3, 0.4]])
    y = T.where(x == x.reshape(-1)[0], T.nan, x)
    y.as_strided((2,), (3,)).fill_(1.0)
    return y, y.fill_diagonal_(2.0)


def gradient_of_a_region_written_in_a_transpose(T: Any) -> Any:
    """as_strided counts in the strides of its base, also for the gradient of a write."""
    seen = []
    for create_graph in (False, True):
        x = T.arange(6.0).view(2, 3).t().detach().requires_grad_()
        y = x * x
        y.as_strided((2,), (sum(y.stride()),)).mul_(3.0)
        (g,) = T.autograd.grad(y.sum(), x, create_graph=create_graph)
        seen += [y.detach(), g.detach()]
        y = (x * x).fill_diagonal_(3.0)
        (g,) = T.autograd.grad(y.sum(), x, create_graph=create_graph)
        seen += [y.detach(), g.detach()]
    return seen


def sequences_written_into_a_view(T: Any) -> Any:
    """`out` keeps its shape if it has as many elements, also where memory has gaps."""
    seen = []
    for name, numbers in (("range", (0, 3)), ("arange", (4,)), ("linspace", (0, 3, 4))):
        x = T.zeros(2, 3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            out = getattr(T, name)(*numbers, out=x.narrow(1, 1, 2))
        seen += [x, out.shape]
    x = T.zeros(2, 3)
    T.logspace(0, 3, 4, out=x[:, 1:])
    return [*seen, x]


def numpy_under_no_grad(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    with T.no_grad():
        quiet = x.numpy().tolist()
    return quiet, outcome(x.numpy)


def products_and_variances_of_hardly_anything(T: Any) -> Any:
    """Their gradients do not depend on the input, and so leave no graph."""
    seen = []
    for shape in ((0,), (1,), (2,), (0, 2), (2, 0)):
        for name, arguments in (("cumprod", (0,)), ("var", ()), ("std", ())):
            x = T.ones(shape, requires_grad=True)
            y = outcome(partial(getattr(x, name), *arguments)).sum()
            (g,) = T.autograd.grad(y, x, create_graph=True)
            seen.append((name, shape, g.requires_grad, g.detach()))
    return seen


def floats_added_up_as_integers(T: Any) -> Any:
    """Where a gradient would be needed, it is an error."""
    x = T.ones(3, requires_grad=True)
    return [
        outcome(call)
        for leaf in (x, x.detach())
        for call in (
            partial(leaf.sum, dtype=T.int64),
            partial(leaf.sum, 0, dtype=T.bool),
            partial(leaf.prod, dtype=T.int64),
            partial(leaf.cumsum, 0, dtype=T.int64),
            partial(leaf.cumprod, 0, dtype=T.int32),
            partial(leaf.mean, dtype=T.int64),
            partial(leaf.softmax, 0, dtype=T.int64),
        )
    ]


def statistics_of_an_empty_batch(T: Any) -> Any:
    seen = []
    for shape in ((0, 2), (2, 0, 3), (3, 2, 0), (0, 2, 3, 3)):
        for training in (True, False):
            for affine in (True, False):
                mean, variance = T.zeros(shape[1]), T.ones(shape[1])
                w = T.ones(shape[1], requires_grad=True) if affine else None
                x = T.ones(shape, requires_grad=True)
                call = partial(T.nn.functional.batch_norm, x, mean, variance, w, w, training)
                seen += [outcome(call), mean, variance]
    return seen


def memory_that_is_read_while_it_is_written(T: Any) -> Any:
    places, floats = T.tensor([2, 1, 0]), T.tensor([1.0, 2.0, 3.0])
    seen = []
    for name, action in {
        "scatter_": lambda x: x.scatter_(0, places, x),
        "scatter_ of an alias": lambda x: x.scatter_(0, places, x[:]),
        "scatter_ of neighbours": lambda x: x[:2].scatter_(0, T.tensor([0, 1]), x[1:]),
        "scatter_add_": lambda x: x.scatter_add_(0, places, x),
        "index_add_": lambda x: x.index_add_(0, places, x),
        "assigned": lambda x: x.__setitem__(places, x),
        "copy_": lambda x: x.copy_(x),
        "copy_ of a view": lambda x: x.copy_(x.view(-1)),
        "copy_ of the expanded": lambda x: (lambda e: e.copy_(e))(x.expand(2, 3)),
        "add_ of the expanded": lambda x: (lambda e: e.add_(e))(x.expand(2, 3)),
        "add_ of another shape": lambda x: x.expand(2, 3).add_(T.ones(4)),
        "copy_ of another shape": lambda x: x.expand(2, 3).copy_(T.ones(4)),
    }.items():
        x = floats.clone()
        seen += [name, outcome(partial(action, x)), x]
    for action in (
        lambda x: x.scatter_(0, x, x),
        lambda x: x.scatter_(0, x, 7),
        lambda x: x.index_add_(0, x, x.clone()),
        lambda x: x.__setitem__(x, x.clone()),
    ):
        x = places.clone()
        seen += [outcome(partial(action, x)), x]
    return seen


def bytes_and_numbers_beyond_them(T: Any) -> Any:
    x = T.tensor([1, 2], dtype=T.uint8)
    none = T.zeros(0, dtype=T.int64)
    return [
        outcome(call)
        for call in (
            lambda: x.clamp(-1, 1),
            lambda: x.clamp(max=300),
            lambda: x.clamp(min=-5),
            lambda: x & 300,
            lambda: x // -1,
            lambda: none % 0,
            lambda: none // 0,
            lambda: none.remainder(0),
            lambda: x % 0,
        )
    ]


def what_is_forbidden_is_said_before_types_and_sizes(T: Any) -> Any:
    """A write to one of several views, of what its type could not hold either."""
    seen = []
    for name, options in (
        ("add_", {"alpha": 2}),
        ("sub_", {"alpha": 2}),
        ("mul_", {}),
        ("div_", {"rounding_mode": "floor"}),
        ("pow_", {}),
        ("clamp_", {}),
        ("floor_divide_", {}),
        ("remainder_", {}),
    ):
        whole = T.arange(6).reshape(2, 3)
        for part in (whole.unbind(0)[0], whole[0]):
            w = T.tensor(5.0, requires_grad=True)
            with contextlib.suppress(NotImplementedError):
                seen += [name, outcome(partial(getattr(part, name), w, **options)), whole]
    return seen


def cross_entropy_of_nothing(T: Any) -> Any:
    """With probabilities as its target, of no rows or of no classes."""
    seen = []
    for shape in ((0, 3), (2, 0), (0,), (3,)):
        for reduction in ("mean", "sum", "none"):
            for smoothing in (0.0, 0.5):
                x = T.ones(shape, requires_grad=True)
                how = {"reduction": reduction, "label_smoothing": smoothing}
                loss = T.nn.functional.cross_entropy(x, T.zeros(shape), **how)
                loss.sum().backward()
                seen += [loss, x.grad]
        # Scores of whole numbers are refused, unless there are none.
        whole, target = T.zeros(shape, dtype=T.int64), T.ones(shape, requires_grad=True)
        for function in (T.nn.functional.cross_entropy, T.softmax, T.log_softmax):
            against = target if function is T.nn.functional.cross_entropy else 0
            seen.append(outcome(partial(function, whole, against)))
    return seen


def smooth_l1_of_nan(T: Any) -> Any:
    a = T.tensor([float("nan"), 0.0, 3.0], requires_grad=True)
    b = T.tensor([0.0, float("nan"), 1.0], requires_grad=True)
    T.nn.functional.smooth_l1_loss(a, b).backward()
    return a.grad, b.grad


def versions_of_copies(T: Any) -> Any:
    seen = []
    for x in (T.ones(2), T.ones(2, requires_grad=True), T.ones(0), T.tensor(1)):
        x.requires_grad_(x.requires_grad).detach().add_(1)
        copies = copy.deepcopy(x), pickle.loads(pickle.dumps(x)), copy.copy(x)
        seen += [each._version for each in copies]
    return seen, copy.deepcopy(T.nn.Parameter(T.ones(2)))._version


def versions_of_what_an_optimizer_moves(T: Any) -> Any:
    seen = []
    for name in ("AdamW", "Adam", "SGD", "RMSprop"):
        for decay in (0, 0.5):
            x = T.ones(2, requires_grad=True)
            optimizer = getattr(T.optim, name)([x], lr=0.25, weight_decay=decay)
            for _ in range(2):
                x.grad = T.ones(2)
                optimizer.step()
                seen.append(x._version)
    return seen


def hooks_see_all_that_a_function_returns(T: Any) -> Any:
    """Also the gradient of what needs none."""

    class Product(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * y

        @staticmethod
        def backward(ctx, g):
            return g * 2, g * 3

    seen = []
    x, y = T.ones(2), T.ones(2, requires_grad=True)
    z = Product.apply(x, y)
    z.grad_fn.register_hook(lambda given, got: seen.append(given))
    z.sum().backward(retain_graph=True)
    T.autograd.grad(z.sum(), T.ones(1, requires_grad=True), allow_unused=True)
    return seen, y.grad


def second_order_through_a_written_view_of_nothing(T: Any) -> Any:
    seen = []
    for shape in ((2, 0), (2, 2)):
        x = T.ones(shape, requires_grad=True)
        part = x[:]
        x.detach().add_(1)
        (g,) = T.autograd.grad((part * part).sum(), x, create_graph=True)
        seen += [g.requires_grad, g.detach(), part.grad_fn.name()]
    return seen


def gradient_of_what_a_function_writes_to(T: Any) -> Any:
    """It goes, as what it was the gradient of; but for a leaf, which may not be written to."""

    class Fill(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, y, times):
            ctx.mark_dirty(x)
            x[:1] = 2.0
            return (x, x * 1)[:times] if times > 1 else x

        @staticmethod
        def backward(ctx, g, *_):
            return g, None, None

    made: dict[str, Callable[[], Any]] = {
        "plain": lambda: T.ones(2, 2),
        "a leaf": lambda: T.ones(2, 2, requires_grad=True),
        "a result": lambda: T.ones(2, 2, requires_grad=True) * 1,
        "a view": lambda: T.ones(2, 2)[0],
        "a view of a leaf": lambda: T.ones(2, 2, requires_grad=True)[0],
        "one of several views": lambda: T.ones(2, 2).unbind()[0],
        "a view of a leaf, made under no_grad": lambda: T.no_grad()(
            lambda: T.ones(2, 2, requires_grad=True)[0]
        )(),
    }
    seen = []
    for name, make in made.items():
        for needed in (True, False):
            for times in (1, 2):
                x, y = make(), T.ones(2, requires_grad=needed)
                x.grad = T.ones(x.shape)
                result = outcome(partial(Fill.apply, x, y, times))
                seen += [name, type(result).__name__, result[0], outcome(lambda x=x: x.grad)]
    return seen


def hook_on_a_view_made_under_no_grad(T: Any) -> Any:
    seen: list[Any] = []
    x = T.ones(2, 2, requires_grad=True)
    with T.no_grad():
        v = x[0]
    v.register_hook(seen.append)
    (v * 2).sum().backward()
    return seen, v.grad, x.grad


def history_of_what_a_checkpoint_was_given(T: Any) -> Any:
    """Detached in place meanwhile: the second run would not be the first one again."""

    def once(a: Any, b: Any) -> Any:
        seen.append("computed")
        return (a * b).sum() * a

    def inside(a: Any, b: Any) -> Any:
        return again(once, a * 2, b) * a

    seen: list[Any] = []
    again = partial(T.utils.checkpoint.checkpoint, use_reentrant=False)
    for function in (once, inside):
        for make in (lambda x, y: x * y, lambda x, y: x.exp(), lambda x, y: x):
            for first in (True, False):
                x, y = (T.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
                z = make(x, y)
                result = again(function, *((z, y) if first else (y, z)))
                z.detach_()
                seen += [outcome(result.sum().backward), x.grad, y.grad]
    return seen


def order_of_hooks_on_several_results(T: Any) -> Any:
    """It is that in which each of them got its first hook."""
    seen: list[Any] = []
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0), (1, 0, 1)):
        parts = T.ones(3, requires_grad=True).unbind()
        for place in order:
            parts[place].retain_grad()
            parts[place].register_hook(lambda g, place=place: seen.append((place, g)))
        total = parts[order[0]] * 2 + parts[order[2]]
        total.backward()
        seen.extend(part.grad if part.retains_grad else None for part in parts)
    return seen


def steps_of_what_was_pickled(T: Any) -> Any:
    """A part keeps its place in the memory of the whole; parts of one share nothing any more."""
    x = T.arange(12.0).reshape(3, 4)
    parts = [x, x.t(), x[1:, ::2], x[:0], x[0].expand(2, 4), x[1], T.ones(()).expand(3)]
    parts += [T.ones(1, 3, 1).expand(2, 3, 4), x[:, 1:2].expand(3, 3), T.tensor(2)]
    parts += [T.ones(2, 0)[0]]
    seen = []
    for part in parts:
        for again in (pickle.loads(pickle.dumps(part)), copy.deepcopy(part)):
            seen += [again, again.stride(), again.storage_offset(), again.clone().stride()]
    for whole, part in (pickle.loads(pickle.dumps((x, x[1]))), copy.deepcopy((x, x[1]))):
        whole.zero_()
        seen.append(part)
    return seen


def more_than_any_memory(T: Any) -> Any:
    big, x = 2**62, T.ones(2)
    return [
        outcome(call)
        for call in (
            lambda: T.ones(big, big), lambda: T.zeros((2**40, 2**40)), lambda: T.empty(big),
            lambda: T.rand(2**31, 2**31, 2**31), lambda: T.full((big, big), 1.0),
            lambda: x.new_ones(big, 3),
        )
    ]  # fmt: skip


def arguments_by_names_that_forward_has_not(T: Any) -> Any:
    class Twice(T.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

    class Apart(T.autograd.Function):  # type: ignore[misc,name-defined]
        @staticmethod
        def forward(x: Any) -> Any:
            return x * 2

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            pass

    x = T.ones(1)
    return [outcome(lambda each=each: each.apply(x, nosuch=1)) for each in (Twice, Apart)]


def options_of_modules_that_numpy_computed(T: Any) -> Any:
    one, half, nn = np.int64(1), np.float64(0.5), T.nn
    modules = (
        nn.LogSoftmax(one), nn.Softmax(one), nn.LeakyReLU(half), nn.ELU(half), nn.Softplus(half),
        nn.Hardtanh(-half, half), nn.AdaptiveAvgPool2d(one), nn.GELU("tanh"), nn.LayerNorm(one),
    )  # fmt: skip
    return [repr(each) for each in modules]


def chosen_elements_filled_in_expanded_memory(T: Any) -> Any:
    """An element that stays must not overwrite a filled one in the same place."""
    mask, places = T.tensor([True, False, False]), T.tensor([0])

    def fills(value: Any) -> Any:
        return (
            lambda x: x.masked_fill_(mask, value),
            lambda x: x.index_fill_(0, places, value),
            lambda x: x.expand(2, 3).masked_fill_(mask, value),
        )

    seen = []
    numbers = [5.0, 0.0, -0.0, float("nan")]
    for value in (*numbers, *map(T.tensor, numbers)):
        for fill in fills(value):
            for start in (0.0, float("nan")):
                base = T.full((1,), start)
                x = base.expand(3)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    fill(x)
                seen += [x, base, 1 / base]  # which shows the sign of 0
    x = T.arange(3.0).expand(2, 3)
    return seen, x.tril_()


def gradient_of_a_loss_with_a_hook_that_does_nothing(T: Any) -> Any:
    scores, target = T.randn(5, 7, requires_grad=True), T.tensor([1, 2, 3, 4, 0])
    seen = []
    for how in ("nothing", "register_hook", "register_prehook", "retain_graph", "create_graph"):
        loss = T.nn.functional.cross_entropy(scores, target)
        if how.startswith("register"):
            getattr(loss.grad_fn.next_functions[0][0], how)(lambda *gradients: None)
        more = {how: True} if how.endswith("graph") else {}
        seen.append(T.autograd.grad(loss, scores, **more)[0])
    return [T.equal(each, seen[0]) for each in seen]


def loss_of_ignored_rows(T: Any) -> Any:
    """Neither their scores nor their gradients count, also where these are no numbers."""
    seen = []
    nan, inf = float("nan"), float("inf")
    for f in (T.nn.functional.cross_entropy, T.nn.functional.nll_loss):
        for more in ({}, {"weight": T.tensor([1.0, 2.0, 3.0])}):
            for reduction in ("none", "sum", "mean"):
                rows = T.tensor([[1.0, 2.0, 3.0], [1.0, 5.0, 2.0]], requires_grad=True)
                loss = f(rows, T.tensor([1, -100]), reduction=reduction, **more)
                loss.backward(T.tensor([1.0, nan] if reduction == "none" else 2.0))
                odd = T.tensor([[1.0, 2.0, 3.0], [-inf, inf, nan]])
                seen += [loss, rows.grad, f(odd, T.tensor([1, -100]), reduction=reduction, **more)]
    images = T.ones(2, 3, 1, 2, requires_grad=True)
    target = T.tensor([[[1, -100]], [[0, 2]]])
    loss = T.nn.functional.cross_entropy(images, target, reduction="none")
    loss.backward(T.tensor([[[1.0, nan]], [[1.0, 1.0]]]))
    return seen, images.grad


def outputs_whose_shape_depends_on_values(T: Any) -> Any:
    x = T.tensor([1.0, 2.0, 3.0], dtype=T.float64, requires_grad=True)
    checks = (
        {},
        {"raise_exception": False},
        {"check_backward_ad": False, "check_forward_ad": True},
    )
    check = partial(T.autograd.gradcheck, lambda x: x[x > 2], x)
    return [outcome(partial(check, **more)) for more in checks]


def backward_passes_deep_inside_each_other(T: Any) -> Any:
    class Countdown(T.autograd.Function):  # type: ignore[misc, name-defined]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.rest = x.detach() - 1
            return x - 1

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            with T.enable_grad():
                rest = ctx.rest.clone().requires_grad_()
                if rest >= 0:
                    Countdown.apply(rest).sum().backward()
                    return g + rest.grad
            if depth == 300:
                raise ValueError("at the bottom")
            return g

    seen = []
    for depth in (10, 2000, 300):
        x = T.tensor(float(depth), requires_grad=True)
        seen.append((outcome(Countdown.apply(x).sum().backward), x.grad, T.is_grad_enabled()))
    return seen


def subclass_of_a_tensor(T: Any) -> Any:
    deleted = []

    class Named(T.Tensor):  # type: ignore[misc, name-defined]
        def __del__(self) -> None:
            deleted.append("Named")

    base = T.ones(2, requires_grad=True)
    x = base * 2
    for made in (Named(x), x.as_subclass(Named), Named([1.0]), T.Tensor._make_subclass(Named, x)):
        print(type(made).__name__, made.requires_grad, made.is_leaf, made.tolist())
    x.as_subclass(Named).sum().backward()
    refused = [outcome(partial(x.as_subclass, other)) for other in (int, 3)]
    del made
    return base.grad, len(deleted) >= 4, refused


def learning_rate_of_several_elements(T: Any) -> Any:
    p = T.nn.Parameter(T.ones(2))
    return [
        str(outcome(partial(kind, [p], lr=T.tensor(lr))))
        for kind in (T.optim.SGD, T.optim.Adam, T.optim.AdamW, T.optim.RMSprop)
        for lr in ([0.1, 0.1], [-0.1])
    ]


def shifts_into_overlapping_memory(T: Any) -> Any:
    """The overlap is refused before the dtype."""
    x, n = T.ones(3), T.arange(3)
    return [
        outcome(partial(x[:-1].__ilshift__, x[1:])),
        outcome(partial(n[:-1].bitwise_and_, n[1:])),
        outcome(partial(x.__irshift__, x)),
        outcome(partial(x.index_fill, 0, T.tensor([0]), 1j)),
    ]


def bits_of_signs(T: Any) -> Any:
    x = T.tensor([-0.0, 0.0, -1.0, float("nan"), float("-inf")], requires_grad=True)
    out = T.zeros(5, dtype=T.bool)
    return [
        T.signbit(x),
        x.signbit().requires_grad,
        T.signbit(T.tensor([-1, 2], dtype=T.int8)),
        T.signbit(T.tensor([0, 200], dtype=T.uint8)),
        T.signbit(T.tensor([True, False])),
        T.signbit(x.detach(), out=out) is out,
        outcome(partial(T.signbit, 2)),
    ]


def attributes_that_may_not_be_deleted(T: Any) -> Any:
    x = T.ones(2, requires_grad=True)
    x._backward_hooks = None
    names = "_grad_fn", "_backward_hooks", "data"
    return x._grad_fn, (x * 2)._grad_fn.name(), [outcome(partial(delattr, x, n)) for n in names]


def sizes_in_a_memory_format(T: Any) -> Any:
    x, like = T.arange(24.0), T.ones(1, 2, 3, 4).contiguous(memory_format=T.channels_last)
    seen = [x.resize_((1, 2, 3, 4), memory_format=T.channels_last).stride(), x]
    seen += [T.arange(24.0).resize_as_(like, memory_format=T.preserve_format).stride()]
    seen += [T.arange(24.0).resize_as_(like).stride()]
    return seen, [
        outcome(call)
        for call in (
            lambda: T.ones(2).resize_((2,), memory_format=T.preserve_format),
            lambda: T.ones(2).resize_((2,), memory_format=T.channels_last),
            lambda: T.ones(2).resize_([0, 4, 2**61]),
        )
    ]


def tangents_of_running_statistics(T: Any) -> Any:
    fw = T.autograd.forward_ad
    x, mean, var = T.arange(12.0).reshape(3, 2, 2), T.zeros(2), T.ones(2)
    seen = []
    with fw.dual_level():
        dual = fw.make_dual(mean, T.ones(2))
        for first in (x, fw.make_dual(x, x)):
            for second in (mean, dual):
                seen.append(outcome(partial(T.nn.functional.batch_norm, first, second, var)))
    return seen


def threshold_into_repeated_memory(T: Any) -> Any:
    x = T.tensor([[-1.0, 0.25, 2.0]]).expand(2, 3)
    T.nn.functional.threshold(x, 0.5, 0.75, inplace=True)
    return x, T.nn.functional.threshold_(x, 0.8, 0.0)


def types_of_modes_into_out(T: Any) -> Any:
    kinds = (T.float64, T.int64), (T.float32, T.float32), (T.float32, T.int64)
    outs = [(T.ones(3, dtype=one), T.ones(3, dtype=two)) for one, two in kinds]
    return [outcome(partial(T.mode, T.ones(3, 2), -1, out=out)) for out in outs]


def state_hooks_of_both_kinds(T: Any) -> Any:
    layer = T.nn.Linear(1, 1)

    def hook(module: Any, state: Any, prefix: Any, local: Any) -> Any:
        return {}

    layer.register_state_dict_post_hook(hook)
    return outcome(layer.state_dict), outcome(partial(layer._register_state_dict_hook, hook))


def hooks_that_are_always_called(T: Any) -> Any:
    seen: list[Any] = []

    def hook(name: str, fails: bool = False) -> Any:
        def called(module: Any, args: Any, result: Any) -> None:
            seen.append((name, type(result).__name__))
            if fails:
                raise ValueError(name)

        return called

    def refuse(module: Any, args: Any) -> None:
        raise KeyError("before")

    layer, x = T.nn.Linear(1, 1), T.ones(1, 1)
    layer.register_forward_hook(hook("always"), always_call=True)
    layer.register_forward_hook(hook("usual"))
    before = layer.register_forward_pre_hook(refuse)
    found = [outcome(partial(layer, x))]
    before.remove()
    layer.register_forward_hook(hook("failing", True), always_call=True, prepend=True)
    found += [outcome(partial(layer, x))]
    layer.register_forward_pre_hook(refuse)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found += [outcome(partial(layer, x))]
    return found, seen, [str(each.message) for each in caught]


PROGRAMS = [
    hooks_that_are_always_called,
    sizes_in_a_memory_format,
    tangents_of_running_statistics,
    threshold_into_repeated_memory,
    types_of_modes_into_out,
    state_hooks_of_both_kinds,
    bits_of_signs,
    attributes_that_may_not_be_deleted,
    shifts_into_overlapping_memory,
    more_than_any_memory,
    arguments_by_names_that_forward_has_not,
    options_of_modules_that_numpy_computed,
    history_of_what_a_checkpoint_was_given,
    order_of_hooks_on_several_results,
    steps_of_what_was_pickled,
    gradient_of_what_a_function_writes_to,
    hook_on_a_view_made_under_no_grad,
    hooks_see_all_that_a_function_returns,
    second_order_through_a_written_view_of_nothing,
    cross_entropy_of_nothing,
    smooth_l1_of_nan,
    versions_of_copies,
    versions_of_what_an_optimizer_moves,
    gradient_of_data_that_was_replaced,
    second_order_of_a_result_written_through_a_view,
    view_from_no_grad_becomes_a_leaf,
    view_of_what_came_to_require_grad_becomes_a_leaf,
    hooks_of_the_only_root_when_others_are_asked_for,
    gradients_beside_the_one_that_was_asked_for,
    gradient_of_a_region_lies_as_its_input,
    as_strided_of_memory_filled_by_masks,
    gradient_of_a_region_written_in_a_transpose,
    sequences_written_into_a_view,
    numpy_under_no_grad,
    products_and_variances_of_hardly_anything,
    floats_added_up_as_integers,
    statistics_of_an_empty_batch,
    memory_that_is_read_while_it_is_written,
    bytes_and_numbers_beyond_them,
    what_is_forbidden_is_said_before_types_and_sizes,
    chosen_elements_filled_in_expanded_memory,
    gradient_of_a_loss_with_a_hook_that_does_nothing,
    loss_of_ignored_rows,
    outputs_whose_shape_depends_on_values,
    backward_passes_deep_inside_each_other,
    subclass_of_a_tensor,
    learning_rate_of_several_elements,
]


@pytest.mark.parametrize("name", ["addcmul", "addcdiv", "addcmul_", "addcdiv_"])
def test_old_order_of_arguments_warns(name: str) -> None:
    """Once in a program. (PyTorch warns of the first such function alone.)"""
    warn_of_old_order.cache_clear()
    x, y = mg.ones(2), mg.tensor([2.0, 4.0])
    function = getattr(mg.Tensor, name)
    with pytest.warns(
        UserWarning, match=rf"overload of {name} is deprecated:\n\t{name}\(.*Number v"
    ):
        found = function(x.clone(), 0.5, y, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert function(x.clone(), 0.5, y, y).equal(found)
    assert found.equal(function(x.clone(), y, y, value=0.5))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)
