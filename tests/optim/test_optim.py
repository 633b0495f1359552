"""optim: every optimizer and scheduler agrees with PyTorch's step by step."""

from __future__ import annotations

import copy
from importlib import import_module
from typing import Any

import pytest

import minigrad as mg
from minigrad.arrays.blocks import BLOCK
from tests.parity import caught, same

OPTIMIZERS: dict[str, dict[str, Any]] = {
    "SGD": {"lr": 0.1},
    "SGD momentum": {"lr": 0.1, "momentum": 0.9},
    "SGD dampening": {"lr": 0.1, "momentum": 0.9, "dampening": 0.5, "weight_decay": 0.1},
    "SGD nesterov": {"lr": 0.05, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01},
    "SGD maximize": {"lr": 0.01, "maximize": True},
    "Adam": {},
    "Adam all": {"lr": 0.1, "betas": (0.8, 0.9), "eps": 1e-3, "weight_decay": 0.1},
    "Adam amsgrad": {"lr": 0.1, "amsgrad": True},
    "Adam maximize": {"lr": 0.1, "maximize": True},
    "AdamW": {"lr": 0.1},
    "AdamW decay": {"lr": 0.1, "weight_decay": 0.5, "amsgrad": True},
    "RMSprop": {"lr": 0.1},
    "RMSprop momentum": {"lr": 0.05, "momentum": 0.9, "weight_decay": 0.1, "alpha": 0.9},
    "RMSprop centered": {"lr": 0.05, "centered": True, "eps": 1e-3},
    "Adadelta": {},
    "Adadelta all": {"lr": 3.0, "rho": 0.5, "eps": 1e-3, "weight_decay": 0.1, "maximize": True},
    "Adagrad": {"lr": 0.1},
    "Adagrad all": {
        "lr": 0.3,
        "lr_decay": 0.1,
        "weight_decay": 0.1,
        "initial_accumulator_value": 0.5,
    },
    "Adamax": {"lr": 0.1},
    "Adamax all": {"lr": 0.1, "betas": (0.5, 0.8), "eps": 1e-3, "weight_decay": 0.1},
    "NAdam": {"lr": 0.1},
    "NAdam decay": {"lr": 0.1, "weight_decay": 0.1, "momentum_decay": 0.1},
    "NAdam decoupled": {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True},
    "RAdam": {"lr": 0.1},
    "RAdam decoupled": {
        "lr": 0.1,
        "betas": (0.8, 0.99),
        "weight_decay": 0.1,
        "decoupled_weight_decay": True,
    },
    "RAdam decay": {"lr": 0.1, "betas": (0.8, 0.99), "weight_decay": 0.1, "maximize": True},
    "Rprop": {"lr": 0.1},
    "Rprop all": {"lr": 0.1, "etas": (0.2, 3.0), "step_sizes": (0.05, 0.3)},
    "ASGD": {"lr": 0.1},
    "ASGD all": {"lr": 0.1, "lambd": 0.1, "alpha": 0.5, "t0": 3, "weight_decay": 0.1},
}


def made(T: Any, name: str, params: Any, **more: Any) -> Any:
    return getattr(T.optim, name.split()[0])(params, **{**OPTIMIZERS[name], **more})


def valley(x: Any, y: Any) -> Any:
    """A function with a long, bent valley, so that a wrong step shows."""
    return ((1 - x) ** 2).sum() + 0.5 * ((y - x * x) ** 2).sum()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_step_by_step(torch: Any, name: str, dtype: str) -> None:
    def program(T: Any) -> Any:
        kind = getattr(T, dtype)
        x = T.tensor([-0.5, 0.3, 0.9], dtype=kind, requires_grad=True)
        y = T.tensor([[0.4], [-0.2]], dtype=kind, requires_grad=True)
        unused = T.ones(1, requires_grad=True)
        scalar = T.tensor(0.5, dtype=kind, requires_grad=True)
        optimizer = made(T, name, [x, y, unused, scalar])
        print(optimizer)
        path = []
        for _ in range(10):
            optimizer.zero_grad()
            loss = valley(x, y) + scalar**2
            loss.backward()
            optimizer.step()
            path.append([loss.detach(), x.detach().clone(), y.detach().clone(), scalar.clone()])
        state = optimizer.state_dict()
        return path, state, [p._version > 0 for p in (x, y, unused)], unused.grad

    same(torch, program)


