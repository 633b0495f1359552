"""Storages: a block of memory as bytes, or as numbers of one dtype.

Arrays that share memory have the same storage, which `data_ptr()` shows. A storage reads and writes
this memory, unnoticed by autograd.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from .devices import address, device, device_of
from .dtypes import dtype as Dtype
from .dtypes import from_numpy_dtype, get_default_dtype, to_numpy_dtype
from .gpus import move_to
from .mapped_files import filename_of, map_file
from .memory_order import memory_of, owner_of
from .messages import c_name, type_name


class Storage:
    """The elements of one block of memory, in order."""

    _elements: Any
    """The memory as an array of one dimension."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        if cls is Storage:
            raise RuntimeError(
                "Cannot directly construct StorageBase; subclass it and then construct that"
            )
        return super().__new__(cls)

    def data_ptr(self) -> int:
        """Return the address of the first byte; 0 for an empty storage."""
        return address(self._elements) if self._elements.size else 0

    @property
    def _cdata(self) -> int:
        return self.data_ptr()

    @property
    def device(self) -> device:
        """The device that holds the memory."""
        return device_of(self._elements)

    @property
    def is_cuda(self) -> bool:
        """Whether the memory is on a GPU."""
        return self.device.type == "cuda"

    @property
    def filename(self) -> str | None:
        """The file that holds the memory (see `from_file`), or None."""
        return filename_of(self._elements)

    is_sparse = False

    def is_shared(self) -> bool:
        """Return whether another process can use the memory: never here."""
        return False

    def size(self) -> int:
        """Return the number of elements."""
        return int(self._elements.size)

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return int(self._elements.nbytes)

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self.nbytes()

    def element_size(self) -> int:
        """Return the number of bytes of an element."""
        return int(self._elements.itemsize)

    def tolist(self) -> list[Any]:
        """Return the elements as Python numbers."""
        listed: list[Any] = self._elements.tolist()
        return listed

    def __len__(self) -> int:
        return self.size()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def _place(self, index: Any) -> int:
        """Return a checked index, counted from the front.

        Raises:
            TypeError: it is not an integer.
            IndexError: it is out of range.
        """
        if not hasattr(index, "__index__"):
            raise TypeError(f"can't index a {self._name()} with {type_name(index)}")
        place, size = operator.index(index), self.size()
        if not -size <= place < size:
            raise IndexError(f"index {place} out of range for storage of size {size}")
        return place % size

    def __getitem__(self, index: Any) -> Any:
        return self._elements[self._place(index)].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._elements[index if isinstance(index, slice) else self._place(index)] = value

    def fill_(self, value: Any) -> Any:
        """Overwrite every element with `value`."""
        self[:] = value
        return self

    def copy_(self, source: Storage) -> Any:
        """Overwrite the memory with that of `source`, byte by byte.

        Raises:
            RuntimeError: it has another size.
        """
        if source.nbytes() != self.nbytes():
            sizes = f"self was {self.nbytes()} bytes but src was {source.nbytes()} bytes"
            raise RuntimeError(f"size does not match, {sizes}")
        self._elements.view(np.uint8)[...] = source._elements.view(np.uint8)
        return self

    def clone(self) -> Any:
        """Return a copy of the memory."""
        return self._like(self._elements.copy())

    def cpu(self) -> Any:
        """Return the storage itself if it is in the host's memory, else a copy there."""
        return self._like(move_to(self._elements, device("cpu"))) if self.is_cuda else self

    def _like(self, elements: Any) -> Any:
        """Return a storage of this class around `elements`."""
        raise NotImplementedError

    def __copy__(self) -> Any:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Copy the memory once, also if tensors of it are copied with it."""
        owner = owner_of(self._elements)
        if id(owner) not in memo:
            memo[id(owner)] = owner.copy()
        return self._like(memory_of(memo[id(owner)]).view(self._elements.dtype))

    def _name(self) -> str:
        """Return the name of the class as users know it."""
        return "torch.storage.UntypedStorage"

    def _described(self) -> str:
        return f"device={self.device}"

    def __repr__(self) -> str:
        lines = "\n ".join(map(str, self.tolist()))
        return f" {lines}\n[{self._name()}({self._described()}) of size {self.size()}]"


class UntypedStorage(Storage):
    """Memory as bytes.

    >>> import minigrad as mg
    >>> x = mg.tensor([1, 256], dtype=mg.int16)
    >>> x.untyped_storage().tolist()
    [1, 0, 0, 1]
    >>> x[1:].untyped_storage().data_ptr() == x.data_ptr()
    True
    """

    def __init__(self, values: Any = 0, *, device: Any = None) -> None:
        """Make a storage of `values`: a number of bytes, or the bytes themselves."""
        self._elements = new_memory(values, np.dtype(np.uint8), device)

    def _like(self, elements: Any) -> UntypedStorage:
        storage = UntypedStorage.__new__(type(self))
        storage._elements = elements
        return storage

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            if index.step not in (None, 1):
                raise RuntimeError(
                    f"Trying to slice with a step of {index.step}, but only a step of 1 is "
                    "supported"
                )
            return self._like(self._elements[index])
        return super().__getitem__(index)

    def untyped(self) -> UntypedStorage:
        """Return the storage itself."""
        return self

    def byteswap(self, dtype: Any) -> None:
        """Reverse the bytes of each number of the memory, read as numbers of `dtype`."""
        size = dtype.itemsize // (2 if dtype.is_complex else 1)
        numbers = self._elements.reshape(-1, size)
        numbers[...] = numbers[:, ::-1].copy()

    @classmethod
    def from_buffer(
        cls, buffer: Any, byte_order: str | None = None, count: int = -1, offset: int = 0, *,
        dtype: Any = None,
    ) -> UntypedStorage:  # fmt: skip
        """Return a copy of numbers of `dtype` in an object with Python's buffer protocol."""
        if dtype is None:
            raise RuntimeError("argument 'dtype' cannot be None")
        found = read_buffer(buffer, byte_order, count, offset, dtype.numpy)
        return cls()._like(found.view(np.uint8))

    @classmethod
    def from_file(cls, filename: str, shared: bool = False, nbytes: int = 0) -> UntypedStorage:
        """Return the bytes of a file; see `minigrad.from_file`."""
        return cls()._like(map_file(filename, shared, nbytes, np.dtype(np.uint8)))


