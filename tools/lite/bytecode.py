"""Compile the wheels: a page that starts has no time to. (Run by the page's own Python.)

CPython compiles a module when it is first imported and keeps the result. A tab keeps nothing: each
start compiled four hundred modules, which was most of its time. Here they are compiled by the very
interpreter that will load them, Pyodide under Node.js. Of this project the sources stay beside the
bytecode, since pictures and errors quote them; of libraries the bytecode alone is left.
"""

import re
import sys
import zipfile
from importlib.util import MAGIC_NUMBER
from marshal import dumps
from pathlib import Path

PLACE = f"/lib/python3.{sys.version_info[1]}/site-packages"
"""Where the page puts the modules, and what a traceback says."""

SKIPPED = re.compile(r"/tests?/|/$|\.data/")
"""What is not needed: tests, folders as such, and the parts of widgets that the page itself has."""

UNCHECKED = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
"""The head of bytecode that is taken as it is, whatever the time of its source."""


def compiled(source: bytes, name: str) -> bytes | None:
    """The bytecode of a module; None if it is no Python of this version, as templates are not."""
    try:
        code = compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return UNCHECKED + dumps(code)


def with_bytecode(wheel: Path) -> None:
    """Rewrite one wheel in its place."""
    own = wheel.name.startswith("minigrad_lab-")
    with zipfile.ZipFile(wheel) as file:
        names = [name for name in file.namelist() if not SKIPPED.search(name)]
        files = {name: file.read(name) for name in names}
    written: dict[str, bytes] = {}
    for name, content in files.items():
        bytecode = None
        if name.endswith(".py"):
            bytecode = compiled(content, f"{PLACE}/{name}")
        if bytecode is None:
            written[name] = content
        elif own:
            path = Path(name)
            beside = path.parent / "__pycache__" / f"{path.stem}.{sys.implementation.cache_tag}.pyc"
            written |= {name: content, str(beside): bytecode}
        else:
            written[f"{name}c"] = bytecode
    with zipfile.ZipFile(wheel, "w") as file:
        for name, content in written.items():
            file.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)


if sys.platform == "emscripten":
    for path in sorted(Path("/wheels").glob("*-none-any.whl")):
        with_bytecode(path)
