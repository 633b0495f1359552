"""Normalization layers."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, Unpack

from ..arrays.dtypes import long
from ..tensors.creation import ones, tensor, zeros
from ..tensors.tensor import Tensor
from . import functional as F
from . import init
from .applied import show_attributes
from .layers import Place, check_place, weight
from .module import Module


class Normalized(Module):
    """The base of normalization layers: optional `weight` and `bias` of the same shape."""

    def make_parameters(
        self,
        shape: int | tuple[int, ...],
        with_weight: bool,
        with_bias: bool,
        **place: Unpack[Place],
    ) -> None:
        """Set weight to 1 and bias to 0, or both to None."""
        self.register_parameter("weight", weight(shape, **place) if with_weight else None)
        self.register_parameter("bias", weight(shape, **place) if with_bias else None)
        Normalized.reset_parameters(self)

    def reset_parameters(self) -> None:
        """Reset weight to 1 and bias to 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)


class _BatchNorm(Normalized):
    """The base of BatchNorm1d, BatchNorm2d and BatchNorm3d.

    Every channel is normalized over the batch in training, and by running statistics in evaluation.
    """

    _version = 2
    """Since version 2 the number of batches is saved."""
    ranks: tuple[int, ...] = ()

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        *,
        bias: bool = True,
        **place: Unpack[Place],
    ) -> None:
        """`momentum`: how far the running statistics move; None uses the mean of all batches."""
        super().__init__()
        check_place("_BatchNorm", place)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self.make_parameters(num_features, affine, affine and bias, **place)
        statistics: dict[str, Any] = {
            "running_mean": zeros(num_features, **place),
            "running_var": ones(num_features, **place),
            "num_batches_tracked": tensor(0, dtype=long, device=place.get("device")),
        }
        for name, start in statistics.items():
            self.register_buffer(name, start if track_running_stats else None)

    def _load_from_state_dict(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        *rest: Any,
    ) -> None:
        key = f"{prefix}num_batches_tracked"
        old = (local_metadata.get("version") or 0) < 2
        if old and self.track_running_stats and key not in state_dict:
            state_dict[key] = self.num_batches_tracked
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)

    def reset_running_stats(self) -> None:
        """Reset the running statistics."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Reset weight to 1, bias to 0, and the statistics."""
        self.reset_running_stats()
        super().reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in self.ranks:
            expected = " or ".join(f"{rank}D" for rank in self.ranks)
            raise ValueError(f"expected {expected} input (got {input.dim()}D input)")
        momentum = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                momentum = 1.0 / float(self.num_batches_tracked)
        by_batch = self.training or self.running_mean is None
        track = not self.training or self.track_running_stats
        return F.batch_norm(
            input,
            self.running_mean if track else None,
            self.running_var if track else None,
            self.weight,
            self.bias,
            by_batch,
            momentum,
            self.eps,
        )

    def extra_repr(self) -> str:
        options = show_attributes(self, "eps", "momentum", "affine")
        ends = f"bias={self.bias is not None}, {show_attributes(self, 'track_running_stats')}"
        return f"{self.num_features}, {options}, {ends}"


class BatchNorm1d(_BatchNorm):
    """Normalize every feature of [N, C], or every channel of [N, C, L]."""

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalize every channel of images [N, C, H, W]."""

    ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """Normalize every channel of volumes [N, C, D, H, W]."""

    ranks = (5,)


class InstanceNorm(_BatchNorm):
    """The base of InstanceNorm1d, InstanceNorm2d and InstanceNorm3d.

    Every channel of every sample is normalized by itself or, in evaluation, by running statistics,
    if they are tracked.
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        *,
        bias: bool = True,
        **place: Unpack[Place],
    ) -> None:
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, bias=bias, **place
        )

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in self.ranks:
            expected = " or ".join(f"{rank}D" for rank in self.ranks)
            raise ValueError(f"expected {expected} input (got {input.dim()}D input)")
        alone = input.dim() == self.ranks[0]
        at = 0 if alone else 1
        if input.shape[at] != self.num_features:
            if self.affine:
                wanted = f"to match num_features ({self.num_features})"
                raise ValueError(
                    f"expected input's size at dim={at} {wanted}, but got: {input.shape[at]}."
                )
            warnings.warn(
                f"input's size at dim={at} does not match num_features. You can silence this "
                "warning by not passing in num_features, which is not used because affine=False",
                stacklevel=3,
            )
        result = F.instance_norm(
            input.unsqueeze(0) if alone else input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )
        return result.squeeze(0) if alone else result


class InstanceNorm1d(InstanceNorm):
    """Normalize every channel of every sequence [N, C, L] or [C, L]."""

    ranks = (2, 3)


class InstanceNorm2d(InstanceNorm):
    """Normalize every channel of every image [N, C, H, W] or [C, H, W]."""

    ranks = (3, 4)


class InstanceNorm3d(InstanceNorm):
    """Normalize every channel of every volume [N, C, D, H, W] or [C, D, H, W]."""

    ranks = (4, 5)


class GroupNorm(Normalized):
    """Normalize every sample [N, C, ...] by groups of channels."""

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        *,
        bias: bool = True,
        **place: Unpack[Place],
    ) -> None:
        super().__init__()
        check_place("GroupNorm", place)
        if num_channels % num_groups:
            divisible = f"must be divisible by num_groups ({num_groups})"
            raise ValueError(f"num_channels ({num_channels}) {divisible}")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self.make_parameters((num_channels,), affine, affine and bias, **place)

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        options = show_attributes(self, "eps", "affine")
        return f"{self.num_groups}, {self.num_channels}, {options}, bias={self.bias is not None}"


class LayerNorm(Normalized):
    """Normalize every sample over its last dimensions."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        **place: Unpack[Place],
    ) -> None:
        """`normalized_shape`: the sizes of these dimensions."""
        super().__init__()
        check_place("LayerNorm", place)
        shape = (normalized_shape,) if isinstance(normalized_shape, Integral) else normalized_shape
        self.normalized_shape = tuple(shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        with_bias = elementwise_affine and bias
        self.make_parameters(self.normalized_shape, elementwise_affine, with_bias, **place)

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        options = show_attributes(self, "eps", "elementwise_affine")
        return f"{self.normalized_shape}, {options}, bias={self.bias is not None}"


class RMSNorm(Module):
    """Divide every sample by the root of its mean square over the last dimensions."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        **place: Unpack[Place],
    ) -> None:
        """`normalized_shape`: the sizes of these dimensions."""
        super().__init__()
        check_place("RMSNorm", place)
        shape = (normalized_shape,) if isinstance(normalized_shape, Integral) else normalized_shape
        self.normalized_shape = tuple(shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        made = weight(self.normalized_shape, **place) if elementwise_affine else None
        self.register_parameter("weight", made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reset weight to 1."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, {show_attributes(self, 'eps', 'elementwise_affine')}"


class LocalResponseNorm(Module):
    """Divide each number by how large those of the `size` neighbouring channels are."""

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, {show_attributes(self, 'alpha', 'beta', 'k')}"
