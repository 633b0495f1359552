"""Normalization: values shifted and scaled to mean 0 and variance 1, by channel or by sample.

Both formulas are the same. With x' = (x - mean) / std, x' cannot change its mean, nor move along
itself. So its gradient loses its mean and its part along x', and is divided by std.
"""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from ...arrays.dtypes import float32
from ...arrays.float16 import FLOAT16, widened
from ...arrays.memory_formats import (
    channels_last,
    channels_last_3d,
    copy_in_format,
    is_in,
    lay_as,
    suggested,
)
from ...arrays.memory_order import row_major
from ...arrays.messages import check_floating, type_word
from ...core.modes import modes
from ...core.node import TensorBase, new_tensor
from ...core.operation import ALWAYS, Operation, apply
from ..pointwise.arithmetic import RsqrtBackward0
from ..public.arguments import integer_tuple, number, whole
from ..public.dims import size_at, sum_keepdim, wrap_dim
from ..public.functions import schema
from ..shapes.copies import contiguous
from .losses import check_constant

IMAGE_FORMATS = (channels_last, channels_last_3d)


def moments(x: Any, axes: tuple[int, ...]) -> tuple[Any, Any]:
    """Return mean and variance over `axes`, which stay with size 1, of an array or a Tensor."""
    count = math.prod(x.shape[axis] for axis in axes)
    mean = x.sum(axis=axes, keepdims=True) / count
    centred = x - mean
    return mean, (centred * centred).sum(axis=axes, keepdims=True) / count


def through(g: Any, normal: Any, scale: Any, axes: tuple[int, ...]) -> Any:
    """Return the gradient of x, given that of x' = `normal` and 1 / std = `scale`."""
    count = math.prod(normal.shape[axis] for axis in axes)
    mean = sum_keepdim(g, axes) / count
    along = sum_keepdim(g * normal, axes) / count
    return (g - mean - normal * along) * scale


class NativeLayerNormBackward0(Operation):
    """Every sample normalized over its last dimensions, times `weight`, plus `bias`.

    `result1` and `result2` are the means and the inverse standard deviations.
    """

    inputs = ("input", "weight", "bias")
    params = ("normalized_shape", "_eps", "result1", "result2")
    saves = dict.fromkeys(("bias", "input", "weight", "result1", "result2"), ALWAYS)
    rule = (
        r"\bar x = \frac{1}{\sigma} \left(h - \operatorname{mean} h - \hat x \cdot "
        r"\operatorname{mean}(h \hat x)\right), \quad h = g \cdot w, \qquad "
        r"\bar w = \sum g \cdot \hat x, \qquad \bar b = \sum g"
    )

    @row_major
    def forward(input: TensorBase, weight: Any, bias: Any, *args: Any) -> Any:
        *_, mean, scale = args
        return apply_affine((input - mean) * scale, weight, bias)

    def backward(ctx, g: Any) -> Any:
        _, input, weight, mean, scale = ctx.saved
        shape, eps = ctx.args[:2]
        axes = tuple(range(input.ndim - len(shape), input.ndim))
        if ctx._with_tensors:
            mean, variance = moments(input, axes)  # they depend on the input, too
            scale = RsqrtBackward0.on(variance + eps)
        normal = (input - mean) * scale
        h = g if weight is None else g * weight
        return (
            through(h, normal, scale, axes) if ctx.needs(0) else None,
            g * normal if ctx.needs(1) else None,
            g if ctx.needs(2) else None,
        )


class NativeBatchNormBackward0(Operation):
    """Every channel normalized over the batch (in training) or by running statistics.

    input [N, C, ...]; `result1` and `result2` are means and inverse standard deviations [C] of the
    batch, empty in evaluation.
    """

    inputs = ("input", "weight", "bias")
    params = ("running_mean", "running_var", "training", "eps", "result1", "result2")
    saves = dict.fromkeys(
        ("input", "running_mean", "running_var", "weight", "result1", "result2"), ALWAYS
    )
    rule = NativeLayerNormBackward0.rule

    @widened
    def forward(input: Any, weight: Any, bias: Any, *args: Any) -> Any:
        running_mean, running_var, training, eps, mean, scale = args
        if not training:
            mean, scale = running_mean, 1 / np.sqrt(running_var + eps)
        normal = (input - channels(mean, input)) * channels(scale, input)
        both = (None if each is None else channels(each, input) for each in (weight, bias))
        value = apply_affine(normal, *both)
        form = next((form for form in IMAGE_FORMATS if is_in(input, form)), None)
        if form is None or input.flags.c_contiguous:
            return lay_as(value, input)
        return copy_in_format(value, form)  # also where sizes of 1 hide it

    def backward(ctx, g: Any) -> Any:
        input, mean, variance, weight, batch_mean, batch_scale = ctx.saved
        training, eps = ctx.args[2:4]
        axes = (0, *range(2, input.ndim))
        if training and ctx._with_tensors:
            mean, variance = moments(input, axes)  # they depend on the input, too
            scale = RsqrtBackward0.on(variance + eps)
        elif training:
            mean, scale = channels(batch_mean, input), channels(batch_scale, input)
        else:
            mean = channels(mean, input)
            scale = channels(RsqrtBackward0.on(variance + eps), input)
        normal = (input - mean) * scale
        h = g if weight is None else g * channels(weight, input)
        wrt_input = None
        if ctx.needs(0):
            wrt_input = through(h, normal, scale, axes) if training else h * scale
        return (
            wrt_input,
            (g * normal).sum(axes) if ctx.needs(1) else None,
            g.sum(axes) if ctx.needs(2) else None,
        )


