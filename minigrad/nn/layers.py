"""Layers with weights: linear, convolution, embedding; and layers that only reshape or drop."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, TypedDict, Unpack, cast

from ..ops.indexing.gathering import padding_row
from ..ops.neural.dropout import check_probability
from ..ops.neural.embedding import check_dense
from ..tensors.creation import empty
from ..tensors.tensor import Tensor
from . import functional as F
from . import init
from .applied import Applied, show_attributes
from .module import Module
from .parameter import Parameter


class Place(TypedDict, total=False):
    """Named arguments of every layer with parameters: their device and dtype."""

    device: Any
    dtype: Any


def check_place(name: str, place: Place) -> None:
    """Raise for a keyword that no layer has; `name` is the class that PyTorch names."""
    for word in place:
        if word not in Place.__annotations__:
            raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{word}'")


def weight(shape: int | tuple[int, ...], **place: Unpack[Place]) -> Parameter:
    """Make a parameter of the given shape, with arbitrary values."""
    return Parameter(empty(shape, **place))


class Identity(Module):
    """The input, unchanged; accepts any arguments."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Affine(Module):
    """The base of linear layers and convolutions: `weight`, and an optional `bias`."""

    def make_parameters(
        self, shape: tuple[int, ...], out: int, bias: bool, **place: Unpack[Place]
    ) -> None:
        """Make a weight of the given shape and a bias [out], drawn at random."""
        self.weight = weight(shape, **place)
        self.register_parameter("bias", weight(out, **place) if bias else None)
        self.reset_parameters()

    def shape_of_weight(self) -> tuple[int, ...]:
        """Return the shape of the weight, from the layer's other attributes."""
        raise NotImplementedError

    def reset_parameters(self) -> None:
        """Draw weight and bias again, uniformly within 1 / sqrt(number of inputs) of 0."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        inputs = math.prod(self.weight.shape[1:])
        if self.bias is not None:
            bound = 1 / math.sqrt(inputs) if inputs else 0
            init.uniform_(self.bias, -bound, bound)


class Linear(Affine):
    """A linear layer: input @ weight.T + bias.

    Weight and bias are drawn uniformly within 1 / sqrt(in_features) of 0.

    >>> import minigrad as mg
    >>> mg.nn.Linear(3, 2)(mg.ones(4, 3)).shape
    torch.Size([4, 2])
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, **place: Unpack[Place]
    ) -> None:
        super().__init__()
        check_place(type(self).__name__, place)
        self.in_features = in_features
        self.out_features = out_features
        self.make_parameters(self.shape_of_weight(), out_features, bias, **place)

    def shape_of_weight(self) -> tuple[int, ...]:
        """Return [out, in]."""
        return (self.out_features, self.in_features)

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"{show_attributes(self, 'in_features', 'out_features')}, bias={self.bias is not None}"
        )


