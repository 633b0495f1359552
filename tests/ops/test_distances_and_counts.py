"""Distances, unique values, counts, bit shifts and fills: edge cases and refused calls."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import minigrad
from tests.parity import caught, same

NAN = float("nan")


@pytest.mark.parametrize("p", [0.0, 0.5, 1.0, 2.0, 3.0, math.inf])
@pytest.mark.parametrize("shapes", [((3, 2), (4, 2)), ((2, 3, 2), (4, 2)), ((30, 2), (28, 2))])
def test_distances(torch: Any, p: float, shapes: Any) -> None:
    """Values and gradients, with rows that are the same among them. PyTorch multiplies matrices
    where there are many rows, with another node."""

    def program(T: Any) -> Any:
        a, b = (T.randn(shape, dtype=T.float64) for shape in shapes)
        a[..., 0, :] = b[..., 0, :]
        for x in (a, b):
            x.requires_grad_()
        d = T.cdist(a, b, p, compute_mode="donot_use_mm_for_euclid_dist")
        (d * T.rand(d.shape, dtype=T.float64)).sum().backward()
        return d, a.grad, b.grad

    same(torch, program)


def test_distances_can_be_differentiated_twice() -> None:
    """More than PyTorch does."""
    a, b = (minigrad.rand(n, 3, dtype=minigrad.float64, requires_grad=True) for n in (2, 4))
    for p in (0.0, 1.0, 2.0, 3.0, math.inf):
        assert minigrad.autograd.gradcheck(lambda a, b, p=p: minigrad.cdist(a, b, p), (a, b))
        assert minigrad.autograd.gradgradcheck(lambda a, b, p=p: minigrad.cdist(a, b, p), (a, b))


@pytest.mark.parametrize("name", ["unique", "unique_consecutive"])
@pytest.mark.parametrize("dim", [None, 0])
def test_unique_has_no_gradient(torch: Any, name: str, dim: int | None) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([3.0, 1.0, 3.0], requires_grad=True)
        found = getattr(T, name)(x, dim=dim)
        return found, caught(lambda: found.sum().backward(), "is not implemented.")

    same(torch, program)


def test_unique_of_nan_and_zeros(torch: Any) -> None:
    def program(T: Any) -> Any:
        one, none = T.tensor(3), T.zeros(0, 2)
        return [
            T.unique(T.tensor([NAN, 1.0, NAN]), return_inverse=True, return_counts=True),
            T.unique_consecutive(T.tensor([NAN, NAN])),
            T.unique(one, return_inverse=True),
            T.unique(none),
            T.unique(none, dim=0),
            T.unique(T.tensor([True, False, True]), sorted=False),
            T.unique(T.tensor([[2, 1], [0, 1]]), dim=1),
            T.unique_consecutive(T.tensor([[1, 1, 2], [1, 1, 2]]), True, True, 1),
        ]

    same(torch, program)


def test_counts(torch: Any) -> None:
    def program(T: Any) -> Any:
        x, w = T.tensor([1, 1, 4]), T.tensor([0.5, 1.0, 2.0], requires_grad=True)
        weighted = T.bincount(x, w)
        return [
            T.bincount(x),
            x.bincount(minlength=7),
            T.bincount(x, T.tensor([1, 2, 3])),
            T.bincount(x, w.detach().double()),
            T.bincount(x, T.tensor([True, False, True])),
            T.bincount(T.zeros(0, dtype=T.int64), minlength=3),
            T.bincount(T.tensor([1], dtype=T.uint8)),
            weighted.detach(),
            weighted.grad_fn.name(),
            caught(lambda: weighted.sum().backward(), "is not implemented"),
            T.histc(T.tensor([1.0, 2.0, 9.0]), 3, 0, 3),
            T.histc(T.tensor([1.0, NAN]), 3, 0, 2),
            T.histc(T.tensor([1.0]).half(), 3),
        ]

    same(torch, program)


def test_shifts_beyond_the_width(torch: Any) -> None:
    def program(T: Any) -> Any:
        x, byte = T.tensor([3, -5]), T.tensor([200, 1], dtype=T.uint8)
        there = x.clone()
        there <<= 2
        there >>= 1
        return [
            x << 1, x >> 1, 1 << T.tensor([3]), x << 64, x << -1, x >> 70, x >> -1, byte << 1,
            T.tensor([True]) << 1, T.bitwise_left_shift(2, x), x.bitwise_right_shift(x.abs()),
            there,
        ]  # fmt: skip

    same(torch, program)


def test_promotion_of_two_types(torch: Any) -> None:
    def program(T: Any) -> Any:
        i, f, b = T.tensor([3, 4]), T.tensor([0.5, 2.0]), T.tensor([True, False])
        return [
            T.addcmul(i, i, i, value=2), T.addcmul(f, i, f.double()), T.addcmul(i, i, i, value=2.5),
            T.addcdiv(f, i, f), T.atan2(i, i), T.atan2(b, f), T.atan2(f, f.double()),
            T.fmod(i, 2.5), T.fmod(b, 2), T.fmod(T.tensor([-5.0, 5.0]), 3), T.fmod(f, 0),
            T.clamp_min(i, 3.5), T.clamp_max(i, f), T.clamp_min(T.tensor([NAN, 1.0]), 2),
            T.clamp_min(b, b), T.lerp(f, f + 1, T.tensor(0.5)), T.cartesian_prod(i, i, i),
        ]  # fmt: skip

    same(torch, program)


@pytest.mark.parametrize("right", [False, True])
def test_positions_in_sorted_rows(torch: Any, right: bool) -> None:
    def program(T: Any) -> Any:
        row, rows = T.tensor([1, 3, 5, 5]), T.tensor([[1.0, 3.0, NAN], [2.0, 2.0, 6.0]])
        values = T.tensor([[3, 9, 0], [5, 2, 1]])
        wanted = T.tensor([[3.0, NAN], [2.0, 7.0]])
        order = T.tensor([2, 0, 1])
        return [
            T.searchsorted(row, values, right=right), T.searchsorted(rows, wanted, right=right),
            T.searchsorted(row, 5, right=right), T.searchsorted(row, 2.5, out_int32=True),
            T.searchsorted(T.tensor([4, 9, 1]), values, sorter=order, right=right),
            T.searchsorted(row, values, side="right" if right else "left"),
            T.searchsorted(T.tensor([]), T.tensor([1.0])), T.bucketize(values, row, right=right),
            T.bucketize(4, row), T.bucketize(wanted, row * 1.0, out_int32=True, right=right),
            T.argwhere(values > 2), T.argwhere(T.tensor(3)), T.searchsorted(row, T.tensor(4)),
        ]  # fmt: skip

    same(torch, program)


def test_quantiles_among_nan(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = T.tensor([[1.0, NAN, 3.0], [4.0, 5.0, 7.0], [NAN, NAN, NAN]])
        shares = T.tensor([0.0, 0.25, 1.0])
        return [
            T.quantile(x, 0.5, dim=1), T.nanquantile(x, 0.5, dim=1), T.nanquantile(x, shares, 1),
            T.quantile(x, shares, keepdim=True), T.quantile(T.tensor(2.0), shares),
            *(
                T.quantile(x[1], 0.3, interpolation=word)
                for word in ("lower", "higher", "nearest", "midpoint", "linear")
            ),
            T.fmax(x[0], x[2]), T.fmin(x[0], T.tensor([2.0, 2.0, NAN])),
            T.trapezoid(T.tensor([1, 2, 4])),
            T.cumulative_trapezoid(T.tensor([1, 2, 4]), dx=2), T.trapezoid(T.ones(0, 2), dim=0),
        ]  # fmt: skip

    same(torch, program)


def test_gradient_of_the_share_of_a_quantile(torch: Any) -> None:
    def program(T: Any) -> Any:
        printed = []
        for rows in ([[1.5, 2.0, 3.0], [4.0, 5.0, 7.0]], [[1.5, NAN, 3.0], [4.0, 5.0, 7.0]]):
            for quantile in (T.quantile, T.nanquantile):
                for kind in ("linear", "lower", "midpoint"):
                    x = T.tensor(rows, requires_grad=True)
                    share = T.tensor([0.2, 0.7], requires_grad=True)
                    quantile(x, share, dim=1, interpolation=kind).sum().backward()
                    printed += [x.grad, share.grad]
        single = T.quantile(T.tensor(2.0), T.tensor([0.1, 0.2]), dim=0, keepdim=True)
        return [*printed, single.shape]

    same(torch, program)


REFUSED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "dist of nothing": lambda T, f, i: T.dist(T.zeros(0), T.zeros(0), math.inf),
    "cdist of a vector": lambda T, f, i: T.cdist(f, f),
    "cdist of integers": lambda T, f, i: T.cdist(T.ones(2, 2, dtype=T.int64), T.ones(2, 2)),
    "cdist columns": lambda T, f, i: T.cdist(T.ones(2, 2), T.ones(2, 3)),
    "cdist p": lambda T, f, i: T.cdist(T.ones(2, 2), T.ones(2, 2), -1.0),
    "cdist batches": lambda T, f, i: T.cdist(T.ones(3, 2, 2), T.ones(2, 2, 2)),
    "cdist types": lambda T, f, i: T.cdist(T.ones(2, 2), T.ones(2, 2).double()),
    "cdist half": lambda T, f, i: T.cdist(T.ones(2, 2).half(), T.ones(2, 2).half()),
    "cdist mode": lambda T, f, i: T.cdist(T.ones(2, 2), T.ones(2, 2), compute_mode="foo"),
    "unique of nothing": lambda T, f, i: T.unique(T.zeros(0, 2), dim=1),
    "unique of a number": lambda T, f, i: T.unique(T.tensor(3.0), dim=0),
    "unique dim": lambda T, f, i: T.unique(f, dim=3),
    "bincount negative": lambda T, f, i: T.bincount(-i),
    "bincount floats": lambda T, f, i: T.bincount(f),
    "bincount matrix": lambda T, f, i: T.bincount(i[None]),
    "bincount minlength": lambda T, f, i: T.bincount(i, minlength=-1),
    "bincount weights": lambda T, f, i: T.bincount(i, T.ones(3)),
    "bincount bools": lambda T, f, i: T.bincount(i > 3),
    "histc integers": lambda T, f, i: T.histc(i),
    "histc bins": lambda T, f, i: T.histc(f, 0),
    "histc bounds": lambda T, f, i: T.histc(f, 3, 5, 1),
    "histc inf": lambda T, f, i: T.histc(f, 3, 0, math.inf),
    "searchsorted rows": lambda T, f, i: T.searchsorted(T.ones(1, 2), f),
    "searchsorted number": lambda T, f, i: T.searchsorted(T.ones(1, 2), 1.5),
    "searchsorted opposites": lambda T, f, i: T.searchsorted(f, 1.5, side="left", right=True),
    "searchsorted side": lambda T, f, i: T.searchsorted(f, 1.5, side="lft"),
    "searchsorted sorter type": lambda T, f, i: T.searchsorted(f, f, sorter=f),
    "searchsorted sorter size": lambda T, f, i: T.searchsorted(f, f, sorter=T.tensor([0])),
    "searchsorted sorter range": lambda T, f, i: T.searchsorted(
        f, f, sorter=T.full_like(f, 9).long()
    ),
    "searchsorted bools": lambda T, f, i: T.searchsorted(f > 0, f > 0),
    "bucketize rows": lambda T, f, i: T.bucketize(f, T.ones(1, 2)),
    "tensordot count": lambda T, f, i: T.tensordot(T.ones(2, 3), T.ones(3), dims=3),
    "tensordot negative": lambda T, f, i: T.tensordot(f, f, dims=-1),
    "tensordot sizes": lambda T, f, i: T.tensordot(T.ones(2, 3), T.ones(4, 5), dims=1),
    "tensordot lists": lambda T, f, i: T.tensordot(T.ones(2, 3), T.ones(3), dims=([1], [0, 1])),
    "tensordot twice": lambda T, f, i: T.tensordot(
        T.ones(3, 3), T.ones(3, 3), dims=([1, 1], [0, 0])
    ),
    "tensordot types": lambda T, f, i: T.tensordot(f, f.double(), dims=1),
    "tensordot dims": lambda T, f, i: T.tensordot(f, f, dims=1.5),
    "inner sizes": lambda T, f, i: T.inner(T.ones(2, 3), T.ones(2)),
    "inner types": lambda T, f, i: T.inner(T.tensor([1]), T.tensor([1.0])),
    "vdot matrix": lambda T, f, i: T.vdot(T.ones(2, 2), T.ones(2)),
    "quantile share": lambda T, f, i: T.quantile(f, 1.5),
    "quantile shares": lambda T, f, i: T.quantile(f, T.tensor([0.5, 1.5])),
    "quantile integers": lambda T, f, i: T.quantile(T.tensor([1, 2]), 0.5),
    "quantile of nothing": lambda T, f, i: T.quantile(T.ones(0), 0.5),
    "quantile q": lambda T, f, i: T.quantile(f, T.ones(1, 1)),
    "quantile types": lambda T, f, i: T.quantile(f, T.ones(1).double()),
    "quantile word": lambda T, f, i: T.quantile(f, 0.5, interpolation="x"),
    "trapezoid points": lambda T, f, i: T.trapezoid(T.ones(3), T.ones(2)),
    "trapezoid one point": lambda T, f, i: T.trapezoid(T.ones(3), T.tensor(1.0)),
    "trapezoid of a number": lambda T, f, i: T.trapezoid(T.tensor(1.0)),
    "trapezoid bools": lambda T, f, i: T.trapezoid(T.tensor([True])),
    "cov of three dimensions": lambda T, f, i: T.cov(T.ones(1, 2, 3)),
    "cov of bools": lambda T, f, i: T.corrcoef(f > 0),
    "cov, a matrix of weights": lambda T, f, i: T.cov(f, fweights=i[None]),
    "cov, weights of a type": lambda T, f, i: T.cov(f, fweights=f),
    "cov, other weights of a type": lambda T, f, i: T.cov(f, aweights=i),
    "cov, too many weights": lambda T, f, i: T.cov(f, aweights=T.ones(9)),
    "cov, weights of nothing": lambda T, f, i: T.cov(T.ones(2), aweights=T.zeros(2)),
    "cov, negative weights": lambda T, f, i: T.cov(T.ones(2), aweights=-T.ones(2)),
    "cov, a correction of bools": lambda T, f, i: T.cov(f, correction=True),
    "corrcoef of three dimensions": lambda T, f, i: T.corrcoef(T.ones(1, 2, 3)),
    "block_diag of a list": lambda T, f, i: T.block_diag([f]),
    "block_diag of three dimensions": lambda T, f, i: T.block_diag(f, T.ones(1, 2, 3)),
    "positive of bools": lambda T, f, i: T.positive(f > 0),
    "hinge_embedding_loss of bools": lambda T, f, i: T.nn.functional.hinge_embedding_loss(f > 0, f),
    "cholesky_solve of a vector": lambda T, f, i: T.cholesky_solve(f, T.eye(2)),
    "cholesky_solve with a vector": lambda T, f, i: T.cholesky_solve(T.eye(2), f),
    "cholesky_solve types": lambda T, f, i: T.cholesky_solve(T.eye(2), T.eye(2).double()),
    "cholesky_solve integers": lambda T, f, i: T.cholesky_solve(T.eye(2).long(), T.eye(2).long()),
    "cholesky_solve not square": lambda T, f, i: T.cholesky_solve(T.eye(2), T.ones(2, 3)),
    "cholesky_solve sizes": lambda T, f, i: T.cholesky_solve(T.eye(2), T.eye(3)),
    **{
        f"solve_triangular {name}": lambda T, f, i, given=given, named=named: (
            T.linalg.solve_triangular(*given(T), **named)
        )
        for name, given, named in [
            ("without a half", lambda T: (T.eye(2), T.eye(2)), {}),
            ("half by place", lambda T: (T.eye(2), T.eye(2), True), {}),
            ("half as a number", lambda T: (T.eye(2), T.eye(2)), {"upper": 1}),
            ("of a vector", lambda T: (T.eye(2), T.ones(2)), {"upper": True}),
            ("with a vector", lambda T: (T.ones(2), T.eye(2)), {"upper": True}),
            ("not square", lambda T: (T.ones(2, 3), T.eye(2)), {"upper": True}),
            ("sizes", lambda T: (T.eye(3), T.eye(2)), {"upper": True}),
            ("sizes, right", lambda T: (T.eye(3), T.eye(2)), {"upper": True, "left": False}),
            ("batches", lambda T: (T.ones(2, 1, 1), T.ones(3, 1, 1)), {"upper": True}),
            ("integers", lambda T: (T.eye(2).long(), T.eye(2)), {"upper": True}),
        ]
    },
    "cartesian_prod of nothing": lambda T, f, i: T.cartesian_prod(),
    "cartesian_prod of a matrix": lambda T, f, i: T.cartesian_prod(T.ones(2, 2)),
    "cartesian_prod of a list": lambda T, f, i: T.cartesian_prod([f, f]),
    "cartesian_prod of types": lambda T, f, i: T.cartesian_prod(f, i),
    "combinations of a matrix": lambda T, f, i: T.combinations(T.ones(2, 2)),
    "combinations of less than none": lambda T, f, i: T.combinations(f, -1),
    "addcmul of bools": lambda T, f, i: T.addcmul(i > 3, i > 3, i > 3),
    "addcmul shapes": lambda T, f, i: T.addcmul(f, T.ones(3), f),
    "addcmul_ shapes": lambda T, f, i: f.addcmul_(T.ones(3, 2), f),
    "addcmul_ types": lambda T, f, i: i.addcmul_(f, f),
    "addcdiv of integers": lambda T, f, i: T.addcdiv(f, i, i),
    "lerp types": lambda T, f, i: T.lerp(f, f.double(), 0.5),
    "lerp weight": lambda T, f, i: T.lerp(f, f, f.double()),
    "lerp of integers": lambda T, f, i: T.lerp(i, i, 0.5),
    "lerp_ shapes": lambda T, f, i: f.lerp_(T.ones(3, 2), 0.5),
    "fmod by 0": lambda T, f, i: T.fmod(i, 0),
    "fmod of bools": lambda T, f, i: T.fmod(i > 3, i > 3),
    "fmod_ types": lambda T, f, i: i.fmod_(2.5),
    "atan2_ types": lambda T, f, i: i.atan2_(i),
    "a shift of floats": lambda T, f, i: f << 1,
    "a shift by floats": lambda T, f, i: i >> f,
    "a shift of bools": lambda T, f, i: T.bitwise_left_shift(i > 3, i > 3),
    "clamp_min of bools": lambda T, f, i: T.clamp_min(i > 3, True),
    "clamp_min_ types": lambda T, f, i: i.clamp_min_(3.5),
    "clamp_max_ shapes": lambda T, f, i: f.clamp_max_(T.ones(3, 2)),
    "clamp_min shapes": lambda T, f, i: T.clamp_min(f, T.ones(3)),
    "index_fill dim": lambda T, f, i: T.index_fill(f, 2, i, 1),
    "index_fill by floats": lambda T, f, i: T.index_fill(f, 0, f, 1),
    "index_fill by a matrix": lambda T, f, i: T.index_fill(f, 0, i[None], 1),
    "index_fill outside": lambda T, f, i: T.index_fill(f, 0, i, 1),
    "index_fill far before": lambda T, f, i: T.index_fill(f, 0, -i, 1),
    "index_fill with a vector": lambda T, f, i: T.index_fill(f, 0, i - 3, f),
    "index_copy dim": lambda T, f, i: T.index_copy(f, 3, i, f),
    "index_copy types": lambda T, f, i: T.index_copy(f, 0, i, f.double()),
    "index_copy by floats": lambda T, f, i: T.index_copy(f, 0, f, f),
    "index_copy by a matrix": lambda T, f, i: T.index_copy(f, 0, i[None], f),
    "index_copy of too many": lambda T, f, i: T.index_copy(f, 0, i, T.ones(3)),
    "index_copy outside": lambda T, f, i: T.index_copy(f, 0, i, f),
    "index_copy before": lambda T, f, i: T.index_copy(f, 0, i - 4, f),
    "index_copy slices": lambda T, f, i: T.index_copy(T.ones(3, 2), 0, i - 3, T.ones(2, 3)),
    "index_copy ranks": lambda T, f, i: T.index_copy(T.ones(3, 2), 0, i - 3, f),
    "index_put types": lambda T, f, i: T.index_put(f, (i - 3,), f.double()),
    "index_put shapes": lambda T, f, i: T.index_put(f, (i - 3,), T.ones(3)),
    "index_put too many": lambda T, f, i: T.index_put(f, (i, i), f),
    "index_put outside": lambda T, f, i: T.index_put(f, (i,), f),
    "index_put by floats": lambda T, f, i: T.index_put(f, (f + 1,), f),
    "index_put by a tensor": lambda T, f, i: f.index_put_(i, f).item(),
    "masked_scatter mask": lambda T, f, i: T.masked_scatter(f, f, f),
    "masked_scatter types": lambda T, f, i: T.masked_scatter(f, f > 0, f.double()),
    "masked_scatter of too few": lambda T, f, i: T.masked_scatter(f, f > 0, T.ones(1)),
    "masked_scatter shapes": lambda T, f, i: T.masked_scatter(f, T.ones(3) > 0, f),
}


@pytest.mark.parametrize("name", REFUSED)
def test_errors_have_pytorch_text(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        try:
            REFUSED[name](T, T.tensor([0.5, 2.0]), T.tensor([3, 4]))
        except Exception as error:
            return type(error).__name__, str(error)
        raise AssertionError("no error")

    same(torch, program)
