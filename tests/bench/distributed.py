"""`python -m tests.bench.distributed`: gain and cost of splitting a batch over processes.

One process without Dask, and teams of 1 and 2 workers, run the same step in turns. Each process
has one thread. Efficiency is the throughput of a worker, relative to the process without Dask. A
second table has small batches, where a step is mostly overhead. With PyTorch, two of its processes
run the same step for comparison (`DistributedDataParallel` on gloo). With `--write` both tables
replace those in docs/performance.md.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import socket
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib.metadata import version
from importlib.util import find_spec
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Self

import minigrad as mg
from minigrad import distributed
from tests.bench.__main__ import POOLS, cells, machine, write

INPUTS, CLASSES = 784, 10
LARGE = (512,)
SMALL = ((12, 12), (888, 888))
"""Hidden layers: of the network of the first table, and of those of the second."""

BATCH = 256
"""Samples in each step of the second table."""

HEADER = ("steps run by", "samples a second", "efficiency")
OVERHEAD = ("weights", "steps run by", "a step", "times as long", "in the slowest tenth")
PAGE = Path(__file__).parents[2] / "docs" / "performance.md"


def network(library: Any, hidden: Sequence[int]) -> Any:
    library.manual_seed(0)
    sizes, nn = (INPUTS, *hidden), library.nn
    layers = [layer for a, b in pairwise(sizes) for layer in (nn.Linear(a, b), nn.ReLU())]
    return nn.Sequential(*layers, nn.Linear(sizes[-1], CLASSES))


def load(samples: int) -> Callable[[int, int], tuple[Any, Any]]:
    """Return a function that draws a shard: the numbers do not matter, only where they are."""

    def shard(index: int, count: int) -> tuple[Any, Any]:
        return data(mg, len(range(index, samples, count)))

    return shard


def data(library: Any, samples: int) -> tuple[Any, Any]:
    return library.randn(samples, INPUTS), library.randint(0, CLASSES, (samples,))


def loss_of(samples: int) -> Callable[..., Any]:
    def loss(model: Any, x: Any, y: Any) -> Any:
        return mg.nn.functional.cross_entropy(model(x), y, reduction="sum") / samples

    return loss


class Alone:
    """Steps of one process that has all of the data."""

    title = "one process, no Dask"
    workers = 1

    def __init__(self, samples: int, hidden: Sequence[int]) -> None:
        self.model, self.loss = network(mg, hidden), loss_of(samples)
        self.shard = load(samples)(0, 1)
        self.optimizer = mg.optim.SGD(self.model.parameters(), lr=0.1)

    def step(self) -> None:
        self.optimizer.zero_grad()
        self.loss(self.model, *self.shard).backward()
        self.optimizer.step()


class Split:
    """Steps of a team of workers, with a shard for each of them."""

    def __init__(self, samples: int, hidden: Sequence[int], client: Any, workers: int) -> None:
        self.title = f"{workers} worker{'s' if workers > 1 else ''}"
        self.workers = workers
        model, self.loss = network(mg, hidden), loss_of(samples)
        optimizer = mg.optim.SGD(model.parameters(), lr=0.1)
        self.team = distributed.Team(client, model, optimizer, load(samples), workers)

    def step(self) -> None:
        self.team.step(self.loss)


class Torch:
    """Steps of two processes of PyTorch. Each waits for orders, so that runs can take turns."""

    title = "2 processes of PyTorch"
    workers = 2

    def __init__(self, samples: int, hidden: Sequence[int]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        spawn = get_context("spawn")
        self.ends, self.processes = [], []
        for rank in range(self.workers):
            ours, theirs = spawn.Pipe()
            given = (theirs, rank, port, samples // self.workers, hidden)
            process = spawn.Process(target=serve_torch, args=given, daemon=True)
            process.start()
            theirs.close()
            self.ends.append(ours)
            self.processes.append(process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for end in self.ends:
            end.send(False)
        for process in self.processes:
            process.join()

    def step(self) -> None:
        for end in self.ends:
            end.send(True)
        for end in self.ends:
            end.recv()


def serve_torch(end: Any, rank: int, port: int, samples: int, hidden: Sequence[int]) -> None:
    """Run a step of one of PyTorch's processes for each True that comes."""
    import torch
    from torch import distributed as group

    torch.set_num_threads(1)
    there = f"tcp://127.0.0.1:{port}"
    group.init_process_group("gloo", init_method=there, rank=rank, world_size=Torch.workers)
    model = torch.nn.parallel.DistributedDataParallel(network(torch, hidden))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = data(torch, samples)
    while end.recv():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        end.send(None)
    group.destroy_process_group()


