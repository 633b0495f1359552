"""PyTorch's `torch.accelerator`: the GPU under a neutral name. Here it is CuPy's, "cuda"."""

from typing import TYPE_CHECKING, Any

from . import cuda
from .arrays.devices import device
from .arrays.left_out import missing_from
from .cuda import device_count, is_available

__all__ = [
    "current_accelerator",
    "current_device_index",
    "device_count",
    "empty_cache",
    "is_available",
    "memory_allocated",
    "memory_reserved",
    "set_device_index",
    "synchronize",
]


def current_accelerator(check_available: bool = False) -> device | None:
    """Return the kind of GPU that there is, as a device; None if there is none.

    >>> import minigrad as mg
    >>> device = mg.accelerator.current_accelerator() or "cpu"
    """
    return device("cuda") if is_available() else None


def check_available() -> None:
    """Raise if there is no GPU."""
    if not is_available():
        raise RuntimeError("Cannot access accelerator device when none is available.")


def current_device_index() -> int:
    """Return the number of the current GPU."""
    check_available()
    return cuda.current_device()


def set_device_index(device: Any, /) -> None:
    """Set the current GPU."""
    if isinstance(device, int) and device < 0:  # has no effect, as in PyTorch
        return
    check_available()
    cuda.set_device(device)


def synchronize(device: Any = None, /) -> None:
    """Wait until the GPU has finished its work."""
    check_available()
    cuda.synchronize(device)


def empty_cache() -> None:
    """Release cached memory of the GPU."""
    check_available()
    cuda.empty_cache()


def memory_allocated(device: Any = None, /) -> int:
    """Return how many bytes of the GPU's memory hold arrays."""
    check_available()
    return cuda.memory_allocated(device)


def memory_reserved(device: Any = None, /) -> int:
    """Return how many bytes are reserved on the GPU, including the cache."""
    check_available()
    return cuda.memory_reserved(device)


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