def test_a_closure(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.ones(2, requires_grad=True)
        optimizer = T.optim.SGD([x], lr=0.1)
        seen: list[str] = []

        def closure() -> Any:
            seen.append(str(T.is_grad_enabled()))
            optimizer.zero_grad()
            loss = (x * x).sum()
            loss.backward()
            return loss

        with T.no_grad():
            first = optimizer.step(closure)
        return first, optimizer.step(closure), seen, x

    same(torch, program)


def test_groups(torch: Any) -> None:
    def program(T: Any) -> Any:
        a, b, c = (T.ones(2, requires_grad=True) for _ in range(3))
        optimizer = T.optim.SGD(
            [{"params": [a]}, {"params": b, "lr": 1.0, "momentum": 0.5}], lr=0.1, weight_decay=0.1
        )
        optimizer.add_param_group({"params": [c], "lr": 10.0})
        for _ in range(2):
            (a * b * c).sum().backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=False)
        print(optimizer)
        return a, b, c, a.grad, optimizer.state_dict()

    same(torch, program)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_large_update_equals_its_parts(name: str) -> None:
    """Bit for bit: it runs on one block after the other, where memory lies in order."""
    mg.manual_seed(0)
    rows = 3 * BLOCK // 100 + 7
    start, slopes = mg.randn(rows, 100), mg.randn(3, rows, 100)
    whole, parts = [slice(None)], [slice(place, place + 500) for place in range(0, rows, 500)]
    found = []
    for cuts, across in ((whole, False), (whole, True), (parts, False)):
        leaves = [start[cut].clone() for cut in cuts]
        if across:
            leaves = [leaf.t().contiguous().t() for leaf in leaves]
        optimizer = made(mg, name, [leaf.requires_grad_() for leaf in leaves])
        for slope in slopes:
            for leaf, cut in zip(leaves, cuts, strict=True):
                leaf.grad = slope[cut].clone()
            optimizer.step()
        found.append(mg.cat([leaf.detach() for leaf in leaves]))
    assert mg.equal(found[0], found[1]) and mg.equal(found[0], found[2])
    assert not mg.equal(found[0], start)


