"""utils.data: the same samples in the same order as PyTorch, drawn from the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.parity import same


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
}


@pytest.mark.parametrize("name", LOADERS)
def test_loader(torch: Any, name: str) -> None:
    """Two epochs, and what is drawn afterwards: the loader takes as many numbers as PyTorch's."""

    def program(T: Any) -> Any:
        loader = T.utils.data.DataLoader(data(T), **LOADERS[name])
        epochs = [list(loader), list(loader)]
        return len(loader), epochs, T.rand(2)

    same(torch, program)


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


REFUSED = {
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
