"""PyTorch's `torch.nn.functional`: the operations of networks as functions."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from ..arrays.left_out import missing_from
from ..core.operation import apply
from ..linalg import vector_norm
from ..ops import activations
from ..ops.extremes import ClampMinBackward0
from ..tensors.tensor import Tensor

# --- Written by `make stubs`
# Many names in a line, as in an index.
# fmt: off
# isort: off
from ..ops.activations import elu, gelu, leaky_relu, logsigmoid, relu, silu, softplus
from ..ops.convolution import conv1d, conv2d
from ..ops.cross_entropy import cross_entropy
from ..ops.dropout import dropout, dropout2d
from ..ops.elementwise import sigmoid
from ..ops.gathering import embedding, one_hot
from ..ops.likelihood import nll_loss
from ..ops.losses import (
    binary_cross_entropy, binary_cross_entropy_with_logits, kl_div, l1_loss, mse_loss,
    smooth_l1_loss,
)
from ..ops.matrix import linear
from ..ops.normalization import batch_norm, layer_norm
from ..ops.padding import pad
from ..ops.pooling import adaptive_avg_pool2d, avg_pool2d, max_pool1d, max_pool2d
from ..ops.trigonometry import tanh
# isort: on

__all__ = [
    "adaptive_avg_pool2d", "avg_pool2d", "batch_norm", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "conv1d", "conv2d", "cross_entropy", "dropout", "dropout2d",
    "elu", "embedding", "gelu", "kl_div", "l1_loss", "layer_norm", "leaky_relu", "linear",
    "log_softmax", "logsigmoid", "max_pool1d", "max_pool2d", "mse_loss", "nll_loss", "normalize",
    "one_hot", "pad", "relu", "sigmoid", "silu", "smooth_l1_loss", "softmax", "softplus", "tanh",
]
# fmt: on
# --- Written by hand again


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """Exponentials that add up to 1 along `dim`."""
    return activations.softmax(input, guessed(input, dim, "softmax", _stacklevel), dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """The logarithm of softmax along `dim`, without overflow."""
    return activations.log_softmax(input, guessed(input, dim, "log_softmax", _stacklevel), dtype)


def guessed(input: Tensor, dim: int | None, name: str, stacklevel: int) -> int:
    """`dim`, or the one that PyTorch once took where none was given."""
    if dim is not None:
        return dim
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument.",
        stacklevel=stacklevel,
    )
    return 0 if input.ndim in (0, 1, 3) else 1


def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Tensor:
    """Vectors along `dim` divided by their p-norm, or by `eps` if that is larger."""
    length = apply(ClampMinBackward0, vector_norm(input, p, dim, keepdim=True), eps)
    return input / length.expand_as(input)


if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__, __all__)
