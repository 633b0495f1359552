"""Docstrings as reStructuredText. They are written as plain text: `x` is code, columns are columns.

A paragraph stays one, with its names set as code. Examples stay as they are, and so do the sections
that napoleon reads (`Args:`, `Raises:`). Lines that continue further to the right than they begin
are columns, and are shown as they stand.
"""

from __future__ import annotations

import inspect
import re

SECTION = re.compile(r"(Args|Returns|Raises|Yields|Attributes|Example|Examples|Note):$")
CODE = re.compile(r"`+([^`]+?)`+")
MARKED = re.compile(r"([*|\\]|(?<=\w)_(?!\w))")
OF_TYPES = {inspect.getdoc(kind) for kind in (bool, bytes, dict, float, int, list, str, tuple)}


def inline(text: str) -> str:
    """Return text with its code as literals, and no other markup.

    >>> inline("`add_` and add_ take *others")
    '``add_`` and add\\\\_ take \\\\*others'
    """
    pieces = CODE.split(text)
    pieces[::2] = [MARKED.sub(r"\\\1", piece) for piece in pieces[::2]]
    pieces[1::2] = [f"``{piece}``" for piece in pieces[1::2]]
    return "".join(pieces)


def converted(lines: list[str]) -> list[str]:
    """Return a docstring's lines as reStructuredText.

    >>> converted(["Say `x`.", "", "x   a number", "    or two"])
    ['Say ``x``.', '', '.. code-block:: text', '', '    x   a number', '        or two', '']
    """
    found: list[str] = []
    for block in re.split(r"\n(?:[ \t]*\n)+", "\n".join(lines).strip("\n")):
        rows = block.split("\n")
        first = rows[0].strip()
        if SECTION.match(first):
            found += [rows[0], *map(inline, rows[1:]), ""]
        elif first.startswith(">>>"):
            found += [*rows, ""]
        elif is_prose(rows):
            found += [*map(inline, rows), ""]
        else:
            found += [".. code-block:: text", "", *(f"    {row}" for row in rows), ""]
    return found


def is_prose(rows: list[str]) -> bool:
    """Whether all lines begin at the margin and none has columns."""
    return not any(row.startswith(" ") or re.search(r"\S {3,}\S", row) for row in rows)


def process(
    app: object, what: str, name: str, value: object, options: object, lines: list[str]
) -> None:
    """Convert the lines of a docstring in place, as Sphinx asks."""
    # A constant has no docstring of its own, but that of its type.
    text = "\n".join(lines).strip()
    lines[:] = [] if text in OF_TYPES else converted(lines)
