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
    independent,
    kl,
    multivariate_normal,
    normal,
    uniform,
)
from .bernoulli import Bernoulli
from .categorical import Categorical
from .distribution import Distribution
from .independent import Independent
from .kl import kl_divergence, register_kl
from .multivariate_normal import MultivariateNormal
from .normal import Normal
from .uniform import Uniform

__all__ = [
    "Bernoulli",
    "Categorical",
    "Distribution",
    "Independent",
    "MultivariateNormal",
    "Normal",
    "Uniform",
    "bernoulli",
    "categorical",
    "constraints",
    "distribution",
    "independent",
    "kl",
    "kl_divergence",
    "multivariate_normal",
    "normal",
    "register_kl",
    "uniform",
]

set_places(globals(), __all__)

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
