"""Copies of a tensor outside the program: deep copies, pickles, DLPack.

As in PyTorch, tensors that share memory still do after they are copied together. A part of a tensor
is pickled as a part, with the whole memory.
"""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np

from ..arrays.devices import address
from ..arrays.memory_order import owner_of
from ..core.modes import modes
from ..core.node import UNCOUNTED, TensorBase, new_tensor
from ..core.views import requires_grad

NOT_A_LEAF = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
    "the moment.  If you were attempting to deepcopy a module, this may be because of a "
    "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
)


Place = tuple[tuple[int, ...], np.dtype[Any], int, tuple[int, ...]]
"""Shape, dtype, offset and strides."""


def whole_of(array: Any) -> Any:
    """Return the array whose memory contains `array`. On a GPU, return `array` itself."""
    return owner_of(array) if isinstance(array, np.ndarray) else array


def locate(owner: Any, array: Any) -> Place | None:
    """Return the place of `array` in the memory of `owner`; None if it is all of it."""
    if array is owner:
        return None
    return array.shape, array.dtype, address(array) - address(owner), array.strides


def rebuild(kind: type[Any], owner: Any, wants_grad: bool, place: Place | None = None) -> Any:
    """Rebuild a leaf from the result of `__reduce_ex__`."""
    out = TensorBase.__new__(kind)
    out._array = owner
    if place is not None:
        shape, dtype, offset, strides = place
        memory = owner.ravel("K")
        if 0 in shape:  # NumPy would require its strides to fit the memory
            nothing = memory.view(np.uint8)[offset:offset].view(dtype)
            out._array = np.lib.stride_tricks.as_strided(nothing, shape, strides)
        else:
            out._array = np.ndarray(shape, dtype, memory, offset, strides)
    if modes.inference:
        out._counter = UNCOUNTED
    else:
        out.version_counter().value = 1  # filling it was a write
    if wants_grad:
        out._requires_grad = True
    return out


def notes_on(tensor: TensorBase) -> dict[str, Any]:
    """Return the attributes that a user has added to a tensor."""
    return {name: value for name, value in vars(tensor).items() if name[0] != "_"}


class ExchangeMethods(TensorBase):
    """The protocols by which Python and other libraries copy tensors or share their memory."""

    def __deepcopy__(self, memo: dict[int, Any]) -> TensorBase:
        if id(self) in memo:
            return memo[id(self)]  # type: ignore[no-any-return]
        if requires_grad(self) and not self._requires_grad:
            raise RuntimeError(NOT_A_LEAF)
        array = self.shared_array()
        owner = whole_of(array)
        twin, place = copy.deepcopy(owner, memo), locate(owner, array)
        out: TensorBase = rebuild(type(self), twin, self._requires_grad, place)
        memo[id(self)] = out
        if self._grad is not None:
            out._grad = copy.deepcopy(self._grad, memo)
        vars(out).update(copy.deepcopy(notes_on(self), memo))
        return out

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        for hook in (self._hooks or {}).values():
            warnings.warn(f"backward hook {hook!r} on tensor will not be serialized.", stacklevel=2)
        array = self.shared_array()
        owner = whole_of(array)
        # (PyTorch also pickles the memory of each tensor anew, so that none share any.)
        parts = type(self), owner[...], requires_grad(self), locate(owner, array)
        return rebuild, parts, notes_on(self)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """Return the result of a NumPy function on this tensor as a tensor; bools as uint8."""
        return new_tensor(array.astype(np.uint8) if array.dtype.kind == "b" else array)

    def __dlpack__(self, *, stream: Any = -1, **options: Any) -> Any:
        """Return a capsule for another library, which will share the memory.

        Raises:
            BufferError: the tensor requires grad.
            AssertionError: a stream is named for a tensor on the CPU.
        """
        if requires_grad(self):
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
        if stream is not None and type(stream) is not int:
            raise TypeError("stream must be ``int`` or ``none``")
        array = self.shared_array()
        if stream not in (None, -1):
            if isinstance(array, np.ndarray):
                raise AssertionError("stream should be None on cpu.")
            options["stream"] = stream
        return array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[Any, int]:
        return self.shared_array().__dlpack_device__()  # type: ignore[no-any-return]