class NativeGroupNormBackward0(Operation):
    """Every group of a sample's channels normalized, times `weight`, plus `bias`.

    input [N, C, ...]; `result1` and `result2` are means and inverse standard deviations [N, group].
    """

    inputs = ("input", "weight", "bias")
    params = ("group", "eps")
    results = ("result0", "result1", "result2")
    saves = dict.fromkeys(("input", "weight", "result1", "result2"), ALWAYS)
    rule = NativeLayerNormBackward0.rule

    def forward(input: Any, weight: Any, bias: Any, group: int, eps: float) -> Any:
        rows = by_group(input, group)
        mean, variance = moments(rows, (2,))
        scale = 1 / np.sqrt(variance + eps)
        normal = ((rows - mean) * scale).reshape(input.shape)
        both = (None if each is None else channels(each, input) for each in (weight, bias))
        statistics = [part.reshape(len(input), group) for part in (mean, scale)]
        return lay_as(apply_affine(normal, *both), input), *statistics

    def backward(ctx, g: Any, *_: Any) -> Any:
        input, weight, mean, scale = ctx.saved
        group, eps = ctx.args
        x = by_group(input, group)
        mean, scale = mean.reshape(*mean.shape, 1), scale.reshape(*scale.shape, 1)
        if ctx._with_tensors:
            mean, variance = moments(x, (2,))  # they depend on the input, too
            scale = RsqrtBackward0.on(variance + eps)
        normal = (x - mean) * scale
        h = g if weight is None else g * channels(weight, input)
        axes = (0, *range(2, input.ndim))
        return (
            through(by_group(h, group), normal, scale, (2,)).reshape(input.shape)
            if ctx.needs(0)
            else None,
            (g * normal.reshape(input.shape)).sum(axes) if ctx.needs(1) else None,
            g.sum(axes) if ctx.needs(2) else None,
        )


