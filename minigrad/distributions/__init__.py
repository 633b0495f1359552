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
    categorical,
    constraints,
    distribution,
    exponential,
    half_normal,
    independent,
    kl,
    laplace,
    log_normal,
    mixture_same_family,
    multivariate_normal,
    normal,
    one_hot_categorical,
    poisson,
    transformed_distribution,
    transforms,
    uniform,
)
from .bernoulli import Bernoulli
from .categorical import Categorical
from .distribution import Distribution
from .exponential import Exponential
from .half_normal import HalfNormal
from .independent import Independent
from .kl import kl_divergence, register_kl
from .laplace import Laplace
from .log_normal import LogNormal
from .mixture_same_family import MixtureSameFamily
from .multivariate_normal import MultivariateNormal
from .normal import Normal
from .one_hot_categorical import OneHotCategorical, OneHotCategoricalStraightThrough
from .poisson import Poisson
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

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "Bernoulli",
    "Categorical",
    "ComposeTransform",
    "CumulativeDistributionTransform",
    "Distribution",
    "ExpTransform",
    "Exponential",
    "HalfNormal",
    "Independent",
    "IndependentTransform",
    "Laplace",
    "LogNormal",
    "LowerCholeskyTransform",
    "MixtureSameFamily",
    "MultivariateNormal",
    "Normal",
    "OneHotCategorical",
    "OneHotCategoricalStraightThrough",
    "Poisson",
    "PositiveDefiniteTransform",
    "PowerTransform",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftmaxTransform",
    "SoftplusTransform",
    "StickBreakingTransform",
    "TanhTransform",
    "Transform",
    "TransformedDistribution",
    "Uniform",
    "bernoulli",
    "categorical",
    "constraints",
    "distribution",
    "exponential",
    "half_normal",
    "identity_transform",
    "independent",
    "kl",
    "kl_divergence",
    "laplace",
    "log_normal",
    "mixture_same_family",
    "multivariate_normal",
    "normal",
    "one_hot_categorical",
    "poisson",
    "register_kl",
    "transformed_distribution",
    "transforms",
    "uniform",
]

set_places(globals(), __all__)

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
