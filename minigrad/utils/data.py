"""Data sets, and loading them in batches: PyTorch's `torch.utils.data` in one process.

The draws are PyTorch's: an iteration over a loader takes one number from the generator for itself,
and one to seed the order of the samples.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice, pairwise
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast, overload

import numpy as np

from ..arrays import draws as random
from ..arrays.draws import Generator
from ..arrays.dtypes import float64
from ..arrays.left_out import missing_from
from ..ops.joining import stack
from ..tensors.creation import as_tensor, randperm, tensor
from ..tensors.tensor import Tensor

_T = TypeVar("_T", covariant=True)


class Samples(Protocol[_T]):
    """What can be loaded: a data set that knows its length, a list, a range."""

    def __getitem__(self, index: int, /) -> _T: ...

    def __len__(self) -> int: ...


class Dataset(Generic[_T]):
    """Samples by number. A subclass has `__getitem__`, and `__len__` if it can tell."""

    def __getitem__(self, index: Any) -> _T:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Sample i is the tuple of row i of each tensor."""

    def __init__(self, *tensors: Tensor) -> None:
        if any(len(tensors[0]) != len(t) for t in tensors):
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

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Samples[_T], lengths: Sequence[int | float], generator: Generator | None = None
) -> list[Subset[_T]]:
    """Divide a data set at random; `lengths` are numbers of samples, or shares that add up to 1."""
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
    order = shuffled(total, generator)
    bounds = pairwise([0, *accumulate(int(length) for length in lengths)])
    return [Subset(dataset, order[start:end]) for start, end in bounds]


def shuffled(count: int, generator: Generator | None) -> list[int]:
    """The numbers below `count` in random order."""
    order = cast(Tensor, randperm(count, generator=generator))
    return order.tolist()  # type: ignore[no-any-return]


class RandomSampler:
    """The numbers of all samples in random order, a new one in each iteration."""

    def __init__(self, data_source: Any, *, generator: Generator | None = None) -> None:
        if not len(data_source):
            raise ValueError(
                "num_samples should be a positive integer value, but got num_samples=0"
            )
        self.data_source = data_source
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        count, generator = len(self.data_source), self.generator
        if generator is None:
            generator = Generator()
            generator.manual_seed(random.seed_number())
        yield from shuffled(count, generator)
        shuffled(count, generator)  # PyTorch draws once more and looks at nothing of it

    def __len__(self) -> int:
        return len(self.data_source)


# --- Batches


def batches(items: Iterable[Any], size: int, drop_last: bool) -> Iterator[list[Any]]:
    """Lists of `size` items; the last may be shorter."""
    items = iter(items)
    while batch := list(islice(items, size)):
        if len(batch) == size or not drop_last:
            yield batch


def default_collate(batch: Sequence[Any]) -> Any:
    """Samples as one batch: tensors stacked, numbers made a tensor, tuples and dictionaries of them
    item by item, text left alone."""
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(batch, 0)
    if isinstance(first, np.ndarray):
        return stack([as_tensor(item) for item in batch], 0)
    if isinstance(first, np.generic):
        return as_tensor(np.array(batch))
    if isinstance(first, float):
        return tensor(batch, dtype=float64)
    if isinstance(first, int):
        return tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return {key: default_collate([item[key] for item in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(items) for items in zip(*batch, strict=True)))
    if isinstance(first, Sequence):
        if any(len(item) != len(first) for item in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(items) for items in zip(*batch, strict=True)]
    known = "tensors, numpy arrays, numbers, dicts or lists"
    raise TypeError(f"default_collate: batch must contain {known}; found {type(first)}")


class DataLoader(Generic[_T]):
    """The samples of a data set in batches.

    >>> import minigrad as mg
    >>> data = mg.utils.data.TensorDataset(mg.arange(5))
    >>> for (batch,) in mg.utils.data.DataLoader(data, batch_size=2):
    ...     print(batch)
    tensor([0, 1])
    tensor([2, 3])
    tensor([4])
    """

    def __init__(
        self,
        dataset: Samples[_T],
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        *,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        generator: Generator | None = None,
    ) -> None:
        """
        Args:
            dataset: what to load.
            batch_size: samples in a batch; None loads single samples.
            shuffle: whether to load them in random order, a new one in each iteration.
            sampler: gives the order instead.
            num_workers: only 0 is there: everything is loaded in this process.
            collate_fn: makes a batch of a list of samples; `default_collate` unless given.
            pin_memory: accepted, and without effect.
            drop_last: whether to leave out a last, shorter batch.
            generator: where the order is drawn from; the default generator unless given.
        """
        if num_workers:
            raise ValueError("minigrad loads data in this process: num_workers must be 0")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_size is None and drop_last:
            single = "batch_size=None option disables auto-batching"
            raise ValueError(f"{single} and is mutually exclusive with drop_last")
        if batch_size is not None and (not isinstance(batch_size, int) or batch_size <= 0):
            raise ValueError(
                f"batch_size should be a positive integer value, but got {batch_size=}"
            )
        if sampler is None:
            in_order = range(len(dataset))
            sampler = RandomSampler(dataset, generator=generator) if shuffle else in_order
        self.dataset: Any = dataset
        self.batch_size = batch_size
        self.sampler = sampler
        self.num_workers = 0
        self.collate_fn = collate_fn or (default_convert if batch_size is None else default_collate)
        self.drop_last = drop_last
        self.generator = generator

    def __setattr__(self, name: str, value: Any) -> None:
        if name in vars(self) and name in ("batch_size", "sampler", "drop_last", "dataset"):
            text = f"{name} attribute should not be set after DataLoader is initialized"
            raise ValueError(text)
        super().__setattr__(name, value)

    # What `default_collate` makes of tensors is known.
    @overload
    def __iter__(self: DataLoader[tuple[Tensor, ...]]) -> Iterator[list[Tensor]]: ...
    @overload
    def __iter__(self: DataLoader[Tensor]) -> Iterator[Tensor]: ...
    @overload
    def __iter__(self) -> Iterator[Any]: ...
    def __iter__(self) -> Iterator[Any]:
        # PyTorch draws a seed for its worker processes here, and draws it without any, too.
        random.seed_number(self.generator)
        return self._load()

    def _load(self) -> Iterator[Any]:
        if self.batch_size is None:
            return (self.collate_fn(self.dataset[number]) for number in self.sampler)
        numbers = batches(self.sampler, self.batch_size, self.drop_last)
        return (self.collate_fn([self.dataset[n] for n in batch]) for batch in numbers)

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size or 1)
        return whole + bool(rest and not self.drop_last)


def default_convert(data: Any) -> Any:
    """A single sample, NumPy's arrays and numbers in it made tensors."""
    if isinstance(data, (np.ndarray, np.generic)):
        return as_tensor(data)
    if isinstance(data, Mapping):
        return {key: default_convert(item) for key, item in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*map(default_convert, data))
    if isinstance(data, (tuple, list)):
        return [default_convert(item) for item in data]
    return data


if not TYPE_CHECKING:  # for a checker, a name that is not there is an error
    __getattr__ = missing_from(__name__)
