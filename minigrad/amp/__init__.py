"""PyTorch's `torch.amp`: `autocast`, and `GradScaler` for the small gradients of float16."""

from ..arrays.left_out import missing_from
from ..arrays.places import set_places
from .autocast_mode import autocast, custom_bwd, custom_fwd, is_autocast_available
from .grad_scaler import GradScaler

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]

set_places(globals(), __all__)
__getattr__ = missing_from(__name__)
