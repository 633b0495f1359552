"""The part of PyTorch's `torch.cuda` that lists devices, selects one and waits for it.

Without a GPU there are 0 devices with 0 bytes; all else raises a RuntimeError. CuPy manages the
memory; as in PyTorch, it caches freed memory.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..arrays import gpu_draws
from ..arrays.devices import Device
from ..arrays.devices import cuda_device_count as device_count
from ..arrays.devices import cuda_is_available as is_available
from ..arrays.gpus import index_of, set_current
from ..arrays.left_out import missing_from
from ..arrays.waiting import tell
from ..tensors.old_types import ON_GPU

__all__ = [
    "BoolTensor",
    "ByteTensor",
    "CharTensor",
    "DoubleTensor",
    "FloatTensor",
    "HalfTensor",
    "IntTensor",
    "LongTensor",
    "ShortTensor",
    "current_device",
    "device_count",
    "empty_cache",
    "get_device_capability",
    "get_device_name",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "mem_get_info",
    "memory_allocated",
    "memory_reserved",
    "seed",
    "seed_all",
    "set_device",
    "synchronize",
]

BoolTensor = ON_GPU["BoolTensor"]
ByteTensor = ON_GPU["ByteTensor"]
CharTensor = ON_GPU["CharTensor"]
DoubleTensor = ON_GPU["DoubleTensor"]
FloatTensor = ON_GPU["FloatTensor"]
HalfTensor = ON_GPU["HalfTensor"]
IntTensor = ON_GPU["IntTensor"]
LongTensor = ON_GPU["LongTensor"]
ShortTensor = ON_GPU["ShortTensor"]


def gpu(device: Any = None) -> Any:
    """Return CuPy's object for a GPU, by default for the current one.

    Raises:
        RuntimeError: there is no GPU, or no CuPy.
        ValueError: `device` is not a GPU.
    """
    where = Device("cuda" if device is None else device)
    if where.type != "cuda":
        raise ValueError(f"Expected a cuda device, but got: {where}")
    index = index_of(where)
    return cupy().cuda.Device(index)


def cupy() -> Any:
    """Return the module CuPy, which is imported when a GPU is first used."""
    import cupy

    return cupy


# --- Devices


def current_device() -> int:
    """Return the number of the current GPU."""
    return int(gpu().id)


def set_device(device: Any) -> None:
    """Set the current GPU."""
    if not (isinstance(device, int) and device < 0):  # which has no effect, as in PyTorch
        set_current(gpu(device).id)


def get_device_name(device: Any = None) -> str:
    """Return the name of a GPU."""
    index = gpu(device).id
    return str(cupy().cuda.runtime.getDeviceProperties(index)["name"].decode())


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """Return the generation of a GPU: major and minor number."""
    digits = str(gpu(device).compute_capability)
    return int(digits[:-1]), int(digits[-1])


def is_initialized() -> bool:
    """Return whether a GPU is ready to be used."""
    return is_available()


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Return False: NumPy and CuPy have no such dtype."""
    return False


# --- Seeds


def manual_seed(seed: int) -> None:
    """Seed the draws that the current GPU makes, those of dropout.

    (All other draws come from the generator of `minigrad.manual_seed`, which also seeds the GPUs.)
    """
    gpu_draws.manual_seed(int(seed), index_of(Device("cuda")) if is_available() else 0)


def manual_seed_all(seed: int) -> None:
    """Seed the draws of all GPUs."""
    gpu_draws.manual_seed_all(int(seed))


def seed() -> None:
    """Seed the current GPU from the operating system."""
    manual_seed(int.from_bytes(os.urandom(8)))


def seed_all() -> None:
    """Seed all GPUs from the operating system, with one seed."""
    manual_seed_all(int.from_bytes(os.urandom(8)))


# --- Synchronization and memory


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has finished its work; operations do not wait for it themselves.

    Args:
        device: which one; by default the current one.

    Raises:
        RuntimeError: there is no GPU, or no CuPy; or an error occurred there.
        ValueError: `device` is not a GPU.
    """
    gpu(device).synchronize()
    tell()


def empty_cache() -> None:
    """Release cached memory of the GPU."""
    if is_available():
        for index in range(device_count()):
            with gpu(index):
                cupy().get_default_memory_pool().free_all_blocks()


def memory_allocated(device: Any = None) -> int:
    """Return how many bytes of a GPU's memory hold arrays; 0 without a GPU."""
    return in_pool("used_bytes", device)


def memory_reserved(device: Any = None) -> int:
    """Return how many bytes are reserved on a GPU, including the cache; 0 without a GPU."""
    return in_pool("total_bytes", device)


def in_pool(what: str, device: Any) -> int:
    """Return a figure of CuPy's memory pool."""
    if not is_available():
        return 0
    with gpu(device):
        return int(getattr(cupy().get_default_memory_pool(), what)())


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Return how many bytes of a GPU's memory are free, and how many it has."""
    free, total = gpu(device).mem_info
    return int(free), int(total)


if not TYPE_CHECKING:  # checkers report unknown names as errors
    _missing = missing_from(__name__)

    def __getattr__(name: str) -> Any:
        return import_module(f"{__name__}.amp") if name == "amp" else _missing(name)
