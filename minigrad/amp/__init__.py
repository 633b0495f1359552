"""PyTorch's `torch.amp`: `GradScaler`, which keeps small gradients of float16 from vanishing."""

from ..arrays.left_out import missing_from
from ..arrays.places import set_places
from .grad_scaler import GradScaler

__all__ = ["GradScaler"]

set_places(globals(), __all__)
__getattr__ = missing_from(__name__)
