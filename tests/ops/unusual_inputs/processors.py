"""Calls that PyTorch answers differently on different processors, and why.

The record keeps the digests of all answers to such a call (`2L|Bn`). PyTorch must give one of them
here, and minigrad must give one of them, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class ByProcessor:
    """Calls to which PyTorch gives one of `answers`, each a line as in lines.py."""

    reason: str
    rows: str
    ways: str
    answers: tuple[str, ...]

    def names(self, name: str, way: str) -> bool:
        """Return whether this entry is about the call: `rows` and `ways` are patterns."""
        return bool(re.fullmatch(self.rows, name) and re.fullmatch(self.ways, way))


GELU = "oneDNN has a GELU for AVX-512 alone, and the GELU of infinity is NaN there"

FLOAT16 = (
    "oneDNN takes float16 only on processors with AVX512_FP16, and the kernel that PyTorch takes "
    "otherwise compares the types in other words"
)
FLOAT16_REFUSED = (
    "RuntimeError: Input type (HalfTensor) and weight type (FloatTensor) should be the same"
    " or input should be a MKLDNN tensor and weight is a dense tensor",
    "RuntimeError: expected scalar type Half but found Float",
)

BY_PROCESSOR = (
    ByProcessor(FLOAT16, r"(functional\.)?conv_transpose[12]d", "input: float16", FLOAT16_REFUSED),
    ByProcessor(FLOAT16, r"nn\.ConvTranspose[12]d\(.*\)", "(input|all): float16", FLOAT16_REFUSED),
    ByProcessor(
        GELU,
        r"functional\.gelu",
        "(input|all): inf",
        tuple(
            f"float32[2, 3] = 1.664 {result} at 1 || float32[2, 3] GeluBackward0 = 1.664 {result} "
            "at 1; slope float32[2, 3] = 4.875 nan at 1"
            for result in ("nan", "inf")
        ),
    ),
    ByProcessor(
        GELU,
        r"nn\.GELU\(.*\)",
        "(input|all): inf",
        tuple(
            f"(float32[2, 3] = -0.0524 {result} at 1) || (float32[2, 3] GeluBackward0 = -0.0524 "
            f"{result} at 1); slope float32[2, 3] = 1.281 nan at 1"
            for result in ("nan", "inf")
        ),
    ),
    ByProcessor(
        "the smallest of numbers with a NaN is a NaN, whose sign depends on the instructions",
        r"(Tensor\.)?histc",
        "(input|self|all): nan",
        (
            "RuntimeError: histc: range of [-nan, -nan] is not finite",
            "RuntimeError: histc: range of [nan, nan] is not finite",
        ),
    ),
)


def answers_by_processor(name: str, way: str) -> tuple[str, ...]:
    """Return all answers of PyTorch to a call that it answers by processor; to others, none."""
    return next((each.answers for each in BY_PROCESSOR if each.names(name, way)), ())
