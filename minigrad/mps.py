"""PyTorch's `torch.mps`, Apple's GPUs: there are none here, since CuPy does not know them."""

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
    """How many GPUs there are: 0."""
    return 0


def manual_seed(seed: int) -> None:
    """Do nothing: there is no generator to seed."""
    int(seed)


def refused() -> NoReturn:
    """The error for what needs a GPU."""
    raise RuntimeError("There is no MPS backend: minigrad's GPUs are those that CuPy knows.")


def synchronize() -> None:
    """Raise a RuntimeError: there is nothing to wait for."""
    refused()


def empty_cache() -> None:
    """Raise a RuntimeError: there is no memory to give back."""
    refused()


def current_allocated_memory() -> int:
    """Raise a RuntimeError: there is no memory to count."""
    refused()


def driver_allocated_memory() -> int:
    """Raise a RuntimeError: there is no memory to count."""
    refused()


if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
