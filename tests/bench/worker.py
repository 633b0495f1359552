"""One peer in one process: it prepares rows and times them when it is told to.

Peers must not share a process, because the thread pools of their libraries spin beside each other
and falsify ratios up to sixtyfold. While a worker waits for its next line it uses no processor
time.

It is started with the peer's name. Each line it reads is the number of a row and how often to run
its step; each line it writes is a JSON value: first the peer's version, or null where it is not
installed, then the seconds of each sample.
"""

from __future__ import annotations

import gc
import importlib
import importlib.metadata
import json
import sys
from time import perf_counter

from .rows import PEERS, ROWS, Step


def version(peer: str) -> str | None:
    try:
        module = importlib.import_module(PEERS[peer])
    except ImportError:
        return None
    own = getattr(module, "__version__", None)
    return str(own or importlib.metadata.version(PEERS[peer]))


def seconds(step: Step, number: int) -> float:
    """Time `number` runs. The collector stays on, as in real use, but starts from a clean slate."""
    gc.collect()
    start = perf_counter()
    for _ in range(number):
        step()
    return perf_counter() - start


def main(peer: str) -> None:
    assert peer in PEERS
    print(json.dumps(version(peer)), flush=True)
    prepared: dict[int, Step] = {}
    for line in sys.stdin:
        row, number = map(int, line.split())
        if row not in prepared:
            prepared = {row: ROWS[row].step(peer)}
        print(json.dumps(seconds(prepared[row], number)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
