"""Let Run All continue after a cell that is meant to raise.

JupyterLab sends a cell tagged `raises-exception` with `stop_on_error` false. JupyterLite 0.7 does
not read it, and drops all waiting cells after every error, so the cells after a lesson's first
error would never run. This module changes the built script to read it.
"""

from __future__ import annotations

import re
from pathlib import Path

RUNS = re.compile(
    r"await (?P<kernel>\w+)\.ready,(?=await (?P=kernel)\.handleMessage\((?P<asked>\w+)\))"
)
"""The place where a request is handled; requests are handled one at a time."""

DROPS = re.compile(
    r'(?="error"===(?P<reply>\w+)\.content\.status&&"interrupt"!==(?P=reply)\.metadata\.cause'
    r'&&\(this\._cancelReason\.set\(\w+,"error"\),\w+\.cancel\(\)\))'
)
"""The place where waiting requests are dropped because of the reply."""


class NotTheScript(RuntimeError):
    """The script is not the one that this change was written for."""


def changed(script: str) -> str:
    """Return the changed script; raise NotTheScript unless it has each place once."""
    runs, drops = len(RUNS.findall(script)), len(DROPS.findall(script))
    if (runs, drops) != (1, 1):
        raise NotTheScript(
            f"{runs} places where a request is handled, {drops} where others are dropped"
        )
    script = RUNS.sub(r"\g<0>this._stops=\g<asked>.content.stop_on_error!==false,", script)
    return DROPS.sub("this._stops&&", script)


def script_with(site: Path, text: str) -> tuple[Path, str]:
    """Return the only script of a built site with a text: its path and its contents."""
    scripts = [(path, path.read_text(encoding="utf-8")) for path in site.glob("build/*.js")]
    found = [(path, script) for path, script in scripts if text in script]
    if len(found) != 1:
        raise NotTheScript(f"{len(found)} scripts have {text!r}, not one")
    return found[0]


def change(site: Path) -> Path:
    """Change the script of a built site that handles requests, and return its path."""
    path, script = script_with(site, "_cancelReason")
    path.write_text(changed(script), encoding="utf-8")
    return path