def by_group(x: Any, groups: int) -> Any:
    """Return [N, C, ...] with the elements of each group in a row: [N, groups, elements]."""
    return x.reshape(x.shape[0], groups, math.prod(x.shape[1:]) // groups)


def apply_affine(normal: Any, weight: Any, bias: Any) -> Any:
    """Return normal * weight + bias, on arrays; `normal` may be overwritten."""
    if weight is not None:
        normal *= weight
    if bias is not None:
        normal += bias
    return normal


def channels(vector: Any, x: Any) -> Any:
    """Return a vector of one number for each channel in a shape that broadcasts."""
    return vector.reshape(-1, *[1] * (x.ndim - 2))


# --- Public functions


@schema(
    "layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1e-05, bool cudnn_enable=True)"
)
def layer_norm(
    input: Any,
    normalized_shape: Any,
    weight: Any = None,
    bias: Any = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> TensorBase:
    """Normalize every sample over its last dimensions, times `weight`, plus `bias`.

    Args:
        normalized_shape: the sizes of those dimensions.
        weight, bias: of that shape.
        eps: added to the variance.
        cudnn_enable: has no effect here.
    """
    if type(cudnn_enable) is not bool:
        raise TypeError
    return apply_layer_norm(input, normalized_shape, weight, bias, eps)


def check_normalized(x: Any, shape: tuple[int, ...], any_: str, **vectors: Any) -> None:
    """Raise if the last sizes of `x`, or those of a weight, are not the normalized ones.

    `any_` stands for the other sizes in the error.
    """
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
            "element, but got normalized_shape = []"
        )
    for name, vector in vectors.items():
        if vector is not None and vector._array.shape != shape:
            wanted = f"Expected {name} to be of same shape as normalized_shape, but got {name} of"
            found = f"shape {list(vector._array.shape)} and normalized_shape = {list(shape)}"
            raise RuntimeError(f"{wanted} {found}")
    if x.shape[x.ndim - len(shape) :] != shape or x.ndim < len(shape):
        wanted = any_ + ", ".join(map(str, shape))
        given = f"Given normalized_shape={list(shape)}, expected input with shape [{wanted}]"
        raise RuntimeError(f"{given}, but got input of size{list(x.shape)}")


def apply_layer_norm(input: Any, sizes: Any, weight: Any, bias: Any, eps: Any) -> TensorBase:
    """Compute `layer_norm`, for both of its public places."""
    shape, x = integer_tuple(sizes), input._array
    if type(eps) is not float:
        eps = number(eps)
    check_normalized(x, shape, "*, ", weight=weight, bias=bias)
    if any(v is not None and v._array.dtype != x.dtype for v in (weight, bias)):
        check_types(x, weight, bias)
    check_floating("LayerNormKernelImpl", x.dtype)
    mean, variance = moments(x, tuple(range(x.ndim - len(shape), x.ndim)))
    scale = 1 / np.sqrt(variance + eps)
    params = (shape, eps, new_tensor(mean), new_tensor(scale))
    return apply(NativeLayerNormBackward0, input, weight, bias, *params)


@schema(
    "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled)"
)
def batch_norm(
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> TensorBase:
    """Normalize every channel of input [N, C, ...], times `weight`, plus `bias` (all [C]).

    Training uses the mean and variance of the batch, which then move the running statistics by
    `momentum`. Evaluation uses the running statistics. `cudnn_enabled` has no effect here.
    """
    if type(cudnn_enabled) is not bool:
        raise TypeError
    return apply_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)


def refuse_tangent(input: Any, vector: Any) -> None:
    """Raise if a running statistic has a tangent, and the input has one."""
    level = modes.level
    if level is not None and level.tangent_of(input) is not None:
        if level.tangent_of(vector) is not None:
            raise RuntimeError(
                "batch_norm is not differentiable wrt running_mean and running_var, they cannot "
                "have forward grad defined"
            )


def apply_batch_norm(
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: Any,
    momentum: Any,
    eps: Any,
) -> TensorBase:
    """Compute `batch_norm`, for both of its public places."""
    if type(training) is not bool:
        raise TypeError
    momentum = momentum if type(momentum) is float else number(momentum)
    eps = eps if type(eps) is float else number(eps)
    x = input._array
    count = x.shape[1] if x.ndim > 1 else 0
    if not x.size:  # there are no statistics, but a history
        out = input.clone()
        out = out if weight is None else out * weight.select(0, 0)
        return cast(TensorBase, out if bias is None else out + bias.select(0, 0))
    statistics = {"running_mean": running_mean, "running_var": running_var}
    vectors = {**statistics, "weight": weight, "bias": bias}
    for name, vector in vectors.items():
        if vector is None and name in statistics and not training:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
        if vector is not None and vector._array.size != count:
            raise RuntimeError(f"{name} should contain {count} elements not {vector._array.size}")
    if x.ndim < 2:
        wrap_dim(1, x.ndim)
    for name, vector in statistics.items():
        if vector is not None:
            check_constant("native_batch_norm", name, vector)
            refuse_tangent(input, vector)
    check_floating("batch_norm", x.dtype)
    check_types(x, weight, bias, running_mean, running_var)
    mixed = any(v is not None and v._array.dtype != x.dtype for v in vectors.values())
    axes = (0, *range(2, x.ndim))
    if training:
        wide = x.astype(np.float32) if mixed else x
        mean, variance = (part.reshape(-1) for part in moments(wide, axes))
        noise = variance + eps
        scale = np.where(noise == 0, 0, 1 / np.sqrt(noise)).astype(noise.dtype)
        samples = x.size // max(count, 1)
        update(running_mean, mean, momentum)
        update(running_var, variance * (samples / max(samples - 1, 1)), momentum)
    else:
        mean = scale = np.zeros_like(x, shape=(0,))
    params = (running_mean, running_var, training, eps, new_tensor(mean), new_tensor(scale))
    return apply(NativeBatchNormBackward0, input, weight, bias, *params)


@schema(
    "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, "
    "float eps=1e-05, bool cudnn_enabled=True)"
)
def group_norm(
    input: Any,
    num_groups: int,
    weight: Any = None,
    bias: Any = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> TensorBase:
    """Normalize every sample of input [N, C, ...] by groups of channels.

    The result is multiplied by `weight` [C]; then `bias` [C] is added. `cudnn_enabled` has no
    effect here.
    """
    if type(cudnn_enabled) is not bool:
        raise TypeError
    return apply_group_norm(input, num_groups, weight, bias, eps)


def apply_group_norm(input: Any, num_groups: Any, weight: Any, bias: Any, eps: Any) -> TensorBase:
    """Compute `group_norm`, for both of its public places."""
    x, groups, eps = input._array, whole(num_groups), number(eps)
    shape = x.shape
    size_at(shape, 0), size_at(shape, 1)
    if groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {groups}")
    if shape[1] % groups:
        wanted = "Expected number of channels in input to be divisible by num_groups"
        found = f"but got input of shape {list(shape)} and num_groups={groups}"
        raise RuntimeError(f"{wanted}, {found}")
    for name, vector in (("weight", weight), ("bias", bias)):
        if vector is not None and vector._array.shape != shape[1:2]:
            wanted = f"Expected {name} to be a vector of size equal to the number of channels in"
            found = f"but got {name} of shape {list(vector._array.shape)}"
            raise RuntimeError(f"{wanted} input, {found} and input of shape {list(shape)}")
    check_types(x, weight, bias)
    check_floating("GroupNormKernelImpl", x.dtype)
    input = contiguous(input, memory_format=suggested(x))
    given = [None if each is None else contiguous(each) for each in (weight, bias)]
    result: Any = apply(NativeGroupNormBackward0, input, *given, groups, eps)
    return cast(TensorBase, result[0])


@schema(
    "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
    "Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled)"
)
def instance_norm(
    input: Any,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> TensorBase:
    """Normalize every channel of every sample of input [N, C, ...], times `weight`, plus `bias`.

    Both are [C]. It is `batch_norm` of one sample, whose channels are those of all samples.
    `cudnn_enabled` has no effect here.
    """
    if type(cudnn_enabled) is not bool or type(use_input_stats) is not bool:
        raise TypeError
    statistics = running_mean, running_var
    if not use_input_stats and None in statistics:
        wanted = "running_mean and running_var to be defined when use_input_stats is false"
        raise RuntimeError(f"Expected {wanted}")
    shape = input._array.shape
    n, c = size_at(shape, 0), size_at(shape, 1)

    def repeated(vector: Any) -> Any:
        return None if vector is None else vector.repeat(n)

    means = [repeated(each) for each in statistics]
    if None in statistics and statistics != (None, None):
        wanted = "must either both be None or neither be None"
        raise ValueError(f"running_mean and running_var {wanted}")
    if use_input_stats and running_mean is not None:
        means = in_type_of(input, means, weight, bias)
    one = input.contiguous().view(1, n * c, *input._array.shape[2:])
    vectors = (repeated(weight), repeated(bias), means[0], means[1])
    result = apply_batch_norm(one, *vectors, use_input_stats, momentum, eps)
    if use_input_stats:
        for running, mean in zip(statistics, means, strict=True):
            if running is not None:
                running.view(running._array.shape).copy_(mean.view(n, c).mean(0))
    return result.view(input._array.shape)  # type: ignore[attr-defined, no-any-return]


def in_type_of(input: Any, means: list[Any], weight: Any, bias: Any) -> list[Any]:
    """Return statistics and parameters in the dtype of `input`, where PyTorch accepts others.

    Running statistics are written back in their own dtype.
    """
    mean, var = means
    if input._array.dtype == FLOAT16 or (weight is not None and weight.dtype is not input.dtype):
        return means
    if weight is None and bias is None and var.dtype is float32:
        var = var.to(input.dtype)
    return [mean.to(input.dtype), var]


def check_types(x: Any, *vectors: Any) -> None:
    """Raise for parameters of another dtype than `x`; float32 is allowed with float16."""
    types = [vector._array.dtype for vector in vectors if vector is not None]
    if types and types[0] != x.dtype:
        if any(dtype != np.float32 for dtype in types):
            wanted = "expect parameter to have scalar type of Float"
            raise RuntimeError(f"mixed dtype (CPU): {wanted}")
        if x.dtype != FLOAT16:
            raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
        return
    for dtype in types:
        if dtype != x.dtype:
            found = f"{type_word(x.dtype)} but found {type_word(dtype)}"
            raise RuntimeError(f"expected scalar type {found}")


def update(running: Any, new: Any, momentum: float) -> None:
    """Move a running statistic towards that of the batch, in place.

    Its version stays, as in PyTorch: an earlier pass through an evaluation still runs backward.
    """
    if running is not None:
        running.write((1 - momentum) * running._array + momentum * new)
