"""Parameter: a tensor that a module counts as its own to train."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays.dtypes import get_default_dtype
from ..arrays.words import wrong_type
from ..tensors.printing import tensor_repr
from ..tensors.tensor import Tensor


class Parameter(Tensor):
    """A leaf that requires grad; assigned to an attribute of a module, it joins its parameters.

    >>> import minigrad as mg
    >>> mg.nn.Parameter(mg.ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        """`data`: a tensor, whose memory is shared; none makes an empty parameter."""
        if not isinstance(requires_grad, bool):
            raise wrong_type("_make_subclass", "require_grad", 3, "bool", requires_grad)
        out = object.__new__(cls)
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
        """A parameter with a copy of the data, and without the gradient."""
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.detach().clone(), self.requires_grad)
        return memo[id(self)]

    def __repr__(self) -> str:
        return tensor_repr(self._array, requires_grad=self._requires_grad, parameter=True)
