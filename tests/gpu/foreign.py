"""An array library that stands in for CuPy where there is no GPU.

Its arrays keep to what CuPy's promise: NumPy's functions called on them work on the device, results
of no dimension are arrays as well, and nothing turns one into a NumPy array unless it is asked to
by name (`get`, `item`, `tolist`, a truth value): that is counted in `copies`, since on a GPU it
waits for all that was started. A NumPy array among the operands is an error.

`module()` makes the module that takes CuPy's place in `sys.modules`.
"""

from __future__ import annotations

import operator
from collections import Counter
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

copies: Counter[str] = Counter()
"""How often something was copied to the host, and by what."""

REFUSED = (
    "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a NumPy "
    "array explicitly."
)


class ndarray:
    """An array on the device."""

    __array_priority__ = 100

    def __init__(self, host: Any, base: Any = None) -> None:
        self.host = np.asarray(host)
        if not self.host.flags.writeable and 0 not in self.host.strides:
            self.host.flags.writeable = True  # NumPy protects a diagonal, CuPy does not
        self.base = base

    shape = property(lambda self: self.host.shape)
    dtype = property(lambda self: self.host.dtype)
    ndim = property(lambda self: self.host.ndim)
    size = property(lambda self: self.host.size)
    strides = property(lambda self: self.host.strides)
    itemsize = property(lambda self: self.host.itemsize)
    nbytes = property(lambda self: self.host.nbytes)
    flags = property(lambda self: self.host.flags)
    device = SimpleNamespace(id=0)

    @property
    def __cuda_array_interface__(self) -> Any:
        return self.host.__array_interface__

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.host.__array_interface__["data"][0])

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(REFUSED)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return wrapped(getattr(ufunc, method)(*map(unwrapped, inputs), **unwrapped(kwargs)))

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return wrapped(function(*map(unwrapped, args), **unwrapped(kwargs)))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self.host, name)
        if not callable(found):
            return wrapped(found)
        return lambda *args, **kwargs: wrapped(found(*map(unwrapped, args), **unwrapped(kwargs)))

    def __getitem__(self, index: Any) -> Any:
        return ndarray(self.host[unwrapped(index)], self)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.host[unwrapped(index)] = unwrapped(value)

    def __len__(self) -> int:
        return len(self.host)

    def __iter__(self) -> Any:
        return (self[place] for place in range(len(self)))

    def get(self) -> Any:
        """The host's copy."""
        copies["get"] += 1
        return self.host.copy()

    def item(self, *index: int) -> Any:
        """One element as a Python number."""
        copies["item"] += 1
        return self.host.item(*index)

    def tolist(self) -> Any:
        """The elements as nested lists."""
        copies["tolist"] += 1
        return self.host.tolist()

    def __bool__(self) -> bool:
        copies["bool"] += 1
        return bool(self.host)

    def __int__(self) -> int:
        copies["int"] += 1
        return int(self.host)

    def __float__(self) -> float:
        copies["float"] += 1
        return float(self.host)

    def __index__(self) -> int:
        copies["index"] += 1
        return operator.index(self.host)


def unwrapped(value: Any) -> Any:
    """`value` with the host's arrays in place of the device's, for the work to be done on them."""
    if isinstance(value, ndarray):
        return value.host
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {type(value)}")
    if type(value) in (list, tuple):
        return type(value)(map(unwrapped, value))
    if type(value) is dict:
        return {key: unwrapped(item) for key, item in value.items()}
    return value


def wrapped(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return ndarray(value)
    if isinstance(value, (list, tuple)):
        return (
            type(value)([wrapped(item) for item in value])
            if type(value) is list
            else tuple(wrapped(item) for item in value)
        )
    return value


def binary(name: str, reflected: bool = False) -> Any:
    function = getattr(operator, name)

    def method(self: ndarray, other: Any) -> Any:
        if not isinstance(other, (ndarray, np.ndarray, np.generic, bool, int, float)):
            return NotImplemented
        a, b = self.host, unwrapped(other)
        return wrapped(function(b, a) if reflected else function(a, b))

    return method


def unary(name: str) -> Any:
    function = getattr(operator, name)
    return lambda self: wrapped(function(self.host))


def in_place(name: str) -> Any:
    function = getattr(operator, name)

    def method(self: ndarray, other: Any) -> ndarray:
        function(self.host, unwrapped(other))
        return self

    return method


for name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split():
    bare = name.rstrip("_")
    setattr(ndarray, f"__{bare}__", binary(name))
    setattr(ndarray, f"__r{bare}__", binary(name, reflected=True))
    setattr(ndarray, f"__i{bare}__", in_place(f"i{bare}"))
for name in "eq ne lt le gt ge".split():
    setattr(ndarray, f"__{name}__", binary(name))
for name in "neg pos abs invert".split():
    setattr(ndarray, f"__{name}__", unary(name))


class Device:
    """The one device that there is."""

    def __init__(self, index: int | None = None) -> None:
        self.id = index or 0

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def asarray(value: Any, dtype: Any = None) -> ndarray:
    """`value` on the device: the one way from the host, by name."""
    host = value.host if isinstance(value, ndarray) else np.array(value, order="K")
    return ndarray(host if dtype is None else host.astype(dtype, copy=False))


def module() -> ModuleType:
    """A module that minigrad takes for CuPy."""
    cupy: Any = ModuleType("cupy")
    cupy.ndarray, cupy.asarray, cupy.array = ndarray, asarray, asarray
    cupy.cuda = SimpleNamespace(
        Device=Device,
        runtime=SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=RuntimeError),
    )
    as_strided = np.lib.stride_tricks.as_strided
    cupy.lib = SimpleNamespace(
        stride_tricks=SimpleNamespace(
            as_strided=lambda x, shape=None, strides=None: ndarray(
                as_strided(x.host, shape, strides), x
            )
        )
    )
    for name in "arange zeros ones empty full eye add maximum minimum".split():
        function = getattr(np, name)
        setattr(
            cupy,
            name,
            lambda *args, function=function, **kwargs: wrapped(
                function(*map(unwrapped, args), **unwrapped(kwargs))
            ),
        )
    return cupy  # type: ignore[no-any-return]
