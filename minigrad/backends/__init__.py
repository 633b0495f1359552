"""What PyTorch's libraries are asked and told: `torch.backends`.

Programs that are to give the same numbers twice, or to be fast, set switches here. minigrad's
results are the same each time anyway, and no switch makes it faster: they are kept and change
nothing.
"""

from typing import TYPE_CHECKING

from ..arrays.left_out import missing_from
from . import cuda, cudnn, mps

__all__ = ["cuda", "cudnn", "mps"]

if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
