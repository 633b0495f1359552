"""Writing to memory that the graph knows: versions, views and their bases, and what is forbidden.

A write either does what it does in PyTorch, to values, versions and histories alike, or raises
PyTorch's error before anything has changed.
"""

from __future__ import annotations

import contextlib
import itertools
import warnings
from typing import Any

import pytest

from tests.parity import caught, same

MODIFIED = "modified by an inplace operation"
VIEW_OF_LEAF = "a view of a leaf Variable that requires grad is being used in an in-place operation"


def start(T: Any, *shape: int) -> tuple[Any, Any]:
    """A leaf and a result of it that may be written to."""
    leaf = T.arange(1.0, 1.0 + (shape[0] if len(shape) == 1 else shape[0] * shape[1]))
    leaf = leaf.reshape(shape).detach().requires_grad_()
    return leaf, leaf * 2


WRITES = {
    "add_": lambda T, y: y.add_(1),
    "add_ alpha": lambda T, y: y.add_(T.ones(3), alpha=2),
    "+=": lambda T, y: y.__iadd__(T.ones(3)),
    "sub_": lambda T, y: y.sub_(1),
    "-=": lambda T, y: y.__isub__(T.ones(3)),
    "mul_": lambda T, y: y.mul_(T.tensor([1.0, 2.0, 3.0])),
    "*= number": lambda T, y: y.__imul__(3),
    "div_": lambda T, y: y.div_(T.tensor([1.0, 2.0, 3.0])),
    "/= number": lambda T, y: y.__itruediv__(4),
    "pow_": lambda T, y: y.pow_(2),
    "zero_": lambda T, y: y.zero_(),
    "fill_": lambda T, y: y.fill_(2.5),
    "copy_": lambda T, y: y.copy_(T.tensor([7.0, 8.0, 9.0])),
    "copy_ broadcast": lambda T, y: y.copy_(T.tensor(7.0)),
    "copy_ of another type": lambda T, y: y.copy_(T.tensor([7, 8, 9])),
    "exp_": lambda T, y: y.exp_(),
    "log_": lambda T, y: y.log_(),
    "sqrt_": lambda T, y: y.sqrt_(),
    "sin_": lambda T, y: y.sin_(),
    "polygamma_": lambda T, y: y.polygamma_(1),
    "cos_": lambda T, y: y.cos_(),
    "tanh_": lambda T, y: y.tanh_(),
    "sigmoid_": lambda T, y: y.sigmoid_(),
    "relu_": lambda T, y: y.relu_(),
    "neg_": lambda T, y: y.neg_(),
    "abs_": lambda T, y: y.abs_(),
    "clamp_": lambda T, y: y.clamp_(3, 5),
    "y[0] = number": lambda T, y: y.__setitem__(0, 9.0),
    "y[1:] = tensor": lambda T, y: y.__setitem__(slice(1, None), T.tensor([8.0, 9.0])),
    "y[:] = tensor": lambda T, y: y.__setitem__(slice(None), T.ones(3)),
    "y[...] = number": lambda T, y: y.__setitem__(..., 4.0),
    "y[None] = tensor": lambda T, y: y.__setitem__(None, T.ones(3)),
    "y[numbers] = tensor": lambda T, y: y.__setitem__(T.tensor([0, 2]), T.tensor([8.0, 9.0])),
    "y[numbers] = number": lambda T, y: y.__setitem__(T.tensor([0, 2]), 9.0),
    "y[mask] = number": lambda T, y: y.__setitem__(y > 3, 0.0),
    "y[mask] = tensor": lambda T, y: y.__setitem__(
        T.tensor([True, False, True]), T.tensor([8.0, 9.0])
    ),
    "masked_fill_": lambda T, y: y.masked_fill_(T.tensor([True, False, True]), 0.0),
}


