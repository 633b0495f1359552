"""Types and attributes that minigrad and PyTorch have in common.

PyTorch may be missing, so annotations cannot name its classes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol


class AnyTensor(Protocol):
    """A tensor of minigrad or of PyTorch."""

    @property
    def grad_fn(self) -> Any: ...
    @property
    def requires_grad(self) -> bool: ...
    def __float__(self) -> float: ...


class OwnResult(Protocol):
    """A result of the reader's own engine; own_engines.py lists what else it must have."""

    data: Any
    grad: Any

    def backward(self) -> Any: ...


class AnyModule(Protocol):
    """A module of minigrad or of PyTorch, or another object with named parameters."""

    def named_parameters(self) -> Iterable[tuple[str, Any]]:
        """Yield every parameter with its name."""


GivenNames = Mapping[str, AnyTensor] | Mapping[str, OwnResult] | AnyModule
"""Names for tensors: a dict, or a module with named parameters."""


def is_pytorch(tensor: Any) -> bool:
    """Whether this is a tensor of PyTorch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(tensor, torch.Tensor)


@contextmanager
def outside_modes() -> Iterator[None]:
    """Hide a computation of ours from the reader's program.

    Within the block, no mode of PyTorch's is active, and no tensor class implements operations
    itself: these could count the operations, print them or change them.
    """
    if "torch" not in sys.modules:
        yield
        return
    from .._pytorch import outside_modes as outside

    with outside():
        yield


def version_of(tensor: Any) -> int:
    """Return how often the tensor's memory was written in place."""
    return int(tensor._version)


def set_version(tensor: Any, version: int) -> None:
    """Set the number of writes, after the memory was restored to that state."""
    if is_pytorch(tensor):
        from .._pytorch import set_version as set_in_pytorch

        set_in_pytorch(tensor, version)
    else:
        tensor.version_counter().value = version


def view_base(tensor: Any) -> Any:
    """Return the tensor whose memory a view shares; None if the tensor is no view."""
    return tensor._base if tensor._is_view() else None


def sequence_number(node: Any) -> int:
    """Return the number of a node: a thread numbers its nodes in the order of their creation."""
    return int(node._sequence_nr())


def next_sequence_number(library: Any) -> int:
    """Return a number larger than those of all nodes that exist, and smaller than those to come."""
    return int(library.autograd._get_sequence_nr())


def output_metadata(node: Any) -> Sequence[Any]:
    """Return the shape and the type of each of a node's outputs, if the node knows them."""
    found: Sequence[Any] = getattr(node, "_input_metadata", ())
    return found


def function_class(node: Any) -> Any:
    """Return the user's `Function` of a node of PyTorch's; None for any other node."""
    return getattr(node, "_forward_cls", None)


def packed_tensors(node: Any) -> Sequence[Any]:
    """Return what a user's Function has saved, in the wrappers that hold it."""
    found: Sequence[Any] = node._raw_saved_tensors
    return found
