"""The site as a whole: JupyterLab as files, the lessons, and the packages.

By default, the page loads Pyodide and its packages from their public address, and the site has only
the files of this project. With a folder from offline.py, the site has everything, and its pages
need no other address.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from . import early, graphviz, notebooks, npm, packages, run_all, wheels, worker

LANGUAGES = ("en", "zh")
LESSONS = wheels.ROOT / "lessons"
COURSE = "course"
"""The folder of the site with the packages and the list of them."""

START = Path(__file__).with_name("start.html")
"""The page that opens the map of the course in the reader's language."""

STARTING = Path(__file__).with_name("starting.js")
"""What the lab's page does while JupyterLab loads: it starts Python, and says so."""

CACHING = Path(__file__).with_name("caching.js")
"""The part of the service worker that keeps the lab for use without a network."""

LIVE = Path(__file__).with_name("live")
"""The worker that runs cells in other pages, with the same Python and packages."""

EXTENSION = Path(sys.prefix) / "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension"
PROGRAM = Path(__file__).with_name("bytecode.py")
LIBRARY = "python_stdlib.zip"
"""Python's own modules; the site has them compiled, wherever the interpreter comes from."""
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"


def build(output: Path, pyodide: Path | None = None) -> None:
    """Build the site into `output`, and replace the files there."""
    npm.install()
    shutil.rmtree(output, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        plots = pyodide is None or any(pyodide.glob(f"{packages.PLOTS}-*.whl"))
        copy_lessons(source / "content", plots=plots)
        if pyodide is not None:
            copy_interpreter(pyodide, source / "static" / "pyodide")
        write_settings(source, output.resolve(), offline=pyodide is not None)
        jupyter = [sys.executable, "-m", "jupyterlite_core"]
        for step in ("build", "check"):
            subprocess.run([*jupyter, step, "--config", "config.json"], cwd=source, check=True)
    write_packages(output / COURSE, pyodide, plots=plots)
    run_all.change(output)
    early.change(output)
    worker.change(output, python_settings(offline=pyodide is not None))
    shutil.copyfile(START, output / "index.html")
    add_starting(output)
    keeper = output / "service-worker.js"
    keeper.write_text(CACHING.read_text("utf-8") + keeper.read_text("utf-8"), encoding="utf-8")
    shutil.copytree(LIVE, output / LIVE.name, ignore=shutil.ignore_patterns("__*"))
    (output / "build.txt").write_text(build_of(output), encoding="utf-8")


def build_of(site: Path) -> str:
    """Return a name for the files of a site, which changes with each of them."""
    whole = hashlib.sha256()
    for path in sorted(path for path in site.rglob("*") if path.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        whole.update(f"{path.relative_to(site).as_posix()} {content}\n".encode())
    return whole.hexdigest()[:16]


def add_starting(site: Path) -> None:
    """Add to the lab's page what it does while JupyterLab loads."""
    program = STARTING.read_text("utf-8").replace("$worker", worker.in_page(site))
    program = program.replace("$version", version("jupyterlite-core"))
    (site / COURSE / STARTING.name).write_text(program, encoding="utf-8")
    page = site / "lab" / "index.html"
    text = page.read_text(encoding="utf-8")
    whole, bodies = re.subn(
        r"<body[^>]*>", rf'\g<0><script src="../{COURSE}/{STARTING.name}"></script>', text
    )
    if bodies != 1:
        raise ValueError(f"the lab's page has {bodies} bodies")
    page.write_text(whole, encoding="utf-8")


def copy_lessons(folder: Path, *, plots: bool) -> None:
    for language in LANGUAGES:
        for path in sorted((LESSONS / language).glob("*.ipynb")):
            notebooks.copy(path, folder / language / path.name, plots=plots)


def copy_interpreter(pyodide: Path, folder: Path) -> None:
    """Copy the interpreter without the modules, which are in the folder of the course."""
    shutil.copytree(pyodide, folder, ignore=shutil.ignore_patterns("*.whl", LIBRARY))


def write_settings(source: Path, output: Path, *, offline: bool) -> None:
    """Write the settings of the page (jupyter-lite.json) and of the build."""
    page = {
        "appName": "minigrad",
        "exposeAppInBrowser": True,  # for programs that control the page, such as tests
        "defaultKernelName": notebooks.KERNEL["name"],
        "litePluginSettings": {KERNEL: python_settings(offline=offline)},
    }
    build = {
        "contents": ["content"],
        "output_dir": str(output),
        "cache_dir": str(source / "cache"),
        "apps": ["lab"],
        "no_sourcemaps": True,
    }
    write_json(
        source / "jupyter-lite.json",
        {"jupyter-lite-schema-version": 0, "jupyter-config-data": page},
    )
    write_json(source / "config.json", {"LiteBuildConfig": build})


def python_settings(*, offline: bool) -> dict[str, Any]:
    """Return the kernel's settings: where Python lies, and the packages that it loads at once."""
    here = "./static/pyodide/"
    return {
        "pyodideUrl": (here if offline else address()) + "pyodide.js",
        "disablePyPIFallback": offline,
        "loadPyodideOptions": {
            "lockFileURL": f"./{COURSE}/{packages.LOCK}",
            "stdLibURL": f"./{COURSE}/wheels/{LIBRARY}",
            "packages": [*packages.AT_ONCE, *packages.COURSE],
        },
    }


def address() -> str:
    """Return the public address of the Pyodide of this version."""
    return f"https://cdn.jsdelivr.net/pyodide/v{npm.version(npm.PYODIDE)}/full/"


def write_packages(course: Path, pyodide: Path | None, *, plots: bool) -> None:
    """Write the wheels of the site, and the list of packages that a page may load."""
    folder = course / "wheels"
    folder.mkdir(parents=True)
    interpreter = pyodide or npm.PYODIDE
    listed = json.loads((interpreter / packages.LOCK).read_text(encoding="utf-8"))
    needed = packages.needed_of_pyodide(listed["packages"], plots=plots)
    if pyodide is None:
        wheels.download(packages.pure(listed["packages"], needed), folder)
    else:
        for name in needed:
            for path in pyodide.glob(listed["packages"][name]["file_name"]):
                shutil.copyfile(path, folder / path.name)
    # Pyodide has sqlite3 at its address alone, and IPython works without it.
    add_wheels(folder, empty=[*packages.LEFT_OUT, *(["sqlite3"] if pyodide is not None else [])])
    shutil.copyfile(interpreter / LIBRARY, folder / LIBRARY)
    npm.run(PROGRAM, folder)
    here = [wheels.read(path) for path in sorted(folder.glob("*.whl"))]
    elsewhere = None if pyodide is not None else address()
    listed["packages"] = packages.listed(listed["packages"], here, folder.name, elsewhere, plots)
    write_json(course / packages.LOCK, listed)


def add_wheels(folder: Path, *, empty: Iterable[str]) -> None:
    """Add the wheels that Pyodide's list does not have, and empty ones that the kernel requests."""
    wheels.own(folder)
    script = graphviz.at_once(npm.GRAPHVIZ_SCRIPT.read_text(encoding="utf-8"))
    about = '"""Graphviz as WebAssembly."""\n'
    files: dict[str, str | bytes] = {"viz_js/__init__.py": about, "viz_js/viz.js": script}
    wheels.write(folder, "viz_js", npm.version(npm.GRAPHVIZ), files)
    for name in empty:
        if not any(folder.glob(f"{name}-*.whl")):
            wheels.write(folder, name, "1.0.0", {f"{name}-is-not-here.txt": ""})
    wheels.download(wheels.installed(packages.FROM_PYPI), folder)
    for beginning in packages.OF_THE_KERNEL:
        (path,) = (EXTENSION / "static" / "pypi").glob(f"{beginning}*.whl")
        shutil.copyfile(path, folder / path.name)


def write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False), encoding="utf-8")
