"""Names of `torch._C` that tests use to look inside, each answered by what minigrad has."""

from __future__ import annotations

import weakref
from types import SimpleNamespace
from typing import Any

from minigrad.autograd import Function
from minigrad.autograd.function import Error
from minigrad.autograd.grad_mode import is_grad_enabled
from minigrad.autograd.gradcheck import NoGradient
from minigrad.core.modes import modes
from minigrad.core.node import AccumulateGrad
from minigrad.core.saved import SavedSlot


class WeakTensorRef:
    """A reference that does not keep a tensor alive."""

    def __init__(self, tensor: Any) -> None:
        self._tensor = weakref.ref(tensor)

    def expired(self) -> bool:
        return self._tensor() is None


class DelayedError(Error):
    """Makes a function that returns its argument, and whose backward raises."""

    def __init__(self, message: str, count: int) -> None:
        self.message = message

    def __call__(self, tensor: Any) -> Any:  # type: ignore[override]
        message = self.message

        class Boom(Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                return x.clone()

            @staticmethod
            def backward(ctx: Any, *gradients: Any) -> Any:
                raise RuntimeError(message)

        return Boom.apply(tensor)


passes: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
numbers = iter(range(10**9))


def current_graph_task_id() -> int:
    """Return a number for the running pass: the next one for a pass that was not asked before."""
    if modes.walk is None:
        return -1
    if modes.walk not in passes:
        passes[modes.walk] = next(numbers)
    return passes[modes.walk]


NAMES = SimpleNamespace(
    _functions=SimpleNamespace(
        AccumulateGrad=AccumulateGrad,
        DelayedError=DelayedError,
        UndefinedGrad=lambda: NoGradient.apply,
    ),
    _autograd=SimpleNamespace(
        SavedTensor=SavedSlot,
        _saved_tensors_hooks_is_enabled=lambda: modes.no_saved_hooks is None,
    ),
    _WeakTensorRef=WeakTensorRef,
    _current_graph_task_id=current_graph_task_id,
    has_lapack=True,
    is_grad_enabled=is_grad_enabled,
)
