"""autograd.functional and checkpoint: whole Jacobians, products with them, memory for time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minigrad as mg
from tests.parity import caught, same


def x2(T: Any) -> Any:
    return T.tensor([1.0, 2.0], dtype=T.float64)


def x3(T: Any) -> Any:
    return T.tensor([0.5, -1.0, 2.0], dtype=T.float64)


def matrix(T: Any) -> Any:
    return T.tensor([[1.0, 2.0, 0.5], [-1.0, 0.25, 3.0]], dtype=T.float64)


def linear(T: Any) -> Callable[..., Any]:
    return lambda x: matrix(T) @ x.exp()


def scalar(T: Any) -> Callable[..., Any]:
    return lambda x: (x**3).sum() + x[0] * x[1]


def two(T: Any) -> Callable[..., Any]:
    return lambda a, b: (a.sum() * b, (b * b).sum())


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "vjp": lambda T: T.autograd.functional.vjp(linear(T), x3(T), x2(T)),
    "vjp of a number": lambda T: T.autograd.functional.vjp(scalar(T), x2(T)),
    "vjp of several": lambda T: T.autograd.functional.vjp(
        two(T), (x2(T), x3(T)), (x3(T), T.ones((), dtype=T.float64))
    ),
    "vjp create_graph": lambda T: (
        T.autograd.functional.vjp(linear(T), x3(T), x2(T), create_graph=True)[1].requires_grad
    ),
    "jvp": lambda T: T.autograd.functional.jvp(linear(T), x3(T), x3(T)),
    "jvp of several": lambda T: T.autograd.functional.jvp(two(T), (x2(T), x3(T)), (x2(T), x3(T))),
    "jacobian": lambda T: T.autograd.functional.jacobian(linear(T), x3(T)),
    "jacobian of a number": lambda T: T.autograd.functional.jacobian(scalar(T), x2(T)),
    "jacobian of a matrix": lambda T: T.autograd.functional.jacobian(
        lambda m: m.t() @ m, matrix(T)
    ),
    "jacobian of several": lambda T: T.autograd.functional.jacobian(two(T), (x2(T), x3(T))),
    "jacobian of one that does not matter": lambda T: T.autograd.functional.jacobian(
        lambda a, b: a * 2, (x2(T), x3(T))
    ),
    "jacobian keeps nothing": lambda T: (
        T.autograd.functional.jacobian(linear(T), x3(T).requires_grad_()).requires_grad
    ),
    "hessian": lambda T: T.autograd.functional.hessian(scalar(T), x2(T)),
    "hessian of several": lambda T: T.autograd.functional.hessian(
        lambda a, b: (a.sum() * b).sum() + (a**3).sum(), (x2(T), x3(T))
    ),
    "vhp": lambda T: T.autograd.functional.vhp(scalar(T), x2(T), x2(T)),
    "hvp": lambda T: T.autograd.functional.hvp(scalar(T), x2(T), x2(T)),
    "strict": lambda T: caught(
        lambda: T.autograd.functional.jacobian(lambda a, b: a * 2, (x2(T), x3(T)), strict=True),
        "strict mode",
    ),
    "v of another shape": lambda T: caught(
        lambda: T.autograd.functional.vjp(linear(T), x3(T), x3(T)), "size"
    ),
    "v is missing": lambda T: caught(
        lambda: T.autograd.functional.vjp(linear(T), x3(T)), "single element"
    ),
    "inputs are no tensors": lambda T: caught(
        lambda: T.autograd.functional.jacobian(linear(T), 3.0), "tuple of Tensors"
    ),
    "the function returns a number": lambda T: caught(
        lambda: T.autograd.functional.jacobian(lambda x: 3.0, x3(T)), "tuple of Tensors"
    ),
    "hessian of several elements": lambda T: caught(
        lambda: T.autograd.functional.hessian(linear(T), x3(T)), "single element"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_as_torch(torch: Any, name: str) -> None:
    same(torch, PROGRAMS[name])


def test_inputs_are_left_alone(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = x3(T).requires_grad_()
        y = x2(T)
        T.autograd.functional.jacobian(linear(T), x)
        T.autograd.functional.hessian(scalar(T), y)
        return x.grad, x, y, y.requires_grad

    same(torch, program)


# --- checkpoint


def block(T: Any, seen: list[str]) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        seen.append("run")
        return (x * 2).sin() * x

    return run


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_checkpoint(torch: Any, use_reentrant: bool) -> None:
    """Forward is run a second time in backward, and the gradients are the same."""

    def program(T: Any) -> Any:
        seen: list[str] = []
        x = x3(T).requires_grad_()
        y = T.utils.checkpoint.checkpoint(block(T, seen), x, use_reentrant=use_reentrant)
        seen.append("backward")
        y.sum().backward()
        plain = x3(T).requires_grad_()
        block(T, [])(plain).sum().backward()
        return seen, y.detach(), x.grad, plain.grad

    same(torch, program)


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_checkpoint_draws_the_same_again(torch: Any, use_reentrant: bool) -> None:
    def program(T: Any) -> Any:
        drawn: list[Any] = []

        def noisy(x: Any) -> Any:
            noise = T.randn(3, dtype=T.float64)
            drawn.append(noise)
            return x * noise

        x = x3(T).requires_grad_()
        y = T.utils.checkpoint.checkpoint(noisy, x, use_reentrant=use_reentrant)
        T.randn(2)
        y.sum().backward()
        return drawn, x.grad, T.randn(2)

    same(torch, program)


def test_checkpoint_twice_and_in_a_row(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = x3(T).requires_grad_()
        y = x
        for _ in range(3):
            y = T.utils.checkpoint.checkpoint(lambda z: z.tanh() + z, y, use_reentrant=False)
        y.sum().backward()
        return x.grad

    same(torch, program)


def test_checkpoint_stops_when_it_has_all(torch: Any) -> None:
    """Code after the last saved tensor does not run again."""

    def program(T: Any) -> Any:
        def run(x: Any) -> Any:
            print("start")
            y = (x * x).sin()
            print("all is saved")
            y = y + 1
            print("end")
            return y

        x = x3(T).requires_grad_()
        T.utils.checkpoint.checkpoint(run, x, use_reentrant=False).sum().backward()
        return x.grad

    same(torch, program)


def test_checkpoint_detects_different_recomputation(torch: Any) -> None:
    def program(T: Any) -> Any:
        x, found = x3(T).requires_grad_(), []
        for first, second, said in (
            (lambda x: x * x, lambda x: x * 2, "different number of tensors was saved"),
            (lambda x: x * x, lambda x: x[:2] * x[:2], "different metadata"),
            (lambda x: x.exp(), lambda x: x.float().exp(), "different metadata"),
        ):
            turns = iter((first, second, second))
            y = T.utils.checkpoint.checkpoint(
                lambda x, turns=turns: next(turns)(x), x, use_reentrant=False
            )
            for _ in range(2):
                found.append(caught(y.sum().backward, said))
        turns = iter((lambda x: x * x, lambda x: (x * x).exp()))
        T.utils.checkpoint.checkpoint(
            lambda x: next(turns)(x), x, use_reentrant=False
        ).sum().backward()
        return found, x.grad

    same(torch, program)


def test_reentrant_checkpoints_accumulate_only(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = x3(T).requires_grad_()
        y = T.utils.checkpoint.checkpoint(T.exp, x, use_reentrant=True).sum()
        refused = caught(lambda: T.autograd.grad(y, x), "use_reentrant=True", "incompatible")
        with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
            T.utils.checkpoint.checkpoint(T.exp, x3(T), use_reentrant=True)
        return refused

    same(torch, program)


# --- Forward mode


def test_forward_mode(torch: Any) -> None:
    def program(T: Any) -> Any:
        functional = T.autograd.functional
        x, y = T.tensor([1.0, 2.0, 3.0]), T.tensor([2.0, 1.0])

        def lists(found: Any) -> Any:
            return [*map(lists, found)] if isinstance(found, list) else found.tolist()

        def attempt(function: Any, f: Any, inputs: Any, **options: Any) -> None:
            try:
                found = function(f, inputs, **options)
                print(lists(found))
            except Exception as error:
                print(type(error).__name__, str(error).replace("isonly", "is only"))

        forward: Any = {"strategy": "forward-mode", "vectorize": True}
        jacobian = functional.jacobian
        attempt(jacobian, lambda x: x * x.sum(), x, **forward)
        attempt(jacobian, lambda x, y: (x * y.sum(), y), (x, y), **forward)
        attempt(jacobian, lambda x: (x.sum(),), (x,), **forward)
        attempt(jacobian, lambda x: y, x, **forward)
        attempt(jacobian, lambda x: x.reshape(3, 1) * y, x, **forward)
        attempt(jacobian, lambda x: x.sum(), x[0], **forward)
        attempt(jacobian, lambda x: x * x, x, strategy="forward-mode")
        attempt(jacobian, lambda x: x * x, x, **forward, create_graph=True)
        attempt(jacobian, lambda x: x * x, x, **forward, strict=True)
        attempt(jacobian, lambda x: x * x, 3.0, **forward)
        attempt(jacobian, lambda x: 3.0, x, **forward)
        attempt(jacobian, lambda x: x, x, strategy="sideways")
        forward = {"outer_jacobian_strategy": "forward-mode", "vectorize": True}
        hessian = functional.hessian
        attempt(hessian, lambda x: (x**3).sum() * x[0], x, **forward)
        attempt(hessian, lambda x, y: x.prod() * y.sum() ** 2, (x, y), **forward)
        attempt(hessian, lambda x: (x**3).sum(), x, outer_jacobian_strategy="forward-mode")
        attempt(hessian, lambda x: (x**3).sum(), x, **forward, strict=True)
        attempt(hessian, lambda x: (x**3).sum(), x, outer_jacobian_strategy="sideways")

    same(torch, program)


def test_forward_mode_of_nothing(torch: Any) -> None:
    def program(T: Any) -> Any:
        how: Any = {"strategy": "forward-mode", "vectorize": True}
        x = T.tensor([1.0, 2.0])
        return T.autograd.functional.jacobian(lambda x: x[:0] * 2, x, **how)

    same(torch, program)
    none = mg.autograd.functional.jacobian(
        lambda x: x.sum() * mg.ones(2), mg.ones(0), strategy="forward-mode", vectorize=True
    )
    assert none.shape == (2, 0)


def test_jacobian_of_a_number_by_a_number(torch: Any) -> None:
    def program(T: Any) -> Any:
        return T.autograd.functional.jacobian(lambda x: x * x, T.tensor(2.0))

    same(torch, program)
