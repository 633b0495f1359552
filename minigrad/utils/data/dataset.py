"""Data sets: samples by number, or one after the other."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from ...arrays.draws import Generator
from ...arrays.left_out import missing_from
from ...tensors.tensor import Tensor
from .sampler import shuffle_numbers

_T = TypeVar("_T", covariant=True)


class Samples(Protocol[_T]):
    """A loadable data set: one that knows its length, a list, a range."""

    def __getitem__(self, index: int, /) -> _T: ...

    def __len__(self) -> int: ...


class Dataset(Generic[_T]):
    """Samples by number. A subclass has `__getitem__`, and `__len__` if the length is known."""

    def __getitem__(self, index: Any) -> _T:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Any) -> ConcatDataset[_T]:
        both: list[Any] = [self, other]
        return ConcatDataset(both)


class IterableDataset(Dataset[_T], Iterable[_T]):
    """Samples one after the other, as from a stream. A subclass has `__iter__`."""

    def __add__(self, other: Any) -> Any:
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Sample i is the tuple of row i of each tensor."""

    def __init__(self, *tensors: Tensor) -> None:
        if any(tensors[0].size(0) != t.size(0) for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


class Subset(Dataset[_T]):
    """Some of the samples of a data set."""

    def __init__(self, dataset: Samples[_T], indices: Sequence[int]) -> None:
        self.dataset: Any = dataset
        self.indices = indices

    def __getitem__(self, index: Any) -> _T:
        several = isinstance(index, list)
        chosen = [self.indices[i] for i in index] if several else self.indices[index]
        return cast(_T, self.dataset[chosen])

    def __getitems__(self, indices: list[int]) -> list[_T]:
        return fetch_samples(self.dataset, [self.indices[i] for i in indices])

    def __len__(self) -> int:
        return len(self.indices)


def fetch_samples(dataset: Any, numbers: list[int]) -> list[Any]:
    """Return the samples with these numbers, through `__getitems__` if the data set has it."""
    if hasattr(dataset, "__getitems__") and dataset.__getitems__:
        found: list[Any] = dataset.__getitems__(numbers)
        return found
    return [dataset[number] for number in numbers]


class ConcatDataset(Dataset[_T]):
    """The samples of several data sets, one set after the other.

    >>> import minigrad as mg
    >>> list(mg.utils.data.ConcatDataset([[1, 2], [3]]))
    [1, 2, 3]
    """

    datasets: list[Any]
    cumulative_sizes: list[int]
    """For each data set, the number of samples up to its end."""

    def __init__(self, datasets: Iterable[Samples[_T]]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(each, IterableDataset) for each in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = list(accumulate(map(len, self.datasets)))

    def __getitem__(self, index: int) -> _T:
        if index < 0:
            index += len(self)
            if index < 0:
                raise ValueError("absolute value of index should not exceed dataset length")
        which = bisect_right(self.cumulative_sizes, index)
        before = self.cumulative_sizes[which - 1] if which else 0
        return cast(_T, self.datasets[which][index - before])

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]


class ChainDataset(IterableDataset[_T]):
    """The samples of several streams, one stream after the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = datasets

    def __iter__(self) -> Iterator[_T]:
        for each in self.datasets:
            self.check(each)
            yield from each

    def __len__(self) -> int:
        total = 0
        for each in self.datasets:
            self.check(each)
            total += len(each)
        return total

    def check(self, dataset: Any) -> None:
        if not isinstance(dataset, IterableDataset):
            raise AssertionError("ChainDataset only supports IterableDataset")


class StackDataset(Dataset[Any]):
    """Sample i is the tuple of sample i of each data set, or a dictionary of them by name.

    >>> import minigrad as mg
    >>> mg.utils.data.StackDataset(image=["a", "b"], label=[0, 1])[1]
    {'image': 'b', 'label': 1}
    """

    datasets: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args and kwargs:
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like "
                "input/output, but both types are given."
            )
        if not args and not kwargs:
            raise ValueError("At least one dataset should be passed")
        sizes = [len(each) for each in (*args, *kwargs.values())]
        if any(size != sizes[0] for size in sizes):
            raise ValueError("Size mismatch between datasets")
        self.datasets = args or kwargs
        self._length = sizes[0]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {name: each[index] for name, each in self.datasets.items()}
        return tuple(each[index] for each in self.datasets)

    def __len__(self) -> int:
        return self._length


def random_split(
    dataset: Samples[_T], lengths: Sequence[int | float], generator: Generator | None = None
) -> list[Subset[_T]]:
    """Divide a data set at random; `lengths` are numbers of samples, or fractions."""
    total = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        for place, share in enumerate(lengths):
            if not 0 <= share <= 1:
                raise ValueError(f"Fraction at index {place} is not between 0 and 1")
        counts = [math.floor(total * share) for share in lengths]
        for place in range(total - sum(counts)):
            counts[place % len(counts)] += 1
        for place, count in enumerate(counts):
            if count == 0:
                text = f"Length of split at index {place} is 0."
                warnings.warn(f"{text} This might result in an empty dataset.", stacklevel=2)
        lengths = counts
    if sum(lengths) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = shuffle_numbers(total, generator)
    bounds = pairwise([0, *accumulate(int(length) for length in lengths)])
    return [Subset(dataset, order[start:end]) for start, end in bounds]


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
