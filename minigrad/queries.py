"""The type that two operands make together, and the random generator's state as a tensor."""

from __future__ import annotations

from typing import Any

from . import random
from .dtypes import dtype, from_numpy_dtype, result_dtype
from .graph import TensorBase, new_tensor
from .tensor import Tensor


def result_type(tensor1: Any, tensor2: Any) -> dtype:
    """The element type of an operation on two operands, tensors or numbers.

    >>> import minigrad as mg
    >>> mg.result_type(mg.tensor([1, 2]), 1.0)
    torch.float32
    """
    arrays = [each._array if isinstance(each, TensorBase) else each for each in (tensor1, tensor2)]
    return from_numpy_dtype[result_dtype(*arrays)]


def get_rng_state() -> Tensor:
    """The state of the default generator, as a tensor of bytes that `set_rng_state` takes."""
    state: Tensor = new_tensor(random.get_rng_state())
    return state
