"""Parameters that are computed, and modules called with other parameters than their own."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import pytest

from tests.parity import caught, same


def kinds(T: Any) -> dict[str, Any]:
    """Modules that compute a parameter."""

    class Symmetric(T.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            return x.triu() + x.triu(1).transpose(-1, -2)

    class Exponential(T.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            return x.exp()

        def right_inverse(self, x: Any) -> Any:
            return x.log()

    class Product(T.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, a: Any, b: Any) -> Any:
            return a * b

        def right_inverse(self, x: Any) -> Any:
            return x * 2, T.full_like(x, 0.5)

    class Row(T.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            return x[0]

    class Number(T.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> int:
            return 3

    class Double(T.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, x: Any) -> Any:
            return x.double()

    found = (Symmetric, Exponential, Product, Row, Number, Double)
    return {kind.__name__: kind for kind in found}


def test_a_parameter_is_computed(torch: Any) -> None:
    def program(T: Any) -> Any:
        P, K = T.nn.utils.parametrize, kinds(T)
        layer = T.nn.Linear(3, 3)
        optimizer = T.optim.SGD(layer.parameters(), lr=0.1)
        print(P.register_parametrization(layer, "weight", K["Symmetric"]()) is layer, layer)
        print(type(layer).__name__, P.type_before_parametrizations(layer).__name__)
        print(list(layer.state_dict()), [name for name, _ in layer.named_parameters()])
        print(P.is_parametrized(layer), P.is_parametrized(layer, "bias"), layer.parametrizations)
        with P.cached():
            print(layer.weight is layer.weight)
        print(layer.weight is layer.weight)
        layer(T.ones(1, 3)).pow(2).sum().backward()
        optimizer.step()
        seen = [layer.weight, layer.parametrizations.weight.original.grad]
        twin = copy.deepcopy(layer)
        seen += [twin.weight, twin.weight is layer.weight]
        P.register_parametrization(layer, "weight", K["Symmetric"]())
        print(layer.parametrizations.weight, layer.eval().parametrizations.weight[0].training)
        print(P.remove_parametrizations(layer, "weight") is layer)
        print(
            layer,
            type(layer).__name__,
            list(layer.state_dict()),
            hasattr(layer, "parametrizations"),
        )
        return seen, layer.weight

    same(torch, program)


def test_assigned_and_left(torch: Any) -> None:
    def program(T: Any) -> Any:
        P, K = T.nn.utils.parametrize, kinds(T)
        layer = T.nn.Linear(3, 3)
        with T.no_grad():
            layer.weight.abs_()
        P.register_parametrization(layer, "weight", K["Exponential"]())
        seen = [layer.weight, layer.parametrizations.weight.original]
        layer.weight = T.ones(3, 3)
        seen += [layer.weight, layer.parametrizations.weight.original.detach().clone()]
        P.remove_parametrizations(layer, "weight", leave_parametrized=False)
        seen.append(layer.weight)
        P.register_parametrization(layer, "weight", K["Product"]())
        print(list(layer.state_dict()), layer.parametrizations.weight)
        seen.append(layer.weight)
        refusal = "Cannot leave unparametrized (`leave_parametrized=False`) a tensor"
        kind = caught(lambda: P.remove_parametrizations(layer, "weight", False), refusal)
        P.remove_parametrizations(layer, "weight")
        P.register_parametrization(layer, "bias", K["Row"](), unsafe=True)
        return seen, kind, layer.weight, layer.bias, list(layer.state_dict())

    same(torch, program)


MISTAKES = [
    (
        "register_parametrization(layer, 'foo', K['Row']())",
        "does not have a parameter, a buffer, or",
    ),
    ("register_parametrization(layer, 'weight', K['Row']())", "may not change the shape of the"),
    ("register_parametrization(layer, 'weight', K['Number']())", "must return a tensor. Got int."),
    ("register_parametrization(layer, 'weight', K['Double']())", "may not change the dtype of the"),
    ("remove_parametrizations(layer, 'foo')", "does not have a parametrization on foo"),
    (
        "register_parametrization(layer, 'weight', K['Symmetric']())"
        ".__setattr__('weight', layer.bias.detach())",
        "parametrization Symmetric does not implement right_inverse.",
    ),
]


@pytest.mark.parametrize(("call", "phrase"), MISTAKES)
def test_mistake(torch: Any, call: str, phrase: str) -> None:
    def program(T: Any) -> Any:
        layer = T.nn.Linear(3, 3)
        names = {"P": T.nn.utils.parametrize, "K": kinds(T), "layer": layer}
        kind = caught(lambda: eval("P." + call, names), phrase)
        return kind, "weight" in layer._parameters, type(layer).__name__

    same(torch, program)


def test_functional_call_uses_given_parameters(torch: Any) -> None:
    def program(T: Any) -> Any:
        call, nn = T.func.functional_call, T.nn
        net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Tanh())
        given = {name: (p * 2).detach().requires_grad_() for name, p in net.named_parameters()}
        x = T.randn(4, 2)
        y = call(net, given, (x,))
        y.sum().backward()
        seen = [y, [p.grad for p in given.values()], [p.grad for p in net.parameters()]]
        buffers = {"1.running_mean": T.full((3,), 5.0)}
        seen += [call(net.eval(), (given, buffers), x), net[1].running_mean, net(x)]
        seen.append(call(nn.Linear(2, 1), {"weight": T.ones(1, 2)}, None, {"input": x}).detach())
        again = T.autograd.functional.jacobian(
            lambda w: call(net, {"0.weight": w}, x).sum(0), net[0].weight.detach()
        )
        return seen, again, dict(net.state_dict())

    same(torch, program)


def test_tied_weights_and_other_attributes(torch: Any) -> None:
    def program(T: Any) -> Any:
        class Tied(T.nn.Module):  # type: ignore[misc, name-defined]
            def __init__(self) -> None:
                super().__init__()
                self.first, self.second = T.nn.Linear(2, 2), T.nn.Linear(2, 2)
                self.second.weight = self.first.weight
                self.scale = T.ones(1)

            def forward(self, x: Any) -> Any:
                return self.second(self.first(x)) * self.scale

        net, x, w = Tied(), T.ones(1, 2), T.eye(2)
        call = T.func.functional_call
        one = call(net, {"first.weight": w}, x).detach()
        apart = call(net, {"first.weight": w}, x, tie_weights=False).detach()
        scaled = call(net, {"scale": T.full((1,), 3.0)}, x).detach()
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            old = T.nn.utils.stateless.functional_call(net, {"first.weight": w}, x).detach()
        print([str(each.message) for each in met], net.scale, net.first.weight is net.second.weight)
        return one, apart, scaled, old, net(x)

    same(torch, program)


def test_functional_call_updates_given_buffers(torch: Any) -> None:
    def program(T: Any) -> Any:
        class Counting(T.nn.Module):  # type: ignore[misc, name-defined]
            def __init__(self) -> None:
                super().__init__()
                self.register_buffer("calls", T.zeros(1))

            def forward(self, x: Any) -> Any:
                self.calls = self.calls + 1
                return x

        net, given = Counting(), {"calls": T.full((1,), 5.0)}
        T.func.functional_call(net, given, T.ones(1))
        T.func.functional_call(net, (copied := dict(given), {}), T.ones(1))
        return given, copied, net.calls

    same(torch, program)


CALL_MISTAKES = [
    (
        "({'weight': w}, {'weight': w}), x",
        "['weight'] appeared in multiple dictionaries; behavior of",
    ),
    ("(1, 2), x", "Expected all elements of parameter_and_buffer_dicts to be dictionaries"),
    ("3, x", "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got"),
    ("{'weight': w}, x, strict=True", "Missing key(s): 'bias'."),
    ("{'weight': w, 'bias': w, 'foo': w}, x, strict=True", "Unexpected key(s): 'foo'."),
    ("{'weight': 3}, x", "3 is not an instance of torch.Tensor"),
    ("{'weight': w.T}, x", "mat1 and mat2 shapes cannot be multiplied"),
]


@pytest.mark.parametrize(("arguments", "phrase"), CALL_MISTAKES)
def test_mistake_in_a_call(torch: Any, arguments: str, phrase: str) -> None:
    """The module is as before, whatever went wrong."""

    def program(T: Any) -> Any:
        layer = T.nn.Linear(2, 1)
        names = {"call": T.func.functional_call, "layer": layer, "w": T.ones(1, 2), "x": T.ones(2)}
        kind = caught(lambda: eval(f"call(layer, {arguments})", names), phrase)
        return kind, dict(layer.state_dict())

    same(torch, program)
