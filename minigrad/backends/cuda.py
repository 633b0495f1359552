"""Switches for products on NVIDIA's GPUs, without effect here."""

from types import SimpleNamespace
from typing import Final

from ..arrays.devices import cuda_is_available

matmul: Final = SimpleNamespace(
    allow_tf32=False,
    allow_fp16_reduced_precision_reduction=True,
    allow_bf16_reduced_precision_reduction=True,
)


def is_built() -> bool:
    """Return whether there is a GPU that CuPy can use."""
    return cuda_is_available()
