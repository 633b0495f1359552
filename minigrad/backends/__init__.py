"""Switches of PyTorch's libraries: `torch.backends`.

Programs set switches here to be reproducible or fast. minigrad's results are always reproducible,
and no switch makes it faster: the values are stored and have no effect.
"""

from typing import TYPE_CHECKING

from ..arrays.left_out import missing_from
from . import cuda, cudnn, mps

__all__ = ["cuda", "cudnn", "mps"]

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
