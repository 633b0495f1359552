"""The lab without the cap that pyproject.toml puts on one of its packages.

A cap excludes the newest version from all installations, even after its reason is gone. Each night
the lab is therefore installed without it, and a server must start and answer. The script prints the
time that this takes, and needs a network.

    python -m tests.uncapped
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement

from tests.browser.jupyterlab import serving

ROOT = Path(__file__).parents[1]


def capped(root: Path = ROOT) -> list[Requirement]:
    """What the extra `lab` wants older than some version."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [Requirement(line) for line in project["optional-dependencies"]["lab"]]
    return [r for r in wanted if any(limit.operator in ("<", "<=") for limit in r.specifier)]


def environment(folder: Path, free: bool) -> Path:
    """The programs of a new environment with the lab; `free` of caps, or as everybody gets it."""
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "--quiet", folder], check=True)
    overrides = folder / "overrides.txt"
    overrides.write_text("".join(f"{each.name}\n" for each in capped() if free))
    install = [*uv, "pip", "install", "--quiet", "--python", folder, "--override", overrides]
    subprocess.run([*install, "-e", f"{ROOT}[lab]"], check=True)
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
