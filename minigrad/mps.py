"""PyTorch's `torch.mps`, Apple's GPUs: there are none here, as CuPy does not support them."""

from typing import TYPE_CHECKING, NoReturn

from .arrays.left_out import missing_from
from .backends.mps import is_available

__all__ = [
    "current_allocated_memory",
    "device_count",
    "driver_allocated_memory",
    "empty_cache",
    "is_available",
    "manual_seed",
    "synchronize",
]


def device_count() -> int:
    """Return the number of GPUs: 0."""
    return 0


def manual_seed(seed: int) -> None:
    """Do nothing: there is no generator to seed."""
    int(seed)


def refuse() -> NoReturn:
    """Raise the error for functions that need a GPU."""
    raise RuntimeError("There is no MPS backend: minigrad's GPUs are those that CuPy knows.")


def synchronize() -> None:
    """Raise a RuntimeError: there is nothing to wait for."""
    refuse()


def empty_cache() -> None:
    """Raise a RuntimeError: there is no memory to release."""
    refuse()


def current_allocated_memory() -> int:
    """Raise a RuntimeError: there is no memory to count."""
    refuse()


def driver_allocated_memory() -> int:
    """Raise a RuntimeError: there is no memory to count."""
    refuse()


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
