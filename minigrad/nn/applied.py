"""Functions as modules, with their options as attributes: activations and pooling.

The functions of the same names in `functional` document the computations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, dataclass_transform

from ..ops.pointwise.elementwise import sigmoid
from ..ops.pointwise.trigonometry import tanh
from ..tensors.tensor import Tensor
from . import functional as F
from .module import Module


def show_attributes(module: Module, *names: str) -> str:
    """Return attributes of a module as its text shows them."""
    return ", ".join(f"{name}={getattr(module, name)}" for name in names)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class Applied(Module):
    """A function of `functional` as a module.

    Every subclass is a dataclass: its fields are the options of the function, by name.
    """

    function: ClassVar[Callable[..., Tensor]]

    def __init_subclass__(cls) -> None:
        dataclass(eq=False, repr=False)(cls)

    def __post_init__(self) -> None:
        super().__init__()

    def options(self) -> dict[str, Any]:
        """Return the fields and their values."""
        names: tuple[str, ...] = self.__match_args__  # the fields of a dataclass
        return {name: getattr(self, name) for name in names}

    def forward(self, input: Tensor) -> Tensor:
        return self.function(input, **self.options())

    def extra_repr(self) -> str:
        options = {k: repr(v) if isinstance(v, str) else v for k, v in self.options().items()}
        shown = [f"{k}={v}" for k, v in options.items() if k != "inplace"]
        return ", ".join(shown + ["inplace=True"] * bool(getattr(self, "inplace", False)))


# --- Activations


class InPlace(Applied):
    """An activation whose only option is to overwrite its input."""

    inplace: bool = False


class ReLU(InPlace):
    """Compute max(x, 0)."""

    function = staticmethod(F.relu)


class SiLU(InPlace):
    """Compute x * sigmoid(x)."""

    function = staticmethod(F.silu)


class LeakyReLU(Applied):
    """Return x where it is positive, negative_slope * x elsewhere."""

    negative_slope: float = 0.01
    inplace: bool = False
    function = staticmethod(F.leaky_relu)


class ELU(Applied):
    """Return x where it is positive, alpha * (exp(x) - 1) elsewhere."""

    alpha: float = 1.0
    inplace: bool = False
    function = staticmethod(F.elu)


class Hardtanh(Applied):
    """Limit x to the range from min_val to max_val."""

    min_val: float = -1.0
    max_val: float = 1.0
    inplace: bool = False
    function = staticmethod(F.hardtanh)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_val <= self.min_val:
            wrong = f"max_val ({self.max_val}) must be greater than min_val ({self.min_val})"
            raise AssertionError(wrong)


class ReLU6(InPlace):
    """Limit x to the range from 0 to 6."""

    function = staticmethod(partial(F.hardtanh, min_val=0.0, max_val=6.0))


class GELU(Applied):
    """Multiply x by the probability that a normal variable is smaller."""

    approximate: str = "none"
    function = staticmethod(F.gelu)


class Softplus(Applied):
    """Compute ln(1 + exp(beta x)) / beta; x itself where beta x > threshold."""

    beta: float = 1.0
    threshold: float = 20.0
    function = staticmethod(F.softplus)


class Sigmoid(Applied):
    """Compute 1 / (1 + exp(-x))."""

    function = staticmethod(sigmoid)


class Tanh(Applied):
    """Compute the hyperbolic tangent."""

    function = staticmethod(tanh)


class LogSigmoid(Applied):
    """Compute the logarithm of the sigmoid."""

    function = staticmethod(F.logsigmoid)


class Softmax(Applied):
    """Divide exp(x) by its sum along `dim`."""

    dim: int | None = None
    function = staticmethod(F.softmax)


class Softmin(Softmax):
    """Compute the softmax of -x."""

    function = staticmethod(F.softmin)


class LogSoftmax(Softmax):
    """Compute the logarithm of softmax."""

    function = staticmethod(F.log_softmax)


class Threshold(Applied):
    """Replace the elements that are not above `threshold` by `value`."""

    threshold: float
    value: float
    inplace: bool = False
    function = staticmethod(F.threshold)


class Unshown(InPlace):
    """An activation whose text never shows `inplace`."""

    def extra_repr(self) -> str:
        return ""


class Hardsigmoid(Unshown):
    """Compute relu6(x + 3) / 6."""

    function = staticmethod(F.hardsigmoid)


class Hardswish(Unshown):
    """Compute x * relu6(x + 3) / 6."""

    function = staticmethod(F.hardswish)


class Mish(InPlace):
    """Compute x * tanh(softplus(x))."""

    function = staticmethod(F.mish)


class SELU(InPlace):
    """Compute elu with the constants that keep mean 0 and variance 1."""

    function = staticmethod(F.selu)


class CELU(Applied):
    """Return x where it is positive, alpha * (exp(x / alpha) - 1) elsewhere."""

    alpha: float = 1.0
    inplace: bool = False
    function = staticmethod(F.celu)


class RReLU(Applied):
    """Return x where it is positive, and x times a drawn slope elsewhere."""

    lower: float = 1 / 8
    upper: float = 1 / 3
    inplace: bool = False

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Shrink(Applied):
    """The base of both shrinkages."""

    lambd: float = 0.5

    def extra_repr(self) -> str:
        return str(self.lambd)


class Softshrink(Shrink):
    """Move x towards 0 by `lambd`, at most to 0."""

    function = staticmethod(F.softshrink)


class Hardshrink(Shrink):
    """Set x to 0 where it lies within `lambd` of 0."""

    function = staticmethod(F.hardshrink)


class Softsign(Applied):
    """Compute x / (1 + |x|)."""

    function = staticmethod(F.softsign)


class Tanhshrink(Applied):
    """Compute x - tanh(x)."""

    function = staticmethod(F.tanhshrink)


class GLU(Applied):
    """Multiply the first half along `dim` by the sigmoid of the second half."""

    dim: int = -1
    function = staticmethod(F.glu)


class Softmax2d(Module):
    """Compute the softmax over the channels of images [N, C, H, W] or [C, H, W]."""

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise ValueError(
                f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead"
            )
        return F.softmax(input, -3)


# --- Pooling


class Pool(Applied):
    """Windows of `kernel_size`, one every `stride` (by default their size)."""

    kernel_size: Any
    stride: Any = None
    padding: Any = 0
    names: ClassVar[tuple[str, ...]] = ("kernel_size", "stride", "padding")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stride is None:
            self.stride = self.kernel_size

    def extra_repr(self) -> str:
        return show_attributes(self, *self.names)


class MaxPool(Pool):
    """Return the largest element of each window."""

    dilation: Any = 1
    return_indices: bool = False
    ceil_mode: bool = False
    names = (*Pool.names, "dilation", "ceil_mode")


class MaxPool1d(MaxPool):
    """Return the largest element of each window of sequences."""

    function = staticmethod(F.max_pool1d)


class MaxPool2d(MaxPool):
    """Return the largest element of each window of images."""

    function = staticmethod(F.max_pool2d)


class MaxPool3d(MaxPool):
    """Return the largest element of each window of volumes."""

    function = staticmethod(F.max_pool3d)


class AvgPool1d(Pool):
    """Return the mean of each window of sequences."""

    ceil_mode: bool = False
    count_include_pad: bool = True
    function = staticmethod(F.avg_pool1d)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("kernel_size", "stride", "padding"):
            value = getattr(self, name)
            setattr(self, name, value if isinstance(value, tuple) else (value,))


class AvgPool2d(Pool):
    """Return the mean of each window of images."""

    ceil_mode: bool = False
    count_include_pad: bool = True
    divisor_override: int | None = None
    function = staticmethod(F.avg_pool2d)


class AvgPool3d(AvgPool2d):
    """Return the mean of each window of volumes."""

    function = staticmethod(F.avg_pool3d)


class MaxUnpool(Pool):
    """Put the largest elements of windows back to their positions."""

    rank: ClassVar[int]

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("kernel_size", "stride", "padding"):
            value = getattr(self, name)
            setattr(self, name, value if hasattr(value, "__iter__") else (value,) * self.rank)

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:  # type: ignore[override]
        how = (self.kernel_size, self.stride, self.padding)
        return self.function(input, indices, *how, output_size)


class MaxUnpool1d(MaxUnpool):
    """Put the largest elements of sequences back to their positions."""

    rank = 1
    function = staticmethod(F.max_unpool1d)


class MaxUnpool2d(MaxUnpool):
    """Put the largest elements of images back to their positions."""

    rank = 2
    function = staticmethod(F.max_unpool2d)


class MaxUnpool3d(MaxUnpool):
    """Put the largest elements of volumes back to their positions."""

    rank = 3
    function = staticmethod(F.max_unpool3d)


class Adaptive(Applied):
    """The base of pooling that divides its input into `output_size` parts."""

    output_size: Any

    def extra_repr(self) -> str:
        return show_attributes(self, "output_size")


class AdaptiveAvgPool1d(Adaptive):
    """Return means over windows that divide sequences into `output_size` parts."""

    function = staticmethod(F.adaptive_avg_pool1d)


class AdaptiveAvgPool2d(Adaptive):
    """Return means over windows that divide images into `output_size` parts."""

    function = staticmethod(F.adaptive_avg_pool2d)


class AdaptiveAvgPool3d(Adaptive):
    """Return means over windows that divide volumes into `output_size` parts."""

    function = staticmethod(F.adaptive_avg_pool3d)


class AdaptiveMax(Adaptive):
    """The base of pooling that returns the largest element of each part."""

    return_indices: bool = False


class AdaptiveMaxPool1d(AdaptiveMax):
    """Return the largest elements of windows that divide sequences."""

    function = staticmethod(F.adaptive_max_pool1d)


class AdaptiveMaxPool2d(AdaptiveMax):
    """Return the largest elements of windows that divide images."""

    function = staticmethod(F.adaptive_max_pool2d)


class AdaptiveMaxPool3d(AdaptiveMax):
    """Return the largest elements of windows that divide volumes."""

    function = staticmethod(F.adaptive_max_pool3d)
