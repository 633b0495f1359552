"""An engine that grows: the learner's own, as it stands after each chapter.

From chapter 2 on, each chapter adds a few lines to an engine of the learner's own, until chapter 13
finds that it has become the engine of minigrad. A notebook starts from what the chapters before it
have made of it, with `after`, and puts the chapter's own lines in with `into`. The files
chapter_02.py to chapter_12.py are what comes of that, to be read one after the other; wrong.py has
engines that believe something false.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import TypeVar

Defined = TypeVar("Defined", bound=Callable[..., object])

HERE = Path(__file__).parent


def after(chapter: int) -> ModuleType:
    """The engine as it stands after a chapter: each time a new module, which nobody else changes.

    >>> engine = after(2)
    >>> x = engine.Tensor(3.0)
    >>> (x * x + x).backward()
    >>> x.grad
    7.0
    """
    written = [number for number in CHAPTERS if number <= chapter]
    if not written:
        raise ValueError(f"the engine begins in chapter 2, not in chapter {chapter}")
    path = HERE / f"chapter_{written[-1]:02}.py"
    engine = ModuleType(f"engine_after_chapter_{chapter}")
    engine.__file__ = str(path)
    exec(_code(path), engine.__dict__)
    return engine


CHAPTERS = sorted(int(path.stem[-2:]) for path in HERE.glob("chapter_*.py"))
"""The chapters that change it. Chapter 9 does not."""


@cache
def _code(path: Path) -> CodeType:
    return compile(path.read_text(encoding="utf-8"), str(path), "exec")


def into(place: ModuleType | type) -> Callable[[Defined], Defined]:
    """Put the function or class that follows into an engine, or into one of its classes, under its
    own name; what had this name there before is gone.

    >>> engine = after(2)
    >>> @into(engine.Tensor)
    ... def __neg__(self):
    ...     return engine.Tensor(-self.data, "NegBackward0", (self,), (-1.0,))
    >>> x = engine.Tensor(3.0)
    >>> (-x).backward()
    >>> x.grad
    -1.0
    """

    def put(defined: Defined) -> Defined:
        setattr(place, defined.__name__, defined)
        return defined

    return put
