"""A program as a link: the address contains all of it, and no server stores it.

The page behind the link (the folder `try` of the lessons' web site) shows the program, and runs it
in the reader's browser on request. A browser does not send the part of an address after the #.
Programs are packed with zlib and base 64 for addresses; a browser has functions for both.
"""

from __future__ import annotations

import ast
import base64
import builtins
import os
import symtable
import sys
import zlib
from collections.abc import Iterator

from .payload import FileData

VARIABLE = "MINIGRAD_SHARE"
"""The environment variable with the address of the page."""

KEY = "code"
"""The key of the program, after the #."""

LARGEST = 100_000
"""The most bytes of a program. A hundred lines take about three kilobytes of an address."""

MODULES = frozenset({"minigrad", "minigrad_viz", "numpy"}) | sys.stdlib_module_names
"""The modules that the page can import."""


def pack(code: str) -> str:
    """Pack a program for an address.

    >>> unpack(pack("x = 3  # 三"))
    'x = 3  # 三'
    """
    data = code.encode()
    if len(data) > LARGEST:
        raise ValueError(
            f"a link holds {LARGEST:,} bytes of a program, and this one has {len(data):,}"
        )
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


def unpack(text: str) -> str:
    """Return the program from packed text. ValueError if it is damaged or too large."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        reader = zlib.decompressobj()
        code = reader.decompress(data, LARGEST + 1)
        if len(code) > LARGEST or not reader.eof or reader.unused_data:
            raise ValueError
        return code.decode()
    except (ValueError, zlib.error) as error:
        raise ValueError("this is no program, or not all of one") from error


def link(code: str, address: str | None) -> str:
    """Return the address of the page that opens this program.

    >>> link("x = 3", "https://example.org/try/")
    'https://example.org/try/#code=eN...'
    """
    where = address or os.environ.get(VARIABLE)
    if not where:
        raise ValueError(
            "share() needs the address of the page that opens programs, the folder `try` of the "
            f'web site: share(address="https://..."), or the environment variable {VARIABLE}'
        )
    return f"{where.partition('#')[0]}#{KEY}={pack(code)}"


def program_of(files: list[FileData]) -> str:
    """Return the whole program, if a recording's only file is certainly all of it.

    Raises:
        ValueError: the program may need another cell or file, which the link would lack.
    """
    doubt = next(_doubts(files), None)
    if doubt is not None:
        raise ValueError(
            f"share() cannot tell the whole program: {doubt}. Give it: share(code=...)"
        )
    return "\n".join(files[0]["lines"]) + "\n"


def _doubts(files: list[FileData]) -> Iterator[str]:
    if len(files) != 1:
        yield f"the graph was made by the lines of {len(files)} files or cells"
        return
    if files[0].get("cut"):
        yield f"{files[0]['name']} is too long to be shown whole"
        return
    code = "\n".join(files[0]["lines"]) + "\n"
    try:
        missing = sorted(_free_names(code))
    except SyntaxError:
        yield "what made the graph is no Python, but a cell with commands of the notebook's"
        return
    if missing:
        yield f"it takes {', '.join(missing)} from elsewhere"
    others = sorted(_imported_packages(code) - MODULES)
    if others:
        yield f"it imports {', '.join(others)}, which the page does not have"


def _free_names(code: str) -> set[str]:
    """Return the names that a program reads and does not bind.

    >>> sorted(_free_names("y = f(x)\\nx = [len(i) for i in y]"))
    ['f']
    """
    top = symtable.symtable(code, "program", "exec")
    bound = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    read: set[str] = set()
    tables = [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            if table is top or symbol.is_global():
                read |= {symbol.get_name()} if symbol.is_referenced() else set()
                bound |= {symbol.get_name()} if symbol.is_assigned() else set()
    return {name for name in read - bound if not hasattr(builtins, name)} - {"__name__", "__file__"}


def _imported_packages(code: str) -> set[str]:
    """Return the packages that a program imports."""
    packages: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            packages |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            packages.add("." if node.level else (node.module or "").partition(".")[0])
    return packages
