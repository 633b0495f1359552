"""Stand-ins for helpers of PyTorch's tests, for both libraries.

Tests that are generated from lists of another file are not those of the file in which they stand.
And the installed PyTorch lacks some helpers of 2.6.0.
"""

from __future__ import annotations

import importlib
import unittest
from typing import Any


def generated(*args: Any, **options: Any) -> Any:
    """Stand for `ops`, which makes a test of each operation in a list."""
    return unittest.skip("generated from a list of operations")


def not_on_gpus() -> bool:
    return False


def unchanged(*args: Any, **options: Any) -> Any:
    """Return a decorator that does nothing."""
    return lambda test: test


STAND_INS: dict[str, dict[str, Any]] = {
    "common_device_type": {"ops": generated},
    "common_nn": {"module_tests": [], "criterion_tests": [], "new_module_tests": []},
    "common_cuda": {"tf32_is_not_fp32": not_on_gpus, "tf32_on_and_off": unchanged},
    "common_mkldnn": {"bf32_on_and_off": unchanged},
}
"""By module of `torch.testing._internal`, the names that are replaced."""


def replace() -> None:
    """Put the stand-ins into PyTorch's modules."""
    for name, stand_ins in STAND_INS.items():
        module = importlib.import_module(f"torch.testing._internal.{name}")
        for helper, stand_in in stand_ins.items():
            setattr(module, helper, stand_in)
