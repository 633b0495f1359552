"""Weight normalization, by a hook and as a parametrization."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import pytest

import minigrad
from tests.parity import caught, same
from tests.record import answer

LAYERS: dict[str, Any] = {
    "linear": (lambda N: N.Linear(3, 2), (4, 3)),
    "convolution": (lambda N: N.Conv2d(2, 3, 2), (1, 2, 3, 3)),
}


@pytest.mark.parametrize("dim", [0, 1, None, -1])
@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("parametrized", [True, False])
def test_weight_norm(torch: Any, layer: str, dim: int | None, parametrized: bool) -> None:
    make, shape = LAYERS[layer]

    def program(T: Any) -> Any:
        T.manual_seed(0)
        module, utils = make(T.nn), T.nn.utils
        normalize = utils.parametrizations.weight_norm if parametrized else utils.weight_norm
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            normalize(module, dim=dim)
        print(module)
        x = T.ones(shape).cumsum(-1)
        y = module(x)
        leaves = [*module.parameters()]
        first = T.autograd.grad((y * y).sum(), leaves, create_graph=True)
        several = module.weight.grad_fn.name() == "MulBackward0"
        second = T.autograd.grad(sum((g * g).sum() for g in first), leaves) if several else ()
        state = {name: value.shape for name, value in module.state_dict().items()}
        return y.detach(), [g.detach() for g in first], second, state

    same(torch, program)


def fused(T: Any, v: Any, g: Any) -> Any:
    layer = T.nn.utils.parametrizations.weight_norm(T.nn.Linear(3, 2, dtype=T.float64))
    return T.func.functional_call(
        layer,
        {"parametrizations.weight.original0": g, "parametrizations.weight.original1": v},
        (T.eye(3, dtype=T.float64),),
    )


def test_weight_norm_has_right_second_derivatives(torch: Any) -> None:
    """PyTorch derives the lengths a second time as if they did not depend on the directions."""

    def verdict(T: Any) -> bool:
        T.manual_seed(0)
        v, g = (T.rand(2, n, dtype=T.float64, requires_grad=True) for n in (3, 1))
        check = T.autograd.gradgradcheck
        return check(lambda v, g: fused(T, v, g), (v, g), raise_exception=False)

    assert verdict(minigrad)
    assert not answer(torch, verdict)


def test_weight_norm_is_one_node(torch: Any) -> None:
    def program(T: Any) -> Any:
        layer = T.nn.utils.parametrizations.weight_norm(T.nn.Linear(3, 2))
        node = layer.weight.grad_fn
        names = [name for name in dir(node) if name.startswith("_saved_")]
        return node.name(), names, [each.name() for each, _ in node.next_functions]

    same(torch, program)


def test_weight_norm_warns_and_is_removed(torch: Any) -> None:
    def program(T: Any) -> Any:
        utils = T.nn.utils
        layer = T.nn.Linear(3, 2)
        before = layer.weight.detach().clone()
        with warnings.catch_warnings(record=True) as caution:
            warnings.simplefilter("always")
            utils.weight_norm(layer)
            twice = caught(lambda: utils.weight_norm(layer))
        utils.remove_weight_norm(layer)
        close = T.allclose(before, layer.weight)
        again = caught(lambda: utils.remove_weight_norm(layer))
        return [str(each.message) for each in caution], twice, close, again, [*layer.state_dict()]

    same(torch, program)


def test_parametrization_loads_hooked_state(torch: Any) -> None:
    def program(T: Any) -> Any:
        utils, hooked = T.nn.utils, T.nn.Linear(3, 2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            utils.weight_norm(hooked)
        layer = utils.parametrizations.weight_norm(T.nn.Linear(3, 2))
        print(layer.load_state_dict(hooked.state_dict()))
        return T.equal(layer.weight, hooked.weight)

    same(torch, program)


def test_weight_norm_is_pickled() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layer = minigrad.nn.utils.weight_norm(minigrad.nn.Linear(3, 2))
    copy = pickle.loads(pickle.dumps(layer))
    x = minigrad.ones(1, 3)
    assert minigrad.equal(copy(x), layer(x))
