"""Draws of counts: how many events happen in a time in which `rate` of them are expected.

As in draws.py, the numbers are PyTorch's for the same seed. Two methods are used, as a count costs
as many draws as it is large by the first.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .draws import Generator, default_generator
from .messages import check_floating

FEW = 10
"""The rate from which counts are drawn from a curve around the rate."""


def poisson(rates: Any, generator: Generator | None = None) -> Any:
    """Draw a count for each rate; in the shape and dtype of `rates`.

    Raises:
        NotImplementedError: `rates` are not floating.
        RuntimeError: a rate is negative.
    """
    check_floating("poisson_cpu", rates.dtype)
    source = generator or default_generator
    counts = np.empty(rates.shape, rates.dtype)
    for place, rate in np.ndenumerate(rates):
        if not rate >= 0:
            raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
        counts[place] = (of_many if rate >= FEW else of_few)(float(rate), source)
    return counts


def uniform(source: Generator) -> float:
    """Draw a number in [0, 1)."""
    return float(source.uniform64(1)[0])


def of_few(rate: float, source: Generator) -> int:
    """Count the uniform numbers whose product stays above exp(-rate)."""
    if not rate:
        return 0
    count, product, least = 0, uniform(source), math.exp(-rate)
    while product > least:
        count += 1
        product *= uniform(source)
    return count


def of_many(rate: float, source: Generator) -> int:
    """Draw by rejection: a point under a curve that is above the probability of each count.

    This is Hörmann's method of 1993, the transformed rejection with a squeeze (PTRS).
    """
    width = 0.931 + 2.53 * math.sqrt(rate)
    tail = -0.059 + 0.02483 * width
    steep = 1.1239 + 1.1328 / (width - 3.4)
    sure = 0.9277 - 3.6224 / (width - 2)
    while True:
        u, v = uniform(source) - 0.5, uniform(source)
        inside = 0.5 - math.fabs(u)
        point = (2 * tail / inside + width) * u + rate + 0.43
        count = math.floor(point) if math.isfinite(point) else -(2**63)
        if inside >= 0.07 and v <= sure:
            return count
        if count < 0 or (inside < 0.013 and v > inside):
            continue
        height = math.log(v) + math.log(steep) - math.log(tail / (inside * inside) + width)
        if height <= -rate + count * math.log(rate) - math.lgamma(count + 1):
            return count
