"""SVD, QR, eigenvectors and Cholesky. Signs of vectors are each library's choice, so what is
compared does not depend on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minigrad
from tests.parity import same

SHAPES = [(3, 3), (4, 2), (2, 4), (2, 3, 2)]


def matrix(T: Any, shape: Any) -> Any:
    return T.rand(shape, dtype=T.float64).requires_grad_()


def symmetric(T: Any, size: int = 3) -> Any:
    x = T.rand(size, size, dtype=T.float64)
    return (x + x.T).requires_grad_()


FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "svd": lambda L, x: sum_of(L.svd(x, full_matrices=False)),
    "low rank": lambda L, x: (lambda U, S, Vh: U[..., :1] * S[..., None, :1] @ Vh[..., :1, :])(
        *L.svd(x, False)
    ),
    "singular values": lambda L, x: L.svdvals(x),
    "all singular vectors": lambda L, x: L.svd(x)[1].cos(),
    "projection": lambda L, x: (lambda Q: Q @ Q.mT)(L.qr(x).Q[..., :1]),
    "triangle": lambda L, x: L.qr(x).R.square(),
}


def sum_of(found: Any) -> Any:
    """A result of a decomposition that no sign changes."""
    U, S, Vh = found
    return U.square() @ S.cos()[..., None] + (Vh.square().mT @ S.sin()[..., None]).sum()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["svd", "low rank", "singular values", "all singular vectors"])
def test_singular_values(torch: Any, name: str, shape: Any) -> None:
    def program(T: Any) -> Any:
        x = matrix(T, shape)
        out = FUNCTIONS[name](T.linalg, x)
        out.sum().backward()
        return out.detach(), x.grad

    same(torch, program)
    f = FUNCTIONS[name]
    assert minigrad.autograd.gradcheck(lambda x: f(minigrad.linalg, x), matrix(minigrad, shape))


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", ["projection", "triangle"])
def test_qr(torch: Any, name: str, shape: Any) -> None:
    def program(T: Any) -> Any:
        x = matrix(T, shape)
        out = FUNCTIONS[name](T.linalg, x)
        out.sum().backward()
        return out.detach(), x.grad

    same(torch, program)
    f = FUNCTIONS[name]
    assert minigrad.autograd.gradcheck(lambda x: f(minigrad.linalg, x), matrix(minigrad, shape))


def test_eigenvectors(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = symmetric(T)
        values, vectors = T.linalg.eigh(x)
        out = vectors.square() @ values.cos() + T.linalg.eigvalsh(x, UPLO="U").sum()
        out.sum().backward()
        return out.detach(), x.grad, T.linalg.eigh(x)[0].detach()

    same(torch, program)


def test_cholesky(torch: Any) -> None:
    def program(T: Any) -> Any:
        x = matrix(T, (2, 3, 3))
        out = T.linalg.cholesky(x @ x.mT + T.eye(3, dtype=T.float64))
        (out * T.rand(3, 3, dtype=T.float64)).sum().backward()
        return out.detach(), x.grad, out.grad_fn.name()

    same(torch, program)


def test_derivatives_of_any_order() -> None:
    mg, L = minigrad, minigrad.linalg
    x = matrix(mg, (3, 2))
    assert mg.autograd.gradgradcheck(lambda x: sum_of(L.svd(x, full_matrices=False)), x)
    assert mg.autograd.gradgradcheck(lambda x: L.qr(x).R.square(), x)
    both = mg.eye(3, dtype=mg.float64)
    even = symmetric(mg)
    assert mg.autograd.gradcheck(lambda x: L.eigh(x + x.T).eigenvectors.square(), even)
    assert mg.autograd.gradgradcheck(lambda x: L.eigvalsh(x + x.T).cos(), even)
    assert mg.autograd.gradgradcheck(lambda x: L.cholesky(x @ x.T + both), even)
    assert mg.autograd.gradgradcheck(lambda x: mg.cholesky(x @ x.T + both, upper=True), even)


def test_the_factors_and_their_names(torch: Any) -> None:
    def program(T: Any) -> Any:
        L, x = T.linalg, matrix(T, (3, 2))
        seen: list[Any] = []
        for factors in (L.svd(x), L.svd(x, False), L.qr(x), L.qr(x, "complete"), L.qr(x, "r")):
            seen += [[list(each.shape) for each in factors], factors[-1].grad_fn.name()]
            seen += [factors[1].output_nr, [n for n in dir(factors) if n[0] in "USVQR"]]
        U, S, Vh = L.svd(x, full_matrices=False)
        Q, R = L.qr(x)
        e = L.eigh(T.tensor([[2.0, 0.0], [0.0, 3.0]]))
        print(repr(e).split("(")[0], repr(L.svd(T.eye(2))).split("\n")[2])
        return [*seen, U * S @ Vh, Q @ R, R.tril(-1), e.eigenvalues, S, e.eigenvectors.abs()]

    def graphless(T: Any) -> Any:
        return [x.detach() if isinstance(x, T.Tensor) else x for x in program(T)]

    same(torch, graphless)


REFUSED: dict[str, Callable[[Any, Any], Any]] = {
    "svd of a vector": lambda T, L: L.svd(T.ones(2)),
    "svd of integers": lambda T, L: L.svd(T.ones(2, 2, dtype=T.int64)),
    "svd of half": lambda T, L: L.svd(T.ones(2, 2).half()),
    "svd of nan": lambda T, L: L.svd(T.tensor([[float("nan"), 1.0], [1.0, 2.0]])),
    "qr of a vector": lambda T, L: L.qr(T.ones(2)),
    "qr mode": lambda T, L: L.qr(T.ones(2, 2), "foo"),
    "qr complete": lambda T, L: L.qr(matrix(T, (3, 2)), "complete")[0].sum().backward(),
    "qr r": lambda T, L: L.qr(matrix(T, (3, 2)), "r")[1].sum().backward(),
    "eigh of a vector": lambda T, L: L.eigh(T.ones(2)),
    "eigh not square": lambda T, L: L.eigh(T.ones(2, 3)),
    "eigh of integers": lambda T, L: L.eigh(T.ones(2, 2, dtype=T.int64)),
    "eigh half": lambda T, L: L.eigh(T.ones(2, 2), "X"),
    "cholesky": lambda T, L: L.cholesky(-T.eye(2)),
    "cholesky in a batch": lambda T, L: L.cholesky(T.stack([T.eye(2), 1 - 0.5 * T.eye(2)])),
    "cholesky not square": lambda T, L: L.cholesky(T.ones(2, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_errors_have_pytorch_text(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        try:
            REFUSED[name](T, T.linalg)
        except Exception as error:
            return type(error).__name__, str(error)
        raise AssertionError("no error")

    same(torch, program)


NORMS = [
    "T.linalg.matrix_norm(T.zeros(0, 3), 2)",
    "T.linalg.matrix_norm(T.zeros(0, 3), 'nuc')",
    "T.linalg.matrix_norm(T.zeros(0, 3), -2)",
    "T.linalg.matrix_norm(T.zeros(2, 0, 3), 2, keepdim=True)",
    "T.linalg.matrix_norm(T.zeros(0, 2, 3), -2)",
    "T.linalg.matrix_norm(T.ones(2, 3).half(), 'nuc')",
    "T.linalg.matrix_norm(T.ones(2, 3).long(), 2)",
    "T.linalg.matrix_norm(T.ones(2, 3), 2, dtype=T.float64)",
    "T.linalg.norm(T.ones(3), 'nuc')",
    "T.linalg.norm(T.ones(2, 2, 2), 2)",
    "T.norm(T.ones(2, 3), 'nuc', dtype=T.float64)",
    "T.norm(T.ones(2, 2, 2), 'nuc')",
    "T.norm(T.ones(3), 'nuc')",
    "T.norm(T.ones(2, 3), 'nuc', 0)",
    "T.norm(T.ones(2, 3), 'nuc', (0, 0))",
    "T.norm(T.ones(2, 3), 'other')",
    "T.norm(T.ones(2, 3), 2, (0, 1))",
    "T.ones(2, 3).norm('nuc', keepdim=True)",
    "T.linalg.matrix_norm(T.ones(2, 3), 'other')",
    "T.linalg.matrix_norm(T.ones(2, 3), 3)",
    "T.linalg.matrix_norm(T.ones(2, 3), 0.5)",
    "T.linalg.matrix_norm(T.ones(2, 3), 1j)",
    "T.linalg.matrix_norm(T.ones(3), 1)",
    "T.linalg.matrix_norm(T.ones(2, 3), 1, dim=(0,))",
    "T.linalg.matrix_norm(T.ones(2, 3), 1, dim=(0, -2))",
    "T.linalg.norm(T.arange(6.0).reshape(2, 3))",
    "T.linalg.norm(T.arange(6.0).reshape(2, 3), keepdim=True)",
    "T.linalg.norm(T.arange(6.0).reshape(2, 3), dim=1)",
    "T.linalg.norm(T.arange(6.0).reshape(2, 3), dim=[0, 1])",
    "T.linalg.norm(T.arange(6.0).reshape(2, 3), dtype=T.float64)",
    "T.linalg.norm(T.arange(6.0).reshape(2, 3), 1)",
    "T.linalg.norm(T.arange(6.0).reshape(2, 3), 1, 1)",
    "T.linalg.norm(T.arange(6.0).reshape(2, 3), 'fro', keepdim=True)",
    "T.linalg.norm(T.ones(2, 2, 2), dim=(0, 1, 2))",
    "T.linalg.norm(T.ones(4), 3)",
]


@pytest.mark.parametrize("call", NORMS)
def test_norms_of_singular_values(torch: Any, call: str) -> None:
    def program(T: Any) -> Any:
        try:
            found = eval(call, {"T": T})
        except Exception as error:
            return type(error).__name__, str(error)
        return found.dtype, found.tolist()

    same(torch, program)
