"""Pseudoinverse, rank and condition number, as PyTorch has them, near and far from singular."""

from __future__ import annotations

import re
from typing import Any

import pytest

import minigrad
from tests.parity import same

CALLS = [
    "L.pinv(tall)", "L.pinv(tall.T)", "L.pinv(even, hermitian=True)", "L.pinv(batch)",
    "L.pinv(low)", "L.pinv(tall, 0.5)", "L.pinv(tall, atol=1.0)",
    "L.pinv(tall, rtol=0.5, atol=0.1)", "L.pinv(tall, T.tensor([0.1, 0.9]))",
    "L.pinv(tall, atol=T.tensor(1))", "L.pinv(T.zeros(0, 3))", "L.pinv(T.zeros(2, 0, 3))",
    "L.pinv(T.ones(3))", "L.pinv(T.ones(2, 2).long())", "L.pinv(T.eye(2).half())",
    "L.pinv(tall, hermitian=True)", "L.pinv(tall, None)", "L.pinv(1)", "L.pinv(tall * NAN)",
    "L.pinv(tall, hermitian=1)", "L.pinv(tall, 0.1, atol=0.2)", "T.pinverse(tall)",
    "low.pinverse(0.1)", "tall.pinverse('a')", "L.matrix_rank(tall)", "L.matrix_rank(low)",
    "L.matrix_rank(batch)", "L.matrix_rank(low, 9.0)", "L.matrix_rank(even, hermitian=True)",
    "L.matrix_rank(tall, atol=T.tensor(0.1))", "L.matrix_rank(low, atol=1e-9)",
    "L.matrix_rank(low, rtol=1e-20)", "L.matrix_rank(T.ones(3))",
    "L.matrix_rank(T.ones(2, 2).long())", "L.matrix_rank(T.ones(2, 2).long(), 0.1)",
    "L.matrix_rank(T.zeros(2, 0, 3))", "L.matrix_rank(T.zeros(2, 3, 2))",
    "L.matrix_rank(even, None)", "L.matrix_rank(tall, hermitian=True)", "L.matrix_rank(tall * NAN)",
    "L.matrix_rank(even, 1, True)", "L.cond(tall)", "L.cond(even)", "L.cond(even, -2)",
    "L.cond(even, 1)", "L.cond(even, 'fro')", "L.cond(even, 'nuc')", "L.cond(even, INF)",
    "L.cond(even, -1)", "L.cond(T.zeros(2, 2))", "L.cond(T.zeros(2, 2), 1)",
    "L.cond(T.zeros(2, 2), 'nuc')", "L.cond(T.eye(2) / 0, 1)",
    "L.cond(T.stack([T.eye(2), T.ones(2, 2)]), 1)", "L.cond(tall, 1)", "L.cond(tall, 'fro')",
    "L.cond(T.ones(3))", "L.cond(T.ones(3), 1)", "L.cond(T.ones(3), 'a')", "L.cond(even, 'a')",
    "L.cond(even, 3)", "L.cond(even, 0.5)", "L.cond(T.eye(2).half())", "L.cond(T.eye(2).long(), 1)",
    "L.cond(T.zeros(2, 0, 3))", "L.cond(T.zeros(2, 0, 0), 'fro')", "L.cond(even, T.tensor(1))",
]  # fmt: skip


def matrices(T: Any) -> dict[str, Any]:
    """Matrices that need a gradient: tall, symmetric, in a batch, of rank 1."""
    even = T.tensor([[2.0, 0.5, 0.1], [0.5, -1.0, 0.3], [0.1, 0.3, 3.0]], dtype=T.float64)
    tall = T.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.3]], dtype=T.float64)
    given = {
        "even": even,
        "tall": tall,
        "batch": T.stack([tall, tall**2]),
        "low": even[:2, 2:] @ even[2:],
    }
    return {name: x.requires_grad_() for name, x in given.items()}


def names(node: Any) -> str:
    """A graph by the names of its nodes."""
    if node is None:
        return ""
    return f"{node.name()}({' '.join(names(target) for target, _ in node.next_functions)})"


@pytest.mark.parametrize("call", CALLS)
def test_rank_and_condition_of_matrix(torch: Any, call: str) -> None:
    def program(T: Any) -> Any:
        given = {"T": T, "L": T.linalg, "INF": float("inf"), "NAN": float("nan"), **matrices(T)}
        try:
            found = eval(call, given)
        except Exception as error:
            return type(error).__name__, str(error).splitlines()[0]
        seen = [found.detach(), found.dtype, found.stride(), names(found.grad_fn)]
        if not found.requires_grad:
            return seen
        used = [given[name] for name in matrices(T) if re.search(rf"\b{name}\b", call)]
        try:
            return [*seen, *T.autograd.grad(found.cos().sum(), used)]
        except RuntimeError as error:  # as in PyTorch, the inverse is overwritten
            return [*seen, str(error).split(", which is output")[0]]

    same(torch, program)


def test_derivatives_of_the_pseudoinverse() -> None:
    L, x = minigrad.linalg, matrices(minigrad)
    for name in ("tall", "batch"):
        assert minigrad.autograd.gradcheck(L.pinv, x[name])
        assert minigrad.autograd.gradgradcheck(L.pinv, x[name])
    assert minigrad.autograd.gradcheck(L.cond, x["tall"])


def test_pseudoinverse_saves_matrix_and_result(torch: Any) -> None:
    def program(T: Any) -> Any:
        node = T.linalg.pinv(matrices(T)["tall"]).grad_fn
        return sorted(each for each in dir(node) if each.startswith("_saved_"))

    same(torch, program)


def test_tensors_broadcast_together(torch: Any) -> None:
    calls = [
        "x, y",
        "y, x",
        "x, x",
        "",
        "x",
        "x, 1",
        "[x, y]",
        "x, T.ones(3)",
        "x, T.ones(4, 1, 2)",
    ]

    def program(T: Any) -> Any:
        seen: list[Any] = []
        for call in calls:
            x, y = T.ones(2, requires_grad=True), T.ones(3, 1, requires_grad=True)
            try:
                found = eval(f"T.broadcast_tensors({call})", {"T": T, "x": x, "y": y})
            except Exception as error:
                seen.append((type(error).__name__, str(error)))
                continue
            graphs = [names(each.grad_fn) for each in found]
            steps = [each.stride() for each in found]
            seen.append((type(found).__name__, graphs, steps, [each is x for each in found]))
        return seen

    same(torch, program)
