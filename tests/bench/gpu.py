"""`make bench-gpu`: minigrad on CuPy against PyTorch on the same GPU.

The rows, the processes and the way of timing are those of `make bench`; the data lies on the GPU,
and the clock is read only when the GPU has done what it was given. Both libraries are as they come:
PyTorch may round the products inside a convolution to TF32, which CuPy does not. `--write` writes
the table to docs/gpu.md.

Where something is missing (a GPU, CuPy, a PyTorch that can use a GPU), one sentence says what, and
the exit status is 2. `--device cpu` runs the same on the CPU, to try out the program.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .__main__ import HEADER, POOLS, cells, machine, measure, table, write
from .rows import ROWS_ON_GPU, Row
from .worker import version

BOTH = "minigrad", "torch"
PAGE = Path(__file__).parents[2] / "docs" / "gpu.md"


def about_minigrad() -> dict[str, Any]:
    """Version and GPU of minigrad, or what it is missing."""
    import minigrad

    try:
        import cupy
    except ImportError:
        return {"missing": "CuPy is not installed (pip install 'minigrad-lab[gpu]')"}
    if not minigrad.cuda.is_available():
        return {"missing": f"CuPy {cupy.__version__} finds no GPU or no driver"}
    major, minor = divmod(cupy.cuda.runtime.runtimeGetVersion() // 10, 100)
    with_cupy = f"CuPy {cupy.__version__}, CUDA {major}.{minor}"
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    return {"version": f"minigrad {version('minigrad')} ({with_cupy})", "device": name}


def about_torch() -> dict[str, Any]:
    """Version and GPU of PyTorch, or what it is missing."""
    try:
        import torch
    except ImportError:
        return {"missing": "PyTorch is not installed"}
    if torch.version.cuda is None:
        return {"missing": f"PyTorch {torch.__version__} is built without CUDA"}
    if not torch.cuda.is_available():
        return {"missing": f"PyTorch {torch.__version__} finds no GPU or no driver"}
    name = torch.cuda.get_device_name(0)
    return {"version": f"PyTorch {torch.__version__}", "device": name}


ABOUT = {"minigrad": about_minigrad, "torch": about_torch}


def about(peer: str) -> dict[str, Any]:
    """Return the text of `ABOUT`, from a process of its own: this one must leave the GPU alone."""
    command = [sys.executable, "-m", "tests.bench.gpu", "--about", peer]
    found: dict[str, Any] = json.loads(subprocess.run(command, stdout=-1, check=True).stdout)
    return found


def report(
    described: Sequence[str], rows: Sequence[Row], options: argparse.Namespace
) -> Iterator[str]:
    """Every line that is printed."""
    yield f"{datetime.date.today():%-d %B %Y}; {'; '.join(described)};"
    yield f"{machine()}; Python {platform.python_version()}; rounds: {options.rounds}."
    yield from ("", cells(*HEADER), cells(*["---"] * len(HEADER)))
    for row in rows:
        if options.rows in row.title:
            times = measure(
                row, BOTH, options.rounds, options.duration, threads=1, device=options.device
            )
            yield from table(row.title, times.pop("minigrad"), times, row.targets)


def main(arguments: Sequence[str] | None = None, rows: Sequence[Row] = ROWS_ON_GPU) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.gpu")
    parser.add_argument("--rounds", type=int, default=15, help="samples of each peer and row")
    parser.add_argument("--duration", type=float, default=0.1, help="seconds of one sample")
    parser.add_argument("--rows", default="", help="only rows whose title contains this")
    parser.add_argument("--device", default="cuda", help="cpu: to try out the program")
    parser.add_argument("--write", action="store_true", help=f"write the table to {PAGE.name}")
    parser.add_argument("--about", choices=ABOUT, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.write and (options.rows or options.device == "cpu"):
        parser.error("the page holds all rows, measured on a GPU: leave out --rows and --device")
    if options.about:
        print(json.dumps(ABOUT[options.about]()))
        return 0
    described = [f"no GPU, but {options.device}"]
    if options.device != "cpu":
        found = [about(peer) for peer in BOTH]
        missing = [each["missing"] for each in found if "missing" in each]
        if missing:
            print(f"There is nothing to measure: {'; '.join(missing)}.", file=sys.stderr)
            return 2
        described = [found[0]["device"], *(each["version"] for each in found)]
    os.environ |= dict.fromkeys(POOLS, "1")
    lines = []
    for line in report(described, rows, options):
        print(line, flush=True)
        lines.append(line)
    if options.write:
        write(lines, PAGE, "benchmark-gpu")
    return 0


if __name__ == "__main__":
    sys.exit(main())
