"""PyTorch's `torch.nn.functional`: the operations of networks as functions."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

from ..arrays.left_out import missing_from
from ..arrays.memory_formats import contiguous_format
from ..arrays.memory_order import empty_as
from ..core.operation import apply
from ..ops.linear_algebra.matrix_norms import norm
from ..ops.neural.dropout import apply_dropout, by_channel, check_probability
from ..ops.neural.normalization import apply_batch_norm, apply_group_norm, apply_layer_norm
from ..ops.neural.normalization import instance_norm as instance_normed
from ..ops.neural.root_mean_square import apply_rms_norm
from ..ops.pointwise import activations
from ..ops.pointwise.elementwise import SigmoidBackward0
from ..ops.pointwise.trigonometry import TanhBackward0
from ..ops.public.arguments import number
from ..ops.public.factories import unary
from ..ops.public.functions import schema
from ..ops.reductions.extremes import ClampMinBackward0
from ..tensors.creation import empty_like, zeros_like

# --- Written by `make stubs`
# Many names in a line, as in an index.
# fmt: off
# isort: off
from ..ops.indexing.gathering import one_hot
from ..ops.linear_algebra.bilinear import bilinear
from ..ops.linear_algebra.distances import pdist
from ..ops.linear_algebra.matrix import linear
from ..ops.neural.alignment import ctc_loss
from ..ops.neural.attention import scaled_dot_product_attention
from ..ops.neural.averaging import (
    adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d, avg_pool1d, avg_pool2d,
    avg_pool3d,
)
from ..ops.neural.bags import embedding_bag
from ..ops.neural.class_margins import multi_margin_loss, multilabel_margin_loss
from ..ops.neural.convolution import conv1d, conv2d, conv3d
from ..ops.neural.cross_entropy import cross_entropy
from ..ops.neural.embedding import embedding
from ..ops.neural.gating import glu
from ..ops.neural.grids import affine_grid, grid_sample
from ..ops.neural.heads import multi_head_attention_forward
from ..ops.neural.likelihood import gaussian_nll_loss, nll_loss
from ..ops.neural.losses import (
    binary_cross_entropy, binary_cross_entropy_with_logits, huber_loss, kl_div, l1_loss, mse_loss,
    smooth_l1_loss,
)
from ..ops.neural.margins import (
    hinge_embedding_loss, margin_ranking_loss, poisson_nll_loss, soft_margin_loss,
    triplet_margin_with_distance_loss,
)
from ..ops.neural.padding import pad
from ..ops.neural.patches import fold, unfold
from ..ops.neural.pooling import (
    adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d, max_pool1d, max_pool2d,
    max_pool3d, max_unpool1d, max_unpool2d, max_unpool3d,
)
from ..ops.neural.root_mean_square import local_response_norm
from ..ops.neural.several_labels import multilabel_soft_margin_loss
from ..ops.neural.shuffling import channel_shuffle, pixel_shuffle, pixel_unshuffle
from ..ops.neural.similarity import (
    cosine_embedding_loss, cosine_similarity, pairwise_distance, triplet_margin_loss,
)
from ..ops.neural.transposed_convolution import conv_transpose1d, conv_transpose2d, conv_transpose3d
from ..ops.neural.upsampling import interpolate
from ..ops.pointwise.activations import (
    elu, gelu, hardtanh, leaky_relu, logsigmoid, relu, relu6, silu, softplus,
)
from ..ops.pointwise.activations_in_place import (
    celu_, elu_, hardtanh_, leaky_relu_, relu_, selu_, threshold_,
)
from ..ops.pointwise.piecewise import (
    hardshrink, hardsigmoid, hardswish, prelu, rrelu, softshrink, threshold,
)
from ..ops.pointwise.smooth import celu, mish, selu, softsign, tanhshrink
# isort: on

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d",
    "adaptive_max_pool2d", "adaptive_max_pool3d", "affine_grid", "avg_pool1d", "avg_pool2d",
    "avg_pool3d", "batch_norm", "bilinear", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "celu", "celu_", "channel_shuffle", "conv1d", "conv2d",
    "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_embedding_loss",
    "cosine_similarity", "cross_entropy", "ctc_loss", "dropout", "dropout2d", "elu", "elu_",
    "embedding", "embedding_bag", "fold", "gaussian_nll_loss", "gelu", "glu", "grid_sample",
    "group_norm", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
    "hardtanh_", "hinge_embedding_loss", "huber_loss", "instance_norm", "interpolate", "kl_div",
    "l1_loss", "layer_norm", "leaky_relu", "leaky_relu_", "linear", "local_response_norm",
    "log_softmax", "logsigmoid", "margin_ranking_loss", "max_pool1d", "max_pool2d", "max_pool3d",
    "max_unpool1d", "max_unpool2d", "max_unpool3d", "mish", "mse_loss",
    "multi_head_attention_forward", "multi_margin_loss", "multilabel_margin_loss",
    "multilabel_soft_margin_loss", "nll_loss", "normalize", "one_hot", "pad", "pairwise_distance",
    "pdist", "pixel_shuffle", "pixel_unshuffle", "poisson_nll_loss", "prelu", "relu", "relu6",
    "relu_", "rms_norm", "rrelu", "scaled_dot_product_attention", "selu", "selu_", "sigmoid",
    "silu", "smooth_l1_loss", "soft_margin_loss", "softmax", "softmin", "softplus", "softshrink",
    "softsign", "tanh", "tanhshrink", "threshold", "threshold_", "triplet_margin_loss",
    "triplet_margin_with_distance_loss", "unfold",
]
# fmt: on
# --- Written by hand again


@schema(
    "def softmax(Tensor input, int? dim=None, int _stacklevel=3, dtype? dtype=None)",
    "input.softmax(int? dim, *, dtype? dtype)",
    place="nn.functional",
)
def softmax(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Compute exponentials that add up to 1 along `dim`."""
    dim = guess_dim(input, "softmax", _stacklevel) if dim is None else dim
    return activations.apply_along(activations.SoftmaxBackward0, input, dim, dtype)


