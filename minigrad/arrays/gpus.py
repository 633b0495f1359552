"""Several GPUs: each array is computed on its own GPU.

CuPy computes on the current GPU, wherever its operands are, and leaves the result there. So an
array on any GPU but the first is `Guarded`: a CuPy array with the number of its GPU, which becomes
current during each operation. Arrays on the CPU and on the first GPU are plain NumPy and CuPy
arrays, at no cost. (So CuPy's own current GPU has to stay the first. `set_current` sets the GPU
that "cuda" without a number means here.)
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from .devices import ON_CPU, cuda_device_count, device, device_of, two_devices
from .waiting import on_host

NO_GPU = (
    "No CUDA GPUs are available: this needs an NVIDIA driver and CuPy"
    " (pip install 'minigrad-lab[gpu]')"
)


class _Current(threading.local):
    """The GPU that "cuda" means, for each thread."""

    index = 0


_current = _Current()


def set_current(index: int) -> None:
    """Set the GPU that "cuda" means in this thread."""
    _current.index = index


def index_of(where: device) -> int:
    """Return the number of a GPU; that of the current one if the device has none.

    Raises:
        RuntimeError: there is no such GPU, or no CuPy.
    """
    count = cuda_device_count()
    if not count:
        raise RuntimeError(NO_GPU)
    index = _current.index if where.index is None else where.index
    if index >= count:
        raise RuntimeError(f"CUDA error: invalid device ordinal: cuda:{index}, of {count}")
    return index


def array_module_for(where: device) -> Any:
    """Return the module that makes arrays on this device; import CuPy for a GPU.

    Raises:
        RuntimeError: there is no such GPU, or no CuPy.
    """
    if where.type == "cpu":
        return np
    index = index_of(where)
    import cupy

    return GuardedModule(cupy, index) if index else cupy


def is_on(array: Any, where: device) -> bool:
    """Return whether `array` is in the memory of a device."""
    if isinstance(array, ON_CPU) or where.type == "cpu":
        return isinstance(array, ON_CPU) and where.type == "cpu"
    return device_of(array).index == index_of(where)


def move_to(array: Any, where: device) -> Any:
    """Return `array` in the memory of a device: itself, if it is there."""
    if where.type == "cpu":
        return on_host(array)
    there = array_module_for(where)
    if isinstance(array, ON_CPU):
        return there.asarray(array)
    if is_on(array, where):
        return array
    import cupy

    index, plain = index_of(where), array.plain if isinstance(array, Guarded) else array
    with cupy.cuda.Device(index):
        copy = plain.copy("K")  # on the current GPU, from any GPU
    return guard(copy, index) if index else copy


def launch(kernel: Callable[..., Any], *args: Any) -> Any:
    """Run one of CuPy's kernels on the GPU of its arguments."""
    for arg in args:
        if isinstance(arg, Guarded):
            return on(arg.index, kernel)(*args)
    return kernel(*args)


class Guarded:
    """An array on a GPU other than the first: a CuPy array, used while that GPU is current."""

    __slots__ = ("__weakref__", "index", "plain")
    __array_priority__ = 1000  # CuPy's arrays defer to this one in mixed operations

    def __init__(self, plain: Any, index: int) -> None:
        self.plain, self.index = plain, index

    def __getattr__(self, name: str) -> Any:
        return guard(getattr(self.plain, name), self.index)

    @property
    def module(self) -> GuardedModule:
        """CuPy, for this GPU."""
        import cupy

        return GuardedModule(cupy, self.index)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return on(self.index, getattr(ufunc, method))(*inputs, **kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        # Not simply `function`: `kwargs` does not contain its `like`, which is this array.
        def of_cupy(*args: Any, **kwargs: Any) -> Any:
            return self.plain.__array_function__(function, (type(self.plain),), args, kwargs)

        return on(self.index, of_cupy)(*args, **kwargs)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return self.plain.__array__(*args, **kwargs)  # raises CuPy's error

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        return move_to, (self.get(), device("cuda", self.index))

    def __len__(self) -> int:
        return len(self.plain)

    def __getitem__(self, index: Any) -> Any:
        return on(self.index, operator.getitem)(self, index)


def special(function: Callable[..., Any], order: int = 1) -> Callable[..., Any]:
    """Return the special method that calls `function` on the array's GPU."""
    return lambda self, *others: on(self.index, function)(*(self, *others)[::order])


def in_place(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the special method that changes the array and returns it."""

    def method(self: Any, other: Any) -> Any:
        on(self.index, function)(self, other)
        return self

    return method


for name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split():
    setattr(Guarded, f"__{name}__", special(getattr(operator, f"__{name}__")))
    setattr(Guarded, f"__r{name}__", special(getattr(operator, f"__{name}__"), order=-1))
    setattr(Guarded, f"__i{name}__", in_place(getattr(operator, f"__i{name}__")))
for name in "eq ne lt le gt ge neg pos abs invert setitem".split():
    setattr(Guarded, f"__{name}__", special(getattr(operator, f"__{name}__")))
for kind in (bool, int, float):
    setattr(Guarded, f"__{kind.__name__}__", special(kind))


class GuardedModule:
    """CuPy, or a part of it, for a GPU other than the first."""

    def __init__(self, module: ModuleType, index: int) -> None:
        self._module, self._index = module, index

    def __getattr__(self, name: str) -> Any:
        return guard(getattr(self._module, name), self._index)


def guard(value: Any, index: int) -> Any:
    """Return CuPy's result for use on this GPU."""
    import cupy

    if isinstance(value, cupy.ndarray):
        return Guarded(value, index)
    if isinstance(value, (tuple, list)):
        items = [guard(item, index) for item in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, ModuleType):
        return GuardedModule(value, index)
    return on(index, value) if callable(value) else value


def on(index: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap CuPy's `function` for guarded arrays: it runs while their GPU is current.

    Raises:
        RuntimeError: at a call with an array of another GPU.
    """
    import cupy

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            inner, named = plain(args), plain(kwargs)
        except LookupError:
            raise mixed_devices((*args, *kwargs.values()), index) from None
        with cupy.cuda.Device(index):
            value = function(*inner, **named)
        out = kwargs.get("out")
        if out is not None:
            return out[0] if isinstance(out, tuple) and len(out) == 1 else out
        return guard(value, index)

    def plain(value: Any) -> Any:
        if isinstance(value, Guarded) and value.index == index:
            return value.plain
        if isinstance(value, (Guarded, cupy.ndarray)):
            raise LookupError
        if type(value) in (tuple, list):
            return type(value)([plain(item) for item in value])
        if type(value) is dict:
            return {key: plain(item) for key, item in value.items()}
        return value

    return call


def mixed_devices(args: Any, index: int) -> RuntimeError:
    """Return the error for arguments that are not all on this GPU."""
    arrays = [x for x in arrays_in(args) if not isinstance(x, ON_CPU)]
    first, other, *_ = dict.fromkeys([*map(str, map(device_of, arrays)), f"cuda:{index}"])
    return two_devices(first, other)


def arrays_in(args: Any) -> Iterator[Any]:
    """Yield the arrays among the arguments of a function, in order."""
    for arg in args:
        if isinstance(arg, (tuple, list)):
            yield from arrays_in(arg)
        elif hasattr(arg, "dtype"):
            yield arg
