"""`nn.utils.parametrizations.spectral_norm`: the weight is divided when it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.parity import same

LAYERS: dict[str, Callable[[Any], tuple[Any, dict[str, Any]]]] = {
    "linear": lambda T: (T.nn.Linear(4, 3), {}),
    "other dimension": lambda T: (T.nn.Linear(4, 3), {"dim": -1, "n_power_iterations": 3}),
    "convolution": lambda T: (T.nn.Conv2d(2, 3, 2), {}),
    "transposed": lambda T: (T.nn.ConvTranspose1d(2, 3, 2), {"eps": 1e-6}),
    "a vector": lambda T: (T.nn.Linear(4, 3), {"name": "bias"}),
}


@pytest.mark.parametrize("name", LAYERS)
def test_spectral_norm_of_layers(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        T.manual_seed(0)
        layer, options = LAYERS[name](T)
        layer = T.nn.utils.parametrizations.spectral_norm(layer, **options)
        print(layer, sorted(layer.state_dict()))
        weight = options.get("name", "weight")
        first = getattr(layer, weight)
        second = getattr(layer, weight)  # in training, each reading iterates
        (first * second).sum().backward()
        layer.eval()
        values = [getattr(layer, weight), getattr(layer, weight)]
        T.nn.utils.parametrize.remove_parametrizations(layer, weight)
        gradients = [each.grad for each in layer.parameters()]
        return first, second, values, gradients, getattr(layer, weight)

    same(torch, program)


def test_spectral_norm_gradient_reaches_weight(torch: Any) -> None:
    def program(T: Any) -> Any:
        T.manual_seed(1)
        layer = T.nn.utils.parametrizations.spectral_norm(T.nn.Linear(3, 2))
        layer(T.ones(2, 3)).square().sum().backward()
        state = layer.state_dict()
        other = T.nn.utils.parametrizations.spectral_norm(T.nn.Linear(3, 2))
        other.load_state_dict(state)
        layer.weight = T.eye(2, 3)
        (original,) = layer.parametrizations.weight.parameters()
        return original.grad, other.eval().weight, layer.weight, original.detach()

    same(torch, program)


REFUSED: dict[str, Callable[[Any, Any], Any]] = {
    "name": lambda T, layer: layer(T.nn.ReLU()),
    "dimension": lambda T, layer: layer(T.nn.Linear(2, 2), dim=2),
    "iterations": lambda T, layer: layer(T.nn.Linear(2, 2), n_power_iterations=0),
}


@pytest.mark.parametrize("name", REFUSED)
def test_spectral_norm_refusals(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        try:
            return str(REFUSED[name](T, T.nn.utils.parametrizations.spectral_norm))
        except (IndexError, ValueError) as error:
            return f"{type(error).__name__}: {error}"

    same(torch, program)
