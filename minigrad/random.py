"""Seeds and generator states: PyTorch's `torch.random`. The draws themselves: arrays/draws.py."""

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

__getattr__ = missing_from(__name__, __all__)
