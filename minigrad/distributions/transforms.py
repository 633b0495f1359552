"""Invertible functions of draws, with the factor by which each stretches space.

A transform is called like a function. Its subclass defines `_call`, `_inverse` and
`log_abs_det_jacobian`; the names are PyTorch's, so that users' own transforms work on both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add, mul
from typing import Any, ClassVar

from ..arrays.dtypes import finfo
from ..ops.linear_algebra.factorizations import linalg_cholesky as cholesky
from ..ops.neural.padding import pad
from ..ops.pointwise.activations import logsigmoid, softplus
from ..ops.pointwise.elementwise import sigmoid
from ..tensors.creation import full_like, zeros_like
from ..tensors.settings import broadcast_shapes
from ..tensors.tensor import Size, Tensor
from . import constraints
from .distribution import Distribution, broadcast_all, sum_rightmost

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "ComposeTransform",
    "CumulativeDistributionTransform",
    "ExpTransform",
    "IndependentTransform",
    "LowerCholeskyTransform",
    "PositiveDefiniteTransform",
    "PowerTransform",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftmaxTransform",
    "SoftplusTransform",
    "StickBreakingTransform",
    "TanhTransform",
    "Transform",
    "identity_transform",
]


class Transform:
    """A function of draws, with its inverse.

    Args:
        cache_size: 1 keeps the last argument and its result, so that the inverse of the result is
            the argument itself; 0 keeps nothing.
    """

    bijective: Any = False
    domain: Any
    codomain: Any
    options: ClassVar[tuple[str, ...]] = ()
    """The attributes with which the same transform is made again."""

    def __init__(self, cache_size: int = 0) -> None:
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._kept: tuple[Any, Any] = None, None
        self._inverted: Transform | None = None

    @property
    def event_dim(self) -> int:
        """How many dimensions belong together, on both sides."""
        if self.domain.event_dim != self.codomain.event_dim:
            raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")
        return int(self.domain.event_dim)

    @property
    def inv(self) -> Transform:
        """The inverse transform."""
        if self._inverted is None:
            self._inverted = Inverse(self)
        return self._inverted

    @property
    def sign(self) -> Any:
        """The sign of the slope, where it is the same everywhere."""
        raise NotImplementedError

    def with_cache(self, cache_size: int = 1) -> Transform:
        """Return the same transform, with another size of its cache."""
        if self._cache_size == cache_size:
            return self
        if not self.options and type(self).__init__ is not Transform.__init__:
            raise NotImplementedError(f"{type(self)}.with_cache is not implemented")
        options = {name: getattr(self, name) for name in self.options}
        return type(self)(**options, cache_size=cache_size)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None  # type: ignore[assignment]

    def __call__(self, x: Any) -> Any:
        if not self._cache_size:
            return self._call(x)
        if self._kept[0] is not x:
            self._kept = x, self._call(x)
        return self._kept[1]

    def _inv_call(self, y: Any) -> Any:
        if not self._cache_size:
            return self._inverse(y)
        if self._kept[1] is not y:
            self._kept = self._inverse(y), y
        return self._kept[0]

    def _call(self, x: Any) -> Any:
        raise NotImplementedError

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of the factor by which a volume at `x` grows; `y` is its image."""
        raise NotImplementedError

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape of a result."""
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        """Return the shape of what has a result of this shape."""
        return shape

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Inverse(Transform):
    """The inverse of a transform."""

    def __init__(self, transform: Transform) -> None:
        super().__init__(transform._cache_size)
        self._inverted: Transform = transform
        self.bijective = transform.bijective

    @property
    def domain(self) -> Any:
        return self._inverted.codomain

    @property
    def codomain(self) -> Any:
        return self._inverted.domain

    @property
    def sign(self) -> Any:
        return self._inverted.sign

    def with_cache(self, cache_size: int = 1) -> Transform:
        return self._inverted.with_cache(cache_size).inv

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inverse) and self._inverted == other._inverted

    def __call__(self, x: Any) -> Any:
        return self._inverted._inv_call(x)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -self._inverted.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape: Any) -> Any:
        return self._inverted.inverse_shape(shape)

    def inverse_shape(self, shape: Any) -> Any:
        return self._inverted.forward_shape(shape)

    def __repr__(self) -> str:
        return f"_InverseTransform({self._inverted!r})"


# --- Transforms without parameters


class Fixed(Transform):
    """A transform of the real numbers that has no parameters."""

    domain: Any = constraints.real

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)


class Rising(Fixed):
    """A transform whose slope is positive everywhere."""

    bijective = True
    sign: Any = 1


class ExpTransform(Rising):
    """e to the power of each number."""

    codomain = constraints.positive

    def _call(self, x: Any) -> Any:
        return x.exp()

    def _inverse(self, y: Any) -> Any:
        return y.log()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return x


def inside(x: Any) -> Any:
    """Return probabilities limited to numbers between 0 and 1 that have logarithms."""
    limits = finfo(x.dtype)
    return x.clamp(min=limits.tiny, max=1.0 - limits.eps)


class SigmoidTransform(Rising):
    """The sigmoid, which maps the real numbers to probabilities."""

    codomain = constraints.unit_interval

    def _call(self, x: Any) -> Any:
        return inside(sigmoid(x))

    def _inverse(self, y: Any) -> Any:
        y = inside(y)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -softplus(-x) - softplus(x)


class SoftplusTransform(Rising):
    """log(1 + exp(x)), a smooth form of relu."""

    codomain = constraints.positive

    def _call(self, x: Any) -> Any:
        return softplus(x)

    def _inverse(self, y: Any) -> Any:
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -softplus(-x)


class TanhTransform(Rising):
    """The hyperbolic tangent."""

    codomain = constraints.interval(-1.0, 1.0)

    def _call(self, x: Any) -> Any:
        return x.tanh()

    def _inverse(self, y: Any) -> Any:
        return y.atanh()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


class AbsTransform(Fixed):
    """The absolute value; the inverse returns the positive one of two numbers."""

    codomain = constraints.positive

    def _call(self, x: Any) -> Any:
        return x.abs()

    def _inverse(self, y: Any) -> Any:
        return y


class OfVectors(Fixed):
    """A transform of vectors to shares that add up to 1."""

    domain = constraints.real_vector
    codomain = constraints.simplex

    def forward_shape(self, shape: Any) -> Any:
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        return shape

    inverse_shape = forward_shape


class SoftmaxTransform(OfVectors):
    """The softmax along the last dimension."""

    def _call(self, x: Any) -> Any:
        raised = (x - x.max(-1, True)[0]).exp()
        return raised / raised.sum(-1, True)

    def _inverse(self, y: Any) -> Any:
        return y.log()


def remaining(count: int, like: Any) -> Any:
    """Return how many pieces the stick is still broken into, at each of `count` breaks."""
    return count + 1 - like.new_ones(count).cumsum(-1)


class StickBreakingTransform(OfVectors):
    """A stick of length 1, of which each number breaks off a share of the rest."""

    bijective = True

    def _call(self, x: Any) -> Any:
        offset = remaining(x.shape[-1], x)
        share = inside(sigmoid(x - offset.log()))
        left = (1 - share).cumprod(-1)
        return pad(share, [0, 1], value=1) * pad(left, [1, 0], value=1)

    def _inverse(self, y: Any) -> Any:
        pieces = y[..., :-1]
        offset = remaining(pieces.shape[-1], y)
        rest = (1 - pieces.cumsum(-1)).clamp(min=finfo(y.dtype).tiny)
        return pieces.log() - rest.log() + offset.log()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        x = x - remaining(x.shape[-1], x).log()
        return (-x + logsigmoid(x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape: Any) -> Any:
        return Size((*super().forward_shape(shape)[:-1], shape[-1] + 1))

    def inverse_shape(self, shape: Any) -> Any:
        return Size((*super().forward_shape(shape)[:-1], shape[-1] - 1))


class LowerCholeskyTransform(Fixed):
    """A lower triangle, whose diagonal becomes positive."""

    domain = constraints.independent(constraints.real, 2)
    codomain: Any = constraints.lower_cholesky

    def _call(self, x: Any) -> Any:
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y: Any) -> Any:
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(LowerCholeskyTransform):
    """The product of such a triangle with its transpose."""

    codomain = constraints.positive_definite

    def _call(self, x: Any) -> Any:
        root = super()._call(x)
        return root @ root.mT

    def _inverse(self, y: Any) -> Any:
        return super()._inverse(cholesky(y))


# --- Transforms with parameters


class PowerTransform(Transform):
    """Each number to the power of `exponent`."""

    domain = codomain = constraints.positive
    bijective = True
    options = ("exponent",)

    def __init__(self, exponent: Tensor | float, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        (self.exponent,) = broadcast_all(exponent)

    @property
    def sign(self) -> Any:
        return self.exponent.sign()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PowerTransform):
            return False
        return bool((self.exponent == other.exponent).all())

    def _call(self, x: Any) -> Any:
        return x.pow(self.exponent)

    def _inverse(self, y: Any) -> Any:
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape: Any) -> Any:
        return broadcast_shapes(shape, self.exponent.shape)

    inverse_shape = forward_shape


def shape_of(value: Any) -> Any:
    """Return the shape of a tensor, or that of a number."""
    return getattr(value, "shape", ())


class AffineTransform(Transform):
    """loc + scale * x.

    Args:
        event_dim: how many of the last dimensions belong together.

    >>> import minigrad as mg
    >>> mg.distributions.AffineTransform(1.0, 2.0)(mg.tensor([0.0, 3.0]))
    tensor([1., 7.])
    """

    bijective = True
    options = ("loc", "scale", "event_dim")

    def __init__(
        self, loc: Tensor | float, scale: Tensor | float, event_dim: int = 0, cache_size: int = 0
    ) -> None:
        super().__init__(cache_size)
        self.loc: Any = loc
        self.scale: Any = scale
        self._event_dim = event_dim

    @property
    def event_dim(self) -> int:
        return self._event_dim

    @property
    def domain(self) -> Any:
        count = self._event_dim
        return constraints.independent(constraints.real, count) if count else constraints.real

    codomain = domain

    @property
    def sign(self) -> Any:
        if isinstance(self.scale, Tensor):
            return self.scale.sign()
        return (self.scale > 0) - (self.scale < 0)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AffineTransform):
            return False
        pairs = (self.loc, other.loc), (self.scale, other.scale)
        numbers = broadcast_all(*[each for pair in pairs for each in pair])
        return bool((numbers[0] == numbers[1]).all() & (numbers[2] == numbers[3]).all())

    def _call(self, x: Any) -> Any:
        return self.loc + self.scale * x

    def _inverse(self, y: Any) -> Any:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        shape = x.shape
        if isinstance(self.scale, Tensor):
            found: Any = self.scale.abs().log()
        else:
            found = full_like(x, math.log(abs(self.scale)))
        if self._event_dim:
            found = found.view((*found.shape[: -self._event_dim], -1)).sum(-1)
            shape = shape[: -self._event_dim]
        return found.expand(shape)

    def forward_shape(self, shape: Any) -> Any:
        return broadcast_shapes(shape, shape_of(self.loc), shape_of(self.scale))

    inverse_shape = forward_shape


class ReshapeTransform(Transform):
    """The elements in another shape."""

    bijective = True
    options = ("in_shape", "out_shape")

    def __init__(
        self, in_shape: Iterable[int], out_shape: Iterable[int], cache_size: int = 0
    ) -> None:
        self.in_shape, self.out_shape = Size(in_shape), Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size)

    @property
    def domain(self) -> Any:
        return constraints.independent(constraints.real, len(self.in_shape))

    @property
    def codomain(self) -> Any:
        return constraints.independent(constraints.real, len(self.out_shape))

    def _call(self, x: Any) -> Any:
        return x.reshape(x.shape[: x.dim() - len(self.in_shape)] + self.out_shape)

    def _inverse(self, y: Any) -> Any:
        return y.reshape(y.shape[: y.dim() - len(self.out_shape)] + self.in_shape)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return x.new_zeros(x.shape[: x.dim() - len(self.in_shape)])

    def forward_shape(self, shape: Any) -> Any:
        return reshaped(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape: Any) -> Any:
        return reshaped(shape, self.out_shape, self.in_shape)


def reshaped(shape: Any, old: Any, new: Any) -> Any:
    """Return a shape with its last dimensions, `old`, replaced by `new`."""
    cut = len(shape) - len(old)
    if cut < 0:
        raise ValueError("Too few dimensions on input")
    if shape[cut:] != old:
        raise ValueError(f"Shape mismatch: expected {shape[cut:]} but got {old}")
    return shape[:cut] + new


class CumulativeDistributionTransform(Transform):
    """The probability of a smaller draw, by the `cdf` of a distribution."""

    bijective = True
    codomain = constraints.unit_interval
    sign = 1
    options = ("distribution",)

    def __init__(self, distribution: Distribution, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.distribution = distribution

    @property
    def domain(self) -> Any:
        return self.distribution.support

    def _call(self, x: Any) -> Any:
        return self.distribution.cdf(x)

    def _inverse(self, y: Any) -> Any:
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return self.distribution.log_prob(x)


# --- Transforms of transforms


class IndependentTransform(Transform):
    """A transform whose last dimensions belong together, so that their factors are summed."""

    options = ("base_transform", "reinterpreted_batch_ndims")

    def __init__(
        self, base_transform: Transform, reinterpreted_batch_ndims: int, cache_size: int = 0
    ) -> None:
        super().__init__(cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.bijective = base_transform.bijective

    @property
    def domain(self) -> Any:
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @property
    def codomain(self) -> Any:
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    @property
    def sign(self) -> Any:
        return self.base_transform.sign

    def _call(self, x: Any) -> Any:
        if x.dim() < self.domain.event_dim:
            raise ValueError("Too few dimensions on input")
        return self.base_transform(x)

    def _inverse(self, y: Any) -> Any:
        if y.dim() < self.codomain.event_dim:
            raise ValueError("Too few dimensions on input")
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        found = self.base_transform.log_abs_det_jacobian(x, y)
        return sum_rightmost(found, self.reinterpreted_batch_ndims)

    def forward_shape(self, shape: Any) -> Any:
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape: Any) -> Any:
        return self.base_transform.inverse_shape(shape)

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}({self.base_transform!r}, {self.reinterpreted_batch_ndims})"


def coupled(first: Any, steps: Iterable[tuple[Any, Any]]) -> Any:
    """Return a constraint on as many dimensions as a chain of transforms couples.

    Each step leads from one constraint to the next, beginning at the other end of the chain.
    """
    pairs = [*steps]
    count = pairs[0][0].event_dim
    for before, after in pairs:
        count = max(count + after.event_dim - before.event_dim, after.event_dim)
    more = count - first.event_dim
    return constraints.independent(first, more) if more else first


class ComposeTransform(Transform):
    """Several transforms, one after the other.

    >>> import minigrad as mg
    >>> D = mg.distributions
    >>> D.ComposeTransform([D.AffineTransform(1.0, 2.0), D.ExpTransform()])(mg.tensor(0.0))
    tensor(2.7183)
    """

    options = ("parts",)

    def __init__(self, parts: Sequence[Transform], cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts
        self.bijective = all(part.bijective for part in parts)

    @property
    def domain(self) -> Any:
        if not self.parts:
            return constraints.real
        steps = [(part.codomain, part.domain) for part in reversed(self.parts)]
        return coupled(self.parts[0].domain, steps)

    @property
    def codomain(self) -> Any:
        if not self.parts:
            return constraints.real
        steps = [(part.domain, part.codomain) for part in self.parts]
        return coupled(self.parts[-1].codomain, steps)

    @property
    def sign(self) -> Any:
        return reduce(mul, (part.sign for part in self.parts), 1)

    @property
    def inv(self) -> Transform:
        if self._inverted is None:
            self._inverted = ComposeTransform([part.inv for part in reversed(self.parts)])
            self._inverted._inverted = self
        return self._inverted

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    def __call__(self, x: Any) -> Any:
        return reduce(lambda value, part: part(value), self.parts, x)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        if not self.parts:
            return zeros_like(x)
        points = [x]
        for part in self.parts[:-1]:
            points.append(part(points[-1]))
        points.append(y)
        terms, count = [], self.domain.event_dim
        for part, before, after in zip(self.parts, points[:-1], points[1:], strict=True):
            found = part.log_abs_det_jacobian(before, after)
            terms.append(sum_rightmost(found, count - part.domain.event_dim))
            count += part.codomain.event_dim - part.domain.event_dim
        return reduce(add, terms)

    def forward_shape(self, shape: Any) -> Any:
        return reduce(lambda found, part: part.forward_shape(found), self.parts, shape)

    def inverse_shape(self, shape: Any) -> Any:
        backwards = reversed(self.parts)
        return reduce(lambda found, part: part.inverse_shape(found), backwards, shape)

    def __repr__(self) -> str:
        parts = ",\n    ".join(map(repr, self.parts))
        return f"{type(self).__name__}(\n    {parts}\n)"


identity_transform = ComposeTransform([])
"""The transform that changes nothing."""
