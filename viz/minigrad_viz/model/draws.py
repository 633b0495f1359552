"""Random number generators, restored after a program was run only to observe it."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np


@contextlib.contextmanager
def draws_put_back(library: Any) -> Iterator[None]:
    """Restore the states of the random number generators after the block."""
    drawn = library.get_rng_state(), np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        yield
    finally:
        library.set_rng_state(drawn[0])
        np.random.set_state(drawn[1])  # noqa: NPY002
        random.setstate(drawn[2])
