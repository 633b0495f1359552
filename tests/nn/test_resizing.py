"""Modules that change sizes or compare rows, products of Sequential, and rarer initial values."""

from __future__ import annotations

from typing import Any

import pytest

from tests.parity import caught, same

MODULES: dict[str, Any] = {
    "Upsample": lambda N: N.Upsample(scale_factor=2),
    "Upsample by two scales": lambda N: N.Upsample(scale_factor=(2, 1.5), mode="bilinear"),
    "Upsample to a size": lambda N: N.Upsample(size=(3, 5)),
    "UpsamplingNearest2d": lambda N: N.UpsamplingNearest2d(scale_factor=2),
    "UpsamplingBilinear2d": lambda N: N.UpsamplingBilinear2d(size=5),
    "Unflatten": lambda N: N.Unflatten(1, (2, 1)),
}


@pytest.mark.parametrize("name", MODULES)
def test_module(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        module = MODULES[name](T.nn)
        print(module)
        x = T.randn(1, 2, 3, 4, requires_grad=True)
        y = module(x)
        (y * y).sum().backward()
        return y, x.grad

    same(torch, program)


def test_losses_of_pairs(torch: Any) -> None:
    def program(T: Any) -> Any:
        a, b, c = (T.randn(4, 3, requires_grad=True) for _ in range(3))
        signs = T.tensor([1.0, -1.0, 1.0, -1.0])
        N = T.nn
        modules = [N.CosineSimilarity(), N.PairwiseDistance(p=1), N.HuberLoss(delta=0.5)]
        found = [module(a, b) for module in modules]
        found.append(N.CosineEmbeddingLoss(margin=0.2)(a, b, signs))
        found.append(N.TripletMarginLoss(swap=True)(a, b, c))
        sum(each.sum() for each in found).backward()
        return found, a.grad, b.grad, c.grad, caught(lambda: N.TripletMarginLoss(margin=0))

    same(torch, program)


def test_sequential_times_a_number(torch: Any) -> None:
    def program(T: Any) -> Any:
        block = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Tanh())
        print(block * 2)
        print(3 * T.nn.Sequential(T.nn.ReLU()))
        block *= 2
        found = [caught(lambda n=n: block * n).partition("<")[0] for n in (1.5, 0)]
        return len(block), block[0] is block[2], len(list(block.parameters())), found

    same(torch, program)


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (2, 3, 2)])
def test_orthogonal(torch: Any, shape: tuple[int, ...]) -> None:
    """The signs of QR's columns do not depend on the library; the draws are PyTorch's."""

    def program(T: Any) -> Any:
        w = T.nn.init.orthogonal_(T.empty(*shape, requires_grad=True), gain=2.0)
        flat = w.detach().flatten(1)
        product = flat @ flat.T if flat.shape[0] < flat.shape[1] else flat.T @ flat
        return w, product, caught(lambda: T.nn.init.orthogonal_(T.empty(3)))

    same(torch, program)


@pytest.mark.parametrize("bounds", [(-2.0, 2.0), (-0.5, 0.25), (1.5, 3.0), (-0.1, 0.1)])
def test_truncated_normal(torch: Any, bounds: tuple[float, float]) -> None:
    def program(T: Any) -> Any:
        w = T.nn.init.trunc_normal_(T.empty(40), 0.0, 1.0, *bounds)
        assert bounds[0] <= float(w.min()) and float(w.max()) <= bounds[1]
        return w, T.rand(2)

    same(torch, program)
