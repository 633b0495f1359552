"""PyTorch's module path of hooks on every module, `nn.modules.module`."""

from . import module as module
