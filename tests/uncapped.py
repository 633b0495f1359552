"""Start the lab without the version limits of constraints.txt.

A cap excludes the newest version from the environments of `make` and Binder, even after its reason
is gone. Each night
the lab is therefore installed without it, and a server must start and answer. The script prints the
time that this takes, and needs a network.

    python -m tests.uncapped
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement

from tests.browser.jupyterlab import serving

ROOT = Path(__file__).parents[1]


def capped(root: Path = ROOT) -> list[Requirement]:
    """Return the requirements of constraints.txt with an upper version limit."""
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    wanted = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return [r for r in wanted if any(limit.operator in ("<", "<=") for limit in r.specifier)]


def environment(folder: Path, free: bool) -> Path:
    """Return the `bin` of a new environment with the lab; `free` drops the upper limits."""
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "--quiet", folder], check=True)
    limits = [] if free else ["--constraint", ROOT / "constraints.txt"]
    install = [*uv, "pip", "install", "--quiet", "--python", folder, *limits]
    subprocess.run([*install, "-e", f"{ROOT}[lab,dist]"], check=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def answers_after(programs: Path, home: Path) -> float:
    """Seconds until a server that starts answers, the second time: the first compiles."""
    home.mkdir()
    for _ in range(2):
        start = time.perf_counter()
        with serving([str(programs / "jupyter"), "lab"], home, {**os.environ, "HOME": str(home)}):
            took = time.perf_counter() - start
    return took


def version(programs: Path, name: str) -> str:
    ask = f"from importlib.metadata import version; print(version({name!r}))"
    done = subprocess.run([programs / "python", "-c", ask], check=True, capture_output=True)
    return done.stdout.decode().strip()


def main() -> int:
    names = [each.name for each in capped()]
    if not names:
        print("Nothing is capped any more: take this out of `make nightly`.")
        return 1
    for free in (False, True):
        with TemporaryDirectory() as folder:
            programs = environment(Path(folder) / "env", free)
            took = answers_after(programs, Path(folder) / "home")
            versions = ", ".join(f"{name} {version(programs, name)}" for name in names)
        print(f"{versions}: a server answers after {took:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
