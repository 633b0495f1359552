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
    from . import parametrizations, parametrize, prune, stateless
    from .spectral import remove_spectral_norm, spectral_norm
    from .weight_norms import remove_weight_norm, weight_norm

__all__ = [
    "clip_grad",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "convert_parameters",
    "get_total_norm",
    "parameters_to_vector",
    "parametrizations",
    "parametrize",
    "prune",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "spectral_norm",
    "stateless",
    "vector_to_parameters",
    "weight_norm",
]

if not TYPE_CHECKING:  # checkers report unknown names as errors
    _missing = missing_from(__name__)

    def __getattr__(name: str) -> object:
        for file in ("spectral", "weight"):
            if name in (f"{file}_norm", f"remove_{file}_norm"):
                place = "weight_norms" if file == "weight" else file
                return getattr(import_module(f"{__name__}.{place}"), name)
        later = name in ("parametrizations", "parametrize", "prune", "stateless")
        return import_module(f"{__name__}.{name}") if later else _missing(name)
