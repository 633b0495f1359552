"""The part of PyTorch's `torch.cuda` that asks for devices, picks one and waits for it.

What can be said without a GPU is: there are none, and they hold 0 bytes. The rest raises a
RuntimeError. All memory is CuPy's; it keeps what is freed for the next array, as PyTorch does.
"""

import os
from typing import TYPE_CHECKING, Any

from .arrays import gpu_draws
from .arrays.devices import Device
from .arrays.devices import cuda_device_count as device_count
from .arrays.devices import cuda_is_available as is_available
from .arrays.gpus import index_of, set_current
from .arrays.left_out import missing_from
from .arrays.waiting import tell
from .tensors.old_types import ON_GPU

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
    """CuPy's object for one of the GPUs, the current one unless it is named.

    Raises:
        RuntimeError: there is no GPU, or no CuPy.
        ValueError: `device` is no GPU.
    """
    where = Device("cuda" if device is None else device)
    if where.type != "cuda":
        raise ValueError(f"Expected a cuda device, but got: {where}")
    index = index_of(where)
    return cupy().cuda.Device(index)


def cupy() -> Any:
    """The module, which is not imported before a GPU is asked for."""
    import cupy

    return cupy


# --- Which there are


def current_device() -> int:
    """The number of the GPU that is used where none is named."""
    return int(gpu().id)


def set_device(device: Any) -> None:
    """Choose it."""
    if not (isinstance(device, int) and device < 0):  # which names none, as PyTorch has it
        set_current(gpu(device).id)


def get_device_name(device: Any = None) -> str:
    """What a GPU is called."""
    index = gpu(device).id
    return str(cupy().cuda.runtime.getDeviceProperties(index)["name"].decode())


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """Which generation a GPU is of: major and minor number."""
    digits = str(gpu(device).compute_capability)
    return int(digits[:-1]), int(digits[-1])


def is_initialized() -> bool:
    """Whether a GPU is ready to be used."""
    return is_available()


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """False: NumPy and CuPy have no such type."""
    return False


# --- Seeds


def manual_seed(seed: int) -> None:
    """Seed the draws that the current GPU makes, those of dropout. (All others come from the
    generator that `minigrad.manual_seed` seeds; that seeds the GPUs as well.)"""
    gpu_draws.manual_seed(int(seed), index_of(Device("cuda")) if is_available() else 0)


def manual_seed_all(seed: int) -> None:
    """The same for all GPUs."""
    gpu_draws.manual_seed_all(int(seed))


def seed() -> None:
    """Seed them from the operating system."""
    manual_seed(int.from_bytes(os.urandom(8)))


def seed_all() -> None:
    """The same for all GPUs, from one seed."""
    manual_seed_all(int.from_bytes(os.urandom(8)))


# --- Time and memory


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has done all that it was given: of itself, no operation waits for it.

    Args:
        device: which one; by default the current one.

    Raises:
        RuntimeError: there is no GPU, or no CuPy; or something has gone wrong there.
        ValueError: `device` is no GPU.
    """
    gpu(device).synchronize()
    tell()


def empty_cache() -> None:
    """Give back memory of the GPU that is kept for later."""
    if is_available():
        for index in range(device_count()):
            with gpu(index):
                cupy().get_default_memory_pool().free_all_blocks()


def memory_allocated(device: Any = None) -> int:
    """How many bytes of a GPU's memory hold arrays; 0 without a GPU."""
    return in_pool("used_bytes", device)


def memory_reserved(device: Any = None) -> int:
    """How many bytes are taken from a GPU, those kept for later with them; 0 without a GPU."""
    return in_pool("total_bytes", device)


def in_pool(what: str, device: Any) -> int:
    """What CuPy's memory pool says of itself."""
    if not is_available():
        return 0
    with gpu(device):
        return int(getattr(cupy().get_default_memory_pool(), what)())


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """How many bytes of a GPU's memory are free, and how many it has."""
    free, total = gpu(device).mem_info
    return int(free), int(total)


if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
