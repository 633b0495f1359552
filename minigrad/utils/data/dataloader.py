"""Loading a data set in batches.

The draws are PyTorch's: an iteration over a loader draws one number for itself, and one to seed the
order of the samples.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from ...arrays import draws as random
from ...arrays.devices import cuda_is_available
from ...arrays.draws import Generator
from ...arrays.left_out import missing_from
from ...tensors.tensor import Tensor
from .collate import default_collate, default_convert
from .dataset import Dataset, IterableDataset, Samples, fetch_samples
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler, batches

_T = TypeVar("_T", covariant=True)

__all__ = [
    "BatchSampler",
    "DataLoader",
    "Dataset",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "default_collate",
    "default_convert",
    "get_worker_info",
]

IN_PROCESS = (
    "minigrad loads data in this process: num_workers and what goes with it (worker_init_fn, "
    "prefetch_factor, persistent_workers, timeout, multiprocessing_context) change nothing."
)
WARNED: set[str] = set()
"""Warnings that this process has already shown; each is shown once."""


def get_worker_info() -> None:
    """Return None, as PyTorch does in the process that trains."""


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
        dataset: Samples[_T] | IterableDataset[_T],
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[list[Any]] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        """Prepare to load a data set.

        Args:
            dataset: the data set.
            batch_size: samples in a batch; None loads single samples.
            shuffle: whether to load them in random order, a new one in each iteration.
            sampler: gives the order instead.
            batch_sampler: gives the numbers of whole batches instead.
            num_workers: accepted: everything is loaded in this process. So are `timeout`,
                `worker_init_fn` (which is not called), `multiprocessing_context`,
                `prefetch_factor`, `persistent_workers` and `in_order`.
            collate_fn: makes a batch of a list of samples; by default `default_collate`.
            pin_memory: accepted, without effect; so is `pin_memory_device`.
            drop_last: whether to leave out a last, shorter batch.
            generator: draws the order; by default the default generator.
        """
        check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        stream = isinstance(dataset, IterableDataset)
        if stream:
            check_stream(shuffle or None, sampler, batch_sampler)
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                others = "batch_size, shuffle, sampler, and drop_last"
                raise ValueError(f"batch_sampler option is mutually exclusive with {others}")
            batch_size, drop_last = None, False
        elif batch_size is None and drop_last:
            single = "batch_size=None option disables auto-batching"
            raise ValueError(f"{single} and is mutually exclusive with drop_last")
        if sampler is None:
            as_they_are = SequentialSampler(dataset)
            drawn = shuffle and not stream
            sampler = RandomSampler(dataset, generator=generator) if drawn else as_they_are
        if batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        warn_of_workers(num_workers)
        one_by_one = batch_sampler is None
        self.dataset: Any = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler: Any = sampler
        self.batch_sampler: Any = batch_sampler
        self.generator = generator
        self.collate_fn: Any = collate_fn or (default_convert if one_by_one else default_collate)
        self.persistent_workers = persistent_workers
        self._complete = True

    def __setattr__(self, name: str, value: Any) -> None:
        if name in FIXED and "_complete" in vars(self):
            text = f"{name} attribute should not be set after DataLoader is initialized"
            raise ValueError(text)
        if name == "multiprocessing_context":
            check_context(value, self.num_workers)
        super().__setattr__(name, value)

    # The results of `default_collate` for tensors are known.
    @overload
    def __iter__(self: DataLoader[tuple[Tensor, ...]]) -> Iterator[list[Tensor]]: ...
    @overload
    def __iter__(self: DataLoader[Tensor]) -> Iterator[Tensor]: ...
    @overload
    def __iter__(self) -> Iterator[Any]: ...
    def __iter__(self) -> Iterator[Any]:
        if self.timeout and not self.num_workers:
            raise AssertionError("A DataLoader with num_workers=0 requires timeout == 0")
        if self.pin_memory and not cuda_is_available():
            warnings.warn(
                "'pin_memory' argument is set as true but no accelerator is found, then device "
                "pinned memory won't be used.",
                stacklevel=2,
            )
        # PyTorch draws a seed for its worker processes here, even if there are none.
        random.seed_number(self.generator)
        if isinstance(self.dataset, IterableDataset):
            return self._stream(iter(self.dataset))
        numbers = iter(self.sampler if self.batch_sampler is None else self.batch_sampler)
        if self.num_workers:  # then PyTorch loads the first batches at once
            numbers = chain(list(islice(numbers, 1)), numbers)
        return self._load(numbers)

    def _load(self, numbers: Iterator[Any]) -> Iterator[Any]:
        """Yield the batches with these `numbers`, or the samples."""
        if self.batch_sampler is None:
            return (self.collate_fn(self.dataset[number]) for number in numbers)
        return (self.collate_fn(fetch_samples(self.dataset, batch)) for batch in numbers)

    def _stream(self, samples: Iterator[Any]) -> Iterator[Any]:
        """Yield the rest of a stream, in batches."""
        if self.batch_size is None:
            return map(self.collate_fn, samples)
        return map(self.collate_fn, batches(samples, self.batch_size, self.drop_last))

    def __len__(self) -> int:
        if not isinstance(self.dataset, IterableDataset):
            return len(self.sampler if self.batch_sampler is None else self.batch_sampler)
        stream: Any = self.dataset
        whole, rest = divmod(len(stream), self.batch_size or 1)
        return whole + bool(rest and not self.drop_last)


# --- PyTorch's errors


FIXED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")
"""Attributes that cannot change once a loader is made."""


def warn_of_workers(num_workers: int) -> None:
    """Warn once that worker processes are not used."""
    if num_workers and IN_PROCESS not in WARNED:
        WARNED.add(IN_PROCESS)
        warnings.warn(IN_PROCESS, UserWarning, stacklevel=3)


def check_workers(
    num_workers: Any, timeout: Any, prefetch_factor: Any, persistent_workers: Any
) -> None:
    """Raise PyTorch's errors for worker processes."""
    if num_workers < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable "
            "multiprocessing."
        )
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing."
            "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent_workers and num_workers == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")


def check_stream(shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
    """Raise if an order is given for a stream of samples."""
    given = {"shuffle": shuffle, "sampler": sampler, "batch_sampler": batch_sampler}
    for name, value in given.items():
        if value is not None:
            wanted = f"expected unspecified {name} option, but got {name}={value}"
            raise ValueError(f"DataLoader with IterableDataset: {wanted}")


def check_context(context: Any, num_workers: int) -> None:
    """Raise for an unknown way to start processes."""
    if context is None:
        return
    import multiprocessing
    from multiprocessing.context import BaseContext

    option = "multiprocessing_context option should"
    if num_workers == 0:
        only = "multiprocessing_context can only be used with multi-process loading"
        raise ValueError(f"{only} (num_workers > 0), but got {num_workers=}")
    if isinstance(context, str):
        ways = multiprocessing.get_all_start_methods()
        if context not in ways:
            found = f"but got multiprocessing_context={context!r}"
            raise ValueError(f"{option} specify a valid start method in {ways!r}, {found}")
    elif not isinstance(context, BaseContext):
        wanted = "be a valid context object or a string specifying the start method"
        raise TypeError(f"{option} {wanted}, but got multiprocessing_context={context!r}")


if not TYPE_CHECKING:  # checkers report unknown names as errors
    __getattr__ = missing_from(__name__)
