"""utils.data: the same samples in the same order as PyTorch, drawn from the same numbers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from tests.parity import caught, same


def data(T: Any, count: int = 10) -> Any:
    return T.utils.data.TensorDataset(T.arange(count * 2).reshape(count, 2), T.arange(count))


def test_tensor_dataset(torch: Any) -> None:
    def program(T: Any) -> Any:
        found = data(T)
        return len(found), found[3], found[2:4], found[-1]

    same(torch, program)


LOADERS = {
    "one by one": {},
    "batches": {"batch_size": 3},
    "drop_last": {"batch_size": 3, "drop_last": True},
    "shuffle": {"batch_size": 4, "shuffle": True},
    "no batches": {"batch_size": None},
    "no batches, shuffled": {"batch_size": None, "shuffle": True},
    "larger than the data": {"batch_size": 100, "shuffle": True},
    "a list of numbers": {"batch_size": 2, "sampler": [1, 1, 5]},
    "a list of batches": {"batch_sampler": [[1, 1], [5]]},
    "pinned memory": {"pin_memory": True, "batch_size": 5},
}


@pytest.mark.filterwarnings("ignore:'pin_memory' argument is set as true")
@pytest.mark.parametrize("name", LOADERS)
def test_loader(torch: Any, name: str) -> None:
    """Two epochs, and what is drawn afterwards: the loader takes as many numbers as PyTorch's."""

    def program(T: Any) -> Any:
        loader = T.utils.data.DataLoader(data(T), **LOADERS[name])
        epochs = [list(loader), list(loader)]
        return len(loader), epochs, T.rand(2)

    same(torch, program)


@pytest.mark.filterwarnings("ignore:minigrad loads data in this process", "ignore:.*fork")
def test_loader_workers_give_same_batches(torch: Any) -> None:
    """In the same order, and the first batch is requested when the iteration begins."""

    def program(T: Any) -> Any:
        loader = T.utils.data.DataLoader(
            data(T), 4, shuffle=True, num_workers=1, worker_init_fn=print, prefetch_factor=1
        )
        first = iter(loader)
        between = T.rand(1)
        return list(first), between, loader.prefetch_factor, loader.num_workers

    same(torch, program)


def test_loader_without_workers_refuses_timeout(torch: Any) -> None:
    def program(T: Any) -> Any:
        loader = T.utils.data.DataLoader([1], timeout=3)
        return caught(lambda: list(loader), "requires timeout == 0")

    same(torch, program)


