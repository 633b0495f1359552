"""Functions under their names in `torch.special`, which their errors use."""

from __future__ import annotations

from typing import Any

from ..public.functions import alias, schema
from . import activations, elementwise, gamma, logarithms

expit = alias("special_expit", elementwise.sigmoid, place="special")
exp2 = alias("special_exp2", elementwise.exp2, place="special")
expm1 = alias("special_expm1", elementwise.expm1, place="special")
log1p = alias("special_log1p", elementwise.log1p, place="special")
erf = alias("special_erf", elementwise.erf, place="special")
erfc = alias("special_erfc", gamma.erfc, place="special")
erfinv = alias("special_erfinv", elementwise.erfinv, place="special")
gammaln = alias("special_gammaln", gamma.lgamma, place="special")
gammainc = alias("special_gammainc", gamma.igamma, place="special")
gammaincc = alias("special_gammaincc", gamma.igammac, place="special")
digamma = alias("special_digamma", gamma.digamma, place="special")
psi = alias("special_psi", gamma.digamma, place="special")
polygamma = alias("special_polygamma", gamma.polygamma, place="special")
logit = alias("special_logit", logarithms.logit, place="special")
sinc = alias("special_sinc", logarithms.sinc, place="special")
xlogy = alias("special_xlogy", logarithms.xlogy, place="special")


@schema("special_round(Tensor input, *, int decimals=0, Tensor out=None)", place="special")
def round(input: Any, *, decimals: Any = 0) -> Any:
    """Round to the given number of decimals; halves are rounded to the even digit."""
    return elementwise.round.body(input, decimals=decimals)


@schema("special_softmax(Tensor input, int dim, dtype? dtype=None)", place="special")
def softmax(input: Any, dim: int, dtype: Any = None) -> Any:
    """Compute exponentials that add up to 1 along `dim`."""
    return activations.softmax.body(input, dim, dtype)


@schema("special_log_softmax(Tensor input, int dim, *, dtype? dtype=None)", place="special")
def log_softmax(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """Compute the logarithm of softmax along `dim`, without overflow."""
    return activations.log_softmax.body(input, dim, dtype)
