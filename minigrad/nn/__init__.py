"""Neural networks: PyTorch's `torch.nn`, as far as it is here.

Read module.py first; layers.py shows what a layer is.
"""

# Many names in a line, as in an index.
# fmt: off
# isort: off
from . import functional, init, utils
from .activations import (
    ELU, GELU, SELU, Hardtanh, LeakyReLU, LogSigmoid, LogSoftmax, Mish, ReLU, ReLU6, Sigmoid,
    SiLU, Softmax, Softplus, Softsign, Tanh, Tanhshrink,
)
from .containers import ModuleDict, ModuleList, Sequential
from .layers import (
    Conv1d, Conv2d, Dropout, Dropout1d, Dropout2d, Embedding, Flatten, Identity, Linear,
    Unflatten,
)
from .losses import (
    BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, HuberLoss, KLDivLoss, L1Loss, MSELoss,
    NLLLoss, SmoothL1Loss,
)
from .module import Module
from .normalization import BatchNorm1d, BatchNorm2d, LayerNorm
from .parameter import Parameter
from .pooling import AdaptiveAvgPool2d, AvgPool1d, AvgPool2d, MaxPool1d, MaxPool2d
# isort: on

__all__ = [
    "ELU", "GELU", "SELU", "AdaptiveAvgPool2d", "AvgPool1d", "AvgPool2d", "BCELoss",
    "BCEWithLogitsLoss", "BatchNorm1d", "BatchNorm2d", "Conv1d", "Conv2d", "CrossEntropyLoss",
    "Dropout", "Dropout1d", "Dropout2d", "Embedding", "Flatten", "Hardtanh", "HuberLoss",
    "Identity", "KLDivLoss", "L1Loss", "LayerNorm", "LeakyReLU", "Linear", "LogSigmoid",
    "LogSoftmax", "MSELoss", "MaxPool1d", "MaxPool2d", "Mish", "Module", "ModuleDict",
    "ModuleList", "NLLLoss", "Parameter", "ReLU", "ReLU6", "Sequential", "SiLU", "Sigmoid",
    "SmoothL1Loss", "Softmax", "Softplus", "Softsign", "Tanh", "Tanhshrink", "Unflatten",
    "functional", "init", "utils",
]
# fmt: on
