"""Hooks on the gradients of modules, where these come in other ways than through the module."""

from __future__ import annotations

import warnings
from collections import namedtuple
from typing import Any

import pytest

from tests.parity import caught, same

Two = namedtuple("Two", "first second")


def told(name: str) -> Any:
    """A hook that prints what it is given."""

    def hook(module: Any, incoming: Any, outgoing: Any) -> None:
        texts = [
            [None if g is None else (g.tolist(), g.requires_grad) for g in gradients]
            for gradients in (incoming, outgoing)
        ]
        print(name, type(module).__name__, *texts)

    return hook


def several(T: Any) -> Any:
    """A module that returns what it is told to."""

    class Several(T.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any, kind: str) -> Any:
            forms = {"tuple": (x * 2, x * 3), "dict": {"k": x * 2}, "list": [x * 2], "one": x * 2}
            return forms[kind]

    return Several()


def test_a_loss_that_is_differentiated_twice(torch: Any) -> None:
    def program(T: Any) -> Any:
        nn = T.nn
        net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
        for layer in net:
            layer.register_full_backward_hook(told("full"))
        x = T.ones(1, 2, requires_grad=True)
        y = net(x).sum()
        (g,) = T.autograd.grad(y, x, create_graph=True)
        (y + g.pow(2).sum()).backward(retain_graph=True)
        seen = [x.grad.clone(), [p.grad.clone() for p in net.parameters()]]
        x.grad = None
        g.sum().backward()
        return seen, x.grad, [p.grad for p in net.parameters()]

    same(torch, program)


def test_gradients_that_bypass_the_outputs(torch: Any) -> None:
    """A module whose input is used outside of what it returns as a tensor."""

    def program(T: Any) -> Any:
        module = several(T)
        module.register_full_backward_hook(told("full"))
        x = T.ones(2, requires_grad=True)
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            module(x, "dict")["k"].sum().backward()
            module(x, "list")[0].sum().backward()
            module(x, "tuple")[1].sum().backward()
        return x.grad, [str(each.message) for each in met]

    same(torch, program)


@pytest.mark.parametrize("answer", [(None,), (None, None), None])
def test_hook_returning_none_keeps_gradients(torch: Any, answer: Any) -> None:
    def program(T: Any) -> Any:
        layer = T.nn.Linear(2, 1)
        layer.register_full_backward_hook(lambda *_: answer)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            layer(T.ones(1, 2)).sum().backward()
        seen = [layer.weight.grad.clone()]
        if answer != (None, None):
            x = T.ones(1, 2, requires_grad=True)
            layer(x).sum().backward()
            seen.append(x.grad)
        return seen

    same(torch, program)


@pytest.mark.parametrize("kind", ["one", "tuple", "dict", "list"])
def test_legacy_hooks(torch: Any, kind: str) -> None:
    def program(T: Any) -> Any:
        module, layer = several(T), T.nn.Linear(2, 2)
        module.register_backward_hook(told("old"))
        handle = layer.register_backward_hook(told("old"))
        x = T.ones(2, requires_grad=True)
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            y = module(layer(x), kind)
            parts = y.values() if kind == "dict" else [y] if kind == "one" else y
            sum(part.sum() for part in parts).backward()
            handle.remove()
            layer(x).sum().backward()
            with T.no_grad():
                module(x, kind)
        texts = [(each.category.__name__, str(each.message)) for each in met]
        return x.grad, texts, layer.weight.grad

    same(torch, program)


def test_legacy_hook_changes_gradient(torch: Any) -> None:
    def program(T: Any) -> Any:
        module, x = T.nn.ReLU(), T.ones(2, requires_grad=True)
        module.register_backward_hook(lambda module, incoming, outgoing: (incoming[0] * 3,))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module(x).sum().backward()
        return x.grad

    same(torch, program)


@pytest.mark.parametrize("full_first", [True, False])
def test_both_kinds_on_one_module(torch: Any, full_first: bool) -> None:
    def program(T: Any) -> Any:
        module = T.nn.ReLU()
        kinds = [module.register_full_backward_hook, module.register_backward_hook]
        first, second = kinds if full_first else kinds[::-1]
        first(print)
        return caught(lambda: second(print), "Cannot use both regular backward hooks and full")

    same(torch, program)


def test_a_full_hook_where_nothing_is_recorded(torch: Any) -> None:
    def program(T: Any) -> Any:
        module, x = T.nn.Linear(1, 1), T.ones(1, 1, requires_grad=True)
        module.register_full_backward_hook(told("full"))
        with T.no_grad():
            seen = module(x).requires_grad
        module(x).sum().backward()
        return seen, x.grad.shape == x.shape

    same(torch, program)


def test_named_tuple_stays_one(torch: Any) -> None:
    def program(T: Any) -> Any:
        class Pair(T.nn.Module):  # type: ignore[misc, name-defined]
            def forward(self, x: Any) -> Any:
                return Two(x * 2, x * 3)

        net = Pair()
        net.register_full_backward_hook(lambda module, *gradients: print(gradients))
        result = net(T.ones(2, requires_grad=True))
        (result.first + result.second).sum().backward()
        return type(result).__name__, result.second

    same(torch, program)


def test_hooks_on_every_module(torch: Any) -> None:
    def program(T: Any) -> Any:
        every = T.nn.modules.module
        seen: list[Any] = []

        def note(name: str) -> Any:
            return lambda module, *rest: seen.append((name, type(module).__name__, len(rest)))

        net = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Tanh())
        net[1].register_full_backward_hook(note("own"))
        net[1].register_full_backward_pre_hook(note("own before"))
        with (
            every.register_module_full_backward_hook(note("every")),
            every.register_module_full_backward_pre_hook(note("every before")),
        ):
            net(T.ones(1, 2, requires_grad=True)).sum().backward()
            print(caught(lambda: every.register_module_backward_hook(note("old"))))
        net(T.ones(1, 2, requires_grad=True)).sum().backward()
        return seen

    same(torch, program)


def test_hooks_on_registrations(torch: Any) -> None:
    def program(T: Any) -> Any:
        every = T.nn.modules.module
        seen: list[Any] = []

        def note(module: Any, name: str, value: Any) -> None:
            seen.append((type(module).__name__, name, value is not None))

        class Net(T.nn.Module):  # type: ignore[misc, name-defined]
            def __init__(self) -> None:
                super().__init__()
                self.linear = T.nn.Linear(1, 1)
                self.add_module("tanh", T.nn.Tanh())
                self.weight = T.nn.Parameter(T.ones(1))
                self.register_buffer("kept", T.ones(2))
                self.kept = T.zeros(3)

        with (
            every.register_module_parameter_registration_hook(note),
            every.register_module_buffer_registration_hook(note),
            every.register_module_module_registration_hook(note),
        ):
            Net()
        with every.register_module_buffer_registration_hook(lambda m, n, buffer: buffer + 1):
            net = Net()
        return seen, net.kept, Net().kept

    same(torch, program)
