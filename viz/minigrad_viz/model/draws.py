"""States of all random generators: a program draws the same numbers again, or leaves no trace."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

import minigrad


class Draws(NamedTuple):
    """The states at one moment: of minigrad, PyTorch if it is loaded, NumPy and Python."""

    minigrad: Any
    pytorch: Any
    numpy: Any
    python: Any

    @classmethod
    def now(cls) -> Draws:
        torch = sys.modules.get("torch")
        return cls(
            minigrad.get_rng_state(),
            None if torch is None else torch.get_rng_state(),
            np.random.get_state(),  # noqa: NPY002 - a program may use it
            random.getstate(),
        )

    def restore(self) -> None:
        minigrad.set_rng_state(self.minigrad)
        if self.pytorch is not None:
            sys.modules["torch"].set_rng_state(self.pytorch)
        np.random.set_state(self.numpy)  # noqa: NPY002
        random.setstate(self.python)


@contextmanager
def draws_put_back() -> Iterator[None]:
    """Leave the generators as if the block had drawn nothing."""
    before = Draws.now()
    try:
        yield
    finally:
        before.restore()


@contextmanager
def drawing_again(draws: Draws) -> Iterator[None]:
    """Draw in the block as at that moment, and afterwards as if the block had drawn nothing."""
    with draws_put_back():
        draws.restore()
        yield
