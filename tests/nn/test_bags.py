"""Rows of a table in bags: every way of calling, gradients, and PyTorch's refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minigrad
from tests.parity import caught, same

BAGS: dict[str, Callable[[Any], Any]] = {
    "a matrix": lambda T: {"input": T.tensor([[0, 1], [3, 3]])},
    "offsets": lambda T: {"input": T.tensor([0, 1, 3, 3]), "offsets": T.tensor([0, 1, 1])},
    "the last offset": lambda T: {
        "input": T.tensor([0, 1, 3, 3]),
        "offsets": T.tensor([0, 2, 4]),
        "include_last_offset": True,
    },
    "a row in no bag": lambda T: {"input": T.tensor([[0, 1], [3, 3], [1, 1]]), "padding_idx": -3},
    "short numbers": lambda T: {"input": T.tensor([[0, 1], [3, 2]], dtype=T.int32)},
    "nothing": lambda T: {"input": T.zeros(0, dtype=T.int64), "offsets": T.tensor([0, 0])},
}


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize("name", BAGS)
def test_bags(torch: Any, name: str, mode: str) -> None:
    def program(T: Any) -> Any:
        table = T.randn(4, 3, requires_grad=True)
        found = T.nn.functional.embedding_bag(weight=table, mode=mode, **BAGS[name](T))
        found.pow(2).sum().backward()
        half = T.nn.functional.embedding_bag(
            weight=table.detach().half(), mode=mode, **BAGS[name](T)
        )
        return found, table.grad, half

    same(torch, program)


def test_weights_of_samples(torch: Any) -> None:
    def program(T: Any) -> Any:
        F, table = T.nn.functional, T.randn(4, 3, requires_grad=True)
        counts = T.rand(2, 2, requires_grad=True)
        bags = T.tensor([[0, 1], [3, 0]])
        found = F.embedding_bag(bags, table, mode="sum", per_sample_weights=counts, padding_idx=1)
        return found.detach(), T.autograd.grad(found.pow(2).sum(), [table, counts])

    same(torch, program)


def test_rows_are_shortened_in_place(torch: Any) -> None:
    def program(T: Any) -> Any:
        layer = T.nn.EmbeddingBag(4, 3, max_norm=0.5, norm_type=1.5, mode="sum")
        found = layer(T.tensor([[0, 1], [1, 3]]))
        found.sum().backward()
        return found, layer.weight.detach(), layer.weight.grad

    same(torch, program)


def test_no_second_derivative(torch: Any) -> None:
    def program(T: Any) -> Any:
        table = T.randn(4, 3, requires_grad=True)
        found = T.nn.functional.embedding_bag(T.tensor([[0, 1], [3, 3]]), table)
        (g,) = T.autograd.grad(found.pow(2).sum(), table, create_graph=True)
        return g.grad_fn.name(), caught(lambda: g.sum().backward(), "is not implemented")

    same(torch, program)


def test_made_from_rows(torch: Any) -> None:
    def program(T: Any) -> Any:
        layer = T.nn.EmbeddingBag.from_pretrained(T.eye(3), mode="max")
        print(layer, layer.weight.requires_grad)
        wrong = caught(lambda: T.nn.EmbeddingBag.from_pretrained(T.ones(3)), "2-dimensional")
        return layer(T.tensor([0, 1, 2]), T.tensor([0, 1])), wrong

    same(torch, program)


REFUSED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "no offsets": lambda T, F, w: F.embedding_bag(T.tensor([0, 1]), w),
    "offsets of a matrix": lambda T, F, w: F.embedding_bag(T.tensor([[0]]), w, T.tensor([0])),
    "a matrix of offsets": lambda T, F, w: F.embedding_bag(T.tensor([0]), w, T.tensor([[0]])),
    "a first offset": lambda T, F, w: F.embedding_bag(T.tensor([0, 1]), w, T.tensor([1])),
    "offsets of floats": lambda T, F, w: F.embedding_bag(T.tensor([0]), w, T.tensor([0.0])),
    "floats": lambda T, F, w: F.embedding_bag(T.tensor([0.5]), w, T.tensor([0])),
    "integers in the table": lambda T, F, w: F.embedding_bag(T.tensor([[0]]), w.long()),
    "a vector for the table": lambda T, F, w: F.embedding_bag(T.tensor([[0]]), w[0]),
    "three dimensions": lambda T, F, w: F.embedding_bag(T.tensor([[[0]]]), w),
    "another mode": lambda T, F, w: F.embedding_bag(T.tensor([[0]]), w, mode="median"),
    "a padding outside": lambda T, F, w: F.embedding_bag(T.tensor([[0]]), w, padding_idx=7),
    "weights of a mean": lambda T, F, w: F.embedding_bag(
        T.tensor([[0]]), w, per_sample_weights=T.ones(1, 1)
    ),
    "the shape of weights": lambda T, F, w: F.embedding_bag(
        T.tensor([[0]]), w, mode="sum", per_sample_weights=T.ones(2)
    ),
    "the type of weights": lambda T, F, w: F.embedding_bag(
        T.tensor([[0]]), w, mode="sum", per_sample_weights=T.ones(1, 1).double()
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_the_same_words(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        try:
            REFUSED[name](T, T.nn.functional, T.ones(4, 3))
        except Exception as error:
            return type(error).__name__, str(error).splitlines()[0].replace("minigrad.", "torch.")
        raise AssertionError("no error")

    same(torch, program)


def test_frequencies_are_refused() -> None:
    with pytest.raises(NotImplementedError, match="by frequency"):
        minigrad.nn.EmbeddingBag(3, 2, scale_grad_by_freq=True)(minigrad.tensor([[1]]))


def test_embedding_of_limited_norm_and_frequency(torch: Any) -> None:
    def program(T: Any) -> Any:
        F, found = T.nn.functional, []
        for options in (
            {"max_norm": 0.5},
            {"max_norm": 1.0, "norm_type": float("inf")},
            {"scale_grad_by_freq": True, "padding_idx": 0},
        ):
            table = T.randn(5, 3, requires_grad=True)
            rows = F.embedding(T.tensor([[0, 1], [1, 3]]), table, **options)
            (slope,) = T.autograd.grad(rows.pow(2).sum(), table, create_graph=True)
            second = T.autograd.grad(slope.sum(), table)
            found += [rows.detach(), table.detach(), slope.detach(), second, table._version]
        return found

    same(torch, program)


def test_sparse_gradients_are_refused() -> None:
    with pytest.raises(NotImplementedError, match="no sparse gradients"):
        minigrad.nn.Embedding(3, 2, sparse=True)
