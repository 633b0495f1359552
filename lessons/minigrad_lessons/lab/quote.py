"""quote(f): the current source of a function of minigrad.

A copy of the engine in a lesson would be out of date after the next change. So the source is read
when the cell runs, and build.py stores only the name of its file.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from pathlib import PurePath
from typing import Any


class Quote:
    """A piece of source that shows itself in a notebook."""

    def __init__(self, file: str, name: str, source: str) -> None:
        self.file = file
        self.name = name
        self.source = source

    def __repr__(self) -> str:
        return f"{self.file}: {self.name}"

    def _repr_markdown_(self) -> str:
        return f"`{self.file}`\n\n```python\n{self.source}```\n"


def quote(function: Callable[..., Any]) -> Quote:
    """Return the source of a function, a method or a class, with the name of its file.

    >>> from minigrad.core import engine
    >>> quote(engine.count_uses)
    minigrad/core/engine.py: count_uses
    """
    module = PurePath(*function.__module__.split(".")).with_suffix(".py")
    source = textwrap.dedent(inspect.getsource(function))
    return Quote(module.as_posix(), function.__qualname__, source)
