"""Packages of npm: the Python interpreter and Graphviz, both as WebAssembly.

package-lock.json in this folder has the versions and their hashes. The interpreter's list of
packages also comes from npm if the page loads the interpreter from its public address.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"
PYODIDE = MODULES / "pyodide"
GRAPHVIZ = MODULES / "@viz-js" / "viz"
"""The version with the Graphviz of pygraphviz, so that pictures are the same."""
GRAPHVIZ_SCRIPT = GRAPHVIZ / "dist" / "viz-global.js"


def install() -> None:
    """Install the packages of the lock file, unless they are installed."""
    installed, wanted = MODULES / ".package-lock.json", HERE / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < wanted.stat().st_mtime:
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("make lite needs Node.js 20 with npm, for Pyodide and Graphviz")
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run([npm, "ci", *options], cwd=HERE, check=True)


def run(program: Path, folder: Path) -> None:
    """Run a Python program in the installed Pyodide, with a folder as its /wheels."""
    node = shutil.which("node")
    if node is None:
        raise SystemExit("make lite needs Node.js 20")
    command = [node, *map(str, (HERE / "compile.mjs", program.resolve(), folder.resolve()))]
    subprocess.run(command, check=True)


def version(package: Path) -> str:
    """Return the version of an installed package."""
    return str(json.loads((package / "package.json").read_text(encoding="utf-8"))["version"])