def read_buffer(
    buffer: Any, byte_order: str | None, count: int, offset: int, kind: np.dtype[Any]
) -> Any:
    """Return a copy of the numbers in a buffer.

    Args:
        byte_order: "big", "little" or "native"; numbers of one byte need none.
        count, offset: the number of numbers, by default all, and of bytes before them.

    Raises:
        RuntimeError, TypeError, ValueError: an argument does not fit the buffer.
    """
    try:
        size, length = kind.itemsize, memoryview(buffer).nbytes
    except TypeError:
        kind_of = type_name(buffer)
        raise TypeError(f"a bytes-like object is required, not '{kind_of}'") from None
    if byte_order is None and kind not in (np.uint8, np.int8):
        raise RuntimeError("function missing required argument 'byte_order' (pos 2)")
    orders: dict[Any, Any] = {"big": ">", "little": "<", "native": "=", None: "="}
    if byte_order not in orders:
        wanted = "(expected 'big', 'little', or 'native')"
        raise ValueError(f"invalid byte_order '{byte_order}' {wanted}")
    if not 0 <= offset <= length:
        raise ValueError(
            f"offset must be non-negative and no greater than buffer length ({offset}) , but got "
            f"{length}"
        )
    if count < 0 and (length - offset) % size:
        raise ValueError(f"buffer size ({length}) must be a multiple of element size ({size})")
    if offset + count * size > length:
        rest = f"elements after offset {offset}, but specified a size of {count}"
        raise ValueError(f"buffer has only {length - offset} {rest}")
    if kind == np.bool_:
        return np.frombuffer(buffer, np.uint8, count, offset) != 0
    found = np.frombuffer(buffer, kind.newbyteorder(orders[byte_order]), count, offset)
    return found.astype(kind)


