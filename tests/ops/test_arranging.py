"""Windows as views, limits of integers, sequences and old names of linear algebra."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from tests.parity import caught, same


def test_windows_are_views(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.arange(6.0)
        windows = x.unfold(0, 2, 2)
        windows[1] = 9.0
        y = T.ones(5, requires_grad=True)
        (y * 2).unfold(0, 3, 1).sum().backward()
        return x, windows.stride(), windows._base is x, y.grad, T.tensor(2.0).unfold(0, 1, 1)

    same(torch, program)


def test_unsafe_pieces_are_not_views(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.ones(4, requires_grad=True)
        y = x * 1
        first, second = T.unsafe_split(y, 2)
        first.add_(1)
        (first * second).sum().backward()
        return y, y._version, first, x.grad

    same(torch, program)


def test_limits_of_integers(torch: Any) -> None:
    def program(T: Any) -> Any:
        for name in ("int8", "uint8", "int16", "int32", "int64"):
            print(T.iinfo(getattr(T, name)))
        info = T.iinfo(T.int32)
        wrong = [caught(lambda kind=kind: T.iinfo(kind)) for kind in (T.float32, 3)]
        return info.bits, info.min, info.max, info.dtype, wrong

    same(torch, program)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_sequences(torch: Any) -> None:
    def program(T: Any) -> Any:
        return (
            T.logspace(0, 2, 5),
            T.logspace(0, 3, 4, base=2, dtype=T.int64),
            T.logspace(1, 2, 1),
            T.range(0, 3),
            T.range(1, 0, -0.5),
            T.range(0, 5, 2, dtype=T.int64),
            T.isin(T.tensor([[1, 2], [3, 4]]), T.tensor([2, 4]), invert=True),
            T.isin(2.0, T.tensor([1.0, 2.0])),
        )

    same(torch, program)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_old_factorizations(torch: Any) -> None:
    def program(T: Any) -> Any:
        a = T.tensor([[2.0, 1.0], [0.5, 3.0], [1.0, 1.0]], requires_grad=True)
        found = []
        for some in (True, False):
            U, S, V = T.svd(a, some=some)
            found.append([(U[:, :2] * S) @ V.T, S])
            S.sum().backward()
        square = a.T @ a
        lower, upper = T.cholesky(square), square.cholesky(upper=True)
        (lower.sum() + (upper * upper).sum()).backward()
        print(T.svd(T.eye(2)))
        return found, lower, upper, a.grad, T.svd(a.detach(), compute_uv=False)

    same(torch, program)


def test_cross_without_dim_warns(torch: Any) -> None:
    def program(T: Any) -> Any:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            found = T.cross(T.eye(3), T.ones(3, 3))
        return found, caught(lambda: T.cross(T.ones(2), T.ones(2))), len(seen)

    same(torch, program)


@pytest.mark.parametrize("p", [0.5, 1, 2, 3, float("inf")])
def test_distance(torch: Any, p: float) -> None:
    """The second gradient is checked by differences: PyTorch's graph of it has other nodes."""

    def program(T: Any) -> Any:
        a = T.tensor([[1.0, -2.0], [0.5, 3.0]], dtype=T.float64, requires_grad=True)
        b = T.tensor([0.3, 0.7], dtype=T.float64, requires_grad=True)
        found = T.dist(a, b, p)
        found.backward(create_graph=False)
        assert p == float("inf") or T.autograd.gradgradcheck(lambda x, y: x.dist(y, p), (a, b))
        return found, a.grad, b.grad

    same(torch, program)
