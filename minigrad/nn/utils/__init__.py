"""PyTorch's `torch.nn.utils`: tools for gradients and parameters, and padded sequences (`rnn`)."""

from importlib import import_module
from typing import TYPE_CHECKING

from ...arrays.left_out import missing_from
from . import clip_grad, convert_parameters, rnn
from .clip_grad import (
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
from .convert_parameters import parameters_to_vector, vector_to_parameters

if TYPE_CHECKING:  # imported on first use: few programs need them
    from . import parametrize, prune, stateless
    from .spectral import remove_spectral_norm, spectral_norm

__all__ = [
    "clip_grad",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "convert_parameters",
    "get_total_norm",
    "parameters_to_vector",
    "parametrize",
    "prune",
    "remove_spectral_norm",
    "rnn",
    "spectral_norm",
    "stateless",
    "vector_to_parameters",
]

if not TYPE_CHECKING:  # checkers report unknown names as errors
    _missing = missing_from(__name__)

    def __getattr__(name: str) -> object:
        if name in ("spectral_norm", "remove_spectral_norm"):
            return getattr(import_module(f"{__name__}.spectral"), name)
        later = name in ("parametrize", "prune", "stateless")
        return import_module(f"{__name__}.{name}") if later else _missing(name)
