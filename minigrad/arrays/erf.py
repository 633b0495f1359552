"""The error function on arrays, which NumPy does not have; on a GPU it is CUDA's.

Two polynomials were fitted by interpolation at Chebyshev nodes in 50 digits. Near 0, erf(x) / x is
a polynomial in x^2. In the tail, exp(x^2) erfc(x) (1 + 2x) is smooth up to infinity in t = (x - 4)
/ (x + 4). The results are right to a few units in the last place. Coefficients below the precision
of a shorter dtype are left out.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from .devices import ON_CPU
from .gpus import launch
from .memory_order import lay_out

# fmt: off
CENTRE = (
    0.9654687386698673, -0.1405360890227171, 0.019852496688983708, -0.0022854855611441132,
    0.00021751715604159932, -1.7537169441124866e-05, 1.223382738359897e-06, -7.511569286591727e-08,
    4.115800583208149e-09, -2.035228405815769e-10, 9.167619596865806e-12, -3.8078824063194953e-13,
    1.4543887079465116e-14,
)  # in 2 x^2 - 1, for |x| < 1
TAIL = (
    1.2329951186255526, -0.1396211168405625, 0.01537965210261959, 0.0680970542546913,
    -0.1010390660362999, 0.0937328349984105, -0.06633036581219905, 0.03716751553632399,
    -0.01619773405968329, 0.0050319699895242515, -0.000757773262030915, -0.00019925676026410458,
    0.00015062149237837335, -2.43989944557621e-05, -1.1221292615314274e-05, 5.709314113532492e-06,
    2.9198219084548256e-07, -8.25078338681245e-07, 7.74606863568198e-08, 1.1025271999000152e-07,
    -2.05545313698593e-08, -1.4806988146925795e-08, 3.1672611119361695e-09, 1.825695118953907e-09,
    -2.655726616312575e-10, -1.4311318470928162e-10,
)  # in (x - 4) / (x + 4), for x >= 0
# fmt: on


def polynomial(coefficients: tuple[float, ...], t: Any) -> Any:
    """Return the sum of coefficients[k] t^k for |t| <= 1, as exactly as the dtype of `t` allows."""
    visible = [c for c in coefficients if abs(c) > np.finfo(t.dtype).eps / 8]
    result = np.full_like(t, visible[-1])
    for c in reversed(visible[:-1]):
        result *= t
        result += c
    return result


def tail(x: Any) -> Any:
    """Return 1 - erf(x) for x >= 0, without cancellation for large x."""
    x = np.minimum(x, 30)  # far beyond the last nonzero result
    coarse = np.trunc(x * 16) / 16  # its square is exact, so that exp(-x^2) loses no digits
    decay = np.exp(-coarse * coarse) * np.exp((coarse - x) * (coarse + x))
    return polynomial(TAIL, (x - 4) / (x + 4)) / (1 + 2 * x) * decay


@cache
def on_gpu() -> Any:
    """Return CUDA's own function: one pass over the numbers, where the polynomials take forty."""
    import cupy

    return cupy.ElementwiseKernel("T x", "T y", "y = erf(x)", "minigrad_erf")


def erf(x: Any) -> Any:
    """Compute 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x."""
    if not isinstance(x, ON_CPU):
        return launch(on_gpu(), x)
    if hasattr(x, "erf"):  # a stand-in that records operations
        return x.erf()
    if x.size < 500:  # Python's own function is faster then
        values = np.array([math.erf(v) for v in x.reshape(-1).tolist()], x.dtype)
        return lay_out(values.reshape(x.shape), x)
    size = np.absolute(x)
    inner = np.minimum(size, 1)
    near = x * polynomial(CENTRE, 2 * inner * inner - 1)
    return np.where(size < 1, near, np.copysign(1 - tail(size), x))
