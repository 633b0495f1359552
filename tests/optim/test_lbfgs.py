"""L-BFGS, and steps that are themselves differentiated (`differentiable=True`)."""

from __future__ import annotations

from typing import Any

import pytest

import minigrad
from tests.parity import same

WAYS: dict[str, dict[str, Any]] = {
    "line search": {"line_search_fn": "strong_wolfe"},
    "short history": {"line_search_fn": "strong_wolfe", "history_size": 2, "max_iter": 7},
    "fixed rate": {"lr": 1e-3},
    "a tensor as rate": {"lr": 1e-3, "max_iter": 5, "history_size": 2},
    "unknown search": {"line_search_fn": "bisection"},
    "a negative rate": {"lr": -1},
}


@pytest.mark.parametrize("way", WAYS)
def test_steps_equal_pytorch(torch: Any, way: str) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([-1.5, 1.0], dtype=T.float64, requires_grad=True)
        try:
            optimizer = T.optim.LBFGS([x], **WAYS[way])

            def closure() -> Any:
                optimizer.zero_grad()
                loss = (1 - x[0]) ** 2 + 10 * (x[1] - x[0] ** 2) ** 2
                loss.backward()
                return loss

            losses = [optimizer.step(closure).detach() for _ in range(2)]
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        state = optimizer.state_dict()["state"][0]
        return losses, x.detach(), state["func_evals"], state["n_iter"], repr(optimizer)

    same(torch, program)


def test_groups_are_refused(torch: Any) -> None:
    def program(T: Any) -> Any:
        groups = [{"params": [T.ones(1, requires_grad=True)]} for _ in range(2)]
        try:
            T.optim.LBFGS(groups)
        except ValueError as error:
            return str(error)
        return None

    same(torch, program)


DIFFERENTIABLE: dict[str, dict[str, Any]] = {
    "SGD": {"lr": 0.9, "momentum": 0.5},
    "Adam": {"lr": 0.1, "amsgrad": True, "maximize": True},
    "AdamW": {"lr": 0.1},
    "RMSprop": {"lr": 0.1, "centered": True, "momentum": 0.1},
    "Adadelta": {"lr": 0.9, "weight_decay": 0.1},
    "Adagrad": {"lr": 0.9, "initial_accumulator_value": 0.5},
    "Adamax": {"lr": 0.1},
    "RAdam": {"lr": 0.1},
    "NAdam": {"lr": 0.1},
    "ASGD": {"lr": 0.1},
    "Rprop": {"lr": 0.1},
}


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_step_is_differentiated(torch: Any, name: str) -> None:
    """The gradient flows through one step to the parameter before it and to its gradient."""

    def program(T: Any) -> Any:
        x = T.tensor([0.3, -0.7, 1.2], requires_grad=True)
        slope = T.tensor([0.5, 0.2, -0.4], requires_grad=True)
        moved = x.clone()
        moved.grad = slope
        make = getattr(T.optim, name)
        make([moved], differentiable=True, **DIFFERENTIABLE[name]).step()
        (moved * moved).sum().backward()
        return moved.detach(), x.grad, slope.grad

    same(torch, program)


def test_number_of_steps_may_be_loaded() -> None:
    x = minigrad.ones(1, requires_grad=True)
    optimizer = minigrad.optim.RMSprop([x])
    x.sum().backward()
    optimizer.step()
    state = optimizer.state_dict()
    state["state"][0]["step"] = 1.0
    optimizer.load_state_dict(state)
    optimizer.step()
    assert optimizer.state[x]["step"].item() == 2.0
