"""Optimizers: PyTorch's `torch.optim`, as far as it is here."""

from ..arrays.left_out import missing_from
from ..arrays.places import found_here
from . import lr_scheduler
from .algorithms import SGD, Adam, AdamW, RMSprop
from .optimizer import Optimizer

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "RMSprop", "lr_scheduler"]

__getattr__ = missing_from(__name__, __all__)

found_here(globals(), __all__)