Run = Alone | Split | Torch


def with_torch(stack: ExitStack, samples: int, hidden: Sequence[int]) -> list[Run]:
    """Return PyTorch's processes, or nothing where it is missing or has no gloo."""
    if find_spec("torch") is None:
        return []
    from torch import distributed as group

    if not (group.is_available() and group.is_gloo_available()):
        return []
    return [stack.enter_context(Torch(samples, hidden))]


def measure(runs: Sequence[Run], rounds: int) -> list[list[float]]:
    """Return the seconds of each run's steps, taken in turns, after two rounds of warm-up."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds + 2):
        for run, own in zip(runs, times, strict=True):
            start = time.perf_counter()
            run.step()
            own.append(time.perf_counter() - start)
    return [own[2:] for own in times]


def weights(hidden: Sequence[int]) -> tuple[int, int]:
    """Return the number of a network's weights, and their bytes."""
    parameters = list(network(mg, hidden).parameters())
    return (
        sum(p.numel() for p in parameters),
        sum(p.numel() * p.element_size() for p in parameters),
    )


def report(samples: int, rounds: int) -> Iterator[str]:
    """Yield the lines that are printed and written to the page."""
    count, size = weights(LARGE)
    packages = [name for name in ("numpy", "distributed", "torch") if find_spec(name)]
    yield f"{datetime.date.today():%-d %B %Y}; {machine()}; Python {platform.python_version()},"
    yield ", ".join(f"{name} {version(name)}" for name in packages) + ","
    yield f"minigrad {mg.__version__}; threads of each process: 1; median of {rounds} steps of"
    yield f"{samples:,} samples with a {INPUTS}-{LARGE[0]}-{CLASSES} network of {count:,}"
    yield f"parameters ({size:,} bytes). Programs that wanted a core when it began, on average of"
    yield f"the last minute (a quiet machine has none): {os.getloadavg()[0]:.1f}."
    with ExitStack() as stack:
        clients = [stack.enter_context(distributed.connect(workers=n)) for n in (1, 2)]
        with ExitStack() as inner:
            runs: list[Run] = [Alone(samples, LARGE)]
            runs += [Split(samples, LARGE, client, n) for n, client in enumerate(clients, 1)]
            runs += with_torch(inner, samples, LARGE)
            times = measure(runs, rounds)
        yield from ("", cells(*HEADER), cells(*["---"] * len(HEADER)))
        for run, own in zip(runs, times, strict=True):
            gain = statistics.median(a / b for a, b in zip(times[0], own, strict=True))
            yield cells(
                run.title,
                f"{samples / statistics.median(own):,.0f}",
                f"{gain / run.workers:.0%}",
            )
        yield from ("", f"Batches of {BATCH} samples, where a step is mostly overhead:")
        yield from ("", cells(*OVERHEAD), cells(*["---"] * len(OVERHEAD)))
        for hidden in SMALL:
            with ExitStack() as inner:
                runs = [Alone(BATCH, hidden), Split(BATCH, hidden, clients[1], 2)]
                runs += with_torch(inner, BATCH, hidden)
                times = measure(runs, 3 * rounds)
            for run, own in zip(runs, times, strict=True):
                ratios = [b / a for a, b in zip(times[0], own, strict=True)]
                yield cells(
                    f"{weights(hidden)[1] / 2**20:.2f} MiB",
                    run.title,
                    f"{1000 * statistics.median(own):.2f} ms",
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
