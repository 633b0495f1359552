"""Draws made on a GPU, for dropout: drawing on the CPU and copying would be slower than the layer.

Each number is a function of the seed and of the number of earlier draws (SplitMix64 by Steele and
others). So all are made at once, and the state is two numbers. They differ from the CPU's, and from
PyTorch's on a GPU. All other random numbers are drawn on the CPU, where they are PyTorch's.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np

from .devices import device_of
from .gpus import launch

_seed = int.from_bytes(os.urandom(8))
"""The seed of all GPUs without a seed of their own."""

_states: dict[int, tuple[int, int]] = {}
"""By GPU, its seed and how many numbers were drawn."""

STEP, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORDS = """
unsigned long long z = seed + (drawn + i) * step;
z = (z ^ (z >> 30)) * first;
z = (z ^ (z >> 27)) * second;
z = z ^ (z >> 31);
y = ((z >> 11) * 1.1102230246251565e-16 < p) * value
"""


@cache
def kernel() -> Any:
    """Return the kernel: `value` with probability `p`, else 0."""
    import cupy

    takes = "uint64 seed, uint64 drawn, uint64 step, uint64 first, uint64 second"
    return cupy.ElementwiseKernel(
        f"{takes}, float64 p, float64 value", "T y", WORDS, "minigrad_draws"
    )


def draw_bernoulli(room: Any, p: float, value: float) -> Any:
    """Fill `room`, an array on a GPU: `value` with probability `p`, else 0."""
    index = device_of(room).index or 0
    seed, drawn = _states.get(index, (_seed, 0))
    _states[index] = seed, drawn + room.size
    words = [np.uint64(word) for word in (seed, drawn, STEP, FIRST, SECOND)]
    launch(kernel(), *words, p, value, room)
    return room


def manual_seed(seed: int, index: int) -> None:
    """Restart from this seed on one GPU."""
    _states[index] = seed % 2**64, 0


def manual_seed_all(seed: int) -> None:
    """Restart from this seed on all GPUs."""
    set_states((seed % 2**64, {}))


def states() -> Any:
    """Return the states of the generators of all GPUs."""
    return _seed, dict(_states)


def set_states(found: Any) -> None:
    """Restore states from `states`."""
    global _seed
    _seed, each = found
    _states.clear()
    _states.update(each)