@pytest.mark.parametrize("name", WRITES)
def test_write_to_a_result(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        x, y = start(T, 3)
        WRITES[name](T, y)
        y.sum().backward()
        return x.grad, y, y._version

    same(torch, program)


@pytest.mark.parametrize("name", WRITES)
def test_write_through_a_view(torch: Any, name: str) -> None:
    """The base is written too, and so is its history; the view's history follows."""

    def program(T: Any) -> Any:
        x, y = start(T, 2, 3)
        view = y[1]
        WRITES[name](T, view)
        (y * view).sum().backward()
        return x.grad, y, view, y._version

    same(torch, program)


@pytest.mark.parametrize("name", WRITES)
def test_write_of_a_plain_tensor(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        y = T.arange(1.0, 4.0)
        alias, view = y.detach(), y[1:]
        WRITES[name](T, y)
        return y, alias, view, y._version, alias._version

    same(torch, program)


@pytest.mark.parametrize("name", WRITES)
def test_write_to_a_leaf_is_refused(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        leaf = T.arange(1.0, 4.0).requires_grad_()
        viewed = T.ones(2, 3, requires_grad=True)
        outcomes = [
            caught(lambda: WRITES[name](T, leaf), "a leaf Variable that requires grad"),
            caught(lambda: WRITES[name](T, viewed[1]), VIEW_OF_LEAF),
        ]
        return outcomes, leaf, viewed, leaf._version, viewed._version

    same(torch, program)


@pytest.mark.parametrize("name", WRITES)
def test_write_to_a_leaf_under_no_grad(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        leaf = T.arange(1.0, 4.0).requires_grad_()
        with T.no_grad():
            WRITES[name](T, leaf)
        return leaf, leaf._version

    same(torch, program)


OTHER_WRITES = {
    "t_": lambda T, y: y.t_(),
    "transpose_": lambda T, y: y.transpose_(0, 1),
    "swapaxes_": lambda T, y: y.swapaxes_(0, 1),
    "unsqueeze_": lambda T, y: y.unsqueeze_(0),
    "squeeze_": lambda T, y: y.unsqueeze_(0).squeeze_(),
    "squeeze_ of an axis": lambda T, y: y.unsqueeze_(0).squeeze_(0),
    "eq_": lambda T, y: y.eq_(4),
    "ne_": lambda T, y: y.ne_(T.full((2, 3), 4.0)),
    "lt_": lambda T, y: y.lt_(4),
    "le_": lambda T, y: y.le_(T.full((2, 3), 4.0)),
    "gt_": lambda T, y: y.gt_(4),
    "ge_": lambda T, y: y.ge_(T.full((2, 3), 4.0)),
    "floor_": lambda T, y: y.floor_(),
    "round_": lambda T, y: y.round_(),
    "sign_": lambda T, y: y.sign_(),
    "expm1_": lambda T, y: y.expm1_(),
    "log1p_": lambda T, y: y.log1p_(),
    "reciprocal_": lambda T, y: y.reciprocal_(),
    "rsqrt_": lambda T, y: y.rsqrt_(),
    "square_": lambda T, y: y.square_(),
    "atan_": lambda T, y: y.atan_(),
    "sinh_": lambda T, y: y.sinh_(),
    "erf_": lambda T, y: y.erf_(),
    "remainder_": lambda T, y: y.remainder_(3),
    "floor_divide_": lambda T, y: y.detach().floor_divide_(3),
    "cumsum_": lambda T, y: y.cumsum_(0),
    "cumprod_": lambda T, y: y.cumprod_(1),
    "tril_": lambda T, y: y.tril_(),
    "triu_": lambda T, y: y.triu_(1),
    "F.relu inplace": lambda T, y: T.nn.functional.relu(y, inplace=True),
    "F.elu inplace": lambda T, y: T.nn.functional.elu(y, inplace=True),
    "F.leaky_relu inplace": lambda T, y: T.nn.functional.leaky_relu(y, 0.1, inplace=True),
    "index_add_": lambda T, y: y.index_add_(0, T.tensor([1, 1]), T.ones(2, 3)),
    "scatter_": lambda T, y: y.scatter_(1, T.tensor([[0], [2]]), T.ones(2, 1)),
    "scatter_ a number": lambda T, y: y.scatter_(1, T.tensor([[0], [2]]), 3.0),
    "scatter_add_": lambda T, y: y.scatter_add_(1, T.tensor([[0, 0]]), T.ones(1, 2)),
    "uniform_": lambda T, y: y.uniform_(-1, 1),
    "normal_": lambda T, y: y.normal_(1, 2),
    "bernoulli_": lambda T, y: y.bernoulli_(0.3),
}


@pytest.mark.parametrize("name", OTHER_WRITES)
def test_other_writes(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        x, y = start(T, 2, 3)
        result = OTHER_WRITES[name](T, y)
        (y * 2).sum().backward()
        return result.data_ptr() == y.data_ptr(), y, list(y.stride()), y._version, x.grad

    same(torch, program)


# --- What a tensor that requires grad brings into a plain one


def plain_plus_tracked(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = T.zeros(3)
    y += x * 2
    y.sum().backward()
    return y, x.grad


def plain_times_tracked(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    y = T.full((3,), 5.0)
    y.mul_(x)
    y.sum().backward()
    return y, x.grad


def rows_filled_one_by_one(T: Any) -> Any:
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    table = T.zeros(2, 3)
    table[0] = x
    table[1] = x * x
    (table * T.arange(6.0).view(2, 3)).sum().backward()
    return table, x.grad


def overwritten_part_gets_no_gradient(T: Any) -> Any:
    x, y = start(T, 3)
    y[0] = 100.0
    (y * y).sum().backward()
    return y, x.grad


def element_by_element(T: Any) -> Any:
    x = T.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = T.zeros(3)
    for i in range(3):
        y[i] = x[i] ** (i + 1)
    y.sum().backward()
    return y, x.grad


def from_numbers(T: Any) -> Any:
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = T.zeros(4)
    y[T.tensor([0, 2])] = x
    y[T.tensor([True, True, False, False])] = x * 10
    y.sum().backward()
    return y, x.grad


def a_tensor_index_with_repeats(T: Any) -> Any:
    x, y = start(T, 3)
    y[T.tensor([0, 0, 2])] += 1.0
    y.sum().backward()
    return y, x.grad


def copy_from_tracked(T: Any) -> Any:
    x = T.ones(3, dtype=T.float64, requires_grad=True)
    y = T.zeros(2, 3)
    y.copy_(x)
    y.sum().backward()
    return y, x.grad


def fill_with_a_tensor(T: Any) -> Any:
    x = T.tensor(2.0, requires_grad=True)
    y = T.zeros(3)
    y.fill_(x)
    y.sum().backward()
    return y, x.grad


# --- Views


def base_written_view_follows(T: Any) -> Any:
    x, y = start(T, 2, 3)
    view = y[0]
    before = view.grad_fn.name()
    y.mul_(3)
    view.sum().backward()
    return x.grad, y, view, before


def view_of_a_view(T: Any) -> Any:
    x, y = start(T, 2, 3)
    row = y[0]
    part = row[1:]
    part.mul_(10)
    (y * y).sum().backward()
    return x.grad, y, row, part


def transposed_view(T: Any) -> Any:
    x, y = start(T, 2, 3)
    y.t()[0].mul_(10)
    y.sum().backward()
    return x.grad, y


def flat_view(T: Any) -> Any:
    x, y = start(T, 2, 3)
    y.view(-1)[1::2].zero_()
    y.sum().backward()
    return x.grad, y


def second_derivative(T: Any, y: Any, *leaves: Any) -> Any:
    """Gradients with their graph, which is PyTorch's, and the gradients of their squares."""
    (g,) = T.autograd.grad((y**3).sum(), leaves[0], create_graph=True)
    return g, T.autograd.grad((g**2).sum(), leaves, allow_unused=True)


def second_derivative_of_a_written_row(T: Any) -> Any:
    x, y = start(T, 2, 3)
    w = T.tensor([0.5, 1.0, 2.0], requires_grad=True)
    y[1].mul_(w)
    return second_derivative(T, y, x, w)


def second_derivative_of_a_written_column(T: Any) -> Any:
    x, y = start(T, 2, 3)
    y.t()[1].sin_()
    return second_derivative(T, y, x)


def second_derivative_of_steps_in_flat_memory(T: Any) -> Any:
    x, y = start(T, 2, 3)
    y.view(-1)[1::2].mul_(3)
    y[:, 1:].unsqueeze(0).copy_(x[:, :2])
    return second_derivative(T, y, x)


def second_derivative_of_a_write_between_gaps(T: Any) -> Any:
    x, _ = start(T, 2, 3)
    y = T.empty_strided((2, 3), (8, 2)).copy_(x)
    y[1].mul_(T.tensor([0.5, 1.0, 2.0]))
    return second_derivative(T, y, x)


def second_derivative_of_an_overwritten_part(T: Any) -> Any:
    x, y = start(T, 2, 3)
    w = T.tensor([0.5, 1.0, 2.0], requires_grad=True)
    y[0] = w * w
    y.diagonal()[1:] = 0.5
    return second_derivative(T, y, x, w)


def second_derivative_of_a_saved_result(T: Any) -> Any:
    """A pass frees what exp saved only once both paths to it have ended."""
    x = T.tensor([[0.3, 0.2], [0.1, 0.4]], requires_grad=True)
    y = x.t() * 1
    y[1].exp_()
    return second_derivative(T, y, x)


def gradient_of_an_expanded_write(T: Any) -> Any:
    x, y = start(T, 1)
    wide = y.expand(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wide.masked_fill_(T.tensor([True, False, False]), 5.0)
    return caught(y.sum().backward, "refers to a single memory location"), y, x.grad


def two_views(T: Any) -> Any:
    x, y = start(T, 2, 3)
    a, b = y[0], y[1]
    a.mul_(2)
    b.add_(a)
    (a * b).sum().backward()
    return x.grad, y, a, b


def column(T: Any) -> Any:
    x, y = start(T, 2, 3)
    y[:, 1] = T.tensor([5.0, 6.0])
    y[:, 2] *= 3
    (y * y).sum().backward()
    return x.grad, y


def unsqueezed_view(T: Any) -> Any:
    x, y = start(T, 3)
    y.unsqueeze(0).add_(1)
    y.sum().backward()
    return x.grad, y


def view_of_plain_written_with_tracked(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    base = T.zeros(2, 3)
    row = base[0]
    row.add_(x)
    (base * 2).sum().backward()
    return x.grad, base, row, base.requires_grad, row.requires_grad


def view_made_before_tracking(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    base = T.zeros(2, 3)
    row = base[0]
    base.add_(x)
    row.sum().backward()
    return x.grad, base, row


def alias_is_not_a_view(T: Any) -> Any:
    _, y = start(T, 3)
    alias = y.detach()
    alias.add_(1)
    return y, alias, alias.requires_grad


def version_is_shared(T: Any) -> Any:
    y = T.zeros(2, 3)
    view, alias, data = y[0], y.detach(), y.data
    versions = [y._version]
    for write in (lambda: y.add_(1), lambda: view.add_(1), lambda: alias.add_(1)):
        write()
        versions += [y._version, view._version, alias._version, data._version]
    data.add_(1)
    versions += [y._version, data._version]
    return versions, y


def is_view(T: Any) -> Any:
    y = T.zeros(2, 3)
    view = y[0]
    part = view[1:]
    return y._is_view(), view._is_view(), view._base is y, part._base is y, y._base


def unbind_written(T: Any) -> Any:
    _, y = start(T, 2, 3)
    first, _ = y.unbind(0)
    outcome = caught(
        lambda: first.mul_(2),
        "Output 0 of Unbind",
        "is a view and is being modified inplace. This view is the output of a function that "
        "returns multiple views",
    )
    return outcome, y, first


def unbind_of_integers_takes_what_requires_grad(T: Any) -> Any:
    """Whole numbers leave no history, so nothing forbids to write to one view of several."""
    _, places = T.arange(6.0).reshape(2, 3).requires_grad_().max(0)
    first, *others = places.unbind(0)
    first.copy_(T.tensor(5.0, requires_grad=True))
    return places, first, others, first.requires_grad, places._version


def split_written(T: Any) -> Any:
    _, y = start(T, 3)
    parts = y.split(2)
    outcome = caught(lambda: parts[1].mul_(2), "Output 1 of Split", "returns multiple views")
    return outcome, y


def a_single_part_written(T: Any) -> Any:
    """split and unbind return several views even if it is one."""
    _, y = start(T, 1, 3)
    return (
        caught(lambda: y.split(5)[0].mul_(2), "Output 0 of Split", "returns multiple views"),
        caught(lambda: y.unbind(0)[0].mul_(2), "Output 0 of Unbind", "returns multiple views"),
        y,
    )


def layout_changed_before_a_view_is_written(T: Any) -> Any:
    x, y = start(T, 2, 3)
    view = y[0]
    y.t_()
    view.mul_(2)
    (y * T.arange(6.0).view(3, 2)).sum().backward()
    return x.grad, y, view


def layout_changed_before_the_base_is_written(T: Any) -> Any:
    x, y = start(T, 2, 3)
    view = y[0]
    y.t_()
    y.mul_(3)
    (view * T.arange(3.0)).sum().backward()
    return x.grad, y, view


def unbind_of_plain_may_be_written(T: Any) -> Any:
    y = T.zeros(2, 3)
    first, _ = y.unbind(0)
    first.add_(1)
    return y, first


def view_from_no_grad_written(T: Any) -> Any:
    _, y = start(T, 3)
    with T.no_grad():
        view = y[:2]
    outcome = caught(lambda: view.mul_(2), "A view was created in no_grad mode")
    return outcome, y


def view_from_no_grad_written_under_no_grad(T: Any) -> Any:
    _, y = start(T, 3)
    with T.no_grad():
        view = y[:2]
        view.mul_(2)
    return y, caught(lambda: view.grad_fn, "A view was created in no_grad mode")


def view_of_leaf_written_under_no_grad(T: Any) -> Any:
    x = T.ones(2, 3, requires_grad=True)
    with T.no_grad():
        x[0] = 5.0
        x[1].mul_(3)
    (x * x).sum().backward()
    return x, x.grad, x._version


def expanded_written(T: Any) -> Any:
    y = T.ones(1).expand(3)
    return (
        caught(
            lambda: y.add_(1),
            "more than one element of the written-to tensor refers to a single memory",
        ),
        y,
        y._version,
    )


def overlapping_written(T: Any) -> Any:
    y = T.arange(4.0)
    return caught(
        lambda: y[1:].copy_(y[:-1]),
        "some elements of the input tensor and the written-to tensor refer to a single memory",
    ), y


def expanded_filled(T: Any) -> Any:
    """One value for all is written to a place as often as one likes."""
    a, b = T.zeros(1).expand(3), T.zeros(3, 1).expand(3, 2)
    a.fill_(2)
    b.zero_()
    return a, b, caught(lambda: b.__setitem__(slice(None), 3.0), "refers to a single memory")


def expanded_written_by_index(T: Any) -> Any:
    base = T.zeros(3)
    wide = base.expand(2, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wide[T.tensor([0])] = 2.0
        wide[wide > 1] = 3.0
    return base, wide


def copied_onto_itself(T: Any) -> Any:
    y = T.arange(3.0)
    y.copy_(y)
    alias = y.detach()
    y.copy_(alias)
    row = T.zeros(1, 3)
    row[:] = row[0]
    leaf = T.ones(3, requires_grad=True)
    return (
        y,
        y._version,
        row._version,
        caught(lambda: leaf.copy_(leaf), "a leaf Variable that requires grad"),
    )


def overlapping_with_gaps(T: Any) -> Any:
    """PyTorch looks for a partial overlap only in memory without gaps."""
    square = T.arange(6.0).view(2, 3).t()
    square[:] = square[-1]
    return square[-1].tolist(), square._version


def overlapping_by_numbers(T: Any) -> Any:
    y = T.arange(4.0)
    return caught(lambda: y.__setitem__(T.tensor([0, 1]), y[2:]), "refer to a single memory"), y


def leaf_error_comes_first(T: Any) -> Any:
    leaf = T.zeros(3, requires_grad=True)
    wrong = T.ones(5)
    phrase = "a leaf Variable that requires grad"
    return [
        caught(lambda: leaf.mul_(wrong), phrase),
        caught(lambda: leaf.copy_(wrong), phrase),
        caught(lambda: leaf[1:].add_(wrong), phrase),
        caught(lambda: leaf.__setitem__(T.tensor([0]), wrong), phrase),
        caught(lambda: leaf.__setitem__(T.tensor([7]), 1.0), phrase),
    ]


def retained_across_a_quiet_write(T: Any) -> Any:
    x, y = start(T, 2, 3)
    view = y[1:]
    view.retain_grad()
    with T.no_grad():
        view.mul_(2)
    view.sum().backward()
    return view.grad, x.grad


# --- Saved tensors that are gone stale


def saved_input_written(T: Any) -> Any:
    x, y = start(T, 3)
    z = y * y
    y.add_(1)
    return caught(
        z.sum().backward,
        MODIFIED,
        "FloatTensor [3]]",
        "which is output 0 of Add",
        "is at version 1; expected version 0",
    ), x.grad


def saved_result_written(T: Any) -> Any:
    x, _ = start(T, 3)
    y = x.exp()
    y.mul_(2)
    return caught(y.sum().backward, MODIFIED, "is at version 1; expected version 0"), x.grad


def result_that_is_not_saved_may_be_written(T: Any) -> Any:
    x, _ = start(T, 3)
    y = x.sin()
    y.mul_(2)
    y.sum().backward()
    return x.grad


def saved_for_one_factor_only(T: Any) -> Any:
    """x * w needs w for x's gradient, and x only if w wants one."""
    x, y = start(T, 3)
    w = T.full((3,), 3.0)
    z = y * w
    y.add_(1)
    z.sum().backward()
    return x.grad


def written_through_a_view_before_use(T: Any) -> Any:
    _, y = start(T, 2, 3)
    e = y.exp()
    e[0].zero_()
    return caught(e.sum().backward, MODIFIED, "FloatTensor [2, 3]]", "expected version 0")


def leaf_written_under_no_grad(T: Any) -> Any:
    x, w = T.ones(3, requires_grad=True), T.ones(3, requires_grad=True)
    z = x * w
    with T.no_grad():
        w.add_(1)
    return caught(z.sum().backward, MODIFIED, "version 1; expected version 0"), x.grad, w.grad


def written_and_written_back(T: Any) -> Any:
    _, y = start(T, 3)
    z = y * y
    y.add_(1)
    y.sub_(1)
    return caught(z.sum().backward, MODIFIED, "is at version 2; expected version 0")


def saved_after_a_write(T: Any) -> Any:
    x, y = start(T, 3)
    y.add_(1)
    z = y * y
    z.sum().backward()
    return x.grad, z


def index_written(T: Any) -> Any:
    x, _ = start(T, 3)
    i = T.tensor([0, 1])
    y = x[i]
    i.add_(1)
    return caught(y.sum().backward, MODIFIED, "LongTensor [2]]")


def double_precision(T: Any) -> Any:
    x = T.ones((), dtype=T.float64, requires_grad=True)
    y = x.exp()
    y += 1
    return caught(y.backward, "DoubleTensor []]")


def used_twice_in_a_row(T: Any) -> Any:
    x, y = start(T, 3)
    for _ in range(3):
        y *= 2
        y += 1
    y.sum().backward()
    return x.grad, y


def square_in_place(T: Any) -> Any:
    """y *= y needs the y from before."""
    _, y = start(T, 3)
    outcome = caught(lambda: y.mul_(y).sum().backward(), MODIFIED)
    return outcome, y


def retain_grad_then_write(T: Any) -> Any:
    x, y = start(T, 3)
    y.retain_grad()
    y.mul_(5)
    y.sum().backward()
    return x.grad, y.grad


def hook_then_write(T: Any) -> Any:
    """A hook stays where it was registered: with the value before the write."""
    seen: list[Any] = []
    x, y = start(T, 3)
    y.register_hook(lambda g: seen.append(g.clone()))
    y.mul_(5)
    y.sum().backward()
    return x.grad, seen


def write_inside_no_grad_does_not_change_history(T: Any) -> Any:
    x, y = start(T, 3)
    with T.no_grad():
        y.add_(1)
    y.sum().backward()
    return x.grad, y


# --- Setters


def data_setter(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    x.data = T.full((3,), 5.0)
    (x * x).sum().backward()
    return x, x.grad


def data_of_another_type(T: Any) -> Any:
    """The node that has the old type still waits for a gradient of it."""
    x = T.ones(2, requires_grad=True)
    y = x * 2
    x.data = T.ones(2, dtype=T.float64)
    z = x * 3
    old, new = (t.grad_fn.next_functions[0][0] for t in (y, z))
    z.sum().backward()
    return old is new, x.grad, z


def requires_grad_setter(T: Any) -> Any:
    x = T.ones(3)
    x.requires_grad = True
    y = x * 2
    outcomes = [
        caught(lambda: y.requires_grad_(False), "you can only change requires_grad flags of leaf"),
        caught(lambda: T.arange(3).requires_grad_(), "only Tensors of floating point"),
    ]
    x.requires_grad_(False)
    return outcomes, x, y.requires_grad_()


def grad_setter(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    outcomes = [
        caught(lambda: setattr(x, "grad", T.ones(2)), "size"),
        caught(lambda: setattr(x, "grad", 1.0), "grad"),
        caught(
            lambda: setattr(x, "grad", T.ones(3, dtype=T.float64)), "gradient with dtype 'double'"
        ),
    ]
    x.grad = T.ones(3)
    kept = x.grad
    del x.grad
    return outcomes, kept, x.grad


def expanded_gradient(T: Any) -> Any:
    """It may be assigned; but nothing can be added to it."""
    x = T.ones(2, 3, requires_grad=True)
    given = x.grad = T.ones(3).expand(2, 3)
    outcome = caught((x * 2).sum().backward, "refers to a single memory location")
    return outcome, given, given._version


def detach_in_place(T: Any) -> Any:
    x, y = start(T, 3)
    z, square = y * 2, y * y
    y.detach_()
    z.sum().backward()
    (y * y.requires_grad_()).sum().backward()
    said = caught(square.sum().backward, "saved tensor that has been detached in-place")
    return said, y, x.grad, y.grad


def part_of_plain_written_with_tracked(T: Any) -> Any:
    x = T.ones(3, requires_grad=True)
    said = []
    for parts in (lambda y: y.unbind(), lambda y: y.split(1), lambda y: y.unbind()[0].split(3)):
        y = T.zeros(2, 3)
        part = parts(y)[0]
        said.append(caught(lambda part=part: part.mul_(x), "A view was created in no_grad mode"))
        y.mul_(x)
        said.append(caught(lambda part=part: part.grad_fn, "its base or another view"))
        said.append(caught(lambda part=part: part.mul_(2), "returns multiple views"))
    return said


def view_from_no_grad_leads_nowhere(T: Any) -> Any:
    x = T.ones(2, 3, requires_grad=True) * 1
    with T.no_grad():
        view = x[:1]
    results = [view.double().view(1, -1), view.view(3), view.sum(1), view[0], view @ T.ones(3)]
    results += [*view.unbind(1), view * view, view.softmax(1), T.cat([view, view]), view.prod()]
    for result in results:
        result.sum().backward()
    used = T.autograd.grad((view + x).sum(), [x, view], allow_unused=True)
    return results, used, T.autograd.grad(view.sum(), view, materialize_grads=True)


def views_that_may_not_be_written(T: Any) -> None:
    """Which words refuse a write, and that what lost its history can still be looked at and used
    where nothing is recorded."""
    x = T.ones(3, requires_grad=True)
    quiet = (contextlib.nullcontext, T.no_grad, T.inference_mode)
    for outer, inner in itertools.product(quiet, repeat=2):
        for part in (lambda base: base[:2], lambda base: base.unbind()[0]):
            for written in range(3):
                tensors = [x * 2]
                with outer():
                    tensors.append(part(tensors[0]))
                with inner():
                    tensors.append(tensors[1][...])
                try:
                    tensors[written].add_(1)
                except RuntimeError as error:
                    print(error)
                print(tensors)
                with T.no_grad():
                    view = tensors[2]
                    print(view * 2, view + view, view.exp(), view.unsqueeze(0).unbind())
                try:
                    print(tensors[2] * 2)
                except RuntimeError as error:
                    print(error)


def view_from_no_grad_changes_its_shape(T: Any) -> Any:
    base = T.ones(2, 3, requires_grad=True) * 1
    with T.no_grad():
        view = base.view(3, 2)
    said = [caught(view.t_, "created in no_grad mode"), caught(view.squeeze_, "no_grad mode")]
    return said, view.shape


def shape_changed_under_no_grad(T: Any) -> Any:
    """A leaf stays a leaf, a result keeps its history, a view reads its base anew."""
    x = T.ones(2, 3, requires_grad=True)
    found: list[Any] = []
    for tensor in (x * 1, T.ones(2, 3), (x * 1)[:1], x[:1], T.ones(2, 3)[:1], x):
        part = tensor[...]
        with T.no_grad():
            tensor.t_()
        found += [tensor, tensor._version, tensor._is_view(), part, tensor * 2]
    return found


def leaf_that_is_a_view(T: Any) -> Any:
    """A view of a constant may require grad: it is a leaf, and its parts are parts of a leaf."""
    x = T.arange(6.0).view(2, 3).requires_grad_()
    y = T.zeros(4)[:2].requires_grad_()
    said = [
        caught(lambda: x.mul_(2), VIEW_OF_LEAF),
        caught(lambda: x[0].mul_(2), VIEW_OF_LEAF),
        caught(lambda: x.__setitem__(0, 1.0), VIEW_OF_LEAF),
        caught(lambda: x.view(-1).add_(1), VIEW_OF_LEAF),
        caught(lambda: y.__iadd__(1), VIEW_OF_LEAF),
    ]
    with T.no_grad():
        x.mul_(2)
    (x * x).sum().backward()
    return said, x, x.grad, x._version, y


def filled_from_a_number(T: Any) -> Any:
    x = T.ones(2, requires_grad=True) * 1
    refused = caught(lambda: x.copy_([1, 2]), "must be Tensor, not list")
    return x.copy_(5), T.zeros(2, dtype=T.int64).copy_(2.5), T.zeros(2).copy_(True), refused


PROGRAMS = [
    leaf_that_is_a_view,
    filled_from_a_number,
    part_of_plain_written_with_tracked,
    view_from_no_grad_leads_nowhere,
    view_from_no_grad_changes_its_shape,
    views_that_may_not_be_written,
    shape_changed_under_no_grad,
    plain_plus_tracked,
    plain_times_tracked,
    rows_filled_one_by_one,
    overwritten_part_gets_no_gradient,
    element_by_element,
    from_numbers,
    a_tensor_index_with_repeats,
    copy_from_tracked,
    fill_with_a_tensor,
    base_written_view_follows,
    view_of_a_view,
    transposed_view,
    flat_view,
    second_derivative_of_a_written_row,
    second_derivative_of_a_written_column,
    second_derivative_of_steps_in_flat_memory,
    second_derivative_of_a_write_between_gaps,
    second_derivative_of_an_overwritten_part,
    second_derivative_of_a_saved_result,
    gradient_of_an_expanded_write,
    two_views,
    column,
    unsqueezed_view,
    view_of_plain_written_with_tracked,
    view_made_before_tracking,
    alias_is_not_a_view,
    version_is_shared,
    is_view,
    unbind_written,
    unbind_of_integers_takes_what_requires_grad,
    split_written,
    a_single_part_written,
    layout_changed_before_a_view_is_written,
    layout_changed_before_the_base_is_written,
    unbind_of_plain_may_be_written,
    view_from_no_grad_written,
    view_from_no_grad_written_under_no_grad,
    view_of_leaf_written_under_no_grad,
    expanded_written,
    overlapping_written,
    expanded_filled,
    expanded_written_by_index,
    copied_onto_itself,
    overlapping_with_gaps,
    overlapping_by_numbers,
    leaf_error_comes_first,
    retained_across_a_quiet_write,
    saved_input_written,
    saved_result_written,
    result_that_is_not_saved_may_be_written,
    saved_for_one_factor_only,
    written_through_a_view_before_use,
    leaf_written_under_no_grad,
    written_and_written_back,
    saved_after_a_write,
    index_written,
    double_precision,
    used_twice_in_a_row,
    square_in_place,
    retain_grad_then_write,
    hook_then_write,
    write_inside_no_grad_does_not_change_history,
    data_setter,
    data_of_another_type,
    requires_grad_setter,
    grad_setter,
    expanded_gradient,
    detach_in_place,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_as_torch(torch: Any, program: Any) -> None:
    same(torch, program)


def test_fills_refuse_memory_of_their_positions(torch: Any) -> None:
    def program(T: Any) -> Any:
        mask, index = T.tensor([True, False, True]), T.tensor([2, 1, 0])
        shifted = caught(lambda: mask[1:].masked_fill_(mask[:-1], False))
        itself = caught(lambda: index.index_fill_(0, index, 0))
        other = index[1:].index_fill_(0, T.tensor([0]), index[0])
        return shifted, itself, other, mask.masked_fill_(mask, False)

    same(torch, program)


@pytest.mark.parametrize("name", ["max", "min", "median", "sort", "topk"])
def test_indexing_a_scalar_copies(name: str) -> None:
    """The one element of a 0-d tensor was once handed out with its memory."""
    import minigrad

    x = minigrad.tensor(1.5)
    alias = x.detach()  # the number now has memory that can be shared
    arguments = (1,) if name == "topk" else (0,)
    getattr(x, name)(*arguments)[0].add_(1)
    assert x.item() == alias.item() == 1.5
