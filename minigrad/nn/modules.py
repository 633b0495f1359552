"""PyTorch's module paths of layers by family, such as `nn.modules.batchnorm`."""

from . import containers as container
from . import layers as conv
from . import layers as linear
from . import lazy as lazy
from . import losses as loss
from . import module as module
from . import normalization as batchnorm
from . import recurrent as rnn

__all__ = ["batchnorm", "container", "conv", "lazy", "linear", "loss", "module", "rnn"]
