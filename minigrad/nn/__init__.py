"""Neural networks: PyTorch's `torch.nn`, as far as it is here.

Read module.py first; layers.py shows what a layer is.
"""

# Many names in a line, as in an index.
# fmt: off
# isort: off
from typing import TYPE_CHECKING

from . import functional
from . import init
from . import modules
from . import utils
from .applied import (
    ELU, GELU, AdaptiveAvgPool2d, AvgPool2d, LeakyReLU, LogSigmoid, LogSoftmax, MaxPool1d,
    MaxPool2d, ReLU, Sigmoid, SiLU, Softmax, Softplus, Tanh,
)
from .containers import ModuleList, Sequential
from .layers import Conv1d, Conv2d, Dropout, Dropout2d, Embedding, Flatten, Identity, Linear
from .losses import (
    BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, KLDivLoss, L1Loss, MSELoss, NLLLoss, SmoothL1Loss,
)
from .module import Module
from .normalization import BatchNorm1d, BatchNorm2d, LayerNorm
from .parameter import Parameter
from ..arrays.left_out import missing_from
from ..arrays.places import found_here
# isort: on

# fmt: off
__all__ = [
    "ELU", "GELU", "AdaptiveAvgPool2d", "AvgPool2d", "BCELoss", "BCEWithLogitsLoss", "BatchNorm1d",
    "BatchNorm2d", "Conv1d", "Conv2d", "CrossEntropyLoss", "Dropout", "Dropout2d", "Embedding",
    "Flatten", "Identity", "KLDivLoss", "L1Loss", "LayerNorm", "LeakyReLU", "Linear", "LogSigmoid",
    "LogSoftmax", "MSELoss", "MaxPool1d", "MaxPool2d", "Module", "ModuleList", "NLLLoss",
    "Parameter", "ReLU", "Sequential", "SiLU", "Sigmoid", "SmoothL1Loss", "Softmax", "Softplus",
    "Tanh", "functional", "init", "modules",
    "utils",
]
# fmt: on

if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)

found_here(globals(), __all__)
