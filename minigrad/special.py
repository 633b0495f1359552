"""The implemented part of PyTorch's `torch.special`."""

from typing import TYPE_CHECKING

from .arrays.left_out import missing_from

# --- Written by `make stubs`
# Many names in a line, as in an index.
# fmt: off
# isort: off
from .ops.pointwise.logarithms import entr, ndtr, xlog1py
from .ops.pointwise.special import (
    digamma, erf, erfc, erfinv, exp2, expit, expm1, gammainc, gammaincc, gammaln, log1p,
    log_softmax, logit, polygamma, psi, round, sinc, softmax, xlogy,
)
from .ops.reductions.extremes import special_logsumexp as logsumexp
# isort: on

__all__ = [
    "digamma", "entr", "erf", "erfc", "erfinv", "exp2", "expit", "expm1", "gammainc", "gammaincc",
    "gammaln", "log1p", "log_softmax", "logit", "logsumexp", "ndtr", "polygamma", "psi", "round",
    "sinc", "softmax", "xlog1py", "xlogy",
]
# fmt: on
# --- Written by hand again

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
