"""Change the worker that runs Python, so that its first result comes sooner.

Python is loaded when the worker starts (worker.js), which is before JupyterLab asks for a kernel.
IPython and the course are imported then, too: all folders are still in memory. The notebook's
folder is not: each look at it is a message to JupyterLab, for whose answer Python waits. Every
import looks there first, so ninety messages passed before the first cell.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .run_all import NotTheScript

START = re.compile(r"this\._pyodide=await (\w+)\((?=\{indexURL:)")
IMPORTS = 'push("import pyodide_kernel")'
OTHERWISE = re.compile(r":new Worker\(new URL\(\w+\.p\+\w+\.u\((\d+)\)")
"""The number of the worker that a page starts if it is not cross-origin isolated."""

STATIC = "extensions/@jupyterlite/pyodide-kernel-extension/static"
PROGRAM = Path(__file__).with_name("worker.js")
CHUNK = "webpackChunk"
"""A script of the page and not of a worker begins with this name."""


def changed(script: str, settings: Mapping[str, Any]) -> str:
    """Return the changed script; raise NotTheScript unless it has each place once."""
    starts, imports = len(START.findall(script)), script.count(IMPORTS)
    if (starts, imports) != (1, 1):
        raise NotTheScript(f"{starts} places that start Python, {imports} that import the kernel")
    script = START.sub(r"this._pyodide=await (self.minigradStart??\1)(", script)
    before = PROGRAM.read_text(encoding="utf-8").replace('"$settings"', json.dumps(settings))
    return before + script


def change(site: Path, settings: Mapping[str, Any]) -> list[Path]:
    """Change the workers of a built site, and return their paths."""
    found = []
    for path in sorted((site / STATIC).glob("*.js")):
        script = path.read_text(encoding="utf-8")
        if IMPORTS in script and CHUNK not in script[:500]:
            path.write_text(changed(script, settings), encoding="utf-8")
            found.append(path)
    if not found:
        raise NotTheScript("no worker of the kernel")
    return found


def in_page(site: Path) -> str:
    """Return the path of the worker in a page without shared memory, seen from the site."""
    texts = [path.read_text(encoding="utf-8") for path in (site / STATIC).glob("*.js")]
    numbers = {number for text in texts for number in OTHERWISE.findall(text)}
    if len(numbers) != 1:
        raise NotTheScript(f"{len(numbers)} workers for a page without shared memory")
    (path,) = (site / STATIC).glob(f"{numbers.pop()}.*.js")
    return path.relative_to(site).as_posix()
