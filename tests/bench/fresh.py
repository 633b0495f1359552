"""Measures that need a process of their own, since they read how much memory that process takes.

`python -m tests.bench.fresh PEER peak` prints the bytes that a training step needs at most;
`python -m tests.bench.fresh PEER GRAPH SIZE` prints, for a graph of SIZE operations, the seconds
that building it, walking it backward, differentiating it twice and freeing it take, and the bytes
that it occupies. Memory is
what the operating system counts (Linux only), so that it means the same for every peer.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

from .rows import PEERS, Training

PROCESS = Path("/proc/self")


def resident(key: str = "VmRSS") -> int:
    """Bytes of memory that this process has now, or that it had at most ("VmHWM")."""
    for line in (PROCESS / "status").read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1]) * 1024
    raise KeyError(key)


# --- A training step


class LargeBatch(Training):
    """A batch so large that what a step keeps and computes outweighs what the process has."""

    title = "the same MLP, training step, batch 8192: memory at the peak"
    targets = {"numpy": 1.1, "torch": 1.0}
    batch = 8192


def peak(peer: str) -> int:
    """Bytes that training takes at most, beyond those of the imported library."""
    importlib.import_module(PEERS[peer])
    small = Training()
    small.batch = 8
    small.step(peer)()  # loads what a first step loads
    before = resident()
    step = LargeBatch().step(peer)
    gc.collect()
    (PROCESS / "clear_refs").write_text("5")  # the peak counts from here on
    for _ in range(3):
        step()
    return resident("VmHWM") - before


# --- Graphs of any size


def chain(T: Any, size: int) -> Any:
    """One operation after the other."""
    x = T.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(size):
        y = y * x
    return y, x


def tree(T: Any, size: int) -> Any:
    """Pairs of pairs: `size` leaves, and nearly as many sums."""
    level = [T.tensor(1.0, requires_grad=True) for _ in range(size)]
    leaf = level[0]
    while len(level) > 1:
        odd = [level.pop()] if len(level) % 2 else []
        level = [a + b for a, b in zip(level[::2], level[1::2], strict=True)] + odd
    return level[0], leaf


def ladder(T: Any, size: int) -> Any:
    """Rungs of three operations; there are more ways through it than can be counted."""
    x = T.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(size // 3):
        y = y * 0.5 + y * 0.5
    return y, x


def views(T: Any, size: int) -> Any:
    """A view of a view of a view."""
    x = T.ones(2, requires_grad=True)
    y = x * 1
    for _ in range(size):
        y = y.view(2)
    return y.sum(), x


def in_place(T: Any, size: int) -> Any:
    """One tensor, written to again and again."""
    x = T.ones(2, requires_grad=True)
    y = x * 1
    for _ in range(size):
        y.mul_(1)
    return y.sum(), x


def in_views(T: Any, size: int) -> Any:
    """One tensor, written to through views of it: two operations each time."""
    x = T.ones(2, requires_grad=True)
    y = x * 1
    for _ in range(size // 2):
        y[0].mul_(1)
    return y.sum(), x


GRAPHS: dict[str, Callable[[Any, int], Any]] = {
    "chain": chain,
    "tree": tree,
    "ladder": ladder,
    "views": views,
    "in_place": in_place,
    "in_views": in_views,
}
"""Each builds a graph of about `size` operations, and gives its root and a leaf."""

TIMED = 10**5
"""Larger graphs are built once, and are not differentiated twice."""

ENOUGH = 1.0
"""Seconds after which a graph is not built again, once it was built twice."""


def twice(T: Any, root: Any, leaf: Any) -> Any:
    """The graph of the gradient, walked backward to what the gradient was begun with: so that also
    linear operations have a second derivative."""
    seed = T.ones_like(root.detach()).requires_grad_()
    (slope,) = T.autograd.grad(root, leaf, seed, create_graph=True)
    slope.sum().backward()
    return seed.grad


def scale(peer: str, graph: str, size: int) -> dict[str, float]:
    """Seconds and bytes for each operation of a graph of that size.

    The parts are timed without Python's cycle collector, which walks through all objects there are
    whenever a quarter more have come: "collected" is what building takes with it. (Its work is in
    vain: a graph has no cycles.)
    """
    T = importlib.import_module(PEERS[peer])
    build = GRAPHS[graph]
    build(T, 1000)[0].backward()
    best = dict.fromkeys(("collected", "build", "backward", "free", "twice"), float("inf"))

    def note(part: str, since: float) -> float:
        now = perf_counter()
        best[part] = min(best[part], (now - since) / size)
        return now

    began = perf_counter()
    for turn in range(1 if size > TIMED else max(2, 5 * TIMED // size)):
        if turn > 1 and perf_counter() - began > ENOUGH:
            break
        gc.collect()
        before = resident()
        start = perf_counter()
        root, leaf = build(T, size)
        note("collected", start)
        if size >= TIMED:
            best.setdefault("bytes", (resident() - before) / size)
        del root, leaf
        gc.disable()
        start = perf_counter()
        root, leaf = build(T, size)
        start = note("build", start)
        root.backward()
        start = note("backward", start)
        del root, leaf
        note("free", start)
        if size <= TIMED and turn < TIMED // size:
            root, leaf = build(T, size)
            start = perf_counter()
            twice(T, root, leaf)
            note("twice", start)
        gc.enable()
    return best


def build(compiled: bool) -> dict[str, str]:
    """The environment in which the pure or the compiled build of minigrad runs."""
    return {**os.environ, "MINIGRAD_PURE": "" if compiled else "1"}


def measured(peer: str, *what: object) -> Any:
    """Return what this file prints for the arguments, in a new process of the peer's build."""
    name = "minigrad" if peer == "compiled" else peer
    command = [sys.executable, "-m", __spec__.name, name, *map(str, what)]
    done = subprocess.run(
        command, env=build(peer == "compiled"), stdout=subprocess.PIPE, check=True
    )
    return json.loads(done.stdout)


if __name__ == "__main__":
    peer, what, *size = sys.argv[1:]
    print(json.dumps(scale(peer, what, int(size[0])) if size else peak(peer)))
