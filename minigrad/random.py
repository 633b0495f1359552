"""Seeds and generator states: PyTorch's `torch.random`. The draws are in arrays/draws.py."""

from typing import TYPE_CHECKING

from .arrays.draws import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from .arrays.left_out import missing_from

__all__ = [
    "Generator",
    "default_generator",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
]

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
