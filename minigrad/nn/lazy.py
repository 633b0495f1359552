"""Lazy layers: they learn the number of input features from their first input.

Until then their parameters have no shape. The first call sets it, draws the values, and makes the
layer one of the ordinary class.

    >>> import minigrad as mg
    >>> layer = mg.nn.LazyLinear(2)
    >>> _ = layer(mg.ones(4, 3))
    >>> layer
    Linear(in_features=3, out_features=2, bias=True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from ..tensors.tensor import Tensor
from .layers import (
    Affine,
    Conv1d,
    Conv2d,
    Conv3d,
    Convolution,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
    Linear,
    Place,
    check_place,
)
from .module import Module
from .normalization import (
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    InstanceNorm1d,
    InstanceNorm2d,
    InstanceNorm3d,
    _BatchNorm,
)
from .parameter import UninitializedBuffer, UninitializedParameter, is_lazy


class LazyModuleMixin(Module):
    """The base of lazy layers. A subclass sets the shapes in `initialize_parameters`."""

    cls_to_become: ClassVar[type[Module] | None] = None
    """The module's class from the first call on."""

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their shapes, from the arguments of a call."""
        raise NotImplementedError(
            f"initialize_parameters is not implemented for {type(self).__name__}"
        )

    def has_uninitialized_params(self) -> bool:
        """Return whether a parameter or buffer has no shape yet."""
        return any(map(is_lazy, [*self._parameters.values(), *self._buffers.values()]))

    if not TYPE_CHECKING:  # a call has the types of `forward`

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            self.initialize_parameters(*args, **kwargs)
            if self.has_uninitialized_params():
                raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
            if self.cls_to_become is None:
                return super().__call__(*args, **kwargs)
            self.__class__ = self.cls_to_become
            return self(*args, **kwargs)


class LazyAffine(LazyModuleMixin, Affine):
    """A linear layer or convolution that learns its number of input features or channels."""

    counted: ClassVar[str]
    """The attribute with that number."""

    def make_parameters(
        self, shape: tuple[int, ...], out: int, bias: bool, **place: Unpack[Place]
    ) -> None:
        """Make weight and bias without shapes."""
        check_place(type(self).__name__, place)
        self._out = out
        self.weight = UninitializedParameter(**place)
        self.register_parameter("bias", UninitializedParameter(**place) if bias else None)

    def reset_parameters(self) -> None:
        """Draw weight and bias again, once their shapes are known."""
        if not self.has_uninitialized_params() and getattr(self, self.counted):
            super().reset_parameters()

    def count(self, input: Tensor) -> int:
        """Return the number of features or channels of `input`."""
        return input.shape[-1]

    def initialize_parameters(self, input: Tensor) -> None:
        """Set shapes from the input and draw values; loaded parameters keep their values."""
        fresh = self.has_uninitialized_params()
        if fresh or not getattr(self, self.counted):
            setattr(self, self.counted, self.count(input))
        if fresh:
            for parameter, shape in (
                (self.weight, self.shape_of_weight()),
                (self.bias, (self._out or self.out_channels,)),
            ):
                if is_lazy(parameter):
                    parameter.materialize(shape)
            self.reset_parameters()
        del self._out


class LazyLinear(LazyAffine, Linear):
    """A `Linear` that learns `in_features` from its first input."""

    cls_to_become = Linear
    counted = "in_features"

    def __init__(self, out_features: int, bias: bool = True, **place: Unpack[Place]) -> None:
        super().__init__(0, out_features, bias, **place)


class LazyConvolution(LazyAffine, Convolution):
    """The base of lazy convolutions."""

    counted = "in_channels"

    def __init__(self, out_channels: int, kernel_size: Any, *args: Any, **options: Any) -> None:
        """Take the ordinary layer's arguments without `in_channels`.

        The other channels are checked when there is an input.
        """
        super().__init__(0, 0, kernel_size, *args, **options)
        self.out_channels = out_channels

    def count(self, input: Tensor) -> int:
        ranks = self.rank + 1, self.rank + 2
        if input.dim() not in ranks:
            wanted = f"Expected {ranks[0]}D (unbatched) or {ranks[1]}D (batched) input to"
            raise RuntimeError(
                f"{wanted} {type(self).__name__}, but got input of size: {input.shape}"
            )
        channels = input.shape[-ranks[0]]
        if channels % self.groups:
            raise ValueError("in_channels must be divisible by groups")
        return channels


class LazyConv1d(LazyConvolution, Conv1d):
    """A `Conv1d` that learns `in_channels` from its first input."""

    cls_to_become = Conv1d


class LazyConv2d(LazyConvolution, Conv2d):
    """A `Conv2d` that learns `in_channels` from its first input."""

    cls_to_become = Conv2d


class LazyConv3d(LazyConvolution, Conv3d):
    """A `Conv3d` that learns `in_channels` from its first input."""

    cls_to_become = Conv3d


class LazyConvTranspose1d(LazyConvolution, ConvTranspose1d):
    """A `ConvTranspose1d` that learns `in_channels` from its first input."""

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(LazyConvolution, ConvTranspose2d):
    """A `ConvTranspose2d` that learns `in_channels` from its first input."""

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(LazyConvolution, ConvTranspose3d):
    """A `ConvTranspose3d` that learns `in_channels` from its first input."""

    cls_to_become = ConvTranspose3d


class LazyBatchNorm(LazyModuleMixin, _BatchNorm):
    """The base of lazy normalization layers."""

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        **options: Any,
    ) -> None:
        super().__init__(0, eps, momentum, affine, track_running_stats, **options)
        place: Any = {name: options.get(name) for name in ("device", "dtype")}
        for name, parameter in self._parameters.items():
            if parameter is not None:
                self._parameters[name] = UninitializedParameter(**place)
        for name in ("running_mean", "running_var"):
            if self._buffers[name] is not None:
                self._buffers[name] = UninitializedBuffer(**place)

    def reset_parameters(self) -> None:
        """Reset weight, bias and statistics, once the shapes are known."""
        if self.num_features:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Set shapes from the input."""
        fresh = self.has_uninitialized_params()
        if fresh or not self.num_features:
            self.num_features = input.shape[1]
        if fresh:
            for tensor in (*self._parameters.values(), *self._buffers.values()):
                if is_lazy(tensor):
                    tensor.materialize((self.num_features,))
            self.reset_parameters()


class LazyBatchNorm1d(LazyBatchNorm, BatchNorm1d):
    """A `BatchNorm1d` that learns `num_features` from its first input."""

    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(LazyBatchNorm, BatchNorm2d):
    """A `BatchNorm2d` that learns `num_features` from its first input."""

    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(LazyBatchNorm, BatchNorm3d):
    """A `BatchNorm3d` that learns `num_features` from its first input."""

    cls_to_become = BatchNorm3d


class LazyInstanceNorm1d(LazyBatchNorm, InstanceNorm1d):
    """An `InstanceNorm1d` that learns `num_features` from its first input."""

    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(LazyBatchNorm, InstanceNorm2d):
    """An `InstanceNorm2d` that learns `num_features` from its first input."""

    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(LazyBatchNorm, InstanceNorm3d):
    """An `InstanceNorm3d` that learns `num_features` from its first input."""

    cls_to_become = InstanceNorm3d
