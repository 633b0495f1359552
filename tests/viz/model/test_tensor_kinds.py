"""Sparse, quantized, nested and other rare tensors, as the model reads them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from minigrad_viz.ledger.saved_bytes import memory_behind
from minigrad_viz.model.module_calls import tensors_in
from minigrad_viz.model.values import dense, has_numbers
from minigrad_viz.passes.balance import product
from minigrad_viz.passes.tangents import leaf

import minigrad as mg

DENSE = {
    "as it is": lambda T: T.tensor([1.0, 2.0]),
    "sparse": lambda T: T.tensor([1.0, 2.0]).to_sparse(),
    "sparse by rows": lambda T: T.tensor([[1.0, 2.0]]).to_sparse_csr(),
    "quantized": lambda T: T.quantize_per_tensor(T.tensor([1.0, 2.0]), 0.5, 0, T.qint8),
    "nested": lambda T: T.nested.nested_tensor([T.tensor([1.0]), T.tensor([2.0])]),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", DENSE)
def test_dense_kinds_of_tensors(pytorch: Any, name: str) -> None:
    assert dense(DENSE[name](pytorch)).reshape(-1).tolist() == [1, 2]


NUMBERS = {
    "as it is": (lambda T: T.ones(2), True),
    "sparse": (lambda T: T.ones(2).to_sparse(), True),
    "nothing": (lambda T: T.ones(0), False),
    "of no device": (lambda T: T.ones(2, device="meta"), False),
    "in a memory of its own": (lambda T: T.ones(2).to_mkldnn(), False),
    "only told of": (lambda T: told_of(T), False),
}


def told_of(T: Any) -> Any:
    with T._subclasses.FakeTensorMode():
        return T.ones(2)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NUMBERS)
def test_whose_numbers_can_be_read(pytorch: Any, name: str) -> None:
    make, known = NUMBERS[name]
    assert has_numbers(make(pytorch)) is known


def test_a_product_of_complex_numbers(pytorch: Any) -> None:
    """The real part is what the gradient's conjugate gives."""
    t, g = pytorch.tensor([1 + 2j, 3j]), pytorch.tensor([2 + 1j, -1j])
    assert product(t, g) == (4 - 3, 4 + 3)
    assert product(pytorch.tensor([2.0, 3.0]), pytorch.tensor([1.0, -1.0])) == (-1, 5)
    assert product(None, g) == product(t, None) == (0, 0)


def test_inputs_that_a_function_differentiates(lib: Any) -> None:
    forward_ad = lib.autograd.forward_ad
    assert leaf(forward_ad, "a", None) == "a"
    numbers = lib.tensor([1, 2])
    copied = leaf(forward_ad, numbers, None)
    assert copied is not numbers
    assert copied.tolist() == [1, 2]
    assert not copied.requires_grad
    with forward_ad.dual_level():
        moving = leaf(forward_ad, lib.tensor([1.0, 2.0]), lib.tensor([3.0, 4.0]))
        assert moving.requires_grad
        assert forward_ad.unpack_dual(moving).tangent.tolist() == [3, 4]


def test_tensors_in_structured_module_results() -> None:
    a, b, c = mg.ones(1), mg.ones(2), mg.ones(3)
    found = list(tensors_in({"one": a, "more": [b, (c, 3)], "none": None, "array": np.ones(2)}))
    assert [len(each) for each in found] == [1, 2, 3]


@pytest.mark.filterwarnings("ignore")
def test_tensor_without_storage_has_no_bytes(pytorch: Any) -> None:
    """As many as its elements would take."""
    assert memory_behind(pytorch.eye(3).to_sparse()).bytes == 3 * 3 * 4
    assert memory_behind(pytorch.eye(3)).bytes == 3 * 3 * 4
