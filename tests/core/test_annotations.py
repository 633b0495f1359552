"""What an editor knows of a program: the type of each expression, without a cast.

mypy checks it, as a part of `make check`; run by pytest, it shows that the types are those at run
time.
"""

from __future__ import annotations

from typing import assert_type

import minigrad as mg
from minigrad import Tensor
from minigrad.nn import functional as F


def test_what_operations_give() -> None:
    x = mg.ones(2, 3, requires_grad=True)
    found = [
        assert_type(x.exp(), Tensor),
        assert_type(mg.exp(x), Tensor),
        assert_type(2 * x + 1, Tensor),
        assert_type(x @ x.T, Tensor),
        assert_type(-(x**2), Tensor),
        assert_type(x > 0, Tensor),
        assert_type(x == 1, Tensor),
        assert_type(x[0], Tensor),
        assert_type(x.detach().float().add_(1).relu_(), Tensor),
        assert_type(x.sum(dim=1, keepdim=True), Tensor),
        assert_type(x.view(3, 2).reshape(-1).unsqueeze(0), Tensor),
        assert_type(mg.cat([x, x]).mean(), Tensor),
        assert_type(x.var(), Tensor),
        assert_type(x.split(1)[0], Tensor),
        assert_type(x.sort().values, Tensor),
        assert_type(x.sort().indices, Tensor),
        assert_type(F.cross_entropy(x, mg.tensor([0, 2])), Tensor),
        assert_type(mg.randn(3).to("cpu"), Tensor),
    ]
    assert all(type(each) is Tensor for each in found)


def test_what_a_tensor_has() -> None:
    x = mg.ones(2, requires_grad=True)
    assert assert_type(x.grad, Tensor | None) is None
    assert assert_type(x.requires_grad, bool)
    assert assert_type(x.shape, mg.Size) == (2,)
    assert assert_type(x.is_leaf, bool)
