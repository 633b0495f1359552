"""PyTorch's `torch.nn.functional`: the operations of networks as functions."""

from __future__ import annotations

import warnings
from typing import Any

from ..linalg import vector_norm
from ..ops import activations
from ..ops.activations import elu as elu
from ..ops.activations import gelu as gelu
from ..ops.activations import hardtanh as hardtanh
from ..ops.activations import leaky_relu as leaky_relu
from ..ops.activations import logsigmoid as logsigmoid
from ..ops.activations import mish as mish
from ..ops.activations import relu as relu
from ..ops.activations import relu6 as relu6
from ..ops.activations import selu as selu
from ..ops.activations import silu as silu
from ..ops.activations import softplus as softplus
from ..ops.activations import softsign as softsign
from ..ops.activations import tanhshrink as tanhshrink
from ..ops.convolution import conv1d as conv1d
from ..ops.convolution import conv2d as conv2d
from ..ops.cross_entropy import cross_entropy as cross_entropy
from ..ops.dropout import dropout as dropout
from ..ops.dropout import dropout1d as dropout1d
from ..ops.dropout import dropout2d as dropout2d
from ..ops.elementwise import sigmoid as sigmoid
from ..ops.embedding import embedding as embedding
from ..ops.embedding import one_hot as one_hot
from ..ops.likelihood import nll_loss as nll_loss
from ..ops.losses import binary_cross_entropy as binary_cross_entropy
from ..ops.losses import binary_cross_entropy_with_logits as binary_cross_entropy_with_logits
from ..ops.losses import huber_loss as huber_loss
from ..ops.losses import kl_div as kl_div
from ..ops.losses import l1_loss as l1_loss
from ..ops.losses import mse_loss as mse_loss
from ..ops.losses import smooth_l1_loss as smooth_l1_loss
from ..ops.matrix import linear as linear
from ..ops.normalization import batch_norm as batch_norm
from ..ops.normalization import layer_norm as layer_norm
from ..ops.padding import pad as pad
from ..ops.pooling import adaptive_avg_pool2d as adaptive_avg_pool2d
from ..ops.pooling import avg_pool1d as avg_pool1d
from ..ops.pooling import avg_pool2d as avg_pool2d
from ..ops.pooling import max_pool1d as max_pool1d
from ..ops.pooling import max_pool2d as max_pool2d
from ..ops.trigonometry import tanh as tanh


def softmax(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Exponentials that add up to 1 along `dim`."""
    return activations.softmax(input, guessed(input, dim, "softmax", _stacklevel), dtype)


def log_softmax(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """The logarithm of softmax along `dim`, without overflow."""
    return activations.log_softmax(input, guessed(input, dim, "log_softmax", _stacklevel), dtype)


def softmin(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """`softmax` of the negative."""
    return activations.softmax(-input, guessed(input, dim, "softmin", _stacklevel), dtype)


def guessed(input: Any, dim: int | None, name: str, stacklevel: int) -> int:
    """`dim`, or the one that PyTorch once took where none was given."""
    if dim is not None:
        return dim
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if input.ndim in (0, 1, 3) else 1


def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Any:
    """Vectors along `dim` divided by their p-norm, or by `eps` if that is larger."""
    length = vector_norm(input, p, dim, keepdim=True)
    return input / length.clamp_min(eps).expand_as(input)
