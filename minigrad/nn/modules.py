"""The name by which PyTorch's programs find the hooks on every module:
`nn.modules.module.register_module_forward_hook`.
"""

from . import module as module