def new_memory(values: Any, kind: np.dtype[Any], place: Any) -> Any:
    """Return zeros, as many as the number `values`, or the numbers of a list, on a device.

    Raises:
        TypeError: `values` is neither a number nor a list.
    """
    if isinstance(values, (list, tuple)):
        made = np.array(values, kind).reshape(-1)
    elif hasattr(values, "__index__"):
        made = np.zeros(operator.index(values), kind)
    else:
        raise TypeError(f"Argument type not recognized: {type(values)}")
    return move_to(made, device("cpu" if place is None else place))


class TypedStorage(Storage):
    """Memory as numbers of one dtype. Deprecated in PyTorch: prefer `untyped_storage()`.

    >>> import minigrad as mg
    >>> mg.TypedStorage([1, 2], dtype=mg.int64).tolist()
    [1, 2]
    """

    dtype: Dtype = None  # type: ignore[assignment]
    """The dtype of the elements; a class such as `FloatStorage` has one itself."""

    def __init__(
        self, *values: Any, wrap_storage: Any = None, dtype: Any = None, device: Any = None
    ) -> None:
        """Make a storage of some numbers, of a count of zeros, or of the memory of another one.

        Raises:
            RuntimeError, TypeError: the arguments do not fit together.
        """
        own = type(self).dtype
        if own is not None and dtype is not None:
            raise RuntimeError(f"{type(self).__name__}.__new__() received unexpected keyword")
        self.dtype = own or dtype or get_default_dtype()
        if not isinstance(self.dtype, Dtype):
            kind = type(dtype).__name__
            raise TypeError(f"argument 'dtype' must be torch.dtype, not {kind}")
        if len(values) > 1 or (values and wrap_storage is not None):
            raise RuntimeError(f"{type(self).__name__}() takes values, or wrap_storage alone")
        if wrap_storage is not None:
            if not isinstance(wrap_storage, UntypedStorage):
                kind = type_name(wrap_storage)
                raise TypeError(f"Argument 'wrap_storage' must be UntypedStorage, but got {kind}")
            if own is None and dtype is None:
                raise RuntimeError("Argument 'dtype' must be specified")
            self._elements = as_elements(wrap_storage, self.dtype.numpy)
            return
        self._elements = new_memory(values[0] if values else 0, self.dtype.numpy, device)

    def _like(self, elements: Any) -> TypedStorage:
        storage = TypedStorage.__new__(TypedStorage)
        storage._elements, storage.dtype = elements, from_numpy_dtype[elements.dtype]
        return storage

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return super().__getitem__(index)

    @classmethod
    def from_buffer(cls, *args: Any, **kwargs: Any) -> TypedStorage:
        """Return a copy of the numbers in a buffer; see `UntypedStorage.from_buffer`.

        Raises:
            RuntimeError: this class has a dtype, and another one is given.
        """
        if cls.dtype is not None and "dtype" in kwargs:
            places = "UntypedStorage.from_buffer and TypedStorage.from_buffer"
            raise RuntimeError(f"from_buffer: 'dtype' can only be specified in {places}")
        dtype = kwargs.pop("dtype", None) or cls.dtype or get_default_dtype()
        memory = UntypedStorage.from_buffer(*args, dtype=dtype, **kwargs)
        return cls(wrap_storage=memory, **({} if cls.dtype else {"dtype": dtype}))

    @classmethod
    def from_file(cls, filename: str, shared: bool, size: int) -> TypedStorage:
        """Return the first numbers of a file; see `minigrad.from_file`.

        Raises:
            RuntimeError: this class has no dtype.
        """
        if cls.dtype is None:
            raise RuntimeError("from_file can only be called on derived classes")
        return cls()._like(map_file(filename, shared, size, cls.dtype.numpy))

    def untyped(self) -> UntypedStorage:
        """Return the same memory as bytes."""
        return UntypedStorage()._like(self._elements.view(np.uint8))

    _untyped_storage = property(untyped)

    def type(self, dtype: Any = None) -> Any:
        """Return the storage's old name (torch.FloatStorage), or convert it to `dtype`."""
        if dtype is None:
            return f"torch.{storage_name(self.dtype)}"
        return self._like(self._elements.astype(to_numpy_dtype(dtype)))

    def pickle_storage_type(self) -> str:
        """Return the name of the storage's class, such as FloatStorage."""
        return storage_name(self.dtype)

    def _name(self) -> str:
        return "torch.storage.TypedStorage"

    def _described(self) -> str:
        return f"dtype={self.dtype}, {super()._described()}"


