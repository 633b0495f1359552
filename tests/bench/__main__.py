"""`make bench`: time each row for each peer and print the tables of docs/benchmark.md.

Every peer is a process of its own with its thread pools held to one thread. For each row the peers
take turns, round after round, so that whatever slows the machine for a while slows all of them; a
ratio is the median over the rounds of two neighbouring samples. Only one process computes at any
time, and each row has new ones: what an earlier row has left in memory would falsify it.

With `--write` the tables replace those in docs/benchmark.md, each as soon as it is measured. An
interrupted run therefore keeps what it has. `--only graphs` measures the second table alone.
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
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from .fresh import PROCESS, TIMED, LargeBatch, build, measured
from .rows import PEERS, ROWS, Row

POOLS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
HEADER = "work", "minigrad", "against", "its figure", "ratio", "compiled", "target", "met"
SCALE = {
    "build": "build",
    "collected": "with Python's collector",
    "backward": "backward",
    "free": "free",
    "twice": "first and second derivative",
}
SHAPES = {
    "chain": "chain",
    "tree": "tree of as many leaves",
    "ladder": "ladder of diamonds",
    "views": "views of views",
    "in_place": "written in place",
    "in_views": "written through views",
}
SCALE_HEADER = "graph", "operations", "peer", *SCALE.values(), "bytes"
PAGE = Path(__file__).parents[2] / "docs" / "benchmark.md"

IMPORT = (
    "import numpy, time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"
)
IMPORTED = "minigrad", "torch", "autograd", "compiled"
IMPORT_LIMIT = 0.025  # seconds

WHICH = "import minigrad; assert minigrad.__config__.FINDER; print(minigrad.__config__.build())"

PARTS = "benchmark", "graphs"
"""The tables, by the marks around them in the page."""

WARM_UP = 3

Times = dict[str, list[float]]


class Worker:
    """The process of one peer; see worker.py for what is said between the two."""

    def __init__(
        self, peer: str, threads: int, device: str = "cpu", compiled: bool = False
    ) -> None:
        self.peer = "compiled" if compiled else peer
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.worker", peer, device],
            env=build(compiled) | dict.fromkeys(POOLS, str(threads)),
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

    def sample(self, row: Row, number: int) -> float:
        """Seconds that one run of the row's step takes, as a mean over `number` runs."""
        assert self.process.stdin is not None
        kind = type(row)
        print(kind.__module__, kind.__qualname__, number, file=self.process.stdin, flush=True)
        return float(self.read()) / number

    def calibrate(self, row: Row, duration: float) -> int:
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


def ratio_of(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median ratio of samples that were taken in the same round."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def table(
    title: str,
    ours: Sequence[float],
    others: Times,
    targets: dict[str, float],
    shown: Callable[[Sequence[float]], str] = with_spread,
) -> Iterator[str]:
    """A line for each peer that minigrad is compared with; the targets are for the pure build."""
    first = title, shown(ours)
    compiled = others.get("compiled")
    for peer, theirs in others.items():
        if theirs is compiled:
            continue
        ratio = ratio_of(ours, theirs)
        faster = "" if compiled is None else f"{ratio_of(compiled, theirs):.2f}"
        target = targets.get(peer)
        met = "" if target is None else "met" if ratio <= target else "**missed**"
        aim = "" if target is None else f"≤ {target:g}"
        yield cells(*first, peer, shown(theirs), f"{ratio:.2f}", faster, aim, met)
        first = "", ""


def measure(
    row: Row,
    present: Sequence[str],
    rounds: int,
    duration: float,
    threads: int,
    device: str = "cpu",
) -> Times:
    """Seconds an operation for every peer that can do the work, taken in turns."""
    workers = [Worker(peer, threads, device) for peer in row.peers() if peer in present]
    if "compiled" in present:
        workers.append(Worker("minigrad", threads, device, compiled=True))
    numbers = [worker.calibrate(row, duration) for worker in workers]
    times: Times = {worker.peer: [] for worker in workers}
    for _ in range(rounds):
        for worker, number in zip(workers, numbers, strict=True):
            times[worker.peer].append(worker.sample(row, number) / row.operations)
    for worker in workers:
        worker.close()
    return times


def import_seconds(peer: str) -> float:
    """Seconds that the import of `peer` takes in a fresh process that has imported NumPy."""
    module = "minigrad" if peer == "compiled" else peer
    # Installed packages come compiled; ours has to be given the chance to keep its bytecode too.
    environment = build(peer == "compiled")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
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
        names = [
            line
            for line in info.read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        ]
        model = names[0].split(":")[1].strip() if names else model
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


def megabytes(samples: Sequence[float]) -> str:
    return f"{statistics.median(samples) / 1e6:.1f} MB"


