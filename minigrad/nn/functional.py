"""PyTorch's `torch.nn.functional`: the operations of networks as functions."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

from ..arrays.left_out import missing_from
from ..arrays.memory_order import empty_as
from ..core.operation import apply
from ..ops import activations
from ..ops.arguments import number
from ..ops.dropout import by_channel, check_probability, dropped
from ..ops.elementwise import SigmoidBackward0
from ..ops.extremes import ClampMinBackward0
from ..ops.fronts import unary
from ..ops.matrix_norms import norm
from ..ops.normalization import batch_normed, group_normed, layer_normed
from ..ops.normalization import instance_norm as instance_normed
from ..ops.public import signed
from ..ops.trigonometry import TanhBackward0

# --- Written by `make stubs`
# Many names in a line, as in an index.
# fmt: off
# isort: off
from ..ops.activations import (
    elu, gelu, hardtanh, leaky_relu, logsigmoid, relu, relu6, silu, softplus,
)
from ..ops.attention import scaled_dot_product_attention
from ..ops.convolution import conv1d, conv2d
from ..ops.cross_entropy import cross_entropy
from ..ops.gathering import embedding, one_hot
from ..ops.likelihood import nll_loss
from ..ops.losses import (
    binary_cross_entropy, binary_cross_entropy_with_logits, kl_div, l1_loss, mse_loss,
    smooth_l1_loss,
)
from ..ops.matrix import linear
from ..ops.padding import pad
from ..ops.pooling import adaptive_avg_pool2d, avg_pool2d, max_pool1d, max_pool2d
from ..ops.transposed_convolution import conv_transpose1d, conv_transpose2d
# isort: on

__all__ = [
    "adaptive_avg_pool2d", "avg_pool2d", "batch_norm", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "conv1d", "conv2d", "conv_transpose1d", "conv_transpose2d",
    "cross_entropy", "dropout", "dropout2d", "elu", "embedding", "gelu", "group_norm", "hardtanh",
    "instance_norm", "kl_div", "l1_loss", "layer_norm", "leaky_relu", "linear", "log_softmax",
    "logsigmoid", "max_pool1d", "max_pool2d", "mse_loss", "nll_loss", "normalize", "one_hot", "pad",
    "relu", "relu6", "scaled_dot_product_attention", "sigmoid", "silu", "smooth_l1_loss", "softmax",
    "softmin", "softplus", "tanh",
]
# fmt: on
# --- Written by hand again


@signed(
    "def softmax(Tensor input, int? dim=None, int _stacklevel=3, dtype? dtype=None)",
    "input.softmax(int? dim, *, dtype? dtype)",
    place="nn.functional",
)
def softmax(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Exponentials that add up to 1 along `dim`."""
    dim = guessed(input, "softmax", _stacklevel) if dim is None else dim
    return activations.apply_along(activations.SoftmaxBackward0, input, dim, dtype)


