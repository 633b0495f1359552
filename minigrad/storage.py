"""PyTorch's `torch.storage`: the two classes of storages."""

from typing import TYPE_CHECKING

from .arrays.left_out import missing_from
from .arrays.storages import TypedStorage, UntypedStorage

__all__ = ["TypedStorage", "UntypedStorage"]

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
