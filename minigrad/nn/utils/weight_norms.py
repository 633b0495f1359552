"""Weight normalization by a hook: a weight computed from `weight_g` and `weight_v` at each call."""

from __future__ import annotations

import warnings
from typing import Any, TypeVar

from ...ops.neural.weight_normalization import lengths, normalized
from ..module import Module
from ..parameter import Parameter, is_lazy

M = TypeVar("M", bound=Module)


class WeightNorm:
    """The hook that computes one weight."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Any:
        """Return the weight from its lengths and directions."""
        g, v = (getattr(module, f"{self.name}_{end}") for end in "gv")
        return normalized(v, g, self.dim)

    def attach(self, module: Module) -> None:
        """Replace the parameter by its lengths and directions."""
        weight: Any = getattr(module, self.name)
        if is_lazy(weight):
            raise ValueError(
                "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure "
                "to run the dummy forward before applying weight normalization"
            )
        del module._parameters[self.name]
        size = lengths(weight.detach(), self.dim)
        module.register_parameter(f"{self.name}_g", Parameter(size))
        module.register_parameter(f"{self.name}_v", Parameter(weight.data))
        setattr(module, self.name, self.compute_weight(module))

    def remove(self, module: Module) -> None:
        """Make the weight as it is now a parameter again."""
        weight = self.compute_weight(module)
        for end in ("", "_g", "_v"):
            delattr(module, self.name + end)
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: M, name: str = "weight", dim: int | None = 0) -> M:
    """Compute a parameter as lengths `name_g` times directions `name_v`, before each call.

    Args:
        dim: the dimension with a length for each index; None for one length in all.

    PyTorch has deprecated it in favor of `parametrizations.weight_norm`.

    >>> import minigrad as mg, warnings
    >>> warnings.simplefilter("ignore")
    >>> layer = mg.nn.utils.weight_norm(mg.nn.Linear(3, 2))
    >>> [name for name, _ in layer.named_parameters()]
    ['bias', 'weight_g', 'weight_v']
    """
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of "
        "`torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    for hook in module._forward_pre_hooks.now():
        if isinstance(hook, WeightNorm) and hook.name == name:
            wrong = "Cannot register two weight_norm hooks on the same parameter"
            raise RuntimeError(f"{wrong} {name}")
    norm = WeightNorm(name, dim)
    norm.attach(module)
    module.register_forward_pre_hook(norm)
    return module


def remove_weight_norm(module: M, name: str = "weight") -> M:
    """Make the parameter an ordinary one again, with its present value."""
    for number, hook in list(module._forward_pre_hooks.items()):
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[number]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
