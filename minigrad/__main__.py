"""Describe this installation: `python -m minigrad` prints what a report of a problem needs.

Versions are read from the packages' metadata. Only NumPy, CuPy and pygraphviz are imported, and a
package that is broken does not end the report.
"""

from __future__ import annotations

import io
import locale
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module, metadata, util
from pathlib import Path

from . import __config__
from .cuda import device_count, get_device_name

DISTRIBUTION = "minigrad-lab"
PACKAGES = ("minigrad", "minigrad_viz", "minigrad_lessons")

EXTRAS = {
    "viz": tuple("graphviz pygraphviz ipywidgets anywidget latex2mathml matplotlib pillow".split()),
    "lab": ("jupyterlab", "ipykernel", "tqdm", "safetensors"),
    "dist": ("distributed", "cryptography"),
    "gpu": ("cupy-cuda13x",),
    "parity": ("torch",),
}
"""The extras for readers, without those that they include."""

ON_WINDOWS_ARM = sys.platform == "win32" and platform.machine() == "ARM64"
"""For this system pygraphviz has no wheel."""


def version_of(package: str) -> str | None:
    """Return the version of an installed distribution, or None."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def output_of(*command: str) -> str:
    """Return what a program prints, or an empty text if it does not run."""
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=30, encoding="utf-8", errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout or done.stderr).strip() if done.returncode == 0 else ""


def build() -> str:
    """Return where the code comes from: a checkout with its commit, or an installed wheel."""
    folder = Path(__file__).resolve().parent
    if not (folder.parent / "pyproject.toml").exists():
        return f"installed in {folder.parent}"
    git = ("git", "-C", str(folder.parent))
    commit = output_of(*git, "rev-parse", "--short=12", "HEAD") or "unknown"
    changed = ", changed" if output_of(*git, "status", "--porcelain") else ""
    return f"checkout in {folder.parent}, commit {commit}{changed}"


def gpus() -> str:
    """Return the names of the GPUs, or why there are none."""
    if util.find_spec("cupy") is None:
        return "not used, CuPy is not installed"
    try:
        names = [get_device_name(index) for index in range(device_count())]
    except Exception as error:
        return f"CuPy fails: {type(error).__name__}: {error}"
    return ", ".join(names) or "none found by CuPy"


def graphviz() -> str:
    """Return each Graphviz that a picture can use."""
    found = []
    if (bundled := version_of("pygraphviz")) is not None:
        try:
            import_module("pygraphviz")
            found.append(f"the library in pygraphviz {bundled}")
        except Exception as error:
            found.append(f"pygraphviz {bundled} fails: {type(error).__name__}: {error}")
    if (program := shutil.which("dot")) is not None:
        found.append(f"{program}, {output_of(program, '-V') or 'which does not run'}")
    return "; ".join(found) or "none"


def missing() -> Iterator[str]:
    """Yield a line for each extra that is not complete: what is missing, and how to get it."""
    for extra, names in EXTRAS.items():
        absent = [name for name in names if version_of(name) is None]
        if "pygraphviz" in absent and (shutil.which("dot") or ON_WINDOWS_ARM):
            absent.remove("pygraphviz")
            if not shutil.which("dot"):
                yield "viz: the program dot (install Graphviz from graphviz.org)"
        if absent:
            yield f"{extra}: {', '.join(absent)} (pip install '{DISTRIBUTION}[{extra}]')"


def report() -> Iterator[tuple[str, str]]:
    """Yield the lines of the report: a title and a text."""
    installed = [name for name in PACKAGES if util.find_spec(name)]
    encoding = f"{sys.getfilesystemencoding()}, {locale.getencoding()}"
    yield DISTRIBUTION, f"{import_module(PACKAGES[0]).__version__}: {', '.join(installed)}"
    yield "build", build()
    yield "core", __config__.build()
    yield "Python", f"{platform.python_version()} ({platform.python_implementation()})"
    yield "system", f"{platform.platform()}, {platform.machine()}"
    yield "encodings", f"{encoding}, standard output {sys.stdout.encoding}"
    yield "NumPy", version_of("numpy") or "unknown"
    for extra, names in EXTRAS.items():
        there = [f"{name} {version}" for name in names if (version := version_of(name))]
        yield extra, ", ".join(there) or "none"
    yield "GPU", gpus()
    yield "Graphviz", graphviz()
    for line in missing():
        yield "missing", line


def main() -> int:
    """Print the report, also where the terminal has no letter for a folder's name."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    for title, text in report():
        print(f"{title + ':':14}{text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
