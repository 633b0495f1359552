"""Seeds and generator states: PyTorch's `torch.random`. The draws are in arrays/draws.py."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

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
    "fork_rng",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
]


@contextmanager
def fork_rng(
    devices: Iterable[Any] | None = None, enabled: bool = True, device_type: str | None = None
) -> Iterator[None]:
    """Restore the state of the default generator at the end, as if nothing had been drawn.

    Args:
        devices: accepted; every device draws from the one generator.
        enabled: whether to restore it.
        device_type: accepted, like `devices`.

    >>> import minigrad as mg
    >>> with mg.random.fork_rng():
    ...     within = mg.rand(1)
    >>> bool(mg.rand(1) == within)
    True
    """
    state = get_rng_state() if enabled else None
    try:
        yield
    finally:
        if state is not None:
            set_rng_state(state)


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