def scales(present: Sequence[str]) -> Iterator[str]:
    """Yield the table of time and memory of an operation in graphs of 10^3 to 10^6 of them."""
    yield from (cells(*SCALE_HEADER), cells(*["---"] * len(SCALE_HEADER)))
    peers = [peer for peer in ("minigrad", "compiled", "torch") if peer in present]
    for graph, words in SHAPES.items():
        for power in range(3, 7):
            for peer in peers:
                if peer == "compiled" and 10**power > TIMED:
                    continue
                found = measured(peer, graph, 10**power)
                times = [
                    "" if found[part] == float("inf") else clock(found[part]) for part in SCALE
                ]
                size = f"{found['bytes']:.0f}" if 10**power >= TIMED else ""
                yield cells(words, f"10^{power}", peer, *times, size)


def described(options: argparse.Namespace, versions: dict[str, str | None]) -> Iterator[str]:
    """Yield the lines above a table: what was measured, and where."""
    others = {peer: v for peer, v in versions.items() if peer not in ("itself", "compiled")}
    named = ", ".join(f"{peer} {v}" for peer, v in others.items() if v)
    yield f"{datetime.date.today():%-d %B %Y}; {machine()}; Python {platform.python_version()},"
    yield f"{named}; threads of each peer: {options.threads}; rounds: {options.rounds}."
    if (compiled := versions["compiled"]) is not None:
        yield f"Compiled: {compiled}."
    else:
        yield "Nothing is compiled: `make compiled` was not run."
    for peer, version in others.items():
        if version is None:
            yield f"Skipped, because it is not installed: {peer}."
    yield ""


def versions_of_peers(threads: int) -> dict[str, str | None]:
    """Return the version of each peer, and the compiled build's; None where it is missing."""
    versions = {}
    for peer in PEERS:
        worker = Worker(peer, threads)
        versions[peer] = worker.version
        worker.close()
    compiled = subprocess.run([sys.executable, "-c", WHICH], env=build(True), capture_output=True)
    versions["compiled"] = None if compiled.returncode else compiled.stdout.decode().strip()
    return versions


def works(options: argparse.Namespace, present: Sequence[str]) -> Iterator[str]:
    """Yield the table of all rows, of the import and of the memory."""
    yield from (cells(*HEADER), cells(*["---"] * len(HEADER)))
    for row in ROWS:
        if options.rows in row.title:
            times = measure(row, present, options.rounds, options.duration, options.threads)
            yield from table(row.title, times.pop("minigrad"), times, row.targets)
    title = "import, after NumPy has been imported"
    if options.rows in title:
        times = measure_imports([peer for peer in present if peer in IMPORTED], options.rounds)
        times["a limit of"] = [IMPORT_LIMIT] * options.rounds
        yield from table(title, times.pop("minigrad"), times, {"a limit of": 1.0})
    if options.rows in LargeBatch.title and PROCESS.exists():  # memory is measured on Linux only
        peers = [peer for peer in (*LargeBatch().peers(), "compiled") if peer in present]
        peaks = {peer: [float(measured(peer, "peak")) for _ in range(3)] for peer in peers}
        yield from table(
            LargeBatch.title, peaks.pop("minigrad"), peaks, LargeBatch.targets, megabytes
        )


def write(lines: Sequence[str], document: Path, name: str) -> None:
    """Put the lines between the two marks of that name in the document."""
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, _, rest = document.read_text(encoding="utf-8").partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"{document.name} has no place for the {name} tables")
    block = "\n".join(lines)
    text = f"{before}{begin}\n{block}\n\n{end}{after}"
    document.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--rounds", type=int, default=15, help="samples of each peer and row")
    parser.add_argument("--duration", type=float, default=0.02, help="seconds of one sample")
    parser.add_argument("--rows", default="", help="only rows whose title contains this")
    parser.add_argument("--threads", type=int, default=1, help="threads of each peer's pools")
    parser.add_argument("--write", action="store_true", help=f"write the tables to {PAGE.name}")
    parser.add_argument("--only", choices=PARTS, help="measure this table alone")
    options = parser.parse_args()
    if options.write and options.rows:
        parser.error("the page holds all rows: leave out --rows")
    os.environ |= dict.fromkeys(POOLS, str(options.threads))
    versions = versions_of_peers(options.threads)
    for part in [options.only] if options.only else PARTS:
        if part == "graphs" and (options.rows or not PROCESS.exists()):
            continue
        present = [peer for peer, version in versions.items() if version is not None]
        found = works(options, present) if part == "benchmark" else scales(present)
        lines = []
        for line in chain(described(options, versions), found):
            print(line, flush=True)
            lines.append(line)
        if options.write:
            write(lines, PAGE, part)


if __name__ == "__main__":
    main()
