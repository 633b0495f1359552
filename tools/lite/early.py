"""Let cells wait that are run before the kernel is there.

A notebook is shown before its kernel is connected. JupyterLab 4 has no place to keep a cell that is
run in this second: it clears the cell, starts another kernel, or asks for one. A cell that is run a
second later runs first, without the variables of the cells above. This module changes the built
script, so that a run waits until the notebook has connected its first kernel. Later requests wait
in the kernel's own queue, in the same order.
"""

from __future__ import annotations

import re
from pathlib import Path

from .run_all import NotTheScript, script_with

RUNS = re.compile(
    r"if\((?=(?P<context>\w+)\.hasNoKernel&&await (?P=context)\.startKernel\(\)"
    r"&&\w+&&await \w+\.selectKernel\((?P=context)\),(?P=context)\.hasNoKernel\)"
    r"return (?P<cell>\w+)\.model\.)"
)
"""The place where a code cell is run, and where JupyterLab looks for its kernel."""

WAITS = (
    r'\g<0>\g<context>.session?.kernel||(\g<cell>.setPrompt("*"),'
    r"await \g<context>._initPromise.promise),"
)
"""The promise is kept once the notebook has a kernel, or has none and the reader must choose."""


def changed(script: str) -> str:
    """Return the changed script; raise NotTheScript unless it has each place once."""
    runs, promises = len(RUNS.findall(script)), script.count("this._initPromise.resolve(")
    if (runs, promises) != (1, 1):
        raise NotTheScript(f"{runs} places where a code cell is run, {promises} promises")
    return RUNS.sub(WAITS, script)


def change(site: Path) -> Path:
    """Change the script of a built site that runs cells, and return its path."""
    path, script = script_with(site, ".startKernel()&&")
    path.write_text(changed(script), encoding="utf-8")
    return path