@pytest.mark.parametrize("name", ["SGD momentum", "Adam amsgrad", "RMSprop centered"])
def test_state_goes_over_to_another(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([1.0, 2.0], requires_grad=True)
        y = T.tensor([1.0, 2.0], requires_grad=True)
        first = made(T, name, [x])
        for _ in range(3):
            first.zero_grad()
            (x**3).sum().backward()
            first.step()
        with T.no_grad():
            y.copy_(x)
        second = made(T, name, [y], lr=7.0)
        second.load_state_dict(copy.deepcopy(first.state_dict()))
        for optimizer, tensor in ((first, x), (second, y)):
            optimizer.zero_grad()
            (tensor**3).sum().backward()
            optimizer.step()
        return x, y, second.state_dict()

    same(torch, program)


OPTIONS = {
    "negative rate": lambda T, p: T.optim.SGD(p, lr=-1.0),
    "negative momentum": lambda T, p: T.optim.SGD(p, momentum=-1.0),
    "negative decay": lambda T, p: T.optim.SGD(p, weight_decay=-1.0),
    "nesterov": lambda T, p: T.optim.SGD(p, nesterov=True),
    "beta": lambda T, p: T.optim.Adam(p, betas=(1.0, 0.9)),
    "beta 2": lambda T, p: T.optim.AdamW(p, betas=(0.5, -1.0)),
    "eps": lambda T, p: T.optim.RMSprop(p, eps=-1.0),
    "alpha": lambda T, p: T.optim.RMSprop(p, alpha=-1.0),
    "rho": lambda T, p: T.optim.Adadelta(p, rho=1.5),
    "negative lr_decay": lambda T, p: T.optim.Adagrad(p, lr_decay=-1.0),
    "negative accumulator": lambda T, p: T.optim.Adagrad(p, initial_accumulator_value=-1.0),
    "negative momentum_decay": lambda T, p: T.optim.NAdam(p, momentum_decay=-1.0),
    "beta of Adamax": lambda T, p: T.optim.Adamax(p, betas=(0.5, 1.0)),
    "etas": lambda T, p: T.optim.Rprop(p, etas=(0.5, 0.9)),
    "rates": lambda T, p: T.optim.SGD(p, lr=T.tensor([0.1, 0.1])),
    "some names": lambda T, p: T.optim.SGD([("a", p[0]), T.ones(1)]),
    "groups with and without names": lambda T, p: T.optim.SGD(
        [{"params": [("a", p[0])]}, {"params": [T.ones(1)]}]
    ),
    "no parameters": lambda T, p: T.optim.SGD([]),
    "one tensor": lambda T, p: T.optim.SGD(p[0]),
    "no tensor": lambda T, p: T.optim.SGD([3]),
    "no leaf": lambda T, p: T.optim.SGD([p[0] * 2]),
    "twice": lambda T, p: T.optim.SGD([{"params": p}, {"params": p}]),
    "a set": lambda T, p: T.optim.SGD([{"params": {p[0]}}]),
    "another number of groups": lambda T, p: T.optim.SGD(p).load_state_dict(
        {"state": {}, "param_groups": []}
    ),
    "another number of parameters": lambda T, p: T.optim.SGD(p).load_state_dict(
        {"state": {}, "param_groups": [{"params": [0, 1]}]}
    ),
    "no optimizer": lambda T, p: T.optim.lr_scheduler.StepLR(3, 1),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_refused(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        try:
            OPTIONS[name](T, [T.ones(1, requires_grad=True)])
        except Exception as error:
            return type(error).__name__, str(error)
        raise AssertionError("no error")

    same(torch, program)


def test_a_loaded_memory_is_shared(torch: Any) -> None:
    """Two optimizers that share their memory count each other's steps; a copy does not."""

    def program(T: Any) -> Any:
        x, y, z = (T.ones(2, requires_grad=True) for _ in range(3))
        first, second, third = (T.optim.Adam([each], lr=0.1) for each in (x, y, z))
        (x * x).sum().backward()
        first.step()
        third.load_state_dict(copy.deepcopy(first.state_dict()))
        second.load_state_dict(first.state_dict())
        y.grad = z.grad = x.grad
        second.step()
        third.step()
        shared = [o.state_dict()["state"][0] for o in (first, second, third)]
        return shared, shared[0]["exp_avg"] is shared[1]["exp_avg"], x, y, z

    same(torch, program)


def test_loaded_state_takes_parameter_dtype(torch: Any) -> None:
    """Its tensors do; not the count of steps, and nothing that is no tensor."""

    def program(T: Any) -> Any:
        x, y = (T.ones(2, dtype=T.float64, requires_grad=True) for _ in range(2))
        first, second = T.optim.Adam([x]), T.optim.Adam([y])
        x.sum().backward()
        first.step()
        state = first.state_dict()
        state["state"][0] |= {"a": None, "b": [1.5], "c": T.ones(2), "d": 3}
        second.load_state_dict(state)
        return second.state_dict(), second.state[y]["step"].dtype, second.state[y]["c"].dtype

    same(torch, program)


def test_hooks_on_steps(torch: Any) -> None:
    """Of one optimizer and of all, in PyTorch's order; they see the arguments, and may change
    them.
    """

    def program(T: Any) -> Any:
        every = import_module(f"{T.__name__}.optim.optimizer")
        seen: list[Any] = []

        def note(word: str) -> Any:
            return lambda opt, args, kwargs: seen.append((word, args[0] is opt, sorted(kwargs)))

        w = T.ones(2, requires_grad=True)
        first, second = made(T, "SGD", [w]), made(T, "Adam", [w])
        handles = [
            first.register_step_post_hook(note("post")),
            first.register_step_pre_hook(note("pre")),
            every.register_optimizer_step_post_hook(note("every post")),
            every.register_optimizer_step_pre_hook(note("every pre")),
        ]
        try:
            (w * w).sum().backward()
            first.step()
            second.step(closure=None)
            handles.append(first.register_step_pre_hook(lambda opt, args, kwargs: 3))
            failed = caught(first.step)
        finally:
            for handle in handles:
                handle.remove()
        first.step()
        return seen, w, failed[0], failed[1].partition("> ")[2]

    same(torch, program)


def test_hooks_on_the_step_of_a_subclass(torch: Any) -> None:
    """They run around both: its own, and that of its base, which it calls."""

    def program(T: Any) -> Any:
        class Twice(T.optim.SGD):  # type: ignore[name-defined,misc]
            def step(self, closure: Any = None) -> Any:
                for group in self.param_groups:
                    for p in group["params"]:
                        p.grad *= 2
                return super().step(closure)

        seen: list[int] = []
        w = T.ones(2, requires_grad=True)
        opt = Twice([w], lr=0.1)
        opt.register_step_pre_hook(lambda *args: seen.append(1))
        (w * w).sum().backward()
        opt.step()
        assert len(seen) == 2
        return seen, w

    same(torch, program)


def test_hooks_on_state_dicts(torch: Any) -> None:
    """They run in order, one may be put first, and what they return replaces the state."""

    def program(T: Any) -> Any:
        seen: list[str] = []
        w = T.ones(2, requires_grad=True)
        opt = made(T, "SGD momentum", [w])
        opt.register_state_dict_pre_hook(lambda o: seen.append(f"before {o is opt}"))
        opt.register_state_dict_pre_hook(lambda o: seen.append("first"), prepend=True)
        opt.register_state_dict_post_hook(lambda o, state: {**state, "more": 1})
        opt.register_state_dict_post_hook(lambda o, state: seen.append(str(sorted(state))))
        opt.register_load_state_dict_pre_hook(
            lambda o, state: {**state, "param_groups": [{**state["param_groups"][0], "lr": 7.0}]}
        )
        handle = opt.register_load_state_dict_post_hook(lambda o: seen.append("loaded"))
        state = opt.state_dict()
        opt.load_state_dict(state)
        handle.remove()
        opt.load_state_dict(state)
        return seen, opt.param_groups[0]["lr"], sorted(state), state["param_groups"][0]["lr"]

    same(torch, program)


def test_loaded_group_keeps_names(torch: Any) -> None:
    def program(T: Any) -> Any:
        named = T.optim.SGD([("weight", T.ones(1, requires_grad=True))], lr=0.1)
        plain = T.optim.SGD([T.ones(1, requires_grad=True)], lr=0.2)
        named.load_state_dict(plain.state_dict())
        first = named.state_dict()["param_groups"]
        plain.load_state_dict(first and named.state_dict())
        return first, plain.param_groups[0].get("param_names")

    same(torch, program)
