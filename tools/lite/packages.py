"""The list of packages from which a page loads what a cell imports.

Pyodide has such a list (pyodide-lock.json) of the packages built for it. Ours is that one with the
course's own wheels added, so that `import minigrad` just works, with no %pip and no PyPI. Where the
packages come from the internet, it says so with whole addresses; where they come from a folder, it
lists only what lies there: a package that is not there is then a ModuleNotFoundError at once, and
no request that nobody answers.
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
"""What the kernel asks for, spelt as it does; with the course's it is loaded at the start, all at
once in place of one after another."""

COURSE = ("ipython", "minigrad-lab")

IN_LESSONS = ("tqdm",)
"""What cells of lessons import besides; it is loaded when one does."""

FROM_PYPI = ("comm", "ipywidgets", "anywidget", "psygnal", "graphviz", "latex2mathml")
"""Packages that Pyodide does not have, or that have to fit the widgets in the page."""

OF_THE_KERNEL = ("piplite", "pyodide_kernel", "ipykernel", "widgetsnbextension-4")
"""Wheels that the kernel of JupyterLite brings along, by the beginnings of their names."""

NEEDS: Mapping[str, tuple[str, ...]] = {
    "minigrad-lab": ("numpy", "viz-js", "graphviz", "ipywidgets", "anywidget", "latex2mathml"),
    "ipywidgets": ("comm", "ipython", "traitlets"),
    "anywidget": ("ipywidgets", "psygnal", "typing-extensions"),
    "piplite": ("micropip",),
    "pyodide-kernel": ("ipython", "comm", "jedi"),
}
"""What each of our wheels needs to be loaded with it; the others need nothing."""

PLOTS = "matplotlib"
"""It is imported by functions of the visualizer when the first plot is made, too late for the page
to notice, so it is loaded with the project wherever there is one."""


def everything(listed: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """The packages with all that they depend on.

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
    """The packages that were built for Pyodide, by name."""
    packages: Packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    return packages


def needed_of_pyodide(packages: Packages, *, plots: bool) -> list[str]:
    """What of Pyodide's packages the course loads."""
    asked = {each for needs in NEEDS.values() for each in needs} | {*AT_ONCE, *COURSE, *IN_LESSONS}
    asked |= {PLOTS} if plots else set()
    return everything(packages, sorted(asked - {*NEEDS, *FROM_PYPI}))


def pure(packages: Packages, names: Iterable[str]) -> list[str]:
    """Those packages that are pure Python, with their versions, as pip is told of them."""
    return [
        f"{name}=={packages[name]['version']}"
        for name in names
        if packages[name]["file_name"].endswith("-none-any.whl")
    ]


def listed(
    packages: Packages, wheels: Iterable[Wheel], base: str, elsewhere: str | None, plots: bool
) -> Packages:
    """The list: what is a wheel of the site's comes from there, and the rest of Pyodide's packages
    from `elsewhere`, or not at all.
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
    """The entry of a wheel of ours."""
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
