"""Run All goes on behind a cell that raises, where the cell says that it is meant to.

JupyterLab asks for that by itself: a cell tagged `raises-exception` is sent with `stop_on_error`
false. JupyterLite 0.7 does not read it and drops what waits for its kernel after every error, so
that nothing behind a lesson's first error would ever be run. Here the built script is changed to
read it.
"""

from __future__ import annotations

import re
from pathlib import Path

RUNS = re.compile(
    r"await (?P<kernel>\w+)\.ready,(?=await (?P=kernel)\.handleMessage\((?P<asked>\w+)\))"
)
"""Where a request's turn has come: one is handled at a time."""

DROPS = re.compile(
    r'(?="error"===(?P<reply>\w+)\.content\.status&&"interrupt"!==(?P=reply)\.metadata\.cause'
    r'&&\(this\._cancelReason\.set\(\w+,"error"\),\w+\.cancel\(\)\))'
)
"""Where what waits is dropped, because of the reply to that request."""


class NotTheScript(RuntimeError):
    """The script is not the one that this change was written for."""


def changed(script: str) -> str:
    """The script, reading `stop_on_error`. NotTheScript unless both places are there, once each."""
    runs, drops = len(RUNS.findall(script)), len(DROPS.findall(script))
    if (runs, drops) != (1, 1):
        raise NotTheScript(
            f"{runs} places where a request is handled, {drops} where others are dropped"
        )
    script = RUNS.sub(r"\g<0>this._stops=\g<asked>.content.stop_on_error!==false,", script)
    return DROPS.sub("this._stops&&", script)


def change(site: Path) -> Path:
    """Change the one script of a built site that handles requests, and say which it was."""
    scripts = [(path, path.read_text(encoding="utf-8")) for path in site.glob("build/*.js")]
    found = [(path, script) for path, script in scripts if "_cancelReason" in script]
    if len(found) != 1:
        raise NotTheScript(f"{len(found)} scripts keep the requests that wait, not one")
    ((path, script),) = found
    path.write_text(changed(script), encoding="utf-8")
    return path