def test_num_workers_warns_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from minigrad.utils.data import DataLoader, dataloader

    monkeypatch.setattr(dataloader, "WARNED", set())
    with pytest.warns(UserWarning, match="loads data in this process: num_workers") as said:
        DataLoader([1], num_workers=2)
    assert said[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DataLoader([1], num_workers=2, persistent_workers=True, multiprocessing_context="spawn")


def test_loader_with_a_generator(torch: Any) -> None:
    def program(T: Any) -> Any:
        generator = T.Generator()
        generator.manual_seed(5)
        loader = T.utils.data.DataLoader(data(T), 4, shuffle=True, generator=generator)
        return list(loader), list(loader), T.rand(2)

    same(torch, program)


def test_an_iteration_begins_when_asked(torch: Any) -> None:
    """Draws happen at iter() and at the first batch, in PyTorch's order."""

    def program(T: Any) -> Any:
        loader = T.utils.data.DataLoader(data(T, 4), 2, shuffle=True)
        first = iter(loader)
        between = T.rand(1)
        second = iter(loader)
        return between, list(second), list(first), T.rand(1)

    same(torch, program)


def test_a_random_sampler(torch: Any) -> None:
    def program(T: Any) -> Any:
        sampler = T.utils.data.RandomSampler(range(7))
        return len(sampler), list(sampler), list(sampler), T.rand(1)

    same(torch, program)


SAMPLERS = {
    "sequential": lambda D: D.SequentialSampler("abcd"),
    "with replacement": lambda D: D.RandomSampler(range(7), replacement=True),
    "many with replacement": lambda D: D.RandomSampler(range(7), True, num_samples=70),
    "more than there are": lambda D: D.RandomSampler(range(7), num_samples=17),
    "fewer than there are": lambda D: D.RandomSampler(range(7), num_samples=3),
    "subset": lambda D: D.SubsetRandomSampler([4, 5, 6, 9]),
    "weighted": lambda D: D.WeightedRandomSampler([0.1, 0.0, 3.0, 1], 9),
    "weighted, without replacement": lambda D: D.WeightedRandomSampler([1, 2, 3.0], 2, False),
    "batches": lambda D: D.BatchSampler(D.RandomSampler(range(7)), 3, False),
    "whole batches": lambda D: D.BatchSampler(range(7), 3, True),
}


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_sampler(torch: Any, name: str) -> None:
    """Twice, with a draw before the first number is requested, and one afterwards."""

    def program(T: Any) -> Any:
        sampler = SAMPLERS[name](T.utils.data)
        first = iter(sampler)
        between = T.rand(1)
        return len(sampler), between, list(first), list(sampler), T.rand(1)

    same(torch, program)


@pytest.mark.parametrize("lengths", [[7, 3], [0.5, 0.5], [0.34, 0.33, 0.33]])
def test_random_split(torch: Any, lengths: Any) -> None:
    def program(T: Any) -> Any:
        parts = T.utils.data.random_split(data(T), lengths)
        return [(len(p), list(p.indices), [p[i] for i in range(len(p))]) for p in parts]

    same(torch, program)


def test_a_subset(torch: Any) -> None:
    def program(T: Any) -> Any:
        part = T.utils.data.Subset(data(T), [3, 1])
        return len(part), part[0], part[-1]

    same(torch, program)


SAMPLES = {
    "floats": [1.5, 2.5],
    "ints": [1, 2],
    "text": ["a", "b"],
    "pairs": [(1, 2.0), (3, 4.0)],
    "dictionaries": [{"x": 1, "y": [1.0, 2.0]}, {"x": 2, "y": [3.0, 4.0]}],
    "arrays": [np.ones((2, 2)), np.zeros((2, 2))],
    "NumPy numbers": [np.float32(1), np.float32(2)],
}


@pytest.mark.parametrize("name", SAMPLES)
def test_collate(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        return list(T.utils.data.DataLoader(SAMPLES[name], batch_size=2))

    same(torch, program)


def test_collate_of_ones_own(torch: Any) -> None:
    def program(T: Any) -> Any:
        return list(T.utils.data.DataLoader([1, 2, 3], batch_size=2, collate_fn=sum))

    same(torch, program)


def test_a_dataset_of_ones_own(torch: Any) -> None:
    def program(T: Any) -> Any:
        class Squares(T.utils.data.Dataset):
            def __len__(self) -> int:
                return 5

            def __getitem__(self, index: int) -> Any:
                return T.tensor(float(index)), index**2

        return list(T.utils.data.DataLoader(Squares(), 2, shuffle=True))

    same(torch, program)


def counting(T: Any) -> Any:
    """A stream of as many samples as it is told, which it says if it is told to."""

    class Counting(T.utils.data.IterableDataset):  # type: ignore[misc,name-defined]
        def __init__(self, count: int) -> None:
            self.count = count

        def __iter__(self) -> Any:
            return iter(range(self.count))

        def __len__(self) -> int:
            return self.count

    return Counting


@pytest.mark.parametrize(
    "options",
    [{}, {"batch_size": 2}, {"batch_size": 2, "drop_last": True}, {"batch_size": None}],
    ids=str,
)
def test_a_stream(torch: Any, options: Any) -> None:
    def program(T: Any) -> Any:
        loader = T.utils.data.DataLoader(counting(T)(5), shuffle=False, **options)
        return list(loader), len(loader), list(loader), T.rand(1)

    same(torch, program)


def test_data_sets_of_data_sets(torch: Any) -> None:
    def program(T: Any) -> Any:
        D, Counting = T.utils.data, counting(T)
        joined = D.ConcatDataset([[1, 2], [3], D.Subset(range(10), [7, 8])])
        sums = data(T, 2) + data(T, 3), Counting(2) + Counting(1)
        pairs, named = D.StackDataset("ab", [1, 2]), D.StackDataset(x="ab", y=[1, 2])
        return (
            [joined[i] for i in (0, 1, 2, 3, 4, -1, -5)],
            joined.cumulative_sizes,
            list(D.DataLoader(joined, 2)),
            [list(each) for each in sums],
            [len(each) for each in sums],
            list(D.ChainDataset(iter([Counting(1), Counting(2)]))),
            (pairs[1], len(pairs), named[0], list(D.DataLoader(named, 2))),
        )

    same(torch, program)


def test_dataset_can_fetch_several_samples(torch: Any) -> None:
    def program(T: Any) -> Any:
        class Several(T.utils.data.Dataset):  # type: ignore[misc,name-defined]
            def __len__(self) -> int:
                return 5

            def __getitems__(self, numbers: Any) -> Any:
                print(numbers)
                return [10 * number for number in numbers]

        several = Several()
        subset = T.utils.data.Subset(several, [4, 0, 2])
        return [list(T.utils.data.DataLoader(each, 2)) for each in (several, subset)]

    same(torch, program)


def test_the_modules_have_their_names(torch: Any) -> None:
    """`from torch.utils.data.dataloader import default_collate`, as many programs write."""

    def program(T: Any) -> Any:
        D = T.utils.data
        return [
            D.dataloader.default_collate is D.default_collate,
            D.dataloader.DataLoader is D.DataLoader,
            D.dataset.Subset is D.Subset,
            D.sampler.BatchSampler is D.BatchSampler,
            D.get_worker_info() is None,
            D.dataloader.default_collate([(1, 2.0), (3, 4.0)]),
        ]

    same(torch, program)


def L(*args: Any, **options: Any) -> Any:
    return lambda T: T.utils.data.DataLoader([1, 2], *args, **options)


REFUSED = {
    "fewer than no workers": L(num_workers=-1),
    "workers in words": L(num_workers="a"),
    "timeout": L(timeout=-1),
    "prefetch_factor": L(prefetch_factor=2),
    "less than no prefetch_factor": L(num_workers=1, prefetch_factor=-1),
    "persistent_workers": L(persistent_workers=True),
    "context": L(multiprocessing_context="fork"),
    "unknown context": L(num_workers=1, multiprocessing_context="foo"),
    "no context": L(num_workers=1, multiprocessing_context=3),
    "batch_sampler and batch_size": L(batch_size=2, batch_sampler=[[0]]),
    "batch_sampler and drop_last": L(drop_last=True, batch_sampler=[[0]]),
    "batch_size by half": L(2.5),
    "batch_size of truth": L(True),
    "drop_last of numbers": L(drop_last=1),
    "batch_sampler later": lambda T: setattr(L()(T), "batch_sampler", [[0]]),
    "persistent_workers later": lambda T: setattr(L()(T), "persistent_workers", True),
    "a stream, shuffled": lambda T: T.utils.data.DataLoader(counting(T)(1), shuffle=True),
    "a stream in order": lambda T: T.utils.data.DataLoader(counting(T)(1), sampler=[0]),
    "a stream in batches": lambda T: T.utils.data.DataLoader(counting(T)(1), batch_sampler=[[0]]),
    "a sample of a stream": lambda T: counting(T)(1)[0],
    "nothing joined": lambda T: T.utils.data.ConcatDataset([]),
    "streams joined": lambda T: T.utils.data.ConcatDataset([counting(T)(1)]),
    "too far": lambda T: T.utils.data.ConcatDataset([[1], [2]])[2],
    "too far back": lambda T: T.utils.data.ConcatDataset([[1], [2]])[-3],
    "lists in a chain": lambda T: list(T.utils.data.ChainDataset([[1]])),
    "nothing stacked": lambda T: T.utils.data.StackDataset(),
    "sizes stacked": lambda T: T.utils.data.StackDataset([1], [1, 2]),
    "two ways to stack": lambda T: T.utils.data.StackDataset([1], x=[1]),
    "a sampler of nothing": lambda T: iter(T.utils.data.Sampler()),
    "replacement": lambda T: T.utils.data.RandomSampler([1], replacement=1),
    "num_samples": lambda T: T.utils.data.RandomSampler([1], num_samples=2.5),
    "weights of a matrix": lambda T: T.utils.data.WeightedRandomSampler([[1.0]], 1),
    "no weighted samples": lambda T: T.utils.data.WeightedRandomSampler([1.0], 0),
    "weighted replacement": lambda T: T.utils.data.WeightedRandomSampler([1.0], 1, 3),
    "no batches": lambda T: T.utils.data.BatchSampler([1], 0, False),
    "kept batches": lambda T: T.utils.data.BatchSampler([1], 1, 3),
    "unknown samples": lambda T: T.utils.data.default_collate([object()]),
    "sizes": lambda T: T.utils.data.TensorDataset(T.ones(2), T.ones(3)),
    "sampler and shuffle": lambda T: T.utils.data.DataLoader([1], sampler=[0], shuffle=True),
    "drop_last": lambda T: T.utils.data.DataLoader([1], batch_size=None, drop_last=True),
    "batch_size": lambda T: T.utils.data.DataLoader([1], batch_size=0),
    "empty": lambda T: T.utils.data.DataLoader([], shuffle=True),
    "lengths": lambda T: T.utils.data.random_split(range(3), [1, 1]),
    "ragged": lambda T: list(T.utils.data.DataLoader([[1], [1, 2]], batch_size=2)),
    "ragged tensors": lambda T: list(T.utils.data.DataLoader([T.ones(1), T.ones(2)], batch_size=2)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(torch: Any, name: str) -> None:
    def program(T: Any) -> Any:
        try:
            REFUSED[name](T)
        except Exception as error:
            return type(error).__name__, str(error)
        raise AssertionError("no error")

    same(torch, program)
