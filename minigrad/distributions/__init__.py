"""Probability distributions: PyTorch's `torch.distributions`, the part for first courses.

They draw, some of them differentiably, and return logarithms of probabilities.

>>> import minigrad as mg
>>> normal = mg.distributions.Normal(mg.tensor([0.0, 1.0]), 1.0)
>>> normal.log_prob(mg.tensor(0.0))
tensor([-0.9189, -1.4189])
"""

from typing import TYPE_CHECKING

from ..arrays.left_out import missing_from
from ..arrays.places import set_places
from . import (
    bernoulli,
    beta,
    categorical,
    cauchy,
    chi2,
    constraint_registry,
    constraints,
    dirichlet,
    distribution,
    exponential,
    gamma,
    geometric,
    gumbel,
    half_normal,
    independent,
    kl,
    laplace,
    log_normal,
    mixture_same_family,
    multinomial,
    multivariate_normal,
    normal,
    one_hot_categorical,
    poisson,
    relaxed_bernoulli,
    relaxed_categorical,
    studentT,
    transformed_distribution,
    transforms,
    uniform,
    weibull,
)
from .bernoulli import Bernoulli
from .beta import Beta
from .categorical import Categorical
from .cauchy import Cauchy
from .chi2 import Chi2
from .constraint_registry import biject_to, transform_to
from .dirichlet import Dirichlet
from .distribution import Distribution
from .exponential import Exponential
from .gamma import Gamma
from .geometric import Geometric
from .gumbel import Gumbel
from .half_normal import HalfNormal
from .independent import Independent
from .kl import kl_divergence, register_kl
from .laplace import Laplace
from .log_normal import LogNormal
from .mixture_same_family import MixtureSameFamily
from .multinomial import Multinomial
from .multivariate_normal import MultivariateNormal
from .normal import Normal
from .one_hot_categorical import OneHotCategorical, OneHotCategoricalStraightThrough
from .poisson import Poisson
from .relaxed_bernoulli import RelaxedBernoulli
from .relaxed_categorical import RelaxedOneHotCategorical
from .studentT import StudentT
from .transformed_distribution import TransformedDistribution
from .transforms import (
    AbsTransform,
    AffineTransform,
    ComposeTransform,
    CumulativeDistributionTransform,
    ExpTransform,
    IndependentTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    PowerTransform,
    ReshapeTransform,
    SigmoidTransform,
    SoftmaxTransform,
    SoftplusTransform,
    StickBreakingTransform,
    TanhTransform,
    Transform,
    identity_transform,
)
from .uniform import Uniform
from .weibull import Weibull

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "Bernoulli",
    "Beta",
    "Categorical",
    "Cauchy",
    "Chi2",
    "ComposeTransform",
    "CumulativeDistributionTransform",
    "Dirichlet",
    "Distribution",
    "ExpTransform",
    "Exponential",
    "Gamma",
    "Geometric",
    "Gumbel",
    "HalfNormal",
    "Independent",
    "IndependentTransform",
    "Laplace",
    "LogNormal",
    "LowerCholeskyTransform",
    "MixtureSameFamily",
    "Multinomial",
    "MultivariateNormal",
    "Normal",
    "OneHotCategorical",
    "OneHotCategoricalStraightThrough",
    "Poisson",
    "PositiveDefiniteTransform",
    "PowerTransform",
    "RelaxedBernoulli",
    "RelaxedOneHotCategorical",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftmaxTransform",
    "SoftplusTransform",
    "StickBreakingTransform",
    "StudentT",
    "TanhTransform",
    "Transform",
    "TransformedDistribution",
    "Uniform",
    "Weibull",
    "bernoulli",
    "beta",
    "biject_to",
    "categorical",
    "cauchy",
    "chi2",
    "constraint_registry",
    "constraints",
    "dirichlet",
    "distribution",
    "exponential",
    "gamma",
    "geometric",
    "gumbel",
    "half_normal",
    "identity_transform",
    "independent",
    "kl",
    "kl_divergence",
    "laplace",
    "log_normal",
    "mixture_same_family",
    "multinomial",
    "multivariate_normal",
    "normal",
    "one_hot_categorical",
    "poisson",
    "register_kl",
    "relaxed_bernoulli",
    "relaxed_categorical",
    "studentT",
    "transform_to",
    "transformed_distribution",
    "transforms",
    "uniform",
    "weibull",
]

set_places(globals(), __all__)

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
