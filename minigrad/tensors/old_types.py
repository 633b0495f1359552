"""PyTorch's old names of dtypes: a class of tensor for each, such as `FloatTensor`.

Programs from before 2018 make tensors with them, convert to them with `x.type(...)` and test
`isinstance(x, LongTensor)`. A tensor has one class, whatever its dtype. So these are not classes,
but objects that behave like one.
"""

from __future__ import annotations

import warnings
from typing import Any, Final, NoReturn

from ..arrays.devices import cuda_is_available, set_default_device
from ..arrays.dtypes import dtype as Dtype
from ..arrays.dtypes import from_numpy_dtype, set_default_dtype
from ..arrays.gpus import NO_GPU
from ..core.node import new_tensor
from .creation import check_legacy_device, legacy
from .tensor import Tensor


class TensorType:
    """Tensors of one dtype on one kind of device.

    >>> import minigrad as mg
    >>> mg.LongTensor([1, 2]), mg.FloatTensor(2, 3).shape
    (tensor([1, 2]), torch.Size([2, 3]))
    >>> isinstance(mg.ones(2), mg.FloatTensor)
    True
    """

    def __init__(self, dtype: Dtype, device: str) -> None:
        self.dtype, self.device = dtype, device
        self.__name__ = dtype.tensor_class
        self.__module__ = f"torch{'.cuda' * (device == 'cuda')}"
        self.is_cuda, self.is_xpu = device == "cuda", False

    def __call__(self, *data: Any, size: Any = None, device: Any = None) -> Tensor:
        """Make a tensor of these values, or of these sizes."""
        check_legacy_device(device, self.device, data)
        data = data if size is None else tuple(size)
        kind = type_name_of(data[0]) if len(data) == 1 else ""
        if kind and kind != self.full_name:
            raise TypeError(f"expected a tensor of the type {self.full_name}, but got a {kind}")
        made: Any = data[0][...] if kind else new_tensor(legacy(self.dtype, *data))
        return made.to(self.device)  # type: ignore[no-any-return]

    def __mro_entries__(self, bases: Any) -> NoReturn:
        raise TypeError(f"type '{self.full_name}' is not an acceptable base type")

    def __instancecheck__(self, value: object) -> bool:
        return type_name_of(value) == self.full_name

    @property
    def full_name(self) -> str:
        """Return its name in `Tensor.type`."""
        return f"torch.{'cuda.' * (self.device == 'cuda')}{self.__name__}"

    def __repr__(self) -> str:
        return f"<class '{self.full_name}'>"


def type_name_of(value: Any) -> str:
    """Return the old name of a tensor's dtype; "" for any other value."""
    return str(value.type()) if isinstance(value, Tensor) else ""


KINDS: Final = {each.tensor_class: TensorType(each, "cpu") for each in from_numpy_dtype.values()}
ON_GPU: Final = {each.tensor_class: TensorType(each, "cuda") for each in from_numpy_dtype.values()}

BoolTensor = KINDS["BoolTensor"]
ByteTensor = KINDS["ByteTensor"]
CharTensor = KINDS["CharTensor"]
DoubleTensor = KINDS["DoubleTensor"]
FloatTensor = KINDS["FloatTensor"]
HalfTensor = KINDS["HalfTensor"]
IntTensor = KINDS["IntTensor"]
LongTensor = KINDS["LongTensor"]
ShortTensor = KINDS["ShortTensor"]


ONLY_FLOATING: Final = "only floating-point types are supported as the default type"


def set_default_tensor_type(t: Any) -> None:
    """Set the default dtype and device by one of these names.

    Prefer `set_default_dtype` and `set_default_device`.

    Raises:
        TypeError: it is not a floating dtype, not a dtype at all, or there is no GPU for it.
    """
    warnings.warn(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use "
        "torch.set_default_dtype() and torch.set_default_device() as alternatives.",
        UserWarning,
        stacklevel=2,
    )
    named = {each.full_name: each for each in (*KINDS.values(), *ON_GPU.values())}
    kind = named.get(t) if isinstance(t, str) else t
    if not isinstance(kind, TensorType):
        raise TypeError(f"invalid type object: {ONLY_FLOATING}")
    if not kind.dtype.is_floating_point:
        raise TypeError(ONLY_FLOATING)
    if kind.device == "cuda" and not cuda_is_available():
        raise TypeError(f"type {kind.full_name} not available. {NO_GPU}")
    set_default_dtype(kind.dtype)
    set_default_device(kind.device if kind.device == "cuda" else None)