@signed(
    "def log_softmax(Tensor input, int? dim=None, int _stacklevel=3, dtype? dtype=None)",
    "input.log_softmax(int? dim, *, dtype? dtype)",
    place="nn.functional",
)
def log_softmax(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """The logarithm of softmax along `dim`, without overflow."""
    dim = guessed(input, "log_softmax", _stacklevel) if dim is None else dim
    return activations.apply_along(activations.LogSoftmaxBackward0, input, dim, dtype)


@signed(
    "def softmin(Tensor input, int? dim=None, int _stacklevel=3, dtype? dtype=None)",
    place="nn.functional",
)
def softmin(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """softmax(-input) along `dim`.

    >>> import minigrad as mg
    >>> mg.nn.functional.softmin(mg.tensor([0.0, 0.0]), 0)
    tensor([0.5000, 0.5000])
    """
    dim = guessed(input, "softmin", _stacklevel) if dim is None else dim
    return (-input).softmax(dim, dtype=dtype)


def guessed(input: Any, name: str, stacklevel: int) -> int:
    """The dimension that PyTorch once took where none was given."""
    rank = input.dim()
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument.",
        stacklevel=stacklevel + 1,
    )
    return 0 if rank in (0, 1, 3) else 1


sigmoid = unary("sigmoid(Tensor input)", SigmoidBackward0, place="nn.functional")[0]
sigmoid = sigmoid.remade(("def sigmoid(Tensor input)", "input.sigmoid()"))
tanh = unary("tanh(Tensor input)", TanhBackward0, place="nn.functional")[0]
tanh = tanh.remade(("def tanh(Tensor input)", "input.tanh()"))


@signed(
    "def dropout(Tensor input, float p=0.5, bool training=True, bool inplace=False)",
    "dropout(Tensor input, object p, bool train=training)",
    place="nn.functional",
)
def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Set each element to zero with probability `p` and divide the others by 1 - p, in training.

    >>> import minigrad as mg
    >>> mg.nn.functional.dropout(mg.ones(3), 0.5, training=False)
    tensor([1., 1., 1.])
    """
    check_probability(p)
    return dropped(input, p, training, inplace, empty_as)


@signed(
    "def dropout2d(Tensor input, float p=0.5, bool training=True, bool inplace=False)",
    "input.dim()",
    "feature_dropout(Tensor input, object p, bool train=training)",
    place="nn.functional",
)
def dropout2d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Set whole channels of images [N, C, H, W] to zero."""
    check_probability(p)
    rank, told = input._array.ndim, ""
    if rank == 3:
        told = (
            "Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior "
            "is desired - input is interpreted as shape (N, C, L), where C is the channel dim. "
            "This behavior will change in a future release to interpret the input as one without a "
            "batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout "
            "behavior, please switch to using dropout1d instead."
        )
    elif rank != 4:
        told = (
            f"Received a {rank}-D input to dropout2d, which is deprecated and will result in an "
            "error in a future release. To retain the behavior and silence this warning, please "
            "use dropout instead. Note that dropout2d exists to provide channel-wise dropout on "
            "inputs with 2 spatial dimensions, a channel dimension, and an optional batch "
            "dimension (i.e. 3D or 4D inputs)."
        )
    if told:
        warnings.warn(f"dropout2d: {told}", UserWarning, stacklevel=3)
    return dropped(input, p, training, inplace, by_channel)


@signed(
    "def layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1e-05)",
    "layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps)",
    place="nn.functional",
)
def layer_norm(
    input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Any:
    """Every sample normalised over its last dimensions, times `weight`, plus `bias`."""
    return layer_normed(input, normalized_shape, weight, bias, eps)


@signed(
    "def batch_norm(Tensor input, Tensor? running_mean, Tensor? running_var, "
    "Tensor? weight=None, Tensor? bias=None, bool training=False, float momentum=0.1, "
    "float eps=1e-05)",
    "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, bool training, float momentum, object eps)",
    place="nn.functional",
)
def batch_norm(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Every channel of input [N, C, ...] normalised, times `weight`, plus `bias` (all [C]).

    In training, by the mean and variance of the batch, which then move the running statistics by
    `momentum`; in evaluation, by the running statistics.
    """
    if training:
        shape = input._array.shape
        if shape[0] * math.prod(shape[2:]) == 1:
            wanted = "Expected more than 1 value per channel when training"
            raise ValueError(f"{wanted}, got input size {input.size()}")
        if (running_mean is None) != (running_var is None):
            wanted = "must either both be None or neither be None"
            raise ValueError(f"running_mean and running_var {wanted}")
    if eps <= 0.0 if training else eps < 0.0:
        wanted = "positive during training" if training else "non-negative"
        raise ValueError(f"batch_norm eps must be {wanted}, but got {eps}")
    return batch_normed(input, weight, bias, running_mean, running_var, training, momentum, eps)


@signed(
    "def group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1e-05)",
    "input.dim()",
    "group_norm(Tensor input, int num_groups, Tensor? weight, Tensor? bias, float eps)",
    place="nn.functional",
)
def group_norm(
    input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Any:
    """Every sample of input [N, C, ...] normalised by groups of channels, times `weight`, plus
    `bias` (both [C])."""
    shape = input._array.shape
    if len(shape) < 2:
        wanted = "Expected at least 2 dimensions for input tensor"
        raise RuntimeError(f"{wanted} but received {len(shape)}")
    if shape[0] * shape[1] // num_groups * math.prod(shape[2:]) == 1:
        sizes = [shape[0] * shape[1] // num_groups, num_groups, *shape[2:]]
        wanted = "Expected more than 1 value per channel when training"
        raise ValueError(f"{wanted}, got input size {sizes}")
    return group_normed(input, num_groups, weight, bias, eps)


@signed(
    "def instance_norm(Tensor input, Tensor? running_mean=None, Tensor? running_var=None, "
    "Tensor? weight=None, Tensor? bias=None, bool use_input_stats=True, float momentum=0.1, "
    "float eps=1e-05)",
    "input.size()",
    "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, bool use_input_stats, float momentum, float eps)",
    place="nn.functional",
)
def instance_norm(
    input: Any,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Every channel of every sample of input [N, C, ...] normalised, times `weight`, plus `bias`
    (both [C])."""
    if use_input_stats and math.prod(input._array.shape[2:]) == 1:
        wanted = "Expected more than 1 spatial element when training"
        raise ValueError(f"{wanted}, got input size {input.size()}")
    vectors = (weight, bias, running_mean, running_var)
    return instance_normed.body(input, *vectors, use_input_stats, momentum, eps, False)


@signed(
    "def normalize(Tensor input, float p=2.0, int dim=1, float eps=1e-12, Tensor out=None)",
    "input.norm()",
    "input.clamp_min(Scalar min=eps)",
    place="nn.functional",
)
def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Any:
    """Vectors along `dim` divided by their p-norm, or by `eps` if that is larger."""
    length: Any = apply(ClampMinBackward0, norm(input, p, dim, keepdim=True), number(eps))
    return input / length.expand_as(input)


if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
