"""Settings of how numbers are computed: determinism, precision of products, threads."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import minigrad as mg
from tests.core.test_regressions import outcome
from tests.parity import same


def test_deterministic_settings(torch: Any) -> None:
    def program(T: Any) -> Any:
        def state() -> Any:
            return (
                T.are_deterministic_algorithms_enabled(),
                T.is_deterministic_algorithms_warn_only_enabled(),
                T.get_deterministic_debug_mode(),
            )

        seen = [state()]
        for mode, warn_only in ((True, False), (True, True), (False, True)):
            T.use_deterministic_algorithms(mode, warn_only=warn_only)
            seen.append(state())
        for mode in (0, "warn", 2, "default"):
            T.set_deterministic_debug_mode(mode)
            seen.append(state())
        for wrong in ("x", 7, 1.0):
            seen.append(outcome(lambda wrong=wrong: T.set_deterministic_debug_mode(wrong)))
        seen.append(outcome(lambda: T.use_deterministic_algorithms(1)))
        seen.append(outcome(lambda: T.use_deterministic_algorithms(True, warn_only=2)))
        return [*seen, state()]

    same(torch, program)


DRAWS = {
    "empty": lambda T: T.empty(2, dtype=T.int8),
    "bools": lambda T: T.empty(2, dtype=T.bool),
    "empty_like": lambda T: T.empty_like(T.zeros(2)),
    "strided": lambda T: T.empty_strided((2, 2), (1, 2)),
    "permuted": lambda T: T.empty_permuted((2, 2), (1, 0)),
    "new": lambda T: (T.zeros(1).new_empty(2), T.zeros(1).new(2), T.Tensor(2)),
    "resized": lambda T: T.tensor([1.0, 2.0]).resize_(4),
    "put": lambda T: T.zeros(3).put(T.tensor([0, 0]), T.ones(2)),
    "put_": lambda T: T.zeros(3).put_(T.tensor([0, 0]), T.ones(2), accumulate=True),
    "unpool 1": lambda T: T.nn.MaxUnpool1d(2)(T.ones(1, 1, 2), T.tensor([[[0, 2]]])),
    "unpool 3": lambda T: T.nn.MaxUnpool3d(1)(T.ones(1, 1, 1, 1, 1), T.zeros(1, 1, 1, 1, 1).long()),
}


@pytest.mark.parametrize("name", DRAWS)
def test_deterministic_results_and_refusals(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        T.use_deterministic_algorithms(True)
        try:
            seen = [outcome(lambda: DRAWS[name](T))]
            T.use_deterministic_algorithms(True, warn_only=True)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                DRAWS[name](T)
            seen.append([str(each.message).partition(" (Triggered")[0] for each in caught])
        finally:
            T.use_deterministic_algorithms(False)
        return seen

    same(torch, program)


def test_fill_of_uninitialized_memory(torch: Any) -> None:
    def program(T: Any) -> Any:
        setting = T.utils.deterministic
        seen = [setting.fill_uninitialized_memory]
        setting.fill_uninitialized_memory = False
        seen.append(setting.fill_uninitialized_memory)
        setting.fill_uninitialized_memory = True
        return [*seen, outcome(lambda: setattr(setting, "fill_uninitialized_memory", 1))]

    same(torch, program)


def test_precision_of_products(torch: Any) -> None:
    def program(T: Any) -> Any:
        seen = [T.get_float32_matmul_precision()]
        for precision in ("high", "low", "highest"):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                T.set_float32_matmul_precision(precision)
            seen += [T.get_float32_matmul_precision(), len(caught)]
        return [*seen, outcome(lambda: T.set_float32_matmul_precision(3))]

    same(torch, program)


@pytest.mark.parametrize("wrong", [0, 1.5, "a", True])
def test_wrong_number_of_threads(torch: Any, wrong: Any) -> None:
    same(torch, lambda T: outcome(lambda: T.set_num_threads(wrong)))


def test_threads_that_multiply() -> None:
    before = mg.get_num_threads()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mg.set_num_threads(1)
    try:
        assert mg.get_num_threads() == 1 or caught
    finally:
        mg.set_num_threads(before)
