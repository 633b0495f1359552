"""Methods that return the object they were called on, so that calls can be chained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.parity import same

MODULES: dict[str, Callable[[Any, Any], Any]] = {
    "apply": lambda T, net: net.apply(lambda module: None),
    "train": lambda T, net: net.train(),
    "train(False)": lambda T, net: net.train(False),
    "eval": lambda T, net: net.eval(),
    "requires_grad_": lambda T, net: net.requires_grad_(False),
    "to a type": lambda T, net: net.to(T.float64),
    "to a device": lambda T, net: net.to("cpu"),
    "cpu": lambda T, net: net.cpu(),
    "float": lambda T, net: net.float(),
    "double": lambda T, net: net.double(),
    "half": lambda T, net: net.half(),
    "append": lambda T, net: net.append(T.nn.ReLU()),
    "extend": lambda T, net: net.extend([T.nn.ReLU()]),
    "insert": lambda T, net: net.insert(0, T.nn.ReLU()),
}

TENSORS: dict[str, Callable[[Any, Any], Any]] = {
    "requires_grad_": lambda T, x: x.requires_grad_(),
    "detach_": lambda T, x: x.detach_(),
    "contiguous": lambda T, x: x.contiguous(),
    "to its type": lambda T, x: x.to(T.float32),
    "float": lambda T, x: x.float(),
    "cpu": lambda T, x: x.cpu(),
    "type": lambda T, x: x.type(T.float32),
    "add_": lambda T, x: x.add_(1),
    "fill_": lambda T, x: x.fill_(1),
    "zero_": lambda T, x: x.zero_(),
    "copy_": lambda T, x: x.copy_(T.ones(2)),
    "uniform_": lambda T, x: x.uniform_(),
    "normal_": lambda T, x: x.normal_(),
    "t_": lambda T, x: x.t_(),
    "init": lambda T, x: T.nn.init.ones_(x),
    "clone": lambda T, x: x.clone(),
    "detach": lambda T, x: x.detach(),
    "view_as": lambda T, x: x.view_as(x),
}

OTHERS: dict[str, Callable[[Any], Any]] = {
    "a generator that is seeded": lambda T: (made := T.Generator()).manual_seed(3) is made,
    "the default generator": lambda T: T.manual_seed(3) is T.default_generator,
    "a list of modules": lambda T: (made := T.nn.ModuleList()).append(T.nn.ReLU()) is made,
    "a longer list": lambda T: (made := T.nn.ModuleList()).extend([T.nn.ReLU()]) is made,
    "a list of parameters": lambda T: (
        (made := T.nn.ParameterList()).append(T.nn.Parameter(T.ones(1))) is made
    ),
    "an iterator": lambda T: (made := iter(T.utils.data.DataLoader([1]))).__iter__() is made,
}


@pytest.mark.parametrize("name", MODULES)
def test_a_module(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        net = T.nn.Sequential(T.nn.Linear(1, 1))
        return MODULES[name](T, net) is net, len(net), net.training, net[-1].training

    same(torch, program)


@pytest.mark.parametrize("name", TENSORS)
def test_a_tensor(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        x = T.zeros(2)
        return TENSORS[name](T, x) is x, x._version, x.requires_grad

    same(torch, program)


@pytest.mark.parametrize("name", OTHERS)
def test_others(torch: Any, name: str) -> None:
    same(torch, OTHERS[name])
