"""Neural networks: PyTorch's `torch.nn`, as far as it is here.

Read module.py first; layers.py shows what a layer is.
"""

from . import functional as functional
from . import init as init
from . import utils as utils
from .activations import ELU as ELU
from .activations import GELU as GELU
from .activations import SELU as SELU
from .activations import Hardtanh as Hardtanh
from .activations import LeakyReLU as LeakyReLU
from .activations import LogSigmoid as LogSigmoid
from .activations import LogSoftmax as LogSoftmax
from .activations import Mish as Mish
from .activations import ReLU as ReLU
from .activations import ReLU6 as ReLU6
from .activations import Sigmoid as Sigmoid
from .activations import SiLU as SiLU
from .activations import Softmax as Softmax
from .activations import Softplus as Softplus
from .activations import Softsign as Softsign
from .activations import Tanh as Tanh
from .activations import Tanhshrink as Tanhshrink
from .containers import ModuleDict as ModuleDict
from .containers import ModuleList as ModuleList
from .containers import Sequential as Sequential
from .layers import Conv1d as Conv1d
from .layers import Conv2d as Conv2d
from .layers import Dropout as Dropout
from .layers import Dropout1d as Dropout1d
from .layers import Dropout2d as Dropout2d
from .layers import Embedding as Embedding
from .layers import Flatten as Flatten
from .layers import Identity as Identity
from .layers import Linear as Linear
from .layers import Unflatten as Unflatten
from .losses import BCELoss as BCELoss
from .losses import BCEWithLogitsLoss as BCEWithLogitsLoss
from .losses import CrossEntropyLoss as CrossEntropyLoss
from .losses import HuberLoss as HuberLoss
from .losses import KLDivLoss as KLDivLoss
from .losses import L1Loss as L1Loss
from .losses import MSELoss as MSELoss
from .losses import NLLLoss as NLLLoss
from .losses import SmoothL1Loss as SmoothL1Loss
from .module import Module as Module
from .normalization import BatchNorm1d as BatchNorm1d
from .normalization import BatchNorm2d as BatchNorm2d
from .normalization import LayerNorm as LayerNorm
from .parameter import Parameter as Parameter
from .pooling import AdaptiveAvgPool2d as AdaptiveAvgPool2d
from .pooling import AvgPool1d as AvgPool1d
from .pooling import AvgPool2d as AvgPool2d
from .pooling import MaxPool1d as MaxPool1d
from .pooling import MaxPool2d as MaxPool2d
