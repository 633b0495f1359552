"""`Variable`, which wrapped a tensor to differentiate it until 2018; now every tensor is one.

And `SavedTensor`, the class of a node's saved values, which only the engine makes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from ..arrays.messages import type_name
from ..core.modes import modes
from ..core.saved import RawSaved
from ..tensors.tensor import Tensor


class ExecutionEngine:
    """PyTorch's engine object, for programs that name it; the engine itself is core/engine.py."""

    def queue_callback(self, callback: Callable[[], object]) -> None:
        """Call `callback()` at the end of the running backward pass.

        Raises:
            RuntimeError: no pass is running.
        """
        if modes.walk is None:
            raise RuntimeError("Final callbacks can only be installed during backward pass.")
        modes.walk.callbacks.append(callback)


if TYPE_CHECKING:  # for a checker it is the class of its results

    class Variable(Tensor):
        """A tensor."""

        _execution_engine: ExecutionEngine

        def __new__(cls, data: Any = None, requires_grad: bool = False) -> Variable: ...

else:

    class VariableMeta(type):
        """Every tensor is a Variable."""

        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, Tensor)

    class Variable(metaclass=VariableMeta):
        """Make a tensor that shares the memory of `data` and has no history.

        It is `data.detach()` with `requires_grad` set. Prefer `requires_grad_` on the tensor
        itself.

        >>> import minigrad as mg
        >>> mg.autograd.Variable(mg.ones(2), requires_grad=True)
        tensor([1., 1.], requires_grad=True)
        """

        _execution_engine = ExecutionEngine()

        def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: Any = None):
            if volatile is not None:
                instead = "Use `with torch.no_grad():` instead."
                text = f"volatile was removed and now has no effect. {instead}"
                warnings.warn(text, UserWarning, stacklevel=2)
            if data is None:
                data = Tensor()
            if not isinstance(data, Tensor):
                found = type_name(data)
                raise TypeError(f"Variable data has to be a tensor, but got {found}")
            if requires_grad and not data.is_floating_point():
                raise RuntimeError(
                    "Only Tensors of floating point and complex dtype can require gradients"
                )
            return data.detach().requires_grad_(bool(requires_grad))


class SavedTensorMeta(type):
    """Takes the saved values of nodes for instances, and makes none."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, RawSaved)

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")


class SavedTensor(metaclass=SavedTensorMeta):
    """The class of `node._raw_saved_self` and its like.

    >>> import minigrad as mg
    >>> y = mg.ones(2, requires_grad=True).exp()
    >>> isinstance(y.grad_fn._raw_saved_result, mg.autograd.SavedTensor)
    True
    """