@schema(
    "def log_softmax(Tensor input, int? dim=None, int _stacklevel=3, dtype? dtype=None)",
    "input.log_softmax(int? dim, *, dtype? dtype)",
    place="nn.functional",
)
def log_softmax(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Compute the logarithm of softmax along `dim`, without overflow."""
    dim = guess_dim(input, "log_softmax", _stacklevel) if dim is None else dim
    return activations.apply_along(activations.LogSoftmaxBackward0, input, dim, dtype)


@schema(
    "def gumbel_softmax(Tensor logits, float tau=1, bool hard=False, float eps=1e-10, int dim=-1)",
    place="nn.functional",
)
def gumbel_softmax(
    logits: Any, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Any:
    """Draw classes by their logits, as rows that are nearly one-hot and have a gradient.

    Args:
        tau: the temperature; the lower, the nearer to one-hot.
        hard: return rows that are one-hot, with the gradient of the others.
        dim: the dimension of the classes.
    """
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    noise = -empty_like(logits, memory_format=contiguous_format).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    chosen = soft.max(dim, keepdim=True)[1]
    rows = zeros_like(logits, memory_format=contiguous_format).scatter_(dim, chosen, 1.0)
    return rows - soft.detach() + soft


@schema(
    "def softmin(Tensor input, int? dim=None, int _stacklevel=3, dtype? dtype=None)",
    place="nn.functional",
)
def softmin(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Compute softmax(-input) along `dim`.

    >>> import minigrad as mg
    >>> mg.nn.functional.softmin(mg.tensor([0.0, 0.0]), 0)
    tensor([0.5000, 0.5000])
    """
    dim = guess_dim(input, "softmin", _stacklevel) if dim is None else dim
    return (-input).softmax(dim, dtype=dtype)


def guess_dim(input: Any, name: str, stacklevel: int) -> int:
    """Return PyTorch's old default dimension, with its warning."""
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


@schema(
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
    return apply_dropout(input, p, training, inplace, empty_as)


@schema(
    "def dropout2d(Tensor input, float p=0.5, bool training=True, bool inplace=False)",
    "input.dim()",
    "feature_dropout(Tensor input, object p, bool train=training)",
    place="nn.functional",
)
def dropout2d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Set whole channels of images [N, C, H, W] to zero."""
    check_probability(p)
    rank, message = input._array.ndim, ""
    if rank == 3:
        message = (
            "Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior "
            "is desired - input is interpreted as shape (N, C, L), where C is the channel dim. "
            "This behavior will change in a future release to interpret the input as one without a "
            "batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout "
            "behavior, please switch to using dropout1d instead."
        )
    elif rank != 4:
        message = (
            f"Received a {rank}-D input to dropout2d, which is deprecated and will result in an "
            "error in a future release. To retain the behavior and silence this warning, please "
            "use dropout instead. Note that dropout2d exists to provide channel-wise dropout on "
            "inputs with 2 spatial dimensions, a channel dimension, and an optional batch "
            "dimension (i.e. 3D or 4D inputs)."
        )
    if message:
        warnings.warn(f"dropout2d: {message}", UserWarning, stacklevel=3)
    return apply_dropout(input, p, training, inplace, by_channel)


@schema(
    "def rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None)",
    "rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps)",
    place="nn.functional",
)
def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Any:
    """Divide the last dimensions by the root of their mean square, and multiply by `weight`."""
    return apply_rms_norm(input, normalized_shape, weight, eps)


@schema(
    "def layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1e-05)",
    "layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps)",
    place="nn.functional",
)
def layer_norm(
    input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Any:
    """Normalize every sample over its last dimensions, times `weight`, plus `bias`."""
    return apply_layer_norm(input, normalized_shape, weight, bias, eps)


@schema(
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
    """Normalize every channel of input [N, C, ...], times `weight`, plus `bias` (all [C]).

    Training uses the mean and variance of the batch, which then move the running statistics by
    `momentum`. Evaluation uses the running statistics.
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
    return apply_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)


@schema(
    "def group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1e-05)",
    "input.dim()",
    "group_norm(Tensor input, int num_groups, Tensor? weight, Tensor? bias, float eps)",
    place="nn.functional",
)
def group_norm(
    input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Any:
    """Normalize every sample of input [N, C, ...] by groups of channels.

    The result is multiplied by `weight` [C]; then `bias` [C] is added.
    """
    shape = input._array.shape
    if len(shape) < 2:
        wanted = "Expected at least 2 dimensions for input tensor"
        raise RuntimeError(f"{wanted} but received {len(shape)}")
    if shape[0] * shape[1] // num_groups * math.prod(shape[2:]) == 1:
        sizes = [shape[0] * shape[1] // num_groups, num_groups, *shape[2:]]
        wanted = "Expected more than 1 value per channel when training"
        raise ValueError(f"{wanted}, got input size {sizes}")
    return apply_group_norm(input, num_groups, weight, bias, eps)


@schema(
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
    """Normalize every channel of every sample of input [N, C, ...], times `weight`, plus `bias`.

    Both are [C].
    """
    if use_input_stats and math.prod(input._array.shape[2:]) == 1:
        wanted = "Expected more than 1 spatial element when training"
        raise ValueError(f"{wanted}, got input size {input.size()}")
    vectors = (weight, bias, running_mean, running_var)
    return instance_normed.body(input, *vectors, use_input_stats, momentum, eps, False)


@schema(
    "def normalize(Tensor input, float p=2.0, int dim=1, float eps=1e-12, Tensor out=None)",
    "input.norm()",
    "input.clamp_min(Scalar min=eps)",
    place="nn.functional",
)
def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Any:
    """Divide vectors along `dim` by their p-norm, or by `eps` if that is larger."""
    length: Any = apply(ClampMinBackward0, norm(input, p, dim, keepdim=True), number(eps))
    return input / length.expand_as(input)


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
