"""Draws whose distribution depends on a tensor, and draws into a tensor's memory.

A draw is recorded like any operation, so that the graph shows the origin of the numbers. Their
dependence on the arguments is unknown, so all its gradients are zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays import draws as random
from ..arrays import poisson as counts
from ..arrays.draws import Generator
from ..arrays.memory_order import in_memory_order
from ..arrays.waiting import on_host
from ..core.inplace import check_overlap, overwrite
from ..core.node import TensorBase, new_tensor, unwrap
from ..core.operation import constant_like, record
from ..ops.pointwise.arithmetic import NotImplementedBackward
from ..ops.public.dims import common_shape
from ..ops.public.functions import MISSING, schema
from ..ops.public.kinds import Constant
from ..ops.shapes.copies import check_writable
from ..ops.shapes.shapes import expand
from .creation import as_number, as_whole, by_name, kind, new_leaf, normal_for, shape_of


class Draw(Constant):
    """A draw: no gradient flows back through it."""


class UniformBackward0(Draw):
    """`uniform_`."""


class RandomBackward0(Draw):
    """`random_` between two bounds."""


class RandomBackward1(Draw):
    """`random_` below a bound."""


class RandomBackward2(Draw):
    """`random_` over the whole dtype."""


class NormalBackward0(Draw):
    """`normal_`."""


class NormalBackward1(Draw):
    """`normal` with a tensor of means."""

    inputs = ("mean",)


class NormalBackward2(Draw):
    """`normal` with a tensor of standard deviations."""

    inputs = ("std",)


class NormalBackward3(Draw):
    """`normal` with tensors of both."""

    inputs = ("mean", "std")


class ExponentialBackward0(Draw):
    """`exponential_`."""


class CauchyBackward0(Draw):
    """`cauchy_`."""


class GeometricBackward0(Draw):
    """`geometric_`."""


class LogNormalBackward0(Draw):
    """`log_normal_`."""


class PoissonBackward0(Draw):
    """`poisson` with the rates in the tensor."""


class BernoulliBackward0(Draw):
    """`bernoulli` with the probabilities in the tensor."""


class BernoulliBackward1(Draw):
    """`bernoulli_` with a tensor of probabilities."""

    inputs = ("self", "p")


class BernoulliBackward2(Draw):
    """`bernoulli_` with one probability."""


def get_rng_state() -> TensorBase:
    """Return the state of the default generator, as a tensor of bytes for `set_rng_state`."""
    return new_tensor(random.get_rng_state())


# --- Draws that read a tensor


def as_float(value: Any) -> float:
    """Return a number as a float.

    Raises:
        TypeError: it is not a number.
    """
    return float(value if type(value) is float else as_number(value))


@schema(
    "normal(Tensor mean, Tensor std, *, Generator? generator=None, Tensor out=None)",
    "normal(Tensor mean, float std=1, *, Generator? generator=None, Tensor out=None)",
    "normal(float mean, Tensor std, *, Generator? generator=None, Tensor out=None)",
    "normal(float mean, float std, int[] size, *, Generator? generator=None, Tensor out=None, "
    "**options)",
)
def normal(
    mean: Any,
    std: Any = MISSING,
    size: Any = MISSING,
    *,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: Any = MISSING,
) -> TensorBase:
    """Draw normal numbers: of the given `size`, or one for each element of `mean` or `std`.

    >>> import minigrad as mg
    >>> mg.normal(0.0, 1.0, size=(2, 3)).shape
    torch.Size([2, 3])
    """
    if size is not MISSING:  # PyTorch takes tensors without dimensions for numbers
        mean, std = as_number(mean), as_number(std)
    inputs = [t for t in (mean, std) if isinstance(t, TensorBase)]
    if not inputs:
        shape, bounds = shape_of("normal", (), size), (as_float(mean), as_float(std))
        drawn = random.normal(shape, kind(dtype), *bounds, generator)
        asked = None if requires_grad is MISSING else requires_grad
        return new_leaf(drawn, device=device, requires_grad=asked)
    if not size is requires_grad is MISSING or (dtype, device) != (None, None):
        raise TypeError
    if std is MISSING:
        std = 1.0
    if isinstance(std, TensorBase):
        if not (std._array >= 0).all():
            raise RuntimeError("normal expects all elements of std >= 0.0")
    elif not as_float(std) >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    if not isinstance(mean, TensorBase):
        mean = as_float(mean)
    shape = common_shape(*[t._array.shape for t in inputs])
    first = inputs[0]._array
    drawn = constant_like(first, random.randn(shape, first.dtype, generator))
    one = NormalBackward1 if isinstance(mean, TensorBase) else NormalBackward2
    op = one if len(inputs) == 1 else NormalBackward3
    value = drawn * unwrap(std) + unwrap(mean)
    return record(op, inputs, (), value.astype(drawn.dtype, copy=False))


@schema(
    "bernoulli(Tensor input, *, Generator? generator=None, Tensor out=None)",
    "bernoulli(Tensor input, float p, *, Generator? generator=None)",
)
def bernoulli(input: Any, p: Any = MISSING, *, generator: Generator | None = None) -> TensorBase:
    """Draw 1 with the probability in `input`, else 0; or with probability `p` everywhere."""
    array = input.shared_array()
    if p is not MISSING:
        drawn = random.bernoulli_constant(array.shape, array.dtype, as_float(p), generator)
        return record(NotImplementedBackward, (input,), ("bernoulli",), constant_like(array, drawn))
    drawn = random.bernoulli(on_host(array), generator)
    return record(BernoulliBackward0, (input,), (), constant_like(array, drawn))


@schema("poisson(Tensor input, Generator? generator=None)")
def poisson(input: Any, generator: Generator | None = None) -> TensorBase:
    """Draw counts of events, of which the rates in `input` are expected."""
    array = input.shared_array()
    if not isinstance(generator, Generator | None):
        raise TypeError
    drawn = counts.poisson(on_host(array), generator)
    return record(PoissonBackward0, (input,), (), constant_like(array, drawn))


@schema(
    "multinomial(Tensor input, int num_samples, bool replacement=False, *, "
    "Generator? generator=None, Tensor out=None)"
)
def multinomial(
    input: Any, num_samples: Any, replacement: Any = False, *, generator: Generator | None = None
) -> TensorBase:
    """Draw indices in proportion to the weights in `input`, for one row of weights or several."""
    if not isinstance(replacement, bool):
        raise TypeError
    array, count = input.shared_array(), as_whole(num_samples)
    drawn = random.multinomial(on_host(array), count, replacement, generator)
    return new_tensor(constant_like(array, drawn))


# --- Draws into a tensor


def check_drawable(tensor: Any, *others: Any) -> None:
    """Raise if PyTorch forbids writing to `tensor`, before anything is drawn."""
    check_writable(tensor, *others)
    check_overlap(tensor, others)


def drawn_into(tensor: Any, op: type[Draw], draw: Callable[..., Any], *args: Any) -> TensorBase:
    """Overwrite `tensor` with the result of `draw` for a shape, a dtype and `args`."""
    check_drawable(tensor)
    array = tensor._array
    drawn = in_memory_order(array, lambda shape: draw(shape, array.dtype, *args))
    return overwrite(op, tensor, (tensor,), (), drawn)


@schema("uniform_(float from=0, float to=1, *, Generator? generator=None)", place="Tensor")
def uniform_(
    self: Any, *bounds: Any, generator: Generator | None = None, **named: Any
) -> TensorBase:
    """Overwrite with draws from the uniform distribution on [from, to): [0, 1) by default."""
    if named:
        given = by_name(("from", "to"), bounds, named)
        bounds = given.pop("from", 0.0), given.pop("to", 1.0), *given
    low, high = map(as_float, (*bounds, *(0.0, 1.0)[len(bounds) :]))
    return drawn_into(self, UniformBackward0, random.uniform, low, high, generator)


@schema("normal_(float mean=0, float std=1, *, Generator? generator=None)", place="Tensor")
def normal_(
    self: Any, mean: Any = 0.0, std: Any = 1.0, *, generator: Generator | None = None
) -> TensorBase:
    """Overwrite with draws from a normal distribution."""
    array, bounds = self._array, (as_float(mean), as_float(std))
    check_drawable(self)
    drawn = normal_for(array, array.dtype, *bounds, generator)
    return overwrite(NormalBackward0, self, (self,), (), drawn)


@schema("exponential_(float lambd=1, *, Generator? generator=None)", place="Tensor")
def exponential_(self: Any, lambd: Any = 1.0, *, generator: Generator | None = None) -> TensorBase:
    """Overwrite with waiting times at the rate `lambd`."""
    return drawn_into(self, ExponentialBackward0, random.exponential, as_float(lambd), generator)


@schema("cauchy_(float median=0, float sigma=1, *, Generator? generator=None)", place="Tensor")
def cauchy_(
    self: Any, median: Any = 0.0, sigma: Any = 1.0, *, generator: Generator | None = None
) -> TensorBase:
    """Overwrite with draws from a Cauchy distribution, which has no mean."""
    bounds = as_float(median), as_float(sigma)
    return drawn_into(self, CauchyBackward0, random.cauchy, *bounds, generator)


@schema("geometric_(float p, *, Generator? generator=None)", place="Tensor")
def geometric_(self: Any, p: Any, *, generator: Generator | None = None) -> TensorBase:
    """Overwrite with the number of trials up to the first success of probability `p`."""
    return drawn_into(self, GeometricBackward0, random.geometric, as_float(p), generator)


@schema("log_normal_(float mean=1, float std=2, *, Generator? generator=None)", place="Tensor")
def log_normal_(
    self: Any, mean: Any = 1.0, std: Any = 2.0, *, generator: Generator | None = None
) -> TensorBase:
    """Overwrite with numbers whose logarithms have this mean and standard deviation."""
    bounds = as_float(mean), as_float(std)
    return drawn_into(self, LogNormalBackward0, random.log_normal, *bounds, generator)


@schema(
    "random_(*, Generator? generator=None)",
    "random_(int from, int? to, *, Generator? generator=None)",
    "random_(int to, *, Generator? generator=None)",
    place="Tensor",
)
def random_(
    self: Any, *bounds: Any, generator: Generator | None = None, **named: Any
) -> TensorBase:
    """Overwrite with integers from `from` (default 0) to `to` - 1, all equally likely.

    Without `to` they go up to the largest integer up to which the dtype holds every integer.
    """
    if not named.keys() <= {"from", "to"}:
        raise TypeError
    alone = len(bounds) == 1 and not named
    given = by_name(("to",) if alone else ("from", "to"), bounds, named)
    low = as_whole(given.get("from", 0))
    if not given:
        return drawn_into(self, RandomBackward2, random.any_integer, generator)
    kind = self._array.dtype
    high = random.end_of_integers(kind) if given.get("to") is None else as_whole(given["to"])

    def draw(shape: Any, dtype: Any) -> Any:
        return random.randint(low, high, shape, dtype, generator)

    return drawn_into(self, RandomBackward0 if "from" in given else RandomBackward1, draw)


@schema(
    "bernoulli_(Tensor p, *, Generator? generator=None)",
    "bernoulli_(float p=0.5, *, Generator? generator=None)",
    place="Tensor",
)
def bernoulli_(self: Any, p: Any = 0.5, *, generator: Generator | None = None) -> TensorBase:
    """Overwrite with 1 with probability `p`, a number or a tensor, and else with 0."""
    if not isinstance(p, TensorBase):
        draw = random.bernoulli_constant
        return drawn_into(self, BernoulliBackward2, draw, as_float(p), generator)
    check_drawable(self, p)
    shape = self._array.shape
    expand(p, shape)  # raises if it does not fit
    wide = np.broadcast_to(on_host(p._array), shape)
    drawn = random.bernoulli(wide, generator).astype(self._array.dtype, copy=False)
    return overwrite(BernoulliBackward1, self, (self, p), (), constant_like(self._array, drawn))


class DrawingMethods(TensorBase):
    """The methods of this file."""

    bernoulli, multinomial = bernoulli.method, multinomial.method
    uniform_, normal_, bernoulli_ = uniform_.method, normal_.method, bernoulli_.method
    random_, exponential_, cauchy_ = random_.method, exponential_.method, cauchy_.method
    geometric_, log_normal_ = geometric_.method, log_normal_.method