class Bilinear(Affine):
    """Compute x1 W x2 + bias, with a matrix W for each feature of the result.

    The inputs have the shapes [..., in1_features] and [..., in2_features].

    >>> import minigrad as mg
    >>> mg.nn.Bilinear(2, 3, 4)(mg.ones(5, 2), mg.ones(5, 3)).shape
    torch.Size([5, 4])
    """

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        **place: Unpack[Place],
    ) -> None:
        super().__init__()
        check_place(type(self).__name__, place)
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.make_parameters(self.shape_of_weight(), out_features, bias, **place)

    def shape_of_weight(self) -> tuple[int, ...]:
        """Return [out, in1, in2]."""
        return (self.out_features, self.in1_features, self.in2_features)

    def reset_parameters(self) -> None:
        """Draw weight and bias again, uniformly within 1 / sqrt(in1_features) of 0."""
        if self.in1_features <= 0:
            found = f"(in1_features={self.in1_features})"
            raise ValueError(f"in1_features must be > 0, but got {found}")
        bound = 1 / math.sqrt(self.in1_features)
        for each in self.parameters(recurse=False):
            init.uniform_(each, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        sizes = show_attributes(self, "in1_features", "in2_features", "out_features")
        return f"{sizes}, bias={self.bias is not None}"


PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class Convolution(Affine):
    """The base of Conv1d, Conv2d and Conv3d."""

    rank: ClassVar[int]
    function: ClassVar[Callable[..., Tensor]]

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        **place: Unpack[Place],
    ) -> None:
        super().__init__()
        check_place(type(self).__name__, place)
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % groups:
                raise ValueError(f"{name} must be divisible by groups")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                names = "{'same', 'valid'}"
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {names}")
            if padding == "same" and any(step != 1 for step in self._each(stride)):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in PADDING_MODES:
            modes = ", ".join(map(repr, PADDING_MODES))
            raise ValueError(
                f"padding_mode must be one of {{{modes}}}, but got padding_mode='{padding_mode}'"
            )
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = self._each(kernel_size)
        self.stride = self._each(stride)
        self.padding = padding if isinstance(padding, str) else self._each(padding)
        self.dilation = self._each(dilation)
        self.groups = groups
        self.padding_mode = padding_mode
        self.make_parameters(self.shape_of_weight(), out_channels, bias, **place)

    def shape_of_weight(self) -> tuple[int, ...]:
        """Return [channels out, channels in of a group, *kernel]."""
        return (self.out_channels, self.in_channels // self.groups, *self.kernel_size)

    def _each(self, value: Any) -> tuple[int, ...]:
        return tuple(value) if hasattr(value, "__iter__") else (value,) * self.rank

    def forward(self, input: Tensor) -> Tensor:
        padding: Any = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._around(), mode=self.padding_mode)
            padding = (0,) * self.rank
        how = (self.stride, padding, self.dilation, self.groups)
        return self.function(input, self.weight, self.bias, *how)

    def _around(self) -> tuple[int, ...]:
        """Return the numbers of elements to add before and after, the last direction first."""
        if not isinstance(self.padding, str):
            return tuple([n for n in reversed(self.padding) for _ in range(2)])
        spans = [gap * (k - 1) for gap, k in zip(self.dilation, self.kernel_size, strict=True)]
        totals = [n if self.padding == "same" else 0 for n in reversed(spans)]
        return tuple([n for total in totals for n in (total // 2, total - total // 2)])

    def extra_repr(self) -> str:
        return self.described({"padding": 0, "dilation": 1, "groups": 1})

    def described(self, usual: dict[str, Any]) -> str:
        """Return channels, kernel and stride, and the options that differ from the `usual` ones."""
        given = {name: getattr(self, name) for name in usual}
        each = {k: set(v) if isinstance(v, tuple) else {v} for k, v in given.items()}
        names = [name for name, value in usual.items() if not each[name] <= {value}]
        options = show_attributes(self, "kernel_size", "stride", *names)
        text = f"{self.in_channels}, {self.out_channels}, {options}"
        text = text if self.bias is not None else text + ", bias=False"
        mode = self.padding_mode
        return text if mode == "zeros" else f"{text}, padding_mode={mode}"


class Conv1d(Convolution):
    """Convolution of sequences [N, C, L]; see `functional.conv1d`."""

    rank = 1
    function = staticmethod(F.conv1d)


class Conv2d(Convolution):
    """Convolution of images [N, C, H, W]; see `functional.conv2d`."""

    rank = 2
    function = staticmethod(F.conv2d)


class Conv3d(Convolution):
    """Convolution of volumes [N, C, D, H, W]; see `functional.conv3d`."""

    rank = 3
    function = staticmethod(F.conv3d)


class ConvTranspose(Convolution):
    """The base of the transposed convolutions."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        **place: Unpack[Place],
    ) -> None:
        if padding_mode != "zeros":
            wrong = f'Only "zeros" padding mode is supported for {type(self).__name__}'
            raise ValueError(wrong)
        args = (in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias)
        super().__init__(*args, **place)
        self.output_padding = self._each(output_padding)

    def shape_of_weight(self) -> tuple[int, ...]:
        return (self.in_channels, self.out_channels // self.groups, *self.kernel_size)

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        """Convolve transposed.

        `output_size` selects one of the sizes that `input` may come from, where the stride leaves a
        choice.
        """
        extra = self.output_padding if output_size is None else self.extra(input, output_size)
        how = (self.stride, self.padding, extra, self.groups, self.dilation)
        return self.function(input, self.weight, self.bias, *how)

    def extra(self, input: Tensor, output_size: Any) -> tuple[int, ...]:
        """Return the output padding for which the result has `output_size`."""
        rank, sizes = self.rank, list(output_size)
        if len(sizes) == input.dim():
            sizes = sizes[-rank:]
        if len(sizes) != rank:
            wanted = f"output_size must have {rank} or {input.dim()} elements"
            where = f"ConvTranspose{rank}D: for {input.dim()}D input"
            raise ValueError(f"{where}, {wanted} (got {len(sizes)})")
        spans = [gap * (k - 1) + 1 for gap, k in zip(self.dilation, self.kernel_size, strict=True)]
        padding = cast("tuple[int, ...]", self.padding)
        each = zip(input.shape[-rank:], self.stride, padding, spans, strict=True)
        least = [(n - 1) * step - 2 * pad + span for n, step, pad, span in each]
        most = [n + step - 1 for n, step in zip(least, self.stride, strict=True)]
        if any(not low <= n <= high for low, n, high in zip(least, sizes, most, strict=True)):
            wanted = f"requested an output size of {output_size}, but valid sizes range from"
            shape = f"(for an input of {input.size()[2:]})"
            raise ValueError(f"{wanted} {least} to {most} {shape}")
        return tuple([n - low for n, low in zip(sizes, least, strict=True)])

    def extra_repr(self) -> str:
        return self.described({"padding": 0, "dilation": 1, "output_padding": 0, "groups": 1})


class ConvTranspose1d(ConvTranspose):
    """Transposed convolution of sequences [N, C, L]; see `functional.conv_transpose1d`."""

    rank = 1
    function = staticmethod(F.conv_transpose1d)


class ConvTranspose2d(ConvTranspose):
    """Transposed convolution of images [N, C, H, W]; see `functional.conv_transpose2d`."""

    rank = 2
    function = staticmethod(F.conv_transpose2d)


class ConvTranspose3d(ConvTranspose):
    """Transposed convolution of volumes [N, C, D, H, W]; see `functional.conv_transpose3d`."""

    rank = 3
    function = staticmethod(F.conv_transpose3d)


class PReLU(Module):
    """Return x where it is positive, weight * x elsewhere.

    There is one weight, or one for each channel.
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, **place: Unpack[Place]) -> None:
        check_place("PReLU", place)
        self.num_parameters = num_parameters
        super().__init__()
        self.init = init
        self.weight = weight(num_parameters, **place)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set all weights to `init`."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return show_attributes(self, "num_parameters")


class Embedding(Module):
    """A vector for each of a number of things: the rows of `weight`, looked up by index.

    The vectors are drawn from the normal distribution; the one at `padding_idx` is zero.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Any = None,
        _freeze: bool = False,
        **place: Unpack[Place],
    ) -> None:
        super().__init__()
        check_place("Embedding", place)
        check_dense(sparse)
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_row(padding_idx, num_embeddings)
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        shape = (num_embeddings, embedding_dim)
        if _weight is not None:
            if tuple(_weight.shape) != shape:
                raise AssertionError(
                    "Shape of weight does not match num_embeddings and embedding_dim"
                )
            self.weight = Parameter(_weight, requires_grad=not _freeze)
        else:
            self.weight = weight(shape, **place)
            self.reset_parameters()

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        **options: Any,
    ) -> Embedding:
        """Make a layer with the given vectors, [num_embeddings, embedding_dim]."""
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings.shape
        return cls(rows, columns, padding_idx, _weight=embeddings, _freeze=freeze, **options)

    def reset_parameters(self) -> None:
        """Draw the vectors again."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            init.zeros_(self.weight.data[self.padding_idx])

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(
            input,
            self.weight,
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.sparse,
        )

    def extra_repr(self) -> str:
        usual = {"padding_idx": None, "max_norm": None, "norm_type": 2}
        shown = [
            f", {name}={getattr(self, name)!r}"
            for name, value in usual.items()
            if getattr(self, name) != value
        ]
        # A value that is no bool is shown too.
        if self.scale_grad_by_freq is not False:
            shown.append(f", scale_grad_by_freq={self.scale_grad_by_freq}")
        shown += [", sparse=True"] * (self.sparse is not False)
        return f"{self.num_embeddings}, {self.embedding_dim}{''.join(shown)}"


class Flatten(Applied):
    """Merge the dimensions from `start_dim` to `end_dim` into one."""

    start_dim: int = 1
    end_dim: int = -1

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)


class Dropout(Applied):
    """Set elements to zero with probability `p` in training, and scale the others up."""

    p: float = 0.5
    inplace: bool = False
    function: ClassVar[Callable[..., Tensor]] = staticmethod(F.dropout)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_probability(self.p)

    def forward(self, input: Tensor) -> Tensor:
        return self.function(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return show_attributes(self, "p", "inplace")


class Dropout2d(Dropout):
    """Set whole channels of images [N, C, H, W] to zero in training."""

    function = staticmethod(F.dropout2d)
