"""Parameter: a tensor that a module trains; and its placeholder while its shape is unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from ..arrays.dtypes import get_default_dtype
from ..arrays.messages import wrong_type
from ..core.node import TensorBase
from ..ops.public.overriding import OfClass, plain_results
from ..tensors.creation import empty
from ..tensors.printing import tensor_repr
from ..tensors.tensor import Tensor

__all__ = ["Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "is_lazy"]


class Parameter(Tensor):
    """A leaf that requires grad; assigned to an attribute of a module, it joins its parameters.

    >>> import minigrad as mg
    >>> mg.nn.Parameter(mg.ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    __torch_function__ = OfClass(staticmethod(plain_results))

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        """`data`: a tensor, whose memory is shared; without it the parameter is empty."""
        if not isinstance(requires_grad, bool):
            raise wrong_type("_make_subclass", "require_grad", 3, "bool", requires_grad)
        out = TensorBase.__new__(cls)
        if data is None:
            out._array = np.empty(0, get_default_dtype().numpy)
        else:
            alias = data.detach()
            out._array, out._counter = alias._array, alias._counter
        if requires_grad and out._array.dtype.kind != "f":
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        out._requires_grad = requires_grad
        return out

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Return a parameter with a copy of the data, without the gradient."""
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.detach().clone(), self.requires_grad)
        return memo[id(self)]

    def __repr__(self) -> str:
        return tensor_repr(self._array, requires_grad=self._requires_grad, parameter=True)


class BufferMeta(type):
    """Tensors made by `Buffer` are instances of it, though their class is Tensor."""

    def __instancecheck__(cls, instance: object) -> bool:
        marked = cls is Buffer and isinstance(instance, Tensor)
        return (marked and "_is_buffer" in vars(instance)) or type.__instancecheck__(cls, instance)


class Buffer(Tensor, metaclass=BufferMeta):
    """A tensor that a module keeps as a buffer when it is assigned to an attribute.

    >>> import minigrad as mg
    >>> module = mg.nn.Module()
    >>> module.mean = mg.nn.Buffer(mg.zeros(2))
    >>> dict(module.state_dict())
    {'mean': tensor([0., 0.])}
    """

    __torch_function__ = OfClass(staticmethod(plain_results))
    persistent: bool

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Buffer:
        """Return a tensor that shares the memory of `data`.

        Args:
            data: a tensor; without it the buffer is empty.
            persistent: whether a `state_dict` contains it.
        """
        alias = (empty(0) if data is None else data).detach()
        if data is not None:
            alias.requires_grad_(data.requires_grad)
        alias.persistent, alias._is_buffer = persistent, True
        return alias  # type: ignore[no-any-return]


class Uninitialized(Tensor):
    """The base of both placeholders: dtype and device without a shape; any other use raises.

    The array of every other tensor is an attribute. This one is stored as `_kept`, so that reading
    `_array`, as each operation does, raises.
    """

    __torch_function__ = OfClass(staticmethod(plain_results))
    cls_to_become: type[Tensor]
    _kept: Any

    if not TYPE_CHECKING:  # an attribute of Tensor

        @property
        def _array(self) -> Any:
            raise ValueError(
                "Attempted to use an uninitialized parameter. This error happens when you are "
                "using a `LazyModule` or explicitly manipulating "
                f"`torch.nn.parameter.{type(self).__name__}` objects. When using LazyModules Call "
                "`forward` with a dummy batch to initialize the parameters before calling torch "
                "functions"
            )

        @property
        def shape(self) -> Any:
            raise RuntimeError(
                "Can't access the shape of an uninitialized parameter or buffer. This error "
                "usually happens in `load_state_dict` when trying to load an uninitialized "
                "parameter into an initialized one. Call `forward` to initialize the parameters "
                "before accessing their attributes."
            )

        data = property(lambda self: self._kept, lambda self, data: self._keep(data))
        dtype = property(lambda self: self._kept.dtype)
        device = property(lambda self: self._kept.device)

    def _keep(self, data: Tensor) -> None:
        self._kept = data.detach()

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        return self._array  # which raises

    def is_floating_point(self) -> bool:
        return self._kept.is_floating_point()  # type: ignore[no-any-return]

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Become an ordinary tensor of the given shape, with arbitrary values."""
        kept = self.__dict__.pop("_kept")
        self.__class__ = self.cls_to_become  # type: ignore[assignment]
        self._array = empty(shape, dtype=dtype or kept.dtype, device=device or kept.device)._array

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            memo[id(self)] = make_placeholder(type(self), self._requires_grad, self._kept)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return make_placeholder, (type(self), self._requires_grad, self._kept)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


def make_placeholder(kind: type[Any], requires_grad: bool, kept: Tensor) -> Any:
    """Make a tensor without a shape, with the dtype and device of `kept`."""
    out = TensorBase.__new__(kind)
    out._requires_grad = requires_grad
    out._keep(kept)
    return out


class UninitializedParameter(Uninitialized, Parameter):
    """A parameter whose shape is known after the first call of its module.

    >>> import minigrad as mg
    >>> mg.nn.LazyLinear(2).weight
    <UninitializedParameter>
    """

    cls_to_become = Parameter

    def __new__(
        cls, requires_grad: bool = True, device: Any = None, dtype: Any = None
    ) -> UninitializedParameter:
        return make_placeholder(cls, requires_grad, empty(0, device=device, dtype=dtype))  # type: ignore[no-any-return]


class UninitializedBuffer(Uninitialized):
    """A buffer whose shape is known after the first call of its module."""

    cls_to_become = Tensor

    def __new__(
        cls, requires_grad: bool = False, device: Any = None, dtype: Any = None
    ) -> UninitializedBuffer:
        return make_placeholder(cls, requires_grad, empty(0, device=device, dtype=dtype))  # type: ignore[no-any-return]


def is_lazy(param: object) -> TypeGuard[Uninitialized]:
    """Return whether a parameter or buffer has no shape yet."""
    return isinstance(param, Uninitialized)
