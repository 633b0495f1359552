"""`DataParallel`, which on PyTorch divides a batch among GPUs: here it calls its module.

PyTorch's does the same where there are no GPUs, so programs that wrap their model run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..arrays.left_out import missing_from
from .module import Module

__all__ = ["DataParallel"]


class DataParallel(Module):
    """Call `module`, whose parameters are named `module....`, with the whole batch.

    Args:
        device_ids: without effect; `minigrad.distributed` divides a batch among processes.

    >>> import minigrad as mg
    >>> net = mg.nn.DataParallel(mg.nn.Linear(2, 1))
    >>> net(mg.ones(3, 2)).shape, [name for name, _ in net.named_parameters()]
    (torch.Size([3, 1]), ['module.weight', 'module.bias'])
    """

    def __init__(
        self,
        module: Module,
        device_ids: Sequence[Any] | None = None,
        output_device: Any = None,
        dim: int = 0,
    ) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[Any] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        return self.module(*inputs, **kwargs)


__getattr__ = missing_from(__name__)
