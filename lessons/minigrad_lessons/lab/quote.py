"""quote(f): the source of a function of minigrad, as it is now.

A lesson that shows the engine must not show a copy of it: a copy is out of date after the next
change, and nobody notices. So the source is fetched when the cell runs, and build.py stores only
where it is from.
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
    """The source of a function, a method or a class, with the name of its file.

    >>> from minigrad.core import engine
    >>> quote(engine.count_uses)
    minigrad/core/engine.py: count_uses
    """
    module = PurePath(*function.__module__.split(".")).with_suffix(".py")
    source = textwrap.dedent(inspect.getsource(function))
    return Quote(module.as_posix(), function.__qualname__, source)
