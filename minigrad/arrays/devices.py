"""Devices: NumPy's arrays are on the CPU, CuPy's on a GPU.

Both libraries have the same functions. An operation is written once and calls `get_array_module`
for the module. A program that uses no GPU never imports CuPy.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from .default_device import Placing, chosen

_DEVICE = re.compile(r"([a-zA-Z_]+)(?::(0|[1-9]\d*))?")


class device(Placing):
    """`device("cpu")`, `device("cuda")`, `device("cuda:1")`, `device("cuda", 1)` or a number.

    Raises:
        RuntimeError: there is no device of this name, or the name is malformed.
        TypeError: the argument is neither a str, a number nor a device.
    """

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __init__(self, type: str | int | device, index: int | None = None) -> None:
        if isinstance(type, device):
            if index is not None:
                raise TypeError(
                    "device(): argument 'type' (position 1) must be str, not torch.device"
                )
            self.type, self.index = type.type, type.index
            return
        if isinstance(type, int) and not isinstance(type, bool):
            _check_index(type)
            if not cuda_is_available():
                raise RuntimeError("Cannot access accelerator device when none is available.")
            self.type, self.index = "cuda", type
            return
        if not isinstance(type, str):
            raise TypeError(
                "device() received an invalid combination of arguments - got "
                f"({type.__class__.__name__}), but expected one of:\n"
                " * (torch.device device)\n * (str type, int index = -1)\n"
            )
        self.type, self.index = _parse(type)
        if index is not None:
            if self.index is not None:
                raise RuntimeError(
                    "type (string) must not include an index because index was passed explicitly: "
                    f"{type}"
                )
            _check_index(index)
            self.index = index

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        where = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{where})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, device):
            return NotImplemented
        return self.type == other.type and self.index == other.index

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __reduce__(self) -> tuple[Any, ...]:
        return (device, (str(self),))


ON_CPU: tuple[type[Any], ...] = (np.ndarray, np.generic)
"""Types of arrays on the CPU: a 0-d result can be a NumPy scalar."""

Device = device
"""The class, for use where an argument is called `device`."""


def set_default_device(device: Device | str | int | None) -> None:
    """Set where this thread makes tensors if no device is given; None means the CPU again.

    `from_numpy` and similar functions keep the memory that they are given.

    >>> import minigrad as mg
    >>> mg.set_default_device("cpu")
    >>> mg.get_default_device()
    device(type='cpu')
    >>> mg.set_default_device(None)
    """
    chosen.device = None if device is None else Device(device)


def get_default_device() -> Device:
    """Return where this thread makes tensors if no device is given."""
    found = chosen.device
    if found is None:
        return Device("cpu")
    return Device("cuda:0") if str(found) == "cuda" else found


def _check_index(index: Any) -> None:
    if not isinstance(index, int) or isinstance(index, bool):
        found = type(index).__name__
        raise TypeError(f"device(): argument 'index' (position 2) must be int, not {found}")
    if index < 0:
        raise RuntimeError("Device index must not be negative")


def _parse(text: str) -> tuple[str, int | None]:
    if not text:
        raise RuntimeError("Device string must not be empty")
    match = _DEVICE.fullmatch(text)
    if match is None:
        raise RuntimeError(f"Invalid device string: '{text}'")
    kind, index = match.groups()
    if kind not in ("cpu", "cuda"):
        raise RuntimeError(
            f"Expected one of cpu, cuda device type at start of device string: {kind}"
        )
    return kind, None if index is None else int(index)


CPU = device("cpu")


def device_of(array: Any) -> device:
    """Return the device that holds an array (a NumPy array, a NumPy scalar or a CuPy array)."""
    if isinstance(array, np.ndarray | np.generic):
        return CPU
    return device("cuda", int(array.device.id))


def get_array_module(array: Any) -> Any:
    """Return the module for an array: `numpy`, or `cupy` for an array on a GPU."""
    if isinstance(array, ON_CPU):
        return np
    # A CuPy array can exist only if CuPy was imported.
    cupy = sys.modules.get("cupy")
    if cupy is not None and isinstance(array, cupy.ndarray):
        return cupy
    return getattr(array, "module", np)  # an array of another GPU: gpus.py


def address(array: Any) -> int:
    """Return the address of an array's first element in its device's memory."""
    if isinstance(array, np.ndarray | np.generic):
        return int(array.__array_interface__["data"][0])
    return int(array.data.ptr)


def check_one_device(arrays: Iterable[Any]) -> None:
    """Raise if the operands are on different devices.

    Raises:
        RuntimeError: they are.
    """
    places = [str(device_of(x)) for x in arrays if hasattr(x, "dtype")]
    others = [place for place in places if place != places[0]]
    if others:
        raise two_devices(places[0], others[0])


def two_devices(first: str, other: str) -> RuntimeError:
    """Return the error for operands on two devices."""
    found = f"found at least two devices, {first} and {other}!"
    return RuntimeError(f"Expected all tensors to be on the same device, but {found}")


def cuda_is_available() -> bool:
    """Return whether CuPy is installed and sees a GPU."""
    return cuda_device_count() > 0


def cuda_device_count() -> int:
    """Return how many GPUs CuPy sees; 0 without CuPy or without a driver."""
    try:
        import cupy
    except ImportError:
        return 0
    try:
        return int(cupy.cuda.runtime.getDeviceCount())
    except cupy.cuda.runtime.CUDARuntimeError:  # no driver, or a driver and no GPU
        return 0
