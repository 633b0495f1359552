"""PyTorch's first names for element types: a kind of tensor for each, such as `FloatTensor`.

Programs from before 2018 make tensors with them, convert to them with `x.type(...)` and ask
`isinstance(x, LongTensor)`. A tensor has one class, whatever its elements are; so these are no
classes but objects that answer as one.
"""

from __future__ import annotations

import warnings
from typing import Any, Final

from ..arrays.devices import set_default_device
from ..arrays.dtypes import dtype as Dtype
from ..arrays.dtypes import from_numpy_dtype, set_default_dtype
from ..core.node import new_tensor
from .creation import legacy
from .tensor import Tensor


class TensorType:
    """Tensors of one element type on one kind of device.

    >>> import minigrad as mg
    >>> mg.LongTensor([1, 2]), mg.FloatTensor(2, 3).shape
    (tensor([1, 2]), torch.Size([2, 3]))
    >>> isinstance(mg.ones(2), mg.FloatTensor)
    True
    """

    def __init__(self, dtype: Dtype, device: str) -> None:
        self.dtype, self.device = dtype, device
        self.__name__ = dtype.tensor_class

    def __call__(self, *data: Any) -> Tensor:
        """A tensor of these values, or with so many places."""
        kind = type_name_of(data[0]) if len(data) == 1 else ""
        if kind and kind != self.full_name:
            raise TypeError(f"expected a tensor of the type {self.full_name}, but got a {kind}")
        made: Any = data[0][...] if kind else new_tensor(legacy(self.dtype, *data))
        return made.to(self.device)  # type: ignore[no-any-return]

    def __instancecheck__(self, value: object) -> bool:
        return type_name_of(value) == self.full_name

    @property
    def full_name(self) -> str:
        """What `Tensor.type` calls it."""
        return f"torch.{'cuda.' * (self.device == 'cuda')}{self.__name__}"

    def __repr__(self) -> str:
        return f"<class '{self.full_name}'>"


def type_name_of(value: Any) -> str:
    """The old name of a tensor's type; "" for what is no tensor."""
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


def set_default_tensor_type(t: Any) -> None:
    """Set the default element type and device by one of these names. Prefer `set_default_dtype`
    and `set_default_device`.

    Raises:
        TypeError: it is no floating-point type, or no type at all.
    """
    warnings.warn(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use "
        "torch.set_default_dtype() and torch.set_default_device() as alternatives.",
        UserWarning,
        stacklevel=2,
    )
    named = {each.full_name: each for each in (*KINDS.values(), *ON_GPU.values())}
    kind = named.get(t) if isinstance(t, str) else t
    wanted = "only floating-point types are supported as the default type"
    if not isinstance(kind, TensorType):
        raise TypeError(f"invalid type object: {wanted}")
    if not kind.dtype.is_floating_point:
        raise TypeError(wanted)
    set_default_dtype(kind.dtype)
    set_default_device(kind.device if kind.device == "cuda" else None)
