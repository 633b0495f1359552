"""Probability distributions: draws, some of which can be differentiated, and logarithms of
probabilities. PyTorch's `torch.distributions`, as far as first courses need it.

>>> import minigrad as mg
>>> normal = mg.distributions.Normal(mg.tensor([0.0, 1.0]), 1.0)
>>> normal.log_prob(mg.tensor(0.0))
tensor([-0.9189, -1.4189])
"""

from typing import TYPE_CHECKING

from ..arrays.left_out import missing_from
from ..arrays.places import found_here
from . import bernoulli, categorical, constraints, distribution, kl, normal, uniform
from .bernoulli import Bernoulli
from .categorical import Categorical
from .distribution import Distribution
from .kl import kl_divergence, register_kl
from .normal import Normal
from .uniform import Uniform

__all__ = [
    "Bernoulli",
    "Categorical",
    "Distribution",
    "Normal",
    "Uniform",
    "bernoulli",
    "categorical",
    "constraints",
    "distribution",
    "kl",
    "kl_divergence",
    "normal",
    "register_kl",
    "uniform",
]

found_here(globals(), __all__)

if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
