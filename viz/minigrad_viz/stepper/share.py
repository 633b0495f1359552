"""A program as a link: the whole of it stands in the address, and no server keeps it.

The page behind the link (the folder `try` of the lessons' web site) opens the program, shows it,
and runs it in the reader's browser when the reader says so. What follows the # of an address is
sent to nobody. zlib's format, then the signs of base 64 that an address may have: the page packs
and unpacks the same with what a browser has built in.
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
"""The environment variable that says where the page is."""

KEY = "code"
"""What stands before the program, behind the #."""

LARGEST = 100_000
"""Bytes of a program. Some hundred lines are three kilobytes of an address."""

MODULES = frozenset({"minigrad", "minigrad_viz", "numpy"}) | sys.stdlib_module_names
"""What the page can import."""


def packed(code: str) -> str:
    """A program as it stands in an address.

    >>> unpacked(packed("x = 3  # 三"))
    'x = 3  # 三'
    """
    data = code.encode()
    if len(data) > LARGEST:
        raise ValueError(
            f"a link holds {LARGEST:,} bytes of a program, and this one has {len(data):,}"
        )
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


def unpacked(text: str) -> str:
    """The program that `packed` has packed. ValueError if it is damaged or too large."""
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
    """The address of the page that opens this program.

    >>> link("x = 3", "https://example.org/try/")
    'https://example.org/try/#code=eN...'
    """
    where = address or os.environ.get(VARIABLE)
    if not where:
        raise ValueError(
            "share() has to know where the page is that opens programs, the folder `try` of the "
            f'web site: share(address="https://..."), or the environment variable {VARIABLE}'
        )
    return f"{where.partition('#')[0]}#{KEY}={packed(code)}"


def program_of(files: list[FileData]) -> str:
    """The whole program, where it is certain that a recording's only file is all of it.

    ValueError otherwise: what stands in another cell or file would be missing, and the link would
    open something else than what was seen.
    """
    why = next(_doubts(files), None)
    if why is not None:
        raise ValueError(f"share() cannot tell the whole program: {why}. Give it: share(code=...)")
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
        missing = sorted(_from_elsewhere(code))
    except SyntaxError:
        yield "what made the graph is no Python, but a cell with commands of the notebook's"
        return
    if missing:
        yield f"it takes {', '.join(missing)} from elsewhere"
    others = sorted(_imported(code) - MODULES)
    if others:
        yield f"it imports {', '.join(others)}, which the page does not have"


def _from_elsewhere(code: str) -> set[str]:
    """The names that a program reads and does not bind.

    >>> sorted(_from_elsewhere("y = f(x)\\nx = [len(i) for i in y]"))
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


def _imported(code: str) -> set[str]:
    """The packages that a program imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." if node.level else (node.module or "").partition(".")[0])
    return found
