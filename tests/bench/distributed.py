"""`python -m tests.bench.distributed`: what splitting a batch over processes brings and costs.

The same step is run by one process without Dask, and by teams of 1 and 2 workers, each process on
one thread (start it with OMP_NUM_THREADS=1), in turns. Efficiency is the throughput of a worker,
against the process without Dask. The bytes that a worker sends in a step are printed as `traffic`
says and as they are counted where Dask writes to its sockets, so that a larger cluster can be
judged on paper. A second table has small batches, where nearly all is overhead. With `--write`
both take the place of those in docs/performance.md.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import minigrad as mg
from minigrad import distributed
from tests.bench.__main__ import POOLS, cells, machine, write

INPUTS, CLASSES = 784, 10
LARGE = (512,)
SMALL = ((12, 12), (888, 888))
"""Hidden layers: of the network of the first table, and of those of the second."""

BATCH = 256
"""Samples in each step of the second table."""

HEADER = ("steps run by", "samples a second", "efficiency", "bytes that a worker sends", "counted")
OVERHEAD = ("weights", "one process", "2 workers", "times as long", "in the slowest tenth")
PAGE = Path(__file__).parents[2] / "docs" / "performance.md"


def network(hidden: Sequence[int]) -> Any:
    mg.manual_seed(0)
    sizes = (INPUTS, *hidden)
    layers = [layer for a, b in pairwise(sizes) for layer in (mg.nn.Linear(a, b), mg.nn.ReLU())]
    return mg.nn.Sequential(*layers, mg.nn.Linear(sizes[-1], CLASSES))


def load(samples: int) -> Callable[[int, int], tuple[Any, Any]]:
    """What loads a shard; drawn there, because only where the data lie is measured here."""

    def shard(index: int, count: int) -> tuple[Any, Any]:
        own = len(range(index, samples, count))
        return mg.randn(own, INPUTS), mg.randint(0, CLASSES, (own,))

    return shard


def loss_of(samples: int) -> Callable[..., Any]:
    def loss(model: Any, x: Any, y: Any) -> Any:
        return mg.nn.functional.cross_entropy(model(x), y, reduction="sum") / samples

    return loss


class Alone:
    """Steps of one process that has all of the data."""

    title = "one process, no Dask"
    workers = 1

    def __init__(self, samples: int, hidden: Sequence[int]) -> None:
        self.model, self.loss, self.shard = network(hidden), loss_of(samples), load(samples)(0, 1)
        self.optimizer = mg.optim.SGD(self.model.parameters(), lr=0.1)

    def step(self) -> None:
        self.optimizer.zero_grad()
        self.loss(self.model, *self.shard).backward()
        self.optimizer.step()

    def sent(self) -> int:
        return 0


class Split:
    """Steps of a team of workers, with a shard for each of them."""

    def __init__(self, samples: int, hidden: Sequence[int], client: Any, workers: int) -> None:
        self.title = f"{workers} worker{'s' if workers > 1 else ''}"
        self.client, self.workers = client, workers
        model, self.loss = network(hidden), loss_of(samples)
        optimizer = mg.optim.SGD(model.parameters(), lr=0.1)
        self.team = distributed.Team(client, model, optimizer, load(samples), workers)
        self.team.step(self.loss)
        client.run(count_bytes)

    def step(self) -> None:
        self.team.step(self.loss)

    def sent(self) -> int:
        """Bytes that the busiest worker has written to its sockets so far."""

        def of_one(dask_worker: Any) -> int:
            return int(dask_worker.plugins["sent"])

        return max(self.client.run(of_one).values())


def count_bytes(dask_worker: Any) -> None:
    """From now on, a worker counts what it sends."""
    from distributed.comm.tcp import TCP

    write, dask_worker.plugins["sent"] = TCP.write, 0

    async def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        size = await write(self, *args, **kwargs)
        dask_worker.plugins["sent"] += size
        return size

    TCP.write = counted


def measure(runs: Sequence[Alone | Split], rounds: int) -> list[list[float]]:
    """Seconds of each run's step, taken in turns, after two rounds that do not count."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds + 2):
        for run, own in zip(runs, times, strict=True):
            start = time.perf_counter()
            run.step()
            own.append(time.perf_counter() - start)
    return [own[2:] for own in times]


def weights(hidden: Sequence[int]) -> tuple[int, int]:
    """How many a network has, and their bytes."""
    parameters = list(network(hidden).parameters())
    return (
        sum(p.numel() for p in parameters),
        sum(p.numel() * p.element_size() for p in parameters),
    )


def report(samples: int, rounds: int) -> Iterator[str]:
    """Every line of what is printed and put into the page."""
    count, size = weights(LARGE)
    yield f"{datetime.date.today():%-d %B %Y}; {machine()}; Python {platform.python_version()},"
    yield ", ".join(f"{name} {version(name)}" for name in ("numpy", "distributed")) + ","
    yield f"minigrad {mg.__version__}; threads of each process: 1; median of {rounds} steps of"
    yield f"{samples:,} samples with a {INPUTS}-{LARGE[0]}-{CLASSES} network of {count:,}"
    yield f"parameters ({size:,} bytes). Programs that wanted a core when it began, on average of"
    yield f"the last minute (a quiet machine has none): {os.getloadavg()[0]:.1f}."
    with ExitStack() as stack:
        clients = [stack.enter_context(distributed.connect(workers=n)) for n in (1, 2)]
        runs: list[Alone | Split] = [Alone(samples, LARGE)]
        runs += [Split(samples, LARGE, client, n) for n, client in enumerate(clients, 1)]
        before = [run.sent() for run in runs]
        times = measure(runs, rounds)
        moved = [run.sent() - old for run, old in zip(runs, before, strict=True)]
        yield from ("", cells(*HEADER), cells(*["---"] * len(HEADER)))
        for run, own, total in zip(runs, times, moved, strict=True):
            gain = statistics.median(a / b for a, b in zip(times[0], own, strict=True))
            yield cells(
                run.title,
                f"{samples / statistics.median(own):,.0f}",
                f"{gain / run.workers:.0%}",
                f"{distributed.traffic(network(LARGE), run.workers).busiest:,}",
                f"{total / (rounds + 2):,.0f}",
            )
        yield from ("", f"Batches of {BATCH} samples, where a step is mostly overhead:")
        yield from ("", cells(*OVERHEAD), cells(*["---"] * len(OVERHEAD)))
        for hidden in SMALL:
            alone = Alone(BATCH, hidden)
            split = Split(BATCH, hidden, clients[1], 2)
            here, there = measure([alone, split], 3 * rounds)
            ratios = [b / a for a, b in zip(here, there, strict=True)]
            yield cells(
                f"{weights(hidden)[1] / 2**20:.2f} MiB",
                f"{1000 * statistics.median(here):.2f} ms",
                f"{1000 * statistics.median(there):.2f} ms",
                f"{statistics.median(ratios):.1f}",
                f"{statistics.quantiles(ratios, n=10)[-1]:.1f}",
            )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.distributed")
    parser.add_argument("--samples", type=int, default=32768, help="in all shards together")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--write", action="store_true", help=f"write the table to {PAGE.name}")
    options = parser.parse_args()
    lines = []
    for line in report(options.samples, options.rounds):
        print(line, flush=True)
        lines.append(line)
    if options.write:
        write(lines, PAGE, "distributed")


if __name__ == "__main__":
    # For the workers, which are started from here.
    os.environ |= dict.fromkeys(POOLS, "1")
    main()
