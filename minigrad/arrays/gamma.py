"""The gamma function's relatives on arrays: its logarithm, digamma, and Hurwitz' zeta function.

NumPy has none of them. Each is a series for large numbers. Smaller ones are raised by the
function's recurrence until the series holds, and negative ones are reflected. The numbers are
computed in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from .memory_order import lay_out

LARGE = 12
"""From here on the series hold."""

BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
"""Bernoulli's numbers B2, B4, ..., of which the series consist."""


def in_float64(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate `function` to compute in float64; the result has the dtype and order of `x`."""

    @wraps(function)
    def computed(x: Any, *args: Any) -> Any:
        with np.errstate(all="ignore"):
            value = function(x.astype(np.float64), *args)
        return lay_out(value.astype(x.dtype), x)

    return computed


def sine_of_pi(x: Any) -> Any:
    """Return sin(pi * x), which is exactly 0 for integers."""
    nearest = np.rint(x)
    sign = 1 - 2 * np.absolute(np.remainder(nearest, 2))
    return sign * np.sin(math.pi * (x - nearest))


@in_float64
def log_gamma(x: Any) -> Any:
    """Return the logarithm of the absolute value of the gamma function."""
    positive = np.where(x < 0.5, 1 - x, x)
    raised, factor = positive, np.ones_like(x)
    for _ in range(LARGE):
        small = raised < LARGE
        factor = np.where(small, factor * raised, factor)
        raised = np.where(small, raised + 1, raised)
    inverse = 1 / (raised * raised)
    series = sum(b / (2 * k * (2 * k - 1)) * inverse ** (k - 1) for k, b in enumerate(BERNOULLI, 1))
    value = (raised - 0.5) * np.log(raised) - raised + math.log(2 * math.pi) / 2 + series / raised
    value = np.where((positive == 1) | (positive == 2), 0.0, value - np.log(factor))
    reflected = np.log(math.pi / np.absolute(sine_of_pi(x))) - value
    return np.where(np.isinf(x), math.inf, np.where(x < 0.5, reflected, value))


@in_float64
def digamma(x: Any) -> Any:
    """Return the derivative of `log_gamma`."""
    raised, value = np.where(x < 0, 1 - x, x), np.zeros_like(x)
    for _ in range(LARGE):
        small = raised < LARGE
        value = np.where(small, value - 1 / raised, value)
        raised = np.where(small, raised + 1, raised)
    inverse = 1 / (raised * raised)
    series = sum(b / (2 * k) * inverse**k for k, b in enumerate(BERNOULLI, 1))
    value = np.log(raised) - 0.5 / raised - series + value
    slope = math.pi / np.tan(math.pi * np.fmod(x, 1))
    value = np.where(x < 0, np.where(x == np.rint(x), math.nan, value - slope), value)
    return np.where(x == 0, np.copysign(math.inf, -x), value)


def zeta(order: int, x: Any) -> Any:
    """Return the sum of (x + k) ** -order over all k from 0 on; infinite at integers up to 0."""
    total, raised = np.zeros_like(x), x
    while (small := raised < LARGE).any() and np.isfinite(raised[small]).any():
        total = np.where(small, total + raised**-order, total)
        raised = np.where(small, raised + 1, raised)
    rising, factorial = float(order), 2.0
    series = raised ** (1 - order) / (order - 1) + raised**-order / 2
    for k, b in enumerate(BERNOULLI, 1):
        series = series + b * rising / factorial * raised ** (1 - order - 2 * k)
        rising *= (order + 2 * k - 1) * (order + 2 * k)
        factorial *= (2 * k + 1) * (2 * k + 2)
    return np.where((x <= 0) & (x == np.rint(x)), math.inf, total + series)


@in_float64
def polygamma(x: Any, n: int) -> Any:
    """Return the derivative of order `n` of `digamma`."""
    if n == 0:
        return digamma(x)
    if n == 1:  # reflected, as PyTorch does for this order alone
        value = zeta(2, np.where(x < 0.5, 1 - x, x))
        sine = np.sin(math.pi * x)
        return np.where(x < 0.5, math.pi**2 / (sine * sine) - value, value)
    factorial = float(math.factorial(n)) if n <= 170 else math.inf
    value = (1 if n % 2 else -1) * factorial * zeta(n + 1, x)
    return np.where(x == math.inf, math.nan, value)  # as in PyTorch
