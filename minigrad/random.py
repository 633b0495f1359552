"""Seeds and generator states: PyTorch's `torch.random`. The draws themselves: arrays/draws.py."""

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

if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
