"""Compile the modules of the wheels and of Python's library, with the Python of the page.

A tab keeps no bytecode, so each start compiled nine hundred modules, which took most of its time.
Pyodide under Node.js compiles them instead. The sources of this project stay next to the bytecode,
since pictures and errors quote them. Of libraries, only the bytecode is kept.
"""

import re
import sys
import zipfile
from importlib.util import MAGIC_NUMBER
from marshal import dumps
from pathlib import Path

PLACE = f"/lib/python3.{sys.version_info[1]}/site-packages"
"""The folder of the modules in the page, which tracebacks show."""

LIBRARY = f"/lib/python3{sys.version_info[1]}.zip"
"""The same of Python's own modules, which the page imports from an archive."""

SKIPPED = re.compile(r"/tests?/|/$|\.data/")
"""Files that are not needed: tests, folders, and parts of widgets that the page has."""

UNCHECKED = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
"""The header of bytecode that is used without a check of its source."""


def compiled(source: bytes, name: str) -> bytes | None:
    """Return the bytecode of a module, or None for a file that does not compile (templates)."""
    try:
        code = compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return UNCHECKED + dumps(code)


def with_bytecode(wheel: Path, place: str = PLACE) -> None:
    """Replace a wheel, or another archive of modules, by one with bytecode."""
    own = wheel.name.startswith("minigrad_lab-")
    with zipfile.ZipFile(wheel) as file:
        names = [name for name in file.namelist() if not SKIPPED.search(name)]
        files = {name: file.read(name) for name in names}
    written: dict[str, bytes] = {}
    for name, content in files.items():
        bytecode = None
        if name.endswith(".py"):
            bytecode = compiled(content, f"{place}/{name}")
        if bytecode is None:
            written[name] = content
        elif own:
            path = Path(name)
            cached = path.parent / "__pycache__" / f"{path.stem}.{sys.implementation.cache_tag}.pyc"
            written |= {name: content, str(cached): bytecode}
        else:
            written[f"{name}c"] = bytecode
    with zipfile.ZipFile(wheel, "w") as file:
        for name, content in written.items():
            file.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)


if sys.platform == "emscripten":
    for path in sorted(Path("/wheels").glob("*-none-any.whl")):
        with_bytecode(path)
    for path in Path("/wheels").glob("*.zip"):
        with_bytecode(path, LIBRARY)
