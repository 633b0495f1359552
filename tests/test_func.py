"""`minigrad.func` compared with PyTorch's: derivatives of functions, nested, and `vmap`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.parity import caught, same


def numbers(T: Any, *shape: int) -> Any:
    count = 1
    for size in shape:
        count *= size
    return (T.arange(float(count)) * 0.3 + 0.5).reshape(shape)


def cubes(x: Any) -> Any:
    return (x**3).sum()


def grad_of_a_sum(T: Any) -> Any:
    g = T.func.grad(cubes)(numbers(T, 3))
    return g, g.requires_grad, g.grad_fn is None


def grad_of_grad(T: Any) -> Any:
    return T.func.grad(T.func.grad(T.sin))(T.tensor(0.7))


def grad_of_several(T: Any) -> Any:
    def loss(x: Any, w: Any) -> Any:
        return (x @ w["a"] + w["b"]).tanh().sum(), x * 2

    weights = {"a": numbers(T, 2, 2), "b": numbers(T, 2)}
    return T.func.grad(loss, (1, 0), has_aux=True)(numbers(T, 3, 2), weights)


def grad_and_value(T: Any) -> Any:
    return T.func.grad_and_value(cubes)(numbers(T, 3))


def outer_history(T: Any) -> Any:
    """The result stays connected with tensors outside that require grad."""
    w = numbers(T, 3).requires_grad_()
    g = T.func.grad(lambda x: (x * x * w).sum())(numbers(T, 3))
    g.sum().backward()
    x = numbers(T, 3).requires_grad_()
    T.func.grad(cubes)(x).sum().backward()
    return g.requires_grad, w.grad, x.grad


def under_no_grad(T: Any) -> Any:
    with T.no_grad():
        return T.func.grad(cubes)(numbers(T, 2))


def vjp_and_jvp(T: Any) -> Any:
    value, product = T.func.vjp(lambda a, b: (a * b, a.sin()), numbers(T, 3), numbers(T, 3))
    both = product((numbers(T, 3), T.ones(3)))
    pushed = T.func.jvp(lambda a, b: a.exp() * b, (numbers(T, 3),) * 2, (T.ones(3), numbers(T, 3)))
    aux = T.func.vjp(lambda a: (a * 2, a + 1), T.ones(2), has_aux=True)[2]
    return value, both, pushed, aux


def jacobians(T: Any) -> Any:
    def f(x: Any, y: Any) -> Any:
        return {"a": x.cumsum(0) * y, "b": (x * y).sum()}

    args = numbers(T, 2), numbers(T, 2)
    both = T.func.jacrev(f, (0, 1))(*args), T.func.jacfwd(f, (0, 1))(*args)
    return *both, T.func.jacrev(lambda x: x.exp())(args[0]), T.func.jacfwd(T.sin)(args[1])


def hessians(T: Any) -> Any:
    f = T.func.hessian(lambda x: (x**4).sum() + x[0] * x[1])
    third = T.func.jacrev(T.func.hessian(cubes))
    return f(numbers(T, 3)), third(numbers(T, 2)), T.func.jacfwd(T.func.jacfwd(cubes))(T.ones(2))


def mapped(T: Any) -> Any:
    x, y = numbers(T, 3, 2), numbers(T, 2, 3)
    rows = T.func.vmap(T.dot, in_dims=(0, 1))(x, y)
    shared = T.func.vmap(lambda a, b: (a * b, a.sum()), in_dims=(0, None), out_dims=(1, 0))
    return rows, shared(x, y[:, 0]), T.vmap(T.vmap(T.sin))(x), T.func.vmap(cubes)(x)


def per_sample_gradients(T: Any) -> Any:
    """What the tutorials use `vmap` for."""
    layer = T.nn.Linear(2, 1)
    weights = {"weight": numbers(T, 1, 2), "bias": numbers(T, 1)}

    def loss(w: Any, x: Any, y: Any) -> Any:
        return ((T.func.functional_call(layer, w, (x,)) - y) ** 2).sum()

    gradients = T.func.vmap(T.func.grad(loss), in_dims=(None, 0, 0))
    return gradients(weights, numbers(T, 4, 2), numbers(T, 4, 1))


def gradients_through_vmap(T: Any) -> Any:
    x = numbers(T, 3, 2).requires_grad_()
    T.func.vmap(lambda row: row.prod() * row)(x).sum().backward()
    return x.grad


def memory_that_vmap_shares(T: Any) -> Any:
    """What a function passes on, or returns twice, stays one memory."""
    x = numbers(T, 3, 2, 4)

    def call(row: Any, weight: Any) -> Any:
        y = row * weight
        return row, y.t(), y, y[1:], y

    for dims in (0, 1):
        kept, turned, y, part, again = T.vmap(call, (dims, None), (dims, 0, 0, 0, 0))(x, T.ones(4))
        print(kept is x, y is again, turned._base is y, y._is_view())
        print(part._base is y, kept.stride(), *([] if dims else [turned.stride(), part.stride()]))
        y.mul_(2)
        print(turned[0], part[-1])
    x.requires_grad_()
    kept, y = T.vmap(lambda row: (row, row * 2))(x)
    return kept is x, y.detach()


def parts_that_vmap_does_not_share(T: Any) -> Any:
    """Parts of rows that lie otherwise than the whole result."""
    x = numbers(T, 3, 2, 4)

    def turned(row: Any) -> Any:
        y = row.t() * 2
        return y, y[1:], y.t(), y.sum(1)

    def in_gaps(row: Any) -> Any:
        y = (row * 2)[:, ::2]
        return y, y[0]

    return T.vmap(turned)(x), T.vmap(in_gaps)(x)


def ensemble(T: Any) -> Any:
    T.manual_seed(0)
    nets = [T.nn.Sequential(T.nn.Linear(2, 3), T.nn.BatchNorm1d(3)).eval() for _ in range(2)]
    parameters, buffers = T.func.stack_module_state(nets)
    x = T.ones(4, 2)

    def call(parameters: Any, buffers: Any) -> Any:
        return T.func.functional_call(nets[0], (parameters, buffers), (x,))

    together = T.vmap(call)(parameters, buffers)
    together.sum().backward()
    grads = [each.grad for each in parameters.values()]
    return together.detach(), [net(x).detach() for net in nets], grads, list(buffers)


def half_frozen(T: Any) -> Any:
    frozen = T.nn.Linear(2, 2).requires_grad_(False)
    return T.func.stack_module_state([T.nn.Linear(2, 2), frozen])


@pytest.mark.parametrize(
    "program",
    [
        grad_of_a_sum, grad_of_grad, grad_of_several, grad_and_value, outer_history, under_no_grad,
        vjp_and_jvp, jacobians, hessians, mapped, per_sample_gradients, gradients_through_vmap,
        memory_that_vmap_shares, parts_that_vmap_does_not_share, ensemble,
    ],
    ids=lambda program: program.__name__,
)  # fmt: skip
def test_same_as_torch(torch: Any, program: Callable[[Any], Any]) -> None:
    same(torch, program)


REFUSED = {
    "no modules": lambda T: T.func.stack_module_state([]),
    "modules of two classes": lambda T: T.func.stack_module_state([T.nn.Linear(2, 2), T.nn.ReLU()]),
    "modules in two modes": lambda T: T.func.stack_module_state(
        [T.nn.Linear(2, 2), T.nn.Linear(2, 2).eval()]
    ),
    "modules of which one is frozen": half_frozen,
    "an argument that is not there": lambda T: T.func.grad(cubes, 1)(T.ones(2)),
    "a value with dimensions": lambda T: T.func.grad(lambda x: x * 2)(T.ones(2)),
    "sizes that differ": lambda T: T.vmap(T.dot)(T.ones(2, 2), T.ones(3, 2)),
    "draws": lambda T: T.vmap(lambda x: x + T.rand(()))(T.ones(2)),
    "primals that are no tuple": lambda T: T.func.jvp(T.sin, T.ones(2), (T.ones(2),)),
}


def refusal(T: Any, name: str) -> tuple[str, str]:
    """Return the type and the start of the message of an error."""
    try:
        REFUSED[name](T)
    except Exception as error:
        return type(error).__name__, str(error).partition("\n")[0][:40]
    return "", ""


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_as_in_torch(torch: Any, name: str) -> None:
    same(torch, refusal, name)


DRAWING: dict[str, Any] = {
    "dropout": lambda T, x: T.nn.functional.dropout(x, 0.5),
    "normal": lambda T, x: x + T.randn(20, dtype=T.float64),
    "several": lambda T, x: x * T.rand(20) + T.rand(1) + T.randn(3, dtype=T.float64).sum(),
    "like": lambda T, x: T.rand_like(x),
}


@pytest.mark.parametrize("name", ["dropout", "normal", "several"])
def test_vmap_draws_the_same_for_each_slice(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        x = T.ones(3, 20, dtype=T.float64, requires_grad=True)
        y = T.vmap(lambda row: DRAWING[name](T, row), randomness="same")(x)
        (y * y).sum().backward()
        return y.detach(), x.grad, T.rand(2)

    same(torch, program)


@pytest.mark.parametrize("name", ["dropout", "like"])
def test_vmap_draws_differently_for_each_slice(torch: Any, name: str) -> None:
    """A single uniform draw gives PyTorch's numbers."""

    def program(T: Any) -> Any:
        x = T.ones(3, 20, dtype=T.float64)
        return T.vmap(lambda row: DRAWING[name](T, row), randomness="different")(x), T.rand(2)

    same(torch, program)


def test_vmap_draws_normal_numbers_for_each_slice() -> None:
    import minigrad

    noise = minigrad.vmap(lambda row: row + minigrad.randn(50), randomness="different")
    drawn = noise(minigrad.zeros(40, 50))
    assert len({tuple(row) for row in drawn.tolist()}) == 40
    assert abs(drawn.mean().item()) < 0.1
    assert abs(drawn.std().item() - 1) < 0.1


def test_vmap_knows_three_kinds_of_randomness(torch: Any) -> None:
    same(torch, lambda T: caught(lambda: T.vmap(T.sin, randomness="often")))


def test_vmap_joins_different_parts_of_rows() -> None:
    """PyTorch refuses such a function: each row chooses its part by its numbers."""
    import minigrad

    def chosen(row: Any) -> Any:
        y = row * 2
        return y, y[int(row[0])]

    whole, parts = minigrad.vmap(chosen)(minigrad.tensor([[0.0, 5.0], [1.0, 7.0]]))
    assert whole.tolist() == [[0.0, 10.0], [2.0, 14.0]]
    assert parts.tolist() == [0.0, 14.0]
