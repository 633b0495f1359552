"""The gamma function's relatives on arrays: its logarithm, digamma, its parts, Hurwitz' zeta.

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


# --- The parts of the gamma function below and above a limit


def below(a: Any, x: Any) -> Any:
    """Return the share of the gamma function of `a` that the numbers up to `x` contribute."""
    return parts(a, x)[0]


def above(a: Any, x: Any) -> Any:
    """Return the share of the gamma function of `a` that the numbers from `x` on contribute."""
    return parts(a, x)[1]


def parts(a: Any, x: Any) -> tuple[Any, Any]:
    """Return `below` and `above`: 1 together, and both in [0, 1]."""
    with np.errstate(all="ignore"):
        given = np.broadcast_arrays(a, x)
        flat = [np.ravel(each).astype(np.float64) for each in given]
        outside = (flat[0] < 0) | (flat[1] < 0) | np.isnan(flat[0]) | np.isnan(flat[1])
        outside |= (flat[0] == 0) & (flat[1] == 0) | np.isinf(flat[0]) & np.isinf(flat[1])
        low = np.where((flat[0] == 0) | np.isinf(flat[1]), 1.0, 0.0)
        high = 1 - low
        usual = ~outside & (flat[0] > 0) & (flat[1] > 0)
        usual &= np.isfinite(flat[0]) & np.isfinite(flat[1])
        early = usual & (flat[1] < flat[0] + 1)
        late = usual & ~early
        low[early] = by_series(flat[0][early], flat[1][early])
        high[early] = 1 - low[early]
        high[late] = by_fraction(flat[0][late], flat[1][late])
        low[late] = 1 - high[late]
        kind = np.result_type(a, x)
        found = [np.where(outside, math.nan, each).astype(kind) for each in (low, high)]
    low, high = (lay_out(each.reshape(given[0].shape), a, x) for each in found)
    return low, high


def rate(a: Any, x: Any) -> Any:
    """Return x ** a * exp(-x) / gamma(a), where no factor overflows."""
    distance = (x - a) / a
    inverse = 1 / (a * a)
    series = sum(b / (2 * k * (2 * k - 1)) * inverse ** (k - 1) for k, b in enumerate(BERNOULLI, 1))
    # log1p would lose the digits of a small quotient x / a, and log those of one near 1.
    logarithm = np.where(distance < -0.5, np.log(x / a), np.log1p(distance))
    large = a * (logarithm - distance) + 0.5 * np.log(a / (2 * math.pi)) - series / a
    return np.exp(np.where(a < LARGE, a * np.log(x) - x - log_gamma(a), large))


def by_series(a: Any, x: Any) -> Any:
    """Return `below` for x < a + 1: the sum of x ** n / (a * (a + 1) * ... * (a + n))."""
    term = 1 / a
    total, n = term.copy(), a.copy()
    while (term > total * EPSILON).any():
        n += 1
        term = term * x / n
        total += term
    return total * rate(a, x)


def by_fraction(a: Any, x: Any) -> Any:
    """Return `above` for x >= a + 1, by Lentz' rule for continued fractions."""
    b = x + 1 - a
    c, d = np.full_like(x, 1 / TINY), 1 / b
    total, n, step = d.copy(), 0, np.zeros_like(x)
    while (np.absolute(step - 1) > EPSILON).any():
        n += 1
        factor = n * (a - n)
        b += 2
        d, c = factor * d + b, b + factor / c
        d, c = (np.where(np.absolute(each) < TINY, TINY, each) for each in (d, c))
        d = 1 / d
        step = d * c
        total *= step
    return total * rate(a, x)


EPSILON = 2.0**-53

TINY = 1e-300
"""Stands for 0 where a fraction would divide by it."""
