"""Every operation on a real GPU against the CPU: value, gradient and second gradient.

These are the only tests that may be skipped everywhere: few machines that test have a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad as mg
from tests.gpu import namespace
from tests.gpu import test_foreign_arrays as on_stand_in
from tests.gpu.test_foreign_arrays import CASES, OnDevice, run
from tests.parity import TOLERANCES, variants

pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True)
def gpu() -> None:
    if not mg.cuda.is_available():
        pytest.skip("no GPU, or no CuPy (pip install '.[gpu]')")


@pytest.mark.parametrize("case", CASES)
def test_operation(case: Any) -> None:
    for variant in variants(case):
        there = run(OnDevice(), case, variant, "cuda:0")
        here = run(mg, case, variant, "cpu")
        relative, absolute = TOLERANCES[variant[1]]
        for a, b in zip(there, here, strict=True):
            if isinstance(b, np.ndarray):
                np.testing.assert_allclose(a, b, rtol=10 * relative, atol=10 * absolute)
            else:
                assert a == b


def test_cupy_has_what_the_stand_in_takes_it_to_have() -> None:
    import cupy

    stored = namespace.TABLE.read_text().splitlines()[1:]
    names = {line.partition("(")[0] for line in namespace.lines(cupy)}
    assert {line.partition("(")[0] for line in stored} <= names


ALSO_HERE = [
    on_stand_in.test_devices_do_not_mix,
    on_stand_in.test_default_device,
    on_stand_in.test_what_is_made_like_a_tensor_goes_where_it_is_told,
    on_stand_in.test_draws_on_the_device_are_those_of_the_cpu,
    on_stand_in.test_backward_begins_on_the_device,
    on_stand_in.test_a_jacobian_is_filled_row_by_row_on_the_device,
    on_stand_in.test_zeros_for_an_unused_result_are_made_on_the_device,
    on_stand_in.test_gradients_through_what_was_written_into_a_view,
    on_stand_in.test_a_matrix_without_an_inverse,
    on_stand_in.test_the_factorization_that_a_node_shows_is_on_the_device,
    on_stand_in.test_a_constant_is_drawn_with_its_value,
    on_stand_in.test_the_stepper_shows_the_numbers_of_the_cpu,
]


@pytest.mark.parametrize("test", ALSO_HERE, ids=lambda test: test.__name__)
def test_what_holds_on_the_stand_in(test: Callable[[], None]) -> None:
    test()
