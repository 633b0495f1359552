"""Make a folder with the files that the page would load from the internet.

Schools without internet, and the tests, build the lab from such a folder (`make lite
PYODIDE=folder`). The interpreter comes from npm, and pure Python packages from PyPI. NumPy's wheel
for Pyodide is in neither and must be given. The archive of a Pyodide release is such a folder, too.

    python -m tools.lite.offline build/pyodide --wheels ../shared/wasm
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from . import npm, packages, wheels

INTERPRETER = (
    "pyodide.js",
    "pyodide.mjs",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    packages.LOCK,
    "package.json",
)
"""The files of the interpreter; its other files on npm are for developers."""

VARIABLE = "MINIGRAD_WASM"
"""The environment variable that names the folder with NumPy's wheel."""

USUAL = wheels.ROOT.parent / "shared" / "wasm"
"""The folder if the variable is not set."""


def compiled_wheels() -> Path:
    """Return the folder with the wheels that neither npm nor PyPI has."""
    return Path(os.environ.get(VARIABLE) or USUAL)


def make(folder: Path, compiled: Iterable[Path]) -> None:
    """Make or complete the folder; without matplotlib's wheel, packages for plots are left out."""
    npm.install()
    folder.mkdir(parents=True, exist_ok=True)
    for source in [*(npm.PYODIDE / name for name in INTERPRETER), *compiled]:
        shutil.copyfile(source, folder / source.name)
    listed = packages.of_pyodide(folder / packages.LOCK)
    plots = any(folder.glob(f"{packages.PLOTS}-*.whl"))
    needed = packages.needed_of_pyodide(listed, plots=plots)
    wheels.download(packages.pure(listed, needed), folder)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.lite.offline")
    parser.add_argument("folder", type=Path, help="the folder, build/pyodide for example")
    parser.add_argument("--wheels", type=Path, default=compiled_wheels())
    options = parser.parse_args(arguments)
    make(options.folder, sorted(options.wheels.glob("*.whl")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
