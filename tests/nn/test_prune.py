"""Pruning: the same masks, the same state, the same refusals."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from tests.parity import caught, same
from tests.record import PRESENT


@pytest.fixture(autouse=True)
def imported(torch: Any) -> None:
    """PyTorch imports it only by its full name."""
    if PRESENT:
        importlib.import_module("torch.nn.utils.prune")


def state(T: Any, module: Any) -> list[Any]:
    """All that pruning leaves behind."""
    names = [[name for name, _ in found()] for found in (module.named_parameters,
                                                          module.named_buffers)]  # fmt: skip
    return [names, dict(module.state_dict()), T.nn.utils.prune.is_pruned(module)]


def test_pruned_again_and_again_and_made_ordinary(torch: Any) -> None:
    def program(T: Any) -> Any:
        prune, layer = T.nn.utils.prune, T.nn.Linear(4, 3)
        seen: list[Any] = [prune.is_pruned(layer)]
        print(prune.l1_unstructured(layer, "weight", amount=0.5) is layer, layer)
        seen += [*state(T, layer), layer.weight]
        layer(T.ones(1, 4)).sum().backward()
        seen.append(layer.weight_orig.grad)
        T.optim.SGD(layer.parameters(), lr=0.5).step()
        seen.append(layer(T.ones(2, 4)))
        prune.l1_unstructured(layer, "weight", amount=2)
        seen += [*state(T, layer), layer.weight]
        prune.random_unstructured(layer, "weight", 0.5)
        prune.ln_structured(layer, "weight", amount=1, n=2, dim=1)
        seen += state(T, layer)
        prune.remove(layer, "weight")
        return seen, state(T, layer), layer.weight

    same(torch, program)


def test_slices_and_masks_of_ones_own(torch: Any) -> None:
    def program(T: Any) -> Any:
        prune, nn = T.nn.utils.prune, T.nn
        image = nn.Conv2d(2, 3, 2)
        prune.ln_structured(image, "weight", amount=0.4, n=float("inf"), dim=0)
        seen = [image.weight_mask]
        prune.random_structured(image, "weight", amount=1, dim=1)
        seen.append(image.weight_mask)
        layer = nn.Linear(4, 3)
        prune.custom_from_mask(layer, "bias", mask=T.tensor([1, 0, 1]))
        prune.identity(layer, "weight")
        seen += [layer.bias, layer.bias_mask, layer.weight_mask]

        class EveryOther(prune.BasePruningMethod):  # type: ignore[misc, name-defined]
            PRUNING_TYPE = "unstructured"

            def compute_mask(self, t: Any, default_mask: Any) -> Any:
                mask = default_mask.clone()
                mask.view(-1)[::2] = 0
                return mask

        other = nn.Linear(4, 3)
        EveryOther.apply(other, "bias")
        scores = T.arange(12.0).view(3, 4)
        prune.l1_unstructured(other, "weight", 0.3, importance_scores=scores)
        seen += [other.bias, other.weight_mask]
        print(prune.L1Unstructured(amount=2).prune(T.tensor([1.0, -3.0, 2.0])))
        return seen

    same(torch, program)


def test_several_parameters_as_one(torch: Any) -> None:
    def program(T: Any) -> Any:
        prune, nn = T.nn.utils.prune, T.nn
        net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 2))
        both = [(net[0], "weight"), (net[2], "weight")]
        prune.global_unstructured(both, pruning_method=prune.L1Unstructured, amount=0.5)
        first = [layer.weight_mask.clone() for layer, _ in both]
        prune.global_unstructured(both, pruning_method=prune.L1Unstructured, amount=2)
        sparsity = sum(int((layer.weight == 0).sum()) for layer, _ in both) / 8
        print(f"{100 * sparsity:.1f}%", prune.is_pruned(net))
        wrong = 'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`'
        kind = caught(
            lambda: prune.global_unstructured(both, prune.LnStructured, amount=1, n=2), wrong
        )
        return first, state(T, net), kind

    same(torch, program)


MISTAKES = [
    ("remove(layer, 'weight')", "has to be pruned before pruning can be removed"),
    ("l1_unstructured(layer, 'foo', 0.5)", "'Linear' object has no attribute 'foo'"),
    ("l1_unstructured(layer, 'weight', 1.5)", "amount=1.5 should either be a float in the range"),
    ("l1_unstructured(layer, 'weight', -1)", "amount=-1 should either be a float in the range"),
    ("l1_unstructured(layer, 'weight', 100)", "amount=100 should be smaller than the number of"),
    ("l1_unstructured(layer, 'weight', 'a')", "Invalid type for amount: a. Must be int or float."),
    ("ln_structured(layer, 'bias', 1, 2, 0)", "Structured pruning can only be applied to multi"),
]


@pytest.mark.parametrize(("call", "phrase"), MISTAKES)
def test_mistake(torch: Any, call: str, phrase: str) -> None:
    """The layer is as before."""

    def program(T: Any) -> Any:
        layer = T.nn.Linear(4, 3)
        names = {"prune": T.nn.utils.prune, "layer": layer}
        kind = caught(lambda: eval("prune." + call, names), phrase)
        return kind, sorted(layer.state_dict()), T.nn.utils.prune.is_pruned(layer)

    same(torch, program)
