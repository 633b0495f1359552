"""Layers that normalise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..creation import ones, tensor, zeros
from ..dtypes import long
from . import functional as F
from . import init
from .layers import weight
from .module import Module

if TYPE_CHECKING:
    from ..tensor import Tensor


class Normalized(Module):
    """What all of them share: `weight` and `bias`, if they are wanted, of the same shape."""

    def make_parameters(
        self, shape: tuple[int, ...], with_weight: bool, with_bias: bool, **place: Any
    ) -> None:
        """Weight 1 and bias 0, or None."""
        self.register_parameter("weight", weight(*shape, **place) if with_weight else None)
        self.register_parameter("bias", weight(*shape, **place) if with_bias else None)
        Normalized.reset_parameters(self)

    def reset_parameters(self) -> None:
        """Back to the start: weight 1, bias 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)


class BatchNorm(Normalized):
    """What BatchNorm1d and BatchNorm2d share: every channel normalised, by the batch in training
    and by running statistics in evaluation."""

    _version = 2
    ranks: tuple[int, ...] = ()

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        """`momentum`: how far the running statistics move; None takes the mean of all batches."""
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        options = {"device": device, "dtype": dtype}
        self.make_parameters((num_features,), affine, affine and bias, **options)
        count = tensor(0, dtype=long, device=device)
        mean, variance = zeros(num_features, **options), ones(num_features, **options)
        self.register_buffer("running_mean", mean if track_running_stats else None)
        self.register_buffer("running_var", variance if track_running_stats else None)
        self.register_buffer("num_batches_tracked", count if track_running_stats else None)

    def reset_running_stats(self) -> None:
        """Forget the running statistics."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Back to the start: weight 1, bias 0, no statistics."""
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
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(BatchNorm):
    """Every feature of [N, C], or channel of [N, C, L], normalised."""

    ranks = (2, 3)


class BatchNorm2d(BatchNorm):
    """Every channel of images [N, C, H, W] normalised."""

    ranks = (4,)


class LayerNorm(Normalized):
    """Every sample normalised over its last dimensions."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        """`normalized_shape`: the sizes of these dimensions."""
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
        self.normalized_shape = tuple(shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        options = {"device": device, "dtype": dtype}
        with_bias = elementwise_affine and bias
        self.make_parameters(self.normalized_shape, elementwise_affine, with_bias, **options)

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )
