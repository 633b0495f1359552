"""Whether there is a GPU to compute on: the part of PyTorch's `torch.cuda` that picks a device."""

from .devices import cuda_device_count as device_count
from .devices import cuda_is_available as is_available

__all__ = ["device_count", "is_available"]
