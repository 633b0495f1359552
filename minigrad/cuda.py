"""The part of PyTorch's `torch.cuda` that picks a device and waits for it."""

from typing import TYPE_CHECKING, Any

from .arrays.devices import Device, array_module_for
from .arrays.devices import cuda_device_count as device_count
from .arrays.devices import cuda_is_available as is_available
from .arrays.left_out import missing_from

__all__ = ["device_count", "is_available", "manual_seed", "manual_seed_all", "synchronize"]


def manual_seed(seed: int) -> None:
    """Do nothing: what is drawn for a GPU comes from the generator that `minigrad.manual_seed`
    seeds."""
    int(seed)


def manual_seed_all(seed: int) -> None:
    """The same for all GPUs."""
    manual_seed(seed)


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has done all that it was given: of itself, no operation waits for it.

    Args:
        device: which one; by default the current one.

    Raises:
        RuntimeError: there is no GPU, or no CuPy.
        ValueError: `device` is no GPU.
    """
    where = Device("cuda" if device is None else device)
    if where.type != "cuda":
        raise ValueError(f"Expected a cuda device, but got: {where}")
    array_module_for(where).cuda.Device(where.index).synchronize()


if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
