"""Draws whose distribution depends on a tensor, and draws into a tensor's memory.

A draw is recorded like any operation, so that the graph says where the numbers came from; but how
it would have turned out with other arguments nobody knows, and all its gradients are zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..arrays import draws as random
from ..arrays.devices import chosen_device, on_host
from ..arrays.draws import Generator
from ..arrays.memory_order import in_memory_order
from ..arrays.words import check_tensor
from ..core.inplace import check_overlap, overwrite
from ..core.node import TensorBase, new_tensor, raw
from ..core.operation import beside, record
from ..ops.copies import check_writable
from ..ops.dims import common_shape, sizes
from ..ops.kinds import Constant
from .creation import kind, leaf, non_negative, normal_for


class Draw(Constant):
    """A draw: nothing flows back through it."""


class UniformBackward0(Draw):
    """`uniform_`."""


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


class BernoulliBackward0(Draw):
    """`bernoulli` with the probabilities that stand in the tensor."""


class BernoulliBackward1(Draw):
    """`bernoulli_` with a tensor of probabilities."""

    inputs = ("self", "p")


class BernoulliBackward2(Draw):
    """`bernoulli_` with one probability."""


def get_rng_state() -> TensorBase:
    """The state of the default generator, as a tensor of bytes that `set_rng_state` takes."""
    return new_tensor(random.get_rng_state())


# --- Draws that read a tensor


def normal(
    mean: Any = 0.0,
    std: Any = 1.0,
    size: Any = None,
    *,
    generator: Generator | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> TensorBase:
    """Normal draws: of the given `size`, or one for each element of `mean` or `std`.

    >>> import minigrad as mg
    >>> mg.normal(0.0, 1.0, size=(2, 3)).shape
    torch.Size([2, 3])
    """
    inputs = [t for t in (mean, std) if isinstance(t, TensorBase)]
    if not inputs:
        if size is None:
            raise TypeError("normal() received an invalid combination of arguments: no size")
        shape = non_negative("normal", sizes((size,), "normal"))
        drawn = random.normal(shape, kind(dtype), float(mean), float(std), generator)
        return leaf(drawn, False if requires_grad is None else requires_grad, chosen_device(device))
    if isinstance(std, TensorBase) and (std._array < 0).any():
        raise RuntimeError("normal expects all elements of std >= 0.0")
    if not isinstance(std, TensorBase) and not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    shape = common_shape(*[t._array.shape for t in inputs])
    first = inputs[0]._array
    drawn = beside(first, random.randn(shape, first.dtype, generator))
    one = NormalBackward1 if isinstance(mean, TensorBase) else NormalBackward2
    op = one if len(inputs) == 1 else NormalBackward3
    value = drawn * raw(std) + raw(mean)
    return record(op, inputs, (), value.astype(drawn.dtype, copy=False))


def bernoulli(
    input: TensorBase, p: float | None = None, *, generator: Generator | None = None
) -> TensorBase:
    """1 with the probability that stands in `input`, else 0; or with probability `p` everywhere."""
    check_tensor(input, "bernoulli")
    array = input.shared_array()
    if p is not None:
        drawn = random.bernoulli_constant(array.shape, array.dtype, p, generator)
        return new_tensor(beside(array, drawn))
    drawn = random.bernoulli(on_host(array), generator)
    return record(BernoulliBackward0, (input,), (), beside(array, drawn))


def multinomial(
    input: TensorBase,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: Generator | None = None,
) -> TensorBase:
    """Indices drawn in proportion to the weights in `input`, for one row of weights or several."""
    check_tensor(input, "multinomial")
    array = input.shared_array()
    drawn = random.multinomial(on_host(array), num_samples, replacement, generator)
    return new_tensor(beside(array, drawn))


# --- Draws into a tensor


def check_drawable(tensor: Any, *others: Any) -> None:
    """Raise where PyTorch forbids to write to `tensor`, before anything is drawn."""
    check_writable(tensor, *others)
    check_overlap(tensor, others)


def drawn_into(tensor: Any, op: type[Draw], draw: Callable[..., Any], *args: Any) -> TensorBase:
    """Overwrite `tensor` with what `draw` makes of a shape, a type and `args`."""
    check_drawable(tensor)
    array = tensor._array
    drawn = in_memory_order(array, lambda shape: draw(shape, array.dtype, *args))
    return overwrite(op, tensor, (tensor,), (), drawn)


class DrawingMethods(TensorBase):
    """The methods of this file."""

    bernoulli, multinomial = bernoulli, multinomial

    def uniform_(
        self, *bounds: float, generator: Generator | None = None, **named: float
    ) -> TensorBase:
        """Overwrite with draws from the uniform distribution on [from, to): [0, 1) by default."""
        if len(bounds) > 2 or not named.keys() <= {"from", "to"}:
            wrong = next((n for n in named if n not in ("from", "to")), "a third bound")
            raise TypeError(f"uniform_() got an unexpected keyword argument {wrong!r}")
        given = {"from": 0.0, "to": 1.0, **dict(zip(("from", "to"), bounds, strict=False)), **named}
        bounds = given["from"], given["to"]
        return drawn_into(self, UniformBackward0, random.uniform, *bounds, generator)

    def normal_(
        self, mean: float = 0.0, std: float = 1.0, *, generator: Generator | None = None
    ) -> TensorBase:
        """Overwrite with draws from a normal distribution."""
        check_drawable(self)
        drawn = normal_for(self._array, self._array.dtype, mean, std, generator)
        return overwrite(NormalBackward0, self, (self,), (), drawn)

    def bernoulli_(self, p: Any = 0.5, *, generator: Generator | None = None) -> TensorBase:
        """Overwrite with 1 with probability `p`, a number or a tensor, and else with 0."""
        if not isinstance(p, TensorBase):
            return drawn_into(self, BernoulliBackward2, random.bernoulli_constant, p, generator)
        check_drawable(self, p)
        wide = np.broadcast_to(on_host(p._array), self._array.shape)
        drawn = random.bernoulli(wide, generator).astype(self._array.dtype, copy=False)
        return overwrite(BernoulliBackward1, self, (self, p), (), beside(self._array, drawn))
