"""Samplers: the order in which a data set's samples are loaded, as an iterable of their numbers.

The draws are PyTorch's: the order of a `RandomSampler` comes from a new generator, seeded by one
number from the default generator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ...arrays import draws as random
from ...arrays.draws import Generator
from ...arrays.dtypes import float64
from ...arrays.left_out import missing_from
from ...ops.public.argument_tests import is_int
from ...tensors.creation import as_tensor, randint, randperm
from ...tensors.random_fills import multinomial
from ...tensors.tensor import Tensor

_T = TypeVar("_T", covariant=True)


class Sampler(Generic[_T]):
    """The numbers of samples in some order; subclasses have `__iter__`, and `__len__` if known."""

    def __iter__(self) -> Iterator[_T]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """All samples from the first to the last."""

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """The numbers of all samples in random order, a new one in each iteration.

    Args:
        data_source: the data set.
        replacement: whether a sample may repeat before all were drawn.
        num_samples: how many; by default all.
        generator: draws them; by default a new one, with a seed from the default generator.
    """

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        if not isinstance(replacement, bool):
            wrong = f"should be a boolean value, but got {replacement=}"
            raise TypeError(f"replacement {wrong}")
        if self.num_samples is not True:  # which counts as 1 here only
            check_count(self.num_samples)

    @property
    def num_samples(self) -> int:
        """The number of samples in an iteration."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        count, generator = len(self.data_source), self.generator
        if generator is None:
            generator = Generator()
            generator.manual_seed(random.seed_number())
        rounds, rest = divmod(self.num_samples, 32 if self.replacement else count)
        if self.replacement:  # in groups of 32, as PyTorch draws them
            for portion in (*[32] * rounds, rest):
                drawn = randint(count, (portion,), generator=generator)
                yield from cast(Tensor, drawn).tolist()
            return
        for _ in range(rounds):
            yield from shuffle_numbers(count, generator)
        yield from shuffle_numbers(count, generator)[:rest]

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """The samples with the given numbers, in random order."""

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for place in shuffle_numbers(len(self.indices), self.generator):
            yield self.indices[place]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Samples drawn with probabilities in proportion to `weights`.

    >>> import minigrad as mg
    >>> list(mg.utils.data.WeightedRandomSampler([0.0, 1.0], 3))
    [1, 1, 1]
    """

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: Generator | None = None,
    ) -> None:
        check_count(num_samples)
        if not isinstance(replacement, bool):
            wrong = f"should be a boolean value, but got {replacement=}"
            raise ValueError(f"replacement {wrong}")
        self.weights: Tensor = as_tensor(weights, dtype=float64)
        if self.weights.ndim != 1:
            shape = tuple(self.weights.shape)
            raise ValueError(
                f"weights should be a 1d sequence but given weights have shape {shape}"
            )
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        drawn = multinomial(
            self.weights, self.num_samples, self.replacement, generator=self.generator
        )
        yield from cast(Tensor, drawn).tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """The numbers from another sampler, in lists of `batch_size`.

    >>> import minigrad as mg
    >>> list(mg.utils.data.BatchSampler(range(5), 2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool) -> None:
        if not is_int(batch_size) or isinstance(batch_size, bool) or batch_size <= 0:
            found = f"but got batch_size={batch_size}"
            raise ValueError(f"batch_size should be a positive integer value, {found}")
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got {drop_last=}")
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        return batches(self.sampler, self.batch_size, self.drop_last)

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size)
        return whole + bool(rest and not self.drop_last)


# --- Shared helpers


def check_count(num_samples: Any) -> None:
    """Raise for an invalid number of samples.

    Raises:
        ValueError: it is not a positive integer.
    """
    if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
        wrong = f"should be a positive integer value, but got {num_samples=}"
        raise ValueError(f"num_samples {wrong}")


def shuffle_numbers(count: int, generator: Generator | None) -> list[int]:
    """Return the numbers below `count` in random order."""
    order = cast(Tensor, randperm(count, generator=generator))
    return order.tolist()  # type: ignore[no-any-return]


def batches(items: Iterable[Any], size: int, drop_last: bool) -> Iterator[list[Any]]:
    """Yield lists of `size` items; the last may be shorter."""
    items = iter(items)
    while batch := list(islice(items, size)):
        if len(batch) == size or not drop_last:
            yield batch


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
