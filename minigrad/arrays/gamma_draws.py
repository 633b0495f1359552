"""Draws from the gamma distribution, and how they change with its parameter.

The draws are PyTorch's for the same seed. The slope is that of the number at which the cumulative
distribution keeps its value while the parameter changes. PyTorch approximates it to four digits;
here the series of the incomplete gamma and beta functions give all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .draws import Generator, _normal_pairs, default_generator
from .gamma import digamma, log_gamma
from .poisson import uniform

DOUBLE = np.dtype(np.float64)
THIRD, SURE = float(np.float32(1 / 3)), float(np.float32(0.0331))
"""PyTorch has these constants in single precision."""


def standard_gamma(shapes: Any, generator: Generator | None = None) -> Any:
    """Draw a number for each shape parameter; in the dtype of `shapes`."""
    source = generator or default_generator
    drawn = np.empty(shapes.shape)
    for place, shape in np.ndenumerate(shapes):
        drawn[place] = draw(shape, source)
    return np.maximum(drawn.astype(shapes.dtype), np.finfo(shapes.dtype).tiny)


def draw(shape: Any, source: Generator) -> float:
    """Draw by the method of Marsaglia and Tsang (2000): the cube of a normal number, or again."""
    kind = type(shape)
    scale = 1.0
    if shape < 1:
        if shape == 0:
            return 0.0
        scale = (1 - uniform(source)) ** float(kind(1) / shape)
        shape += kind(1)
    third = float(shape - kind(THIRD))
    width = 1 / math.sqrt(9 * third)
    while True:
        normal = float(_normal_pairs(1, DOUBLE, 0.0, 1.0, source)[0])
        root = 1 + width * normal
        if root <= 0:
            continue
        cube, square = root * root * root, normal * normal
        chance = 1 - uniform(source)
        if chance < 1 - SURE * square * square:
            return scale * third * cube
        if math.log(chance) < 0.5 * square + third * (1 - cube + math.log(cube)):
            return scale * third * cube


def dirichlet(concentrations: Any, generator: Generator | None = None) -> Any:
    """Draw rows that add up to 1, one for each row of concentrations."""
    source = generator or default_generator
    drawn = np.empty(concentrations.shape)
    for place, shape in np.ndenumerate(concentrations):
        drawn[place] = draw(np.float64(shape), source)
    shares = drawn / drawn.sum(-1, keepdims=True)
    kind = np.finfo(concentrations.dtype)
    largest = np.nextafter(concentrations.dtype.type(1), concentrations.dtype.type(0))
    return np.clip(shares.astype(concentrations.dtype), kind.tiny, largest)


def summed(term: Callable[[Any], Any], shape: Any) -> Any:
    """Return the sum of a series, elementwise, whose terms end up smaller and smaller."""
    total, start = np.zeros(shape), 0
    while True:
        terms = term(np.arange(start, start + 64).reshape(-1, *[1] * len(shape)))
        total += terms.sum(0)
        start += 64
        if start > 64 and (np.absolute(terms[-1]) <= 1e-17 * np.absolute(total)).all():
            return total
        if start > 100_000 or not np.isfinite(total).all():
            return total


def gamma_slope(shapes: Any, drawn: Any) -> Any:
    """Return the slope of a draw from the gamma distribution by its shape parameter."""
    a, z = shapes.astype(float), drawn.astype(float)
    logarithm, own = np.log(z), log_gamma(a)

    def term(n: Any) -> Any:
        weight = np.exp(n * logarithm + own - log_gamma(a + n + 1))
        return weight * (logarithm - digamma(a + n + 1))

    return (-z * summed(term, z.shape)).astype(drawn.dtype)


def beta_slope(drawn: Any, one: Any, other: Any) -> Any:
    """Return the slope of a draw from the beta distribution by its first parameter."""
    x, a, b = (each.astype(float) for each in (drawn, one, other))
    low, high = np.minimum(x, 0.5), np.maximum(x, 0.5)
    found = np.where(x < 0.5, lower_slope(low, a, b), upper_slope(1 - high, a, b))
    return found.astype(drawn.dtype)


def lower_slope(x: Any, a: Any, b: Any) -> Any:
    """Return the slope where the series in x converges fast."""

    def term(n: Any) -> Any:
        return ratio(n, a, b, x) * (np.log(x) + digamma(a + b + n) - digamma(a + 1 + n))

    return -x * (1 - x) / a * summed(term, x.shape)


def upper_slope(y: Any, a: Any, b: Any) -> Any:
    """Return the slope where the series in y = 1 - x converges fast."""

    def term(n: Any) -> Any:
        return ratio(n, b, a, y) * (np.log1p(-y) - digamma(a) + digamma(a + b + n))

    return y * (1 - y) / b * summed(term, y.shape)


def ratio(n: Any, p: Any, q: Any, x: Any) -> Any:
    """Return the factor of term n in the series of the incomplete beta function of (p, q)."""
    logarithm = log_gamma(p + q + n) - log_gamma(p + q) - log_gamma(p + 1 + n) + log_gamma(p + 1)
    return np.exp(logarithm + n * np.log(x))
