"""Ready parametrizations: weight normalization. parametrize.py describes what one is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ...arrays.left_out import missing_from
from ...ops.neural.weight_normalization import lengths, normalized
from ...tensors.tensor import Tensor
from ..module import Module
from . import parametrize

M = TypeVar("M", bound=Module)

__all__ = ["weight_norm"]


class _WeightNorm(Module):
    """A weight from lengths and directions: `original0` and `original1`."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Any:
        return normalized(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> Any:
        return lengths(weight, self.dim), weight


class LoadHooked:
    """Load the state of a module that was normalized by `nn.utils.weight_norm`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, state: Any, prefix: str, *_: Any) -> None:
        hooked = [f"{prefix}{self.name}_{end}" for end in "gv"]
        if all(key in state for key in hooked):
            for number, key in enumerate(hooked):
                state[f"{prefix}parametrizations.{self.name}.original{number}"] = state.pop(key)


def weight_norm(module: M, name: str = "weight", dim: int | None = 0) -> M:
    """Compute a parameter as lengths `original0` times directions `original1`.

    Args:
        dim: the dimension with a length for each index; None for one length in all.

    >>> import minigrad as mg
    >>> layer = mg.nn.utils.parametrizations.weight_norm(mg.nn.Linear(3, 2))
    >>> layer.parametrizations.weight.original0.shape
    torch.Size([2, 1])
    """
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)
    module._register_load_state_dict_pre_hook(LoadHooked(name))
    return module


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