def conversion(dtype: Dtype) -> Any:
    """Make the method of TypedStorage that converts to `dtype`."""

    def method(self: TypedStorage) -> Any:
        return self if self.dtype is dtype else self.type(dtype)

    method.__doc__ = f"Return the numbers as {dtype.name}: the storage itself, or a copy."
    return method


def storage_name(dtype: Dtype) -> str:
    """Return the name of the old class of a dtype's storages, such as FloatStorage."""
    return dtype.tensor_class.replace("Tensor", "Storage")


def as_elements(storage: Storage, kind: np.dtype[Any]) -> Any:
    """Return the memory of `storage` as an array of one dimension.

    Raises:
        RuntimeError: it has another dtype.
    """
    if isinstance(storage, UntypedStorage):
        whole = storage.size() // kind.itemsize * kind.itemsize
        return storage._elements[:whole].view(kind)
    if storage._elements.dtype != kind:
        own = from_numpy_dtype[storage._elements.dtype].tensor_class.removesuffix("Tensor")
        wanted = f"Expected a Storage of type {c_name(kind)} or an UntypedStorage"
        raise RuntimeError(f"{wanted}, but got type {own} for argument 1 'storage'")
    return storage._elements


# --- The old class of each dtype


class HalfStorage(TypedStorage):
    """A storage of float16, under its old name."""

    dtype = from_numpy_dtype[np.dtype(np.float16)]


class FloatStorage(TypedStorage):
    """A storage of float32, under its old name."""

    dtype = from_numpy_dtype[np.dtype(np.float32)]


class DoubleStorage(TypedStorage):
    """A storage of float64, under its old name."""

    dtype = from_numpy_dtype[np.dtype(np.float64)]


class CharStorage(TypedStorage):
    """A storage of int8, under its old name."""

    dtype = from_numpy_dtype[np.dtype(np.int8)]


class ByteStorage(TypedStorage):
    """A storage of uint8, under its old name."""

    dtype = from_numpy_dtype[np.dtype(np.uint8)]


class ShortStorage(TypedStorage):
    """A storage of int16, under its old name."""

    dtype = from_numpy_dtype[np.dtype(np.int16)]


class IntStorage(TypedStorage):
    """A storage of int32, under its old name."""

    dtype = from_numpy_dtype[np.dtype(np.int32)]


class LongStorage(TypedStorage):
    """A storage of int64, under its old name."""

    dtype = from_numpy_dtype[np.dtype(np.int64)]


class BoolStorage(TypedStorage):
    """A storage of bool, under its old name."""

    dtype = from_numpy_dtype[np.dtype(np.bool_)]


OLD_CLASSES: dict[str, type[TypedStorage]] = {
    each.__name__: each for each in TypedStorage.__subclasses__()
}
"""The old class of each dtype's storages."""

for _dtype in from_numpy_dtype.values():  # TypedStorage.float and the others
    setattr(TypedStorage, _dtype.tensor_class.removesuffix("Tensor").lower(), conversion(_dtype))
