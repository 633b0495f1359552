"""The list of packages that a page can load when a cell imports them.

Pyodide has such a list (pyodide-lock.json) of the packages built for it. Here the wheels of the
course are added, so that `import minigrad` works without %pip and PyPI. Packages from the internet
have full addresses. With a folder, only its packages are listed, so that a missing package raises
ModuleNotFoundError at once, without a request.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .wheels import Wheel

Packages = dict[str, dict[str, Any]]

LOCK = "pyodide-lock.json"
"""The name of such a list."""

AT_ONCE = ("micropip", "piplite", "sqlite3", "ipykernel", "comm", "pyodide_kernel", "jedi")
"""Packages that the kernel requests, in its spelling; they are loaded at the start, all at once."""

LEFT_OUT = ("jedi",)
"""Of them, those for which the site has an empty wheel: IPython completes the names of objects that
are there without jedi, which takes a fifth of a second at the start."""

COURSE = ("ipython", "minigrad-lab")

IN_LESSONS = ("tqdm",)
"""Other packages that lessons import; they are loaded on import."""

FROM_PYPI = ("comm", "ipywidgets", "anywidget", "psygnal", "graphviz", "latex2mathml")
"""Packages that Pyodide does not have, or that must fit the widgets of the page."""

OF_THE_KERNEL = ("piplite", "pyodide_kernel", "ipykernel", "widgetsnbextension-4")
"""Wheels that the kernel of JupyterLite contains, by the beginnings of their names."""

NEEDS: Mapping[str, tuple[str, ...]] = {
    "minigrad-lab": ("numpy", "viz-js", "graphviz", "ipywidgets", "anywidget", "latex2mathml"),
    "ipywidgets": ("comm", "ipython", "traitlets"),
    "anywidget": ("ipywidgets", "psygnal", "typing-extensions"),
    "piplite": ("micropip",),
    "pyodide-kernel": ("ipython", "comm"),
}
"""Dependencies of our wheels; the others have none."""

PLOTS = "matplotlib"
"""Loaded with the project if it exists: functions import it, which the page does not notice."""


def everything(listed: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Return the packages with all their dependencies.

    >>> everything({"a": {"depends": ["b"]}, "b": {"depends": []}, "c": {"depends": []}}, ["a"])
    ['a', 'b']
    """
    found: list[str] = []
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name in listed and name not in found:
            found.append(name)
            waiting += [each.replace("_", "-") for each in listed[name]["depends"]]
    return found


def of_pyodide(lock: Path) -> Packages:
    """Return the packages that were built for Pyodide, by name."""
    packages: Packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    return packages


def needed_of_pyodide(packages: Packages, *, plots: bool) -> list[str]:
    """Return the names of Pyodide's packages that the course loads."""
    asked = {each for needs in NEEDS.values() for each in needs} | {*AT_ONCE, *COURSE, *IN_LESSONS}
    asked |= {PLOTS} if plots else set()
    return everything(packages, sorted(asked - {*NEEDS, *FROM_PYPI, *LEFT_OUT}))


def pure(packages: Packages, names: Iterable[str]) -> list[str]:
    """Return requirements for pip of those packages that are pure Python."""
    return [
        f"{name}=={packages[name]['version']}"
        for name in names
        if packages[name]["file_name"].endswith("-none-any.whl")
    ]


def listed(
    packages: Packages, wheels: Iterable[Wheel], base: str, elsewhere: str | None, plots: bool
) -> Packages:
    """Return the list: wheels of the site, and other packages of Pyodide from `elsewhere`.

    If `elsewhere` is None, the list has only the wheels of the site.
    """
    found: Packages = {}
    if elsewhere is not None:
        for name, package in packages.items():
            found[name] = {**package, "file_name": elsewhere + package["file_name"]}
    for wheel in wheels:
        package = packages.get(wheel.name, {})
        if package.get("version") == wheel.version and wheel.name not in FROM_PYPI:
            file = {"file_name": f"{base}/{wheel.path.name}", "sha256": wheel.sha256}
            found[wheel.name] = {**package, **file}
        else:
            found[wheel.name] = own(wheel, base, plots=plots)
    return found


def own(wheel: Wheel, base: str, *, plots: bool) -> dict[str, Any]:
    """Return the entry of one of our wheels."""
    needs = list(NEEDS.get(wheel.name, ()))
    if plots and wheel.name == "minigrad-lab":
        needs.append(PLOTS)
    return {
        "name": wheel.name,
        "version": wheel.version,
        "file_name": f"{base}/{wheel.path.name}",
        "install_dir": "site",
        "sha256": wheel.sha256,
        "package_type": "package",
        "imports": wheel.imports,
        "depends": needs,
        "unvendored_tests": False,
    }
