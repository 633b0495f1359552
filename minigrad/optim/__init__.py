"""Optimizers: PyTorch's `torch.optim`, as far as it is here."""

from typing import TYPE_CHECKING

from ..arrays.left_out import missing_from
from ..arrays.places import found_here
from . import lr_scheduler
from .algorithms import SGD, Adam, AdamW, RMSprop
from .optimizer import Optimizer

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "RMSprop", "lr_scheduler"]

if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)

found_here(globals(), __all__)
