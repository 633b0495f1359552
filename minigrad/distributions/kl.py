"""The Kullback-Leibler divergence of two distributions, with a formula for each pair of classes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..ops.linear_algebra.triangular import solve_triangular
from ..ops.pointwise.activations import softplus
from ..tensors.tensor import Tensor
from .bernoulli import Bernoulli
from .beta import Beta
from .categorical import Categorical
from .dirichlet import Dirichlet
from .distribution import Distribution, sum_rightmost
from .exponential import Exponential
from .gamma import Gamma
from .geometric import Geometric
from .half_normal import HalfNormal
from .independent import Independent
from .laplace import Laplace
from .multivariate_normal import MultivariateNormal, log_volume, square_distance
from .normal import Normal
from .one_hot_categorical import OneHotCategorical
from .poisson import Poisson
from .transformed_distribution import TransformedDistribution
from .uniform import Uniform

Formula = Callable[[Any, Any], Any]

FORMULAS: dict[tuple[type, type], Formula] = {}
"""The formula for each pair of classes."""


def register_kl(type_p: type, type_q: type) -> Callable[[Formula], Formula]:
    """Register a function as the formula for two classes of distributions."""

    def decorate(formula: Formula) -> Formula:
        FORMULAS[type_p, type_q] = formula
        return formula

    return decorate


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """Return the mean of p.log_prob(x) - q.log_prob(x) over draws x from `p`.

    Raises:
        NotImplementedError: there is no formula for the two.

    >>> import minigrad as mg
    >>> Normal = mg.distributions.Normal
    >>> mg.distributions.kl_divergence(Normal(1.0, 1.0), Normal(0.0, 1.0))
    tensor(0.5000)
    """
    for kind_p in type(p).__mro__:
        for kind_q in type(q).__mro__:
            if (kind_p, kind_q) in FORMULAS:
                return FORMULAS[kind_p, kind_q](p, q)  # type: ignore[no-any-return]
    kinds = f"{type(p).__name__} and {type(q).__name__}"
    raise NotImplementedError(f"No KL(p || q) is implemented for {kinds}")


@register_kl(Normal, Normal)
def of_normals(p: Normal, q: Normal) -> Any:
    ratio = (p.scale / q.scale).pow(2)
    distance = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + distance - 1 - ratio.log())


@register_kl(Bernoulli, Bernoulli)
def of_bernoullis(p: Bernoulli, q: Bernoulli) -> Any:
    of_one: Any = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    of_one[q.probs == 0] = math.inf
    of_one[p.probs == 0] = 0
    of_none: Any = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    of_none[q.probs == 1] = math.inf
    of_none[p.probs == 1] = 0
    return of_one + of_none


@register_kl(Categorical, Categorical)
def of_categoricals(p: Categorical, q: Categorical) -> Any:
    parts: Any = p.probs * (p.logits - q.logits)
    parts[(q.probs == 0).expand_as(parts)] = math.inf
    parts[(p.probs == 0).expand_as(parts)] = 0
    return parts.sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def of_rows(p: OneHotCategorical, q: OneHotCategorical) -> Any:
    return kl_divergence(p._categorical, q._categorical)


@register_kl(Gamma, Gamma)
def of_gammas(p: Gamma, q: Gamma) -> Any:
    rates = q.concentration * (p.rate / q.rate).log()
    volumes = q.concentration.lgamma() - p.concentration.lgamma()
    slope = (p.concentration - q.concentration) * p.concentration.digamma()
    return rates + volumes + slope + (q.rate - p.rate) * (p.concentration / p.rate)


@register_kl(Beta, Beta)
def of_betas(p: Beta, q: Beta) -> Any:
    return kl_divergence(p._dirichlet, q._dirichlet)


@register_kl(Dirichlet, Dirichlet)
def of_dirichlets(p: Dirichlet, q: Dirichlet) -> Any:
    a, b = p.concentration, q.concentration
    total = a.sum(-1)
    volumes = total.lgamma() - b.sum(-1).lgamma() - (a.lgamma() - b.lgamma()).sum(-1)
    return volumes + ((a - b) * (a.digamma() - total.digamma().unsqueeze(-1))).sum(-1)


@register_kl(Exponential, Exponential)
def of_exponentials(p: Exponential, q: Exponential) -> Any:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Geometric, Geometric)
def of_geometrics(p: Geometric, q: Geometric) -> Any:
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(HalfNormal, HalfNormal)
def of_half_normals(p: HalfNormal, q: HalfNormal) -> Any:
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def of_laplaces(p: Laplace, q: Laplace) -> Any:
    ratio, distance = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * (-distance / p.scale).exp() - 1


@register_kl(Poisson, Poisson)
def of_poissons(p: Poisson, q: Poisson) -> Any:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(TransformedDistribution, TransformedDistribution)
def of_transformed(p: TransformedDistribution, q: TransformedDistribution) -> Any:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Uniform, Uniform)
def of_uniforms(p: Uniform, q: Uniform) -> Any:
    result: Any = ((q.high - q.low) / (p.high - p.low)).log()
    result[(q.low > p.low) | (q.high < p.high)] = math.inf
    return result


@register_kl(Independent, Independent)
def of_independent(p: Independent, q: Independent) -> Any:
    count = p.reinterpreted_batch_ndims
    if count != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    found: Any = kl_divergence(p.base_dist, q.base_dist)
    return sum_rightmost(found, count)


@register_kl(MultivariateNormal, MultivariateNormal)
def of_multivariate_normals(p: MultivariateNormal, q: MultivariateNormal) -> Any:
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two Multivariate Normals with different event shapes cannot be "
            "computed"
        )
    volume = log_volume(q._root) - log_volume(p._root)
    ratio: Any = solve_triangular(q._root, p._root, upper=False)
    trace = ratio.pow(2).sum((-2, -1))
    distance = square_distance(q._root, q.loc - p.loc)
    return volume + 0.5 * (trace + distance - p.event_shape[0])
