"""`make bench`: time each row for each peer and print one table for the README.

Every peer is a process of its own with its thread pools held to one thread. For each row the peers
take turns, round after round, so that whatever slows the machine for a while slows all of them; a
ratio is the median over the rounds of two neighbouring samples. Only one process computes at any
time.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from .rows import PEERS, ROWS

POOLS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
HEADER = "work", "minigrad", "against", "its time", "ratio", "aim", "met"

IMPORT = (
    "import numpy, time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"
)
IMPORTED = "minigrad", "torch", "autograd"
IMPORT_LIMIT = 0.04  # seconds

WARM_UP = 3

Times = dict[str, list[float]]


class Worker:
    """The process of one peer; see worker.py for what is said between the two."""

    def __init__(self, peer: str, threads: int) -> None:
        self.peer = peer
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.worker", peer],
            env=os.environ | dict.fromkeys(POOLS, str(threads)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.version: str | None = self.read()

    def read(self):  # type: ignore[no-untyped-def]
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the process of {self.peer} ended; its error is printed above")
        return json.loads(line)

    def sample(self, row: int, number: int) -> float:
        """Seconds that one run of the row's step takes, as a mean over `number` runs."""
        assert self.process.stdin is not None
        print(row, number, file=self.process.stdin, flush=True)
        return float(self.read()) / number

    def calibrate(self, row: int, duration: float) -> int:
        """How many runs take about `duration` seconds, once everything is warm.

        The first runs load libraries and fill caches. Judged by them, a step of microseconds would
        be timed once and cold (ten times too long, measured), so they do not count; and neither
        does a sample that something else on the machine has slowed down.
        """
        number = 1
        for _ in range(WARM_UP):
            self.sample(row, number)
        while (one := min(self.sample(row, number) for _ in range(3))) * number < duration / 4:
            number *= 4
        return max(1, round(duration / one))

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def clock(seconds: float) -> str:
    for unit, size in ("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3):
        if seconds < 1000 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def with_spread(samples: Sequence[float]) -> str:
    """The median, and half the distance between the quartiles as a percentage of it."""
    low, middle, high = statistics.quantiles(samples, n=4)
    return f"{clock(middle)} ± {(high - low) / 2 / middle:.0%}"


def cells(*contents: str) -> str:
    return f"| {' | '.join(contents)} |"


def table(title: str, times: Times, targets: dict[str, float]) -> Iterator[str]:
    """A line for each peer that minigrad is compared with."""
    ours = times["minigrad"]
    first = title, with_spread(ours)
    for peer in [peer for peer in times if peer != "minigrad"]:
        ratio = statistics.median(a / b for a, b in zip(ours, times[peer], strict=True))
        aim = targets.get(peer)
        judged = ("", "") if aim is None else (f"≤ {aim:g}", "yes" if ratio <= aim else "**no**")
        yield cells(*first, peer, with_spread(times[peer]), f"{ratio:.2f}", *judged)
        first = "", ""


def measure(index: int, workers: Sequence[Worker], rounds: int, duration: float) -> Times:
    """Seconds an operation for every worker that knows the row, taken in turns."""
    taking_part = [worker for worker in workers if worker.peer in ROWS[index].peers()]
    numbers = [worker.calibrate(index, duration) for worker in taking_part]
    times: Times = {worker.peer: [] for worker in taking_part}
    for _ in range(rounds):
        for worker, number in zip(taking_part, numbers, strict=True):
            sample = worker.sample(index, number) / ROWS[index].operations
            times[worker.peer].append(sample)
    return times


def import_seconds(module: str) -> float:
    """Seconds that `import module` takes in a fresh process that has imported NumPy."""
    # Installed packages come compiled; ours has to be given the chance to keep its bytecode too.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", IMPORT.format(module)]
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return float(run.stdout)


def measure_imports(peers: Sequence[str], rounds: int) -> Times:
    """Seconds of each peer's import, taken in turns after a first one that does not count."""
    for peer in peers:
        import_seconds(peer)
    times: Times = {peer: [] for peer in peers}
    for _ in range(rounds):
        for peer in peers:
            times[peer].append(import_seconds(peer))
    return times


def machine() -> str:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].split(":")[1].strip() if names else model
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--rounds", type=int, default=15, help="samples of each peer and row")
    parser.add_argument("--duration", type=float, default=0.02, help="seconds of one sample")
    parser.add_argument("--rows", default="", help="only rows whose title contains this")
    parser.add_argument("--threads", type=int, default=1, help="threads of each peer's pools")
    options = parser.parse_args()

    workers = [Worker(peer, options.threads) for peer in PEERS]
    present = [worker for worker in workers if worker.version is not None]
    versions = ", ".join(f"{w.peer} {w.version}" for w in present if w.peer != "itself")
    print(f"{datetime.date.today():%-d %B %Y}; {machine()};")
    print(f"Python {platform.python_version()}, {versions};")
    print(f"threads a process: {options.threads}; rounds: {options.rounds}.")
    for worker in workers:
        if worker.version is None:
            print(f"Skipped, because it is not installed: {worker.peer}.")

    print("", cells(*HEADER), cells(*["---"] * len(HEADER)), sep="\n")
    for index, row in enumerate(ROWS):
        if options.rows in row.title:
            times = measure(index, present, options.rounds, options.duration)
            print(*table(row.title, times, row.targets), sep="\n", flush=True)
    title = "import, after NumPy has been imported"
    if options.rows in title:
        times = measure_imports([w.peer for w in present if w.peer in IMPORTED], options.rounds)
        times["a limit of"] = [IMPORT_LIMIT] * options.rounds
        print(*table(title, times, {"a limit of": 1.0}), sep="\n")
    for worker in workers:
        worker.close()


if __name__ == "__main__":
    main()
