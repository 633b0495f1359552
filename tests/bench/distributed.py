"""`python -m tests.bench.distributed`: what splitting a batch over processes brings and costs.

The same step is run by one process without Dask, and on local clusters of 1 and 2 workers, each
process on one thread (start it with OMP_NUM_THREADS=1), in turns. Efficiency is the throughput of a
worker, against the process without Dask. The bytes that a step moves are printed as `traffic` says
and, between workers, as Dask has counted them, so that a larger cluster can be judged on paper.
With `--write` the table takes the place of that in docs/performance.md.
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
from pathlib import Path
from typing import Any

import minigrad as mg
from minigrad import distributed
from tests.bench.__main__ import POOLS, cells, machine, write

INPUTS, HIDDEN, CLASSES = 784, 512, 10
HEADER = (
    *("steps run by", "samples a second", "efficiency"),
    *("bytes a step between workers", "as Dask counts them", "through the scheduler"),
)
PAGE = Path(__file__).parents[2] / "docs" / "performance.md"


def network() -> Any:
    mg.manual_seed(0)
    return mg.nn.Sequential(
        mg.nn.Linear(INPUTS, HIDDEN), mg.nn.ReLU(), mg.nn.Linear(HIDDEN, CLASSES)
    )


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

    def __init__(self, samples: int) -> None:
        self.model, self.loss, self.shard = network(), loss_of(samples), load(samples)(0, 1)
        self.optimizer = mg.optim.SGD(self.model.parameters(), lr=0.1)

    def step(self) -> None:
        self.optimizer.zero_grad()
        self.loss(self.model, *self.shard).backward()
        self.optimizer.step()

    def received(self) -> int:
        return 0


class Split:
    """Steps on a local cluster, with a shard for each worker."""

    def __init__(self, samples: int, client: Any, workers: int) -> None:
        self.title = f"{workers} worker{'s' if workers > 1 else ''}"
        self.client, self.workers = client, workers
        self.model, self.loss = network(), loss_of(samples)
        self.optimizer = mg.optim.SGD(self.model.parameters(), lr=0.1)
        self.shards = distributed.scatter(client, load(samples), workers)
        client.gather(client.map(len, self.shards))

    def step(self) -> None:
        distributed.step(self.client, self.model, self.optimizer, self.loss, self.shards)

    def received(self) -> int:
        """Bytes that workers have fetched from each other so far, as Dask counts them."""

        def of_one(dask_worker: Any) -> int:
            return sum(entry["total"] for entry in dask_worker.transfer_incoming_log)

        return sum(self.client.run(of_one).values())


def measure(runs: Sequence[Alone | Split], rounds: int) -> list[list[float]]:
    """Seconds of each run's step, taken in turns, after two rounds that do not count."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds + 2):
        for run, own in zip(runs, times, strict=True):
            start = time.perf_counter()
            run.step()
            own.append(time.perf_counter() - start)
    return [own[2:] for own in times]


def report(samples: int, rounds: int) -> Iterator[str]:
    """Every line of what is printed and put into the page."""
    model = network()
    count = sum(p.numel() for p in model.parameters())
    size = sum(p.numel() * p.element_size() for p in model.parameters())
    yield f"{datetime.date.today():%-d %B %Y}; {machine()}; Python {platform.python_version()},"
    yield ", ".join(f"{name} {version(name)}" for name in ("numpy", "distributed")) + ","
    yield f"minigrad {mg.__version__}; threads of each process: 1; median of {rounds} steps of"
    yield f"{samples:,} samples with a {INPUTS}-{HIDDEN}-{CLASSES} network of {count:,} parameters"
    yield f"({size:,} bytes)."
    with ExitStack() as stack:
        runs: list[Alone | Split] = [Alone(samples)]
        for workers in (1, 2):
            client = stack.enter_context(distributed.connect(workers=workers))
            runs.append(Split(samples, client, workers))
        before = [run.received() for run in runs]
        times = measure(runs, rounds)
        moved = [run.received() - old for run, old in zip(runs, before, strict=True)]
    yield from ("", cells(*HEADER), cells(*["---"] * len(HEADER)))
    for run, own, total in zip(runs, times, moved, strict=True):
        gain = statistics.median(a / b for a, b in zip(times[0], own, strict=True))
        traffic = distributed.traffic(model, run.workers)
        yield cells(
            run.title,
            f"{samples / statistics.median(own):,.0f}",
            f"{gain / run.workers:.0%}",
            f"{traffic.workers:,}",
            f"{total / (rounds + 2):,.0f}",
            f"{0 if isinstance(run, Alone) else traffic.scheduler:,}",
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
