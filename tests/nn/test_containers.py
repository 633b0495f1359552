"""Modules and parameters by name: the same books, texts and refusals."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

from tests.parity import caught, same


def test_module_dict(torch: Any) -> None:
    def program(T: Any) -> Any:
        nn = T.nn
        layers = nn.ModuleDict({"b": nn.Linear(2, 1), "a": nn.ReLU()})
        print(layers, nn.ModuleDict(), nn.ModuleDict([["x", nn.ReLU()], ("y", nn.Tanh())]))
        print(list(layers), list(layers.keys()), "a" in layers, "c" in layers, len(layers))
        print([name for name, _ in layers.items()], list(layers.values()), layers["a"], layers.a)
        layers["c"] = nn.Tanh()
        layers.update({"a": nn.Sigmoid(), "d": nn.Identity()})
        layers.update(nn.ModuleDict(OrderedDict(z=nn.ReLU())))
        print(layers.pop("c"), layers)
        del layers["d"]
        print(layers.state_dict().keys(), [name for name, _ in layers.named_modules()])
        layers.clear()
        return len(layers), repr(layers)

    same(torch, program)


def test_parameter_dict(torch: Any) -> None:
    def program(T: Any) -> Any:
        nn = T.nn
        one, two = nn.Parameter(T.ones(2)), T.ones(1, 2)
        both = nn.ParameterDict({"b": one, "a": two})
        print(both, nn.ParameterDict(), nn.ParameterDict({"n": 3, "c": T.ones(1)}))
        print(list(both), list(both.keys()), "a" in both, len(both), both["b"] is one, both.a)
        print(list(nn.ParameterDict(OrderedDict(z=one, a=two))), list(reversed(both)))
        both.update([("d", T.zeros(1))])
        both["e"] = T.zeros(3)
        print(both.get("x", 5), both.setdefault("f", T.ones(1)), both.pop("d"), both.popitem()[0])
        del both["e"]
        print(both | nn.ParameterDict({"g": one}), both.copy())
        names = [name for name, _ in both.named_parameters()]
        print(names, [(key, value.shape) for key, value in both.items()], both.state_dict())
        loss = sum(p.sum() for p in both.values())
        loss.backward()
        grads = [p.grad for p in both.values()]
        both.clear()
        return grads, len(both)

    same(torch, program)


def test_parameter_list(torch: Any) -> None:
    def program(T: Any) -> Any:
        nn = T.nn
        some = nn.ParameterList([nn.Parameter(T.ones(1)), T.ones(2)])
        print(some, nn.ParameterList(), some[-1], some[:1], nn.ParameterList([3, T.ones(1)]))
        some.append(T.ones(3)).extend([T.ones(1)])
        some += [T.zeros(2)]
        some[0] = T.zeros(4)
        return len(some), list(some), dict(some.state_dict()), repr(some)

    same(torch, program)


MISTAKES = [
    ("nn.ModuleDict(3)", "ModuleDict.update should be called with an iterable of key/value pairs"),
    ("nn.ModuleDict([3])", "ModuleDict update sequence element #0 should be Iterable; isint"),
    ("nn.ModuleDict([(1, 2, 3)])", "ModuleDict update sequence element #0 has length 3; 2 is"),
    ("nn.ModuleDict({'a.b': nn.ReLU()})", 'module name can\\\'t contain ".", got: a.b'),
    ("nn.ModuleDict({'': nn.ReLU()})", "module name can\\'t be empty string"),
    ("nn.ModuleDict({1: nn.ReLU()})", "module name should be a string. Got int"),
    ("nn.ModuleDict({'a': 3})", "int is not a Module subclass"),
    ("nn.ModuleDict({'keys': nn.ReLU()})", "attribute 'keys' already exists"),
    ("nn.ModuleDict({'training': nn.ReLU()})", "attribute 'training' already exists"),
    ("nn.ModuleDict({'a': nn.ReLU()})['b']", "'b'"),
    ("nn.ModuleDict({'a': nn.ReLU()}).pop('b')", "'b'"),
    ("nn.ModuleDict({'a': nn.ReLU()})(1)", 'Module [ModuleDict] is missing the required "forward"'),
    ("nn.ParameterDict(3)", "ParametersDict.update should be called with an iterable of key/value"),
    ("nn.ParameterDict([3])", "ParameterDict update sequence element #0 should be Iterable; isint"),
    ("nn.ParameterDict({1: T.ones(1)})", "Index given to ParameterDict cannot be used as a key as"),
    ("nn.ParameterDict({'a.b': T.ones(1)})", 'parameter name can\\\'t contain "."'),
    ("nn.ParameterDict({'keys': T.ones(1)})", "attribute 'keys' already exists"),
    ("nn.ParameterDict({'a': T.arange(2)})", "Only Tensors of floating point"),
    ("nn.ParameterDict()['b']", "'ParameterDict' object has no attribute 'b'"),
    ("nn.ParameterDict()(1)", "ParameterDict should not be called."),
    ("nn.ParameterList()(1)", "ParameterList should not be called."),
    ("nn.ParameterList()[0]", "index 0 is out of range"),
    ("nn.ParameterList().extend(T.ones(2))", "ParameterList.extend should be called with an iter"),
]


@pytest.mark.parametrize(("expression", "phrase"), MISTAKES)
def test_mistake(torch: Any, expression: str, phrase: str) -> None:
    def program(T: Any) -> Any:
        return caught(lambda: eval(expression, {"T": T, "nn": T.nn}), phrase)

    same(torch, program)


def test_insertion_refuses_places_out_of_range(torch: Any) -> None:
    def program(T: Any) -> Any:
        nn = T.nn
        for place in (-5, -3, -2, -1, 0, 1, 2, 3, 5):
            for kind in (lambda *modules: nn.ModuleList(modules), nn.Sequential):
                layers = kind(nn.ReLU(), nn.Tanh())
                try:
                    layers.insert(place, nn.Sigmoid())
                    print(place, layers)
                except (IndexError, KeyError) as error:
                    print(place, repr(error))
        two = nn.Sequential(nn.ReLU(), nn.Tanh())
        print(caught(lambda: two + 3), two + two)
        two += nn.Sequential(nn.Sigmoid())
        return repr(two)

    same(torch, program)


def test_data_parallel_calls_its_module(torch: Any) -> None:
    def program(T: Any) -> Any:
        T.manual_seed(0)
        net = T.nn.DataParallel(T.nn.Sequential(T.nn.Linear(2, 3), T.nn.ReLU()), dim=1)
        x = T.ones(4, 2, requires_grad=True)
        y = net(x)
        y.sum().backward()
        print(net, net.device_ids, T.nn.parallel.DataParallel is T.nn.DataParallel)
        return list(net.state_dict()), y, x.grad, net.module[0].weight.grad

    same(torch, program)
