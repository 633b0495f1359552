"""An environment that has a wheel of the project and NumPy alone, linked from this one."""

from __future__ import annotations

import subprocess
import sys
import venv
from importlib.metadata import distribution
from pathlib import Path


def run(*command: str | Path, cwd: Path | None = None, timeout: int = 120) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}{done.stderr}"
    return done.stdout


def install(wheel: Path, folder: Path) -> Path:
    """Make the environment in `folder`, without a network; return its interpreter."""
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    numpy = distribution("numpy")
    for top in {file.parts[0] for file in numpy.files or []} - {".."}:
        (site / top).symlink_to(Path(str(numpy.locate_file(top))).resolve())
    pip = (sys.executable, "-m", "pip", "--python", python)
    run(*pip, "install", "--no-deps", "--no-index", wheel)
    return python
