"""Optimizers: the implemented part of PyTorch's `torch.optim`."""

from typing import TYPE_CHECKING

from ..arrays.left_out import missing_from
from ..arrays.places import set_places
from . import lr_scheduler, swa_utils
from .adaptive import ASGD, Adadelta, Adagrad, Adamax, NAdam, RAdam, Rprop
from .algorithms import SGD, Adam, AdamW, RMSprop
from .lbfgs import LBFGS
from .optimizer import Optimizer

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
    "swa_utils",
]

if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)

set_places(globals(), __all__)
