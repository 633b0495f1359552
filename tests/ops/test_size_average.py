"""`size_average` and `reduce`, the older arguments for the reduction of a loss."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import minigrad
from tests.parity import same

LOSSES = {
    "mse_loss": "MSELoss",
    "l1_loss": "L1Loss",
    "smooth_l1_loss": "SmoothL1Loss",
    "kl_div": "KLDivLoss",
    "binary_cross_entropy": "BCELoss",
    "binary_cross_entropy_with_logits": "BCEWithLogitsLoss",
    "nll_loss": "NLLLoss",
    "cross_entropy": "CrossEntropyLoss",
}
WAYS = (True, False, None)


def data(T: Any, name: str) -> tuple[Any, Any]:
    x = T.tensor([[0.1, 0.7], [0.4, 0.2]], requires_grad=True)
    return x, T.tensor([1, 0]) if name in ("nll_loss", "cross_entropy") else x.detach() * 0.5


@pytest.mark.parametrize("name", LOSSES)
def test_by_keyword(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        found = []
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            for size_average in WAYS:
                for reduce in WAYS:
                    options = {"size_average": size_average, "reduce": reduce}
                    loss = getattr(T.nn.functional, name)(*data(T, name), **options)
                    module = getattr(T.nn, LOSSES[name])(**options)
                    found += [loss, module(*data(T, name)), module.reduction]
        return found, [str(warning.message) for warning in said if "args" in str(warning.message)]

    returned = same(torch, program)["returned"]
    assert len(returned[1]) == 2 * 8


@pytest.mark.filterwarnings("ignore:size_average and reduce args will be deprecated")
def test_by_place(torch: Any) -> None:
    """Positional values of any type count by their truth value."""

    def program(T: Any) -> Any:
        F, nn = T.nn.functional, T.nn
        x, y = data(T, "mse_loss")
        scores, classes = data(T, "cross_entropy")
        return [
            F.mse_loss(x, y, False),
            F.mse_loss(x, y, "a"),
            F.mse_loss(x, y, None, None, "sum"),
            F.l1_loss(x, y, True, False),
            F.smooth_l1_loss(x, y, None, None, "none", 0.5),
            F.kl_div(x, y, False),
            F.binary_cross_entropy(x, y, None, False),
            F.binary_cross_entropy_with_logits(x, y, None, None, None, "sum", T.tensor([2.0, 3.0])),
            F.nll_loss(scores, classes, None, None, 1, False),
            F.cross_entropy(scores, classes, T.tensor([1.0, 2.0]), False, 0),
            nn.MSELoss(False)(x, y),
            nn.BCELoss(None, False)(x, y),
            nn.SmoothL1Loss(None, None, "sum", 0.5)(x, y),
            nn.CrossEntropyLoss(None, None, -100, None, "sum", 0.1)(scores, classes),
        ]

    same(torch, program)


def test_the_warning_points_at_the_caller() -> None:
    x, y = data(minigrad, "mse_loss")
    with pytest.warns(UserWarning, match=r"please use reduction='sum' instead\.$") as said:
        minigrad.nn.functional.mse_loss(x, y, size_average=False)
    assert said[0].filename == __file__
