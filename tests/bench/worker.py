"""One peer in one process: it prepares rows and times them when it is told to.

Peers must not share a process, because the thread pools of their libraries spin at the same time
and falsify ratios up to sixtyfold. While a worker waits for its next line it uses no processor
time.

It is started with the peer's name and, if need be, the device on which it is to make its tensors.
Each line it reads is the module and the class of a row, and how often to run its step; each line it
writes is a JSON value: first the peer's version, or null where it is not installed, then the
seconds of each sample.
"""

from __future__ import annotations

import gc
import importlib
import importlib.metadata
import json
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from .rows import PEERS, Row, Step


def version(peer: str) -> str | None:
    try:
        module = importlib.import_module(PEERS[peer])
    except ImportError:
        return None
    own = getattr(module, "__version__", None)
    return str(own or importlib.metadata.version(PEERS[peer]))


def seconds(step: Step, number: int, wait: Callable[[], object]) -> float:
    """Time `number` runs. The collector stays on, as in real use, but starts from a clean slate."""
    gc.collect()
    wait()
    start = perf_counter()
    for _ in range(number):
        step()
    wait()
    return perf_counter() - start


def at_once() -> None:
    """A CPU has done its work when a call returns."""


def main(peer: str, device: str = "cpu") -> None:
    assert peer in PEERS
    print(json.dumps(version(peer)), flush=True)
    module: Any = None if device == "cpu" else importlib.import_module(PEERS[peer])
    wait = module.cuda.synchronize if module else at_once
    prepared: dict[str, Step] = {}
    for line in sys.stdin:
        place, number = line.rsplit(maxsplit=1)
        if place not in prepared:
            file, kind = place.split()
            row: Row = getattr(importlib.import_module(file), kind)()
            # A default device is for preparing the data alone: it slows all that PyTorch does.
            if module:
                module.set_default_device(device)
            prepared = {place: row.step(peer)}
            if module:
                module.set_default_device(None)
        print(json.dumps(seconds(prepared[place], int(number), wait)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
