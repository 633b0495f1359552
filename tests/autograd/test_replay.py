"""minigrad.autograd.replay: a node's formula, run again on other arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minigrad as mg
from minigrad.autograd.replay import Replay, Saved, array_of


def as_double(saved: Saved) -> Any:
    return saved.array.astype(np.float64)


def test_formula_runs_in_another_type() -> None:
    x = mg.tensor([0.5, 2.0], requires_grad=True)
    formula = Replay(x.exp().grad_fn).formula(as_double)
    assert formula is not None
    gradient = formula(np.ones(2))
    assert gradient.dtype == np.float64
    assert np.array_equal(gradient, np.exp(np.float32([0.5, 2.0])).astype(np.float64))


def test_replay_outlives_the_pass() -> None:
    x = mg.tensor([3.0], requires_grad=True)
    y = x * x
    replay = Replay(y.grad_fn)
    y.backward()
    formula = replay.formula(lambda saved: saved.array)
    assert formula is not None
    assert [g.tolist() for g in formula(np.float32([2]))] == [[6.0], [6.0]]


def test_reader_gets_names_and_tensors() -> None:
    x, w = mg.ones(2, requires_grad=True), mg.ones(2, requires_grad=True)
    seen: list[Saved] = []

    def read(saved: Saved) -> Any:
        seen.append(saved)
        return saved.array

    Replay((x * w).grad_fn).formula(read)
    assert [saved.name for saved in seen] == ["self", "other"]
    assert seen[0].tensor is x and seen[1].tensor is w


def test_packed_tensor_must_be_given() -> None:
    x = mg.ones(2, requires_grad=True)
    packed: list[Any] = []

    def pack(tensor: Any) -> Any:
        packed.append(tensor.tolist())
        return packed[-1]

    with mg.autograd.graph.saved_tensors_hooks(pack, mg.tensor):
        y = x.exp()
    with pytest.raises(LookupError, match="packed"):
        Replay(y.grad_fn).formula(as_double)


def test_write_through_a_view_has_its_part() -> None:
    y = mg.ones(3, requires_grad=True) * 2
    y[1:].exp_()
    replay = Replay(y.grad_fn)
    assert replay.write is not None
    assert replay.write.node.name() == "ExpBackward0"
    assert replay.written_part(np.arange(3)).tolist() == [1, 2]


def test_user_function_is_named() -> None:
    class Twice(mg.autograd.Function):
        @staticmethod
        def forward(ctx: Any, factor: float, x: Any) -> Any:
            return x * factor

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return None, g * 2

    replay = Replay(Twice.apply(2.0, mg.ones(2, requires_grad=True)).grad_fn)
    assert replay.user_function == (Twice, "backward", (1,))
    assert replay.zeros(0).tolist() == [0, 0]
    assert replay.write is None


def test_leaf_has_no_formula() -> None:
    y = mg.ones(2, requires_grad=True).exp()
    leaf: Any = y.grad_fn.next_functions[0][0]
    assert Replay(leaf).formula(as_double) is None
    assert Replay(leaf).user_function is Replay(leaf).zeros(0) is None


def test_array_is_the_engine_s_own() -> None:
    x = mg.ones(2)
    assert np.shares_memory(array_of(x), x.numpy())
    assert array_of(None) is None
