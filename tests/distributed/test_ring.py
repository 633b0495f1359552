"""The ring without workers: the same sum to the bit however it is cut, and the bytes it moves."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

import minigrad as mg
from minigrad.distributed import traffic
from minigrad.distributed.ring import all_reduce, balanced, cut

SIZES = (13, 40)
"""How many numbers of float32 and of float64 a gradient has; no number of shards divides both."""


def gradients(shards: int) -> list[list[Any]]:
    """Numbers of very different sizes: added in another order, they have another sum."""
    draw = np.random.default_rng(shards)
    return [
        [
            (draw.standard_normal(size) * 10.0 ** draw.integers(-4, 4, size)).astype(dtype)
            for size, dtype in zip(SIZES, (np.float32, np.float64), strict=True)
        ]
        for _ in range(shards)
    ]


def around(shards: int, workers: int) -> tuple[list[list[Any]], list[int]]:
    """What each worker has in the end, and the bytes that each has sent."""
    every, arcs, sent = gradients(shards), balanced(shards, workers), [0] * workers

    async def run() -> list[list[Any]]:
        boxes: list[asyncio.Queue[Any]] = [asyncio.Queue() for _ in range(workers)]

        def worker(place: int) -> Any:
            async def exchange(pieces: Any) -> Any:
                sent[place] += sum(array.nbytes for piece in pieces for array in piece)
                await boxes[(place + 1) % workers].put(pieces)
                return await boxes[place].get()

            own = {shard: every[shard] for shard in range(*arcs[place])}
            return all_reduce(own, arcs, place, exchange)

        return await asyncio.gather(*(worker(place) for place in range(workers)))

    return asyncio.run(run()), sent


@pytest.mark.parametrize("shards", [1, 2, 3, 5, 8])
def test_all_have_the_same_sum_to_the_bit_on_any_number_of_workers(shards: int) -> None:
    """Piece k is added from shard k on, round the ring; so says the ring's docstring."""
    every = [cut(flat, shards) for flat in gradients(shards)]
    expected: list[list[Any]] = []
    for k in range(shards):
        piece = every[k][k]
        for other in range(k + 1, k + shards):
            piece = [a + b for a, b in zip(piece, every[other % shards][k], strict=True)]
        expected.append(piece)
    whole = [np.concatenate(kind).tolist() for kind in zip(*expected, strict=True)]
    exact = np.sum([flat[1] for flat in gradients(shards)], axis=0)
    np.testing.assert_allclose(whole[1], exact, rtol=1e-9, atol=1e-9)
    for workers in range(1, shards + 1):
        for sums in around(shards, workers)[0]:
            assert [kind.tolist() for kind in sums] == whole


class Parameter:
    """As much of one as `traffic` asks for."""

    def __init__(self, count: int, size: int) -> None:
        self.count, self.size = count, size

    def numel(self) -> int:
        return self.count

    def element_size(self) -> int:
        return self.size


class Model:
    def parameters(self) -> list[Parameter]:
        return [Parameter(SIZES[0], 4), Parameter(SIZES[1], 8)]


@pytest.mark.parametrize("shards", [1, 2, 3, 5, 8])
def test_the_traffic_is_what_the_ring_sends(shards: int) -> None:
    for workers in range(1, shards + 1):
        sent = around(shards, workers)[1]
        assert traffic(Model(), workers, shards) == (max(sent), sum(sent), tuple(sent))


@pytest.mark.parametrize("workers", [2, 3, 8, 1000])
def test_no_cable_carries_more_than_its_share(workers: int) -> None:
    model = mg.nn.Linear(999, 1000)  # a million parameters
    whole = 4_000_000
    assert traffic(model, workers).busiest == pytest.approx(2 * (workers - 1) / workers * whole)
    assert traffic(model, workers, star=True).busiest == (workers - 1) * whole
    assert traffic(model, workers).total == traffic(model, workers, star=True).total


def test_one_worker_and_workers_without_a_shard_send_nothing() -> None:
    assert traffic(mg.nn.Linear(3, 3), 1).sent == (0,)
    assert traffic(mg.nn.Linear(3, 3), 3, shards=2).sent[2] == 0


def test_shards_are_dealt_as_evenly_as_can_be() -> None:
    for workers in range(1, 8):
        for shards in range(workers, 20):
            arcs = balanced(shards, workers)
            assert [k for arc in arcs for k in range(*arc)] == list(range(shards))
            sizes = [last - first for first, last in arcs]
            assert max(sizes) - min(sizes) <= 1
