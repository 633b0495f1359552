"""Every operation on a real GPU against the CPU: value, gradient and second gradient.

These are the only tests that may be skipped everywhere: few machines that test have a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

import minigrad as mg
from tests.gpu import namespace, test_one_gpu
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


def test_cupy_has_functions_of_stand_in() -> None:
    import cupy

    stored = namespace.TABLE.read_text().splitlines()[1:]
    names = {line.partition("(")[0] for line in namespace.lines(cupy)}
    assert {line.partition("(")[0] for line in stored} <= names


def with_each(test: Callable[..., None], values: Iterable[Any], *more: Any) -> Iterator[Any]:
    """A test of the stand-in's for each value of its parameter."""
    for value in values:
        yield pytest.param(partial(test, value, *more), id=f"{test.__name__}-{value}")


ALSO_HERE = [
    on_stand_in.test_a_result_is_written_on_the_device,
    on_stand_in.test_devices_do_not_mix,
    on_stand_in.test_default_device,
    on_stand_in.test_like_functions_follow_device_argument,
    on_stand_in.test_draws_on_device_equal_the_cpu_s,
    on_stand_in.test_draws_use_device_of_their_tensor,
    on_stand_in.test_dropout_of_channels_and_in_place,
    on_stand_in.test_whoever_waits_is_told,
    on_stand_in.test_positions_that_may_be_there,
    on_stand_in.test_backward_begins_on_the_device,
    on_stand_in.test_jacobian_is_filled_on_the_device,
    on_stand_in.test_zeros_for_unused_result_on_device,
    on_stand_in.test_gradients_through_writes_to_view,
    on_stand_in.test_gradient_returns_to_its_device,
    on_stand_in.test_a_gradient_of_another_device_is_refused,
    on_stand_in.test_view_is_copied_and_pickled,
    on_stand_in.test_copy_crosses_devices,
    on_stand_in.test_new_tensor_from_tensor_on_device,
    on_stand_in.test_a_matrix_without_an_inverse,
    on_stand_in.test_saved_factorization_is_on_the_device,
    on_stand_in.test_memory_on_device_is_counted,
    on_stand_in.test_a_constant_is_drawn_with_its_value,
    on_stand_in.test_stepper_shows_numbers_of_cpu,
    *with_each(
        on_stand_in.test_position_out_of_range_raises_later,
        on_stand_in.FAR,
        "cuda:0",
    ),
    *with_each(on_stand_in.test_operands_on_two_devices, on_stand_in.MIXED),
    *with_each(test_one_gpu.test_training_there_is_training_here, test_one_gpu.OPTIMIZERS),
    *with_each(on_stand_in.test_checkpoint_repeats_draws_on_device, [True, False]),
    test_one_gpu.test_large_update_equals_the_cpu_s,
    test_one_gpu.test_model_loads_on_chosen_device,
    test_one_gpu.test_the_memory_of_the_gpu_is_counted,
    test_one_gpu.test_the_gpu_says_what_it_is,
    test_one_gpu.test_training_steps_keep_no_gpu_memory,
    test_one_gpu.test_errors_of_a_gpu_are_explained,
    test_one_gpu.test_a_graph_is_drawn_and_outlined,
]


@pytest.mark.parametrize("test", ALSO_HERE, ids=lambda test: test.__name__)
def test_what_holds_on_the_stand_in(test: Callable[[], None]) -> None:
    test()
