"""PyTorch's `torch.accelerator`: the GPU, by whatever name. Here it is CuPy's, "cuda"."""

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
    """The kind of GPU that there is, as a device; None if there is none.

    >>> import minigrad as mg
    >>> device = mg.accelerator.current_accelerator() or "cpu"
    """
    return device("cuda") if is_available() else None


def check_available() -> None:
    """Refuse what needs a GPU where there is none."""
    if not is_available():
        raise RuntimeError("Cannot access accelerator device when none is available.")


def current_device_index() -> int:
    """The number of the GPU that is used where none is named."""
    check_available()
    return cuda.current_device()


def set_device_index(device: Any, /) -> None:
    """Choose it."""
    if isinstance(device, int) and device < 0:  # none, as PyTorch has it
        return
    check_available()
    cuda.set_device(device)


def synchronize(device: Any = None, /) -> None:
    """Wait until the GPU has done all that it was given."""
    check_available()
    cuda.synchronize(device)


def empty_cache() -> None:
    """Give back memory of the GPU that is kept for later."""
    check_available()
    cuda.empty_cache()


def memory_allocated(device: Any = None, /) -> int:
    """How many bytes of the GPU's memory hold arrays."""
    check_available()
    return cuda.memory_allocated(device)


def memory_reserved(device: Any = None, /) -> int:
    """How many bytes are taken from the GPU, those kept for later with them."""
    check_available()
    return cuda.memory_reserved(device)


if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
