"""Exchange of memory with other libraries by DLPack, in PyTorch's older form with capsules."""

from typing import Any

from ..arrays.left_out import missing_from
from ..tensors.creation import from_dlpack
from ..tensors.tensor import Tensor

__all__ = ["from_dlpack", "to_dlpack"]


def to_dlpack(tensor: Tensor) -> Any:
    """Return a capsule with the memory of `tensor`, which can be opened once.

    >>> import minigrad as mg
    >>> from minigrad.utils import dlpack
    >>> x = mg.ones(2)
    >>> y = dlpack.from_dlpack(dlpack.to_dlpack(x))
    >>> y.data_ptr() == x.data_ptr()
    True
    """
    try:
        return tensor.__dlpack__(max_version=(1, 0))  # newer capsules can be written to
    except TypeError:
        return tensor.__dlpack__()


__getattr__ = missing_from(__name__)
