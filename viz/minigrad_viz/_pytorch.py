"""Every private name of PyTorch that this package uses, behind functions with public names.

The rest of the package imports this file where it handles PyTorch, so PyTorch is loaded already.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Any, Protocol

torch: Any = sys.modules["torch"]


# --- Calls of PyTorch's functions


class Observer(Protocol):
    """Sees the calls of PyTorch's functions."""

    def around(self, function: Any, args: Any, kwargs: Any, frame: FrameType) -> Any:
        """Call the function for `frame`, and return its result."""


class CallMode(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
    """Within it, `observer` sees the calls, except while PyTorch compiles them."""

    def __init__(self, observer: Observer) -> None:
        super().__init__()
        self.observer = observer

    def __torch_function__(self, function: Any, types: Any, args: Any, kwargs: Any = None) -> Any:
        if torch.compiler.is_compiling():  # the compiler traces this method, too
            return function(*args, **(kwargs or {}))
        return self.observer.around(function, args, kwargs or {}, sys._getframe(1))


def top_mode() -> Any:
    """Return the innermost mode that sees calls, or None."""
    return torch.overrides._get_current_function_mode()


@contextmanager
def outside_modes() -> Iterator[None]:
    """Turn off PyTorch's modes and the tensor classes' own functions."""
    with torch._C.DisableTorchFunction(), torch.utils._python_dispatch._disable_current_modes():
        yield


def without_functions() -> AbstractContextManager[None]:
    """Turn off only the modes and classes that see calls of functions."""
    context: AbstractContextManager[None] = torch._C.DisableTorchFunction()
    return context


def without_dispatch() -> AbstractContextManager[None]:
    """Turn off only the tensor classes that implement operations themselves."""
    context: AbstractContextManager[None] = torch._C._DisableTorchDispatch()
    return context


# --- Backward passes


def pass_number() -> int:
    """Return the number of the backward pass that is running, or -1.

    A pass within a pass has a larger number.
    """
    return int(torch._C._current_graph_task_id())


def running_node() -> Any:
    """Return the node that is running in the backward pass, or None."""
    return torch._C._current_autograd_node()


ENGINE_CALL = "_engine_run_backward"
"""The function through which every backward pass enters PyTorch's engine."""


@contextmanager
def around_passes(around: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """Within the block, run every backward pass inside the context `around()`."""
    run_pass = getattr(torch.autograd, ENGINE_CALL)

    def run_observed(*args: Any, **kwargs: Any) -> Any:
        with around():
            return run_pass(*args, **kwargs)

    setattr(torch.autograd, ENGINE_CALL, run_observed)
    try:
        yield
    finally:
        setattr(torch.autograd, ENGINE_CALL, run_pass)


# --- Saved tensors and hooks


@contextmanager
def before_packing(see: Callable[[Any], None]) -> Iterator[None]:
    """Within the block, call `see` with each tensor that the innermost pack hook gets."""
    autograd = torch._C._autograd
    hooks = autograd._top_saved_tensors_default_hooks(True)
    if hooks is None:
        yield
        return
    pack, unpack = hooks

    def see_and_pack(tensor: Any) -> Any:
        see(tensor)
        return pack(tensor)

    autograd._push_saved_tensors_default_hooks(see_and_pack, unpack)
    try:
        yield
    finally:
        autograd._pop_saved_tensors_default_hooks()


def tensor_hooks(tensor: Any) -> Mapping[int, Any]:
    """Return the hooks that get the tensor's gradient, by their keys."""
    return tensor._backward_hooks or {}


def post_accumulate_hooks(tensor: Any) -> dict[int, Any]:
    """Return the hooks that run after a gradient was added to the leaf's `.grad`."""
    return tensor._post_accumulate_grad_hooks or {}


def set_version(tensor: Any, version: int) -> None:
    """Set how often the tensor's memory was written in place."""
    torch._C._autograd._unsafe_set_version_counter((tensor,), (version,))


def storage_id(storage: Any) -> int:
    """Return a number that no other storage has while this one lives."""
    return int(storage._cdata)
