"""PyTorch's `torch.quasirandom`: points that fill a cube more evenly than random ones.

Coordinate d of point n is a number of 30 bits: the exclusive or of the direction numbers of d that
the bits of n's Gray code choose. So one point follows from the one before it by a single exclusive
or. arrays/sobol.py computes the direction numbers.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from .arrays.draws import Generator, default_generator, randint
from .arrays.dtypes import get_default_dtype, to_numpy_dtype
from .arrays.left_out import missing_from
from .arrays.sobol import BITS, directions
from .core.node import new_tensor
from .tensors.tensor import Tensor

__all__ = ["SobolEngine"]


class SobolEngine:
    """Draws the points of a Sobol sequence, one after the other.

    Args:
        dimension: the number of coordinates, up to 1111. (PyTorch goes on to 21201.)
        scramble: shuffle the points at random, which keeps them even.
        seed: of the shuffling; by default the default generator is used.

    >>> import minigrad as mg
    >>> engine = mg.quasirandom.SobolEngine(2)
    >>> engine.draw(4)
    tensor([[0.0000, 0.0000],
            [0.5000, 0.5000],
            [0.7500, 0.2500],
            [0.2500, 0.7500]])
    """

    MAXBIT = BITS
    MAXDIM = 1111

    def __init__(self, dimension: int, scramble: bool = False, seed: int | None = None) -> None:
        if not 1 <= dimension <= self.MAXDIM:
            raise ValueError(
                f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]"
            )
        self.dimension, self.scramble, self.seed = dimension, scramble, seed
        self._directions = directions(dimension)
        self._shift = np.zeros(dimension, np.int64)
        if scramble:
            self._scramble(default_generator if seed is None else Generator().manual_seed(seed))
        self._made_in = get_default_dtype().numpy  # the dtype of the first point, as in PyTorch
        self.reset()

    def _scramble(self, source: Generator) -> None:
        """Draw a shift, and for each dimension a triangular matrix of bits for its directions."""

        def bits(*shape: int) -> Any:
            return randint(0, 2, shape, np.dtype(np.int64), source)

        self._shift = bits(self.dimension, BITS) @ (1 << np.arange(BITS))
        lower = np.tril(bits(self.dimension, BITS, BITS))
        lower[:, np.arange(BITS), np.arange(BITS)] = 1
        found = self._directions[:, :, None] >> np.arange(BITS - 1, -1, -1) & 1
        mixed = np.einsum("dpk,djk->djp", lower, found) & 1
        self._directions = mixed @ (1 << np.arange(BITS - 1, -1, -1))

    def reset(self) -> SobolEngine:
        """Begin again at the first point, and return the engine."""
        self._last = self._shift.copy()
        self.num_generated = 0
        return self

    def draw(self, n: int = 1, out: Tensor | None = None, dtype: Any = None) -> Tensor:
        """Return the next `n` points as rows; `out` receives them, too."""
        kind = to_numpy_dtype(get_default_dtype() if dtype is None else dtype)
        points = np.empty((n, self.dimension), kind)
        for row in range(n):
            if self.num_generated:
                self._advance()
                points[row] = self._last.astype(kind) * kind.type(2.0**-BITS)
            else:  # PyTorch makes the first point with the engine
                points[row] = self._last.astype(self._made_in) / self._made_in.type(2**BITS)
            self.num_generated += 1
        result = cast(Tensor, new_tensor(points))
        return result if out is None else out.resize_(points.shape).copy_(result)

    def _advance(self) -> None:
        """Go to the point that follows number `num_generated`."""
        number = self.num_generated - 1
        lowest_zero = ((number + 1) & ~number).bit_length() - 1
        self._last ^= self._directions[:, lowest_zero]

    def draw_base2(self, m: int, out: Tensor | None = None, dtype: Any = None) -> Tensor:
        """Return the next 2**m points.

        Raises:
            ValueError: the points drawn so far would no longer be a power of two.
        """
        n = 2**m
        total = self.num_generated + n
        if total & (total - 1):
            raise ValueError(
                "The balance properties of Sobol' points require n to be a power of 2. "
                f"{self.num_generated} points have been previously generated, then: "
                f"n={self.num_generated}+2**{m}={total}. If you still want to do this, please use "
                "'SobolEngine.draw()' instead."
            )
        return self.draw(n, out, dtype)

    def fast_forward(self, n: int) -> SobolEngine:
        """Skip `n` points, and return the engine."""
        for _ in range(n):
            if self.num_generated:
                self._advance()
            self.num_generated += 1
        return self

    def __repr__(self) -> str:
        text = f"dimension={self.dimension}"
        if self.scramble:
            text += ", scramble=True"
        return f"{type(self).__name__}({text}{'' if self.seed is None else f', seed={self.seed}'})"


__getattr__ = missing_from(__name__)
