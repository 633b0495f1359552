"""Every operation on a real GPU against the CPU: value, gradient and second gradient.

These are the only tests that may be skipped everywhere: few machines that test have a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minigrad as mg
from tests.core.parity import TOLERANCES, variants
from tests.gpu import namespace
from tests.gpu.test_foreign_arrays import CASES, OnDevice, run

pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True)
def gpu() -> None:
    if not mg.cuda.is_available():
        pytest.skip("no GPU, or no CuPy (pip install '.[gpu]')")


@pytest.mark.parametrize("case", CASES)
def test_operation(case: Any) -> None:
    for variant in variants(case):
        there, here = run(OnDevice(), case, variant, True), run(mg, case, variant, False)
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
