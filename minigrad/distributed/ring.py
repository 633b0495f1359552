"""How n workers add their gradients: in a ring, in which each speaks to the next one alone.

If all sent their gradient of P bytes to one of them, and it sent the sum back, its cable would
carry (n - 1) P each way, and the others would wait. In the ring the gradient is cut into pieces.
Each piece starts somewhere else and goes round, and whoever it comes by adds their own part; then
the sums go round once more. All cables carry the same, 2 (n - 1) / n P each way, however many
workers there are.

Numbers that are added in another order differ in their last digits. So the order has to be that of
the shards and not of the workers: with S shards there are S pieces, and piece k is
g[k] + g[k+1] + ... + g[S-1] + g[0] + ... + g[k-1], from left to right. A worker holds neighbouring
shards, an arc of the ring, so it can add all of them when a piece comes by. Only where a piece
starts in the middle of an arc must it come home for the rest, one hop more. So the sum is
the same to the bit on any number of workers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from .shard import Flat

Arcs = Sequence[tuple[int, int]]
"""For each worker its first shard, and the first that is no longer its own."""

Pieces = list[Flat]
"""The pieces of the gradient that started at the shards of one arc, in their order."""

Exchange = Callable[[Pieces], Awaitable[Pieces]]
"""Hands pieces to the next worker, and returns those that the previous one handed over."""


def balanced(shards: int, workers: int) -> list[tuple[int, int]]:
    """The arcs of so many workers: all shards, one behind the other, of sizes that differ by one.

    >>> balanced(5, 3)
    [(0, 2), (2, 4), (4, 5)]
    """
    size, more = divmod(shards, workers)
    ends = [size * n + min(n, more) for n in range(workers + 1)]
    return list(pairwise(ends))


def cut(flat: Flat, shards: int) -> list[Flat]:
    """As many pieces as there are shards, each of equal parts of all arrays."""
    return [list(parts) for parts in zip(*(np.array_split(a, shards) for a in flat), strict=True)]


async def all_reduce(own: Mapping[int, Flat], arcs: Arcs, place: int, exchange: Exchange) -> Flat:
    """The sum of all shards' gradients, of which this worker, `place` in the ring, has its `own`.
    They are used up: sums are laid where a part lay that has been added, which saves memory.

    >>> import asyncio
    >>> async def alone(pieces):
    ...     raise AssertionError("there is nobody else")
    >>> gradients = {0: [np.array([1.0, 2.0])], 1: [np.array([10.0, 20.0])]}
    >>> asyncio.run(all_reduce(gradients, [(0, 2)], 0, alone))
    [array([11., 22.])]
    """
    workers, shards = len(arcs), arcs[-1][1]
    first, last = arcs[place]
    parts = {shard: cut(flat, shards) for shard, flat in own.items()}
    sums: dict[int, Flat] = {}

    def started_by(worker: int) -> range:
        return range(*arcs[worker % workers])

    def with_own(pieces: Pieces, worker: int) -> Pieces:
        """The pieces that `worker` started, and the parts of all shards here added to them."""
        numbers = started_by(worker)
        return [added(piece, k, first, last) for piece, k in zip(pieces, numbers, strict=True)]

    def added(piece: Flat, number: int, begin: int, end: int) -> Flat:
        for shard in range(begin, end):
            here = parts[shard][number]
            piece = [np.add(a, b, out=b) for a, b in zip(piece, here, strict=True)]
        return piece

    # Round and round, until the pieces that the next worker started have passed all but itself.
    held = [added(parts[k][k], k, k + 1, last) for k in range(first, last)]
    for hop in range(1, workers):
        held = with_own(await exchange(held), place - hop)
    # The first of them has started at the next worker's first shard and lacks nothing. The others
    # lack the shards before theirs, which they find where they started: the next hop's end.
    if workers > 1:
        sums[started_by(place + 1)[0]] = held[0]
        held = await exchange(held)
    held = [added(piece, k, first, k) for piece, k in zip(held, range(first, last), strict=True)]
    sums |= zip(range(first, last), held, strict=True)
    # What is complete goes round, and has come to everyone when it arrives where it came from.
    for hop in range(1, workers - 1):
        held = await exchange(held)
        sums |= zip(started_by(place - hop), held, strict=True)
    if workers > 1 and shards > workers:
        held = await exchange(held[1:])
        sums |= zip(started_by(place + 1)[1:], held, strict=True)
    for number, piece in sums.items():
        for a, b in zip(piece, parts[last - 1][number], strict=True):
            if a is not b:  # where it was added last, it lies already
                b[...] = a
    return own[last - 1]


class Traffic(NamedTuple):
    """Bytes that the workers of one step send to each other; headers do not count.

    The step is over when the worker that sends most has done so: `busiest`. A cable carries both
    directions at once, and what comes in is as much as what goes out.
    """

    busiest: int
    total: int
    sent: tuple[int, ...]


def traffic(model: Any, workers: int, shards: int | None = None, *, star: bool = False) -> Traffic:
    """What adding the gradients moves, with a shard for each worker, or with so many `shards`.

    With `star=True` one worker fetches all gradients and sends the sum to everyone, to compare.

    >>> import minigrad as mg
    >>> model = mg.nn.Linear(99, 10)  # 1,000 parameters of 4 bytes
    >>> traffic(model, workers=4)
    Traffic(busiest=6000, total=24000, sent=(6000, 6000, 6000, 6000))
    >>> traffic(model, workers=4, star=True)
    Traffic(busiest=12000, total=24000, sent=(12000, 4000, 4000, 4000))
    """
    whole = sum(p.numel() * p.element_size() for p in model.parameters())
    if star:
        sent = [whole * (workers - 1), *[whole] * (workers - 1)]
    else:
        sent = in_ring(model, workers, shards or workers)
    return Traffic(max(sent), sum(sent), tuple(sent))


def in_ring(model: Any, workers: int, shards: int) -> list[int]:
    """The bytes that each worker sends in `all_reduce`."""
    kinds: dict[int, int] = {}
    for parameter in model.parameters():
        size = parameter.element_size()
        kinds[size] = kinds.get(size, 0) + parameter.numel()
    pieces = [
        sum(size * (count // shards + (k < count % shards)) for size, count in kinds.items())
        for k in range(shards)
    ]
    sent = [0] * workers
    if workers == 1:
        return sent
    ring = min(workers, shards)
    for home, (first, last) in enumerate(balanced(shards, ring)):
        for k in range(first, last):
            for worker in range(ring):
                # On the way of the sum all but the last send it, and so do they when the sum is
                # shown to all. A piece that starts inside of an arc takes one hop more.
                adds = worker != (home - 1) % ring
                shows = worker != (home - 2) % ring or k > first
                sent[worker] += pieces[k] * (adds + shows)
    return sent
