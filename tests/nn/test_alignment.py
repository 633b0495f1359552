"""CTC: labels aligned with longer sequences of scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.parity import caught, same

LABELS = [[1, 1, 2], [3, 2, 1]]

LOSSES: dict[str, Any] = {
    "mean": lambda T, x: T.nn.CTCLoss()(x, T.tensor(LABELS), (6, 6), (2, 3)),
    "sum": lambda T, x: T.nn.CTCLoss(reduction="sum")(x, T.tensor(LABELS), [6, 5], [3, 1]),
    "no labels": lambda T, x: T.nn.functional.ctc_loss(
        x, T.tensor(LABELS), (6, 5), (0, 2), blank=3, reduction="none"
    ),
    "in one vector": lambda T, x: T.nn.functional.ctc_loss(
        x, T.tensor([2, 1, 3]), T.tensor([6, 6]), T.tensor([2, 1]), reduction="none"
    ),
    "too short": lambda T, x: T.nn.functional.ctc_loss(
        x, T.tensor(LABELS), (6, 1), (2, 2), reduction="none"
    ),
    "too short, zero": lambda T, x: T.nn.CTCLoss(zero_infinity=True)(
        x, T.tensor(LABELS), (6, 1), (2, 2)
    ),
    "one sequence": lambda T, x: T.nn.CTCLoss()(x[:, 0], T.tensor([1, 2]), (6,), (2,)),
}


@pytest.mark.parametrize("name", LOSSES)
def test_ctc_loss(torch: Any, name: str) -> None:
    values = np.random.default_rng(0).normal(size=(6, 2, 4)).tolist()

    def program(T: Any) -> Any:
        x = T.tensor(values, dtype=T.float64, requires_grad=True)
        loss = LOSSES[name](T, x.log_softmax(2))
        (g,) = T.autograd.grad(loss.sum(), x, create_graph=True)
        again = caught(lambda: T.autograd.grad(g.sum(), x))
        return loss.detach(), loss.grad_fn.name(), g.detach(), again

    same(torch, program)


def test_ctc_loss_sums_over_alignments() -> None:
    import minigrad as mg

    scores = mg.randn(4, 1, 3, dtype=mg.float64).log_softmax(2)
    table = scores[:, 0].exp().numpy()
    total = 0.0
    for path in np.ndindex(3, 3, 3, 3):
        merged = [k for place, k in enumerate(path) if place == 0 or k != path[place - 1]]
        if [k for k in merged if k] == [1, 2]:
            total += float(np.prod(table[range(4), path]))
    loss = mg.nn.functional.ctc_loss(scores, mg.tensor([[1, 2]]), [4], [2], reduction="sum")
    assert np.isclose(float(loss), -np.log(total))


WRONG: dict[str, Any] = {
    "long scores": ((7, 6), (2, 2), {}),
    "long labels": ((6, 6), (2, 4), {}),
    "negative length": ((6, -1), (2, 2), {}),
    "negative labels": ((6, 6), (2, -1), {}),
    "one length": ((6,), (2, 2), {}),
    "one target": ((6, 6), (2,), {}),
    "blank": ((6, 6), (2, 2), {"blank": 4}),
    "reduction": ((6, 6), (2, 2), {"reduction": "most"}),
}


@pytest.mark.parametrize("name", WRONG)
def test_ctc_loss_refuses(torch: Any, name: str) -> None:
    lengths, wanted, how = WRONG[name]

    def program(T: Any) -> Any:
        x = T.zeros(6, 2, 4).log_softmax(2)
        loss = T.nn.functional.ctc_loss
        return caught(lambda: loss(x, T.tensor(LABELS), lengths, wanted, **how))

    same(torch, program)
